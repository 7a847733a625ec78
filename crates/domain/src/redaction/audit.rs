//! What is recorded of a switch: who, when, from, to, and on whose approval. A record is never changed.

use std::fmt;

use crate::{
    access::ApiId,
    id::Id,
    limits::{APPROVER_MAX_CHARACTERS, CHANGE_REFERENCE_MAX_CHARACTERS},
    text::{Violation, check_identifier},
    time::Timestamp,
};

use super::{Activity, Entity};

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
            Self::Approvers(Approval { reference, approvers: [first, second] }) => {
                let (reference, first, second) = (reference.as_str(), first.as_str(), second.as_str());
                write!(f, "on {reference}, approved by {first} and {second}")
            }
        }
    }
}

macro_rules! named_text {
    ($(#[$doc:meta])* $name:ident, $max:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(Box<str>);

        impl $name {
            /// Reads it; spaces at both ends are dropped.
            ///
            /// # Errors
            /// The first rule that the text breaks.
            pub fn parse(text: &str) -> Result<Self, Violation> {
                let text = text.trim();
                check_identifier(text, $max)?;
                Ok(Self(text.into()))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}

named_text!(
    /// Where the approval of a change is filed, such as the number of a ticket: 1 to 256 characters, none of them a
    /// control character.
    ChangeReference,
    CHANGE_REFERENCE_MAX_CHARACTERS
);

named_text!(
    /// Someone who approved a change: 1 to 128 characters, none of them a control character.
    Approver,
    APPROVER_MAX_CHARACTERS
);

/// An approval by two people: a reference, and who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    reference: ChangeReference,
    approvers: [Approver; 2],
}

/// One person cannot approve twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the two approvers must be two people")]
pub struct SameApprover;

impl Approval {
    /// An approval by these two.
    ///
    /// # Errors
    /// [`SameApprover`] where the names differ in nothing but upper and lower case.
    pub fn new(reference: ChangeReference, first: Approver, second: Approver) -> Result<Self, SameApprover> {
        if first.as_str().to_lowercase() == second.as_str().to_lowercase() {
            return Err(SameApprover);
        }
        Ok(Self { reference, approvers: [first, second] })
    }

    /// Where it is filed.
    #[must_use]
    pub fn reference(&self) -> &ChangeReference {
        &self.reference
    }

    /// Who approved.
    #[must_use]
    pub fn approvers(&self) -> &[Approver; 2] {
        &self.approvers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approval(first: &str, second: &str) -> Result<Approval, SameApprover> {
        let approver = |name| Approver::parse(name).unwrap();
        Approval::new(ChangeReference::parse("CHG-1").unwrap(), approver(first), approver(second))
    }

    #[test]
    fn two_people_approve() {
        let approval = approval(" Ada ", "Grace").unwrap();
        assert_eq!(approval.approvers().each_ref().map(Approver::as_str), ["Ada", "Grace"]);
    }

    #[test]
    fn one_person_does_not_become_two_by_another_spelling() {
        for (first, second) in [("Ada", "Ada"), ("Ada", "ada"), ("Ada", " ADA ")] {
            assert_eq!(approval(first, second), Err(SameApprover), "{first} {second}");
        }
    }

    #[test]
    fn a_blank_reference_or_approver_is_none() {
        assert_eq!(ChangeReference::parse("  "), Err(Violation::MinCharacters(1)));
        assert_eq!(Approver::parse("\t"), Err(Violation::MinCharacters(1)));
    }
}
