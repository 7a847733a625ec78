//! What is recorded of a switch: who, when, from, to, and on whose approval. A record is never changed.

use std::fmt;

use crate::{access::ApiId, id::Id, quoting::Quoted, time::Timestamp};

use super::{Activity, Approval, Approver, Entity};

/// Marks identifiers of switches.
#[derive(Debug)]
pub enum SwitchKind {}

/// Identifies a switch within its tenant.
pub type SwitchId = Id<SwitchKind>;

/// What is recorded of one switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchRecord {
    /// Orders switches of one moment.
    pub id: SwitchId,
    /// When it was switched, by the service's clock.
    pub at: Timestamp,
    /// Who switched it.
    pub by: SwitchedBy,
    /// What was switched.
    pub entity: Entity,
    /// What was in force before.
    pub from: Activity,
    /// What is in force from then on.
    pub to: Activity,
}

/// Who switched an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SwitchedBy {
    /// The tenant, with this credential.
    Credential(ApiId),
    /// A service that embeds the domain, for a caller without a credential.
    Embedder,
    /// The operator, on an approval.
    Approvers(Approval),
}

impl fmt::Display for SwitchedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Credential(id) => write!(f, "by credential {id}"),
            Self::Embedder => f.write_str("by the embedding service"),
            Self::Approvers(approval) => {
                let [first, second] = approval.approvers().each_ref().map(|approver| Quoted(approver.as_str()));
                let reference = Quoted(approval.reference().as_str());
                write!(f, "on {reference}, approved by {first} and {second}")
            }
        }
    }
}

impl SwitchedBy {
    /// The words of records that were written before texts of the operator were quoted.
    pub(crate) fn unquoted(&self) -> String {
        let Self::Approvers(approval) = self else { return self.to_string() };
        let [first, second] = approval.approvers().each_ref().map(Approver::as_str);
        format!("on {}, approved by {first} and {second}", approval.reference().as_str())
    }
}
