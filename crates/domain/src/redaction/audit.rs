//! The record of a switch: the actor, the time, the old and the new activity, and the approval. A record is never
//! changed.

use std::fmt;

use crate::{access::ApiId, id::Id, quoting::QuotedText, time::Timestamp};

use super::{Activity, Approval, Approver, Entity};

/// The kind of switch identifiers.
#[derive(Debug)]
pub enum SwitchKind {}

/// The identifier of a switch, unique within its tenant.
pub type SwitchId = Id<SwitchKind>;

/// The record of one switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchRecord {
    /// The identifier of the switch. It orders switches with the same timestamp.
    pub id: SwitchId,
    /// The time of the switch, by the service's clock.
    pub switched_at: Timestamp,
    /// The actor that switched the entity.
    pub actor: SwitchActor,
    /// The switched entity.
    pub entity: Entity,
    /// The activity before the switch.
    pub from: Activity,
    /// The activity after the switch.
    pub to: Activity,
}

/// The actor of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SwitchActor {
    /// The tenant, with this credential.
    Credential(ApiId),
    /// A service that embeds the domain, for a caller without a credential.
    Embedder,
    /// The operator, with this approval.
    Approvers(Approval),
}

impl fmt::Display for SwitchActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Credential(id) => write!(f, "by credential {id}"),
            Self::Embedder => f.write_str("by the embedding service"),
            Self::Approvers(approval) => {
                let [first, second] = approval.approvers().each_ref().map(|approver| QuotedText(approver.as_str()));
                let reference = QuotedText(approval.reference().as_str());
                write!(f, "on {reference}, approved by {first} and {second}")
            }
        }
    }
}

impl SwitchActor {
    /// The text of records that are older than the quoting of the operator's texts.
    pub(crate) fn unquoted(&self) -> String {
        let Self::Approvers(approval) = self else { return self.to_string() };
        let [first, second] = approval.approvers().each_ref().map(Approver::as_str);
        format!("on {}, approved by {first} and {second}", approval.reference().as_str())
    }
}
