//! Faults that the verification of an audit log can find.

use crate::signing::KeyFingerprint;

/// A fault in a chain, with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("record {sequence}: {fault}")]
pub struct ChainBreak {
    /// The position of the first faulty record.
    pub sequence: u64,
    /// The fault at this position.
    pub fault: ChainFault,
}

/// A fault in a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// No record has this position.
    #[error("the record is missing")]
    Missing,
    /// The record does not contain the hash of the preceding record.
    #[error("the record does not follow the one before it")]
    Unlinked,
    /// The hash of the record does not match its content.
    #[error("the record was altered")]
    Altered,
    /// The last record does not match the stored head.
    #[error("the last record does not match the head of the chain")]
    StoredHeadMismatch,
    /// Records exist outside the range of the head: after the last record or before the first.
    #[error("there are records beyond the head of the chain")]
    RecordsBeyondHead,
    /// The record does not match an expected head, which was saved elsewhere.
    #[error("the record does not match the expected head")]
    ExpectedHeadMismatch,
}

/// A fault in the head of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeadFault {
    /// Records exist, but no head.
    #[error("the head of the chain is missing")]
    Missing,
    /// The head has no signature, but the service has a key.
    #[error("the head of the chain is not signed")]
    Unsigned,
    /// A key other than the service's key signed the head.
    #[error("the head of the chain is signed by the key {0}, not by the key in master_key_file")]
    KeyMismatch(KeyFingerprint),
    /// The signature does not match the head.
    #[error("the signature of the head is wrong")]
    WrongSignature,
}

/// A difference between a stored credential and its audit records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialFault {
    /// No record of the creation exists.
    #[error("its creation is not recorded")]
    NotRecorded,
    /// The permissions, the name or the creation time differ from the record.
    #[error("its permissions, name or creation time differ from the record")]
    CreationMismatch,
    /// The rotation, or the end of the previous secret's grace period, differs from the record.
    #[error("the grace period of its previous secret differs from the record")]
    RotationMismatch,
    /// The credential is revoked without a record, or recorded as revoked but is not, or was revoked at another time.
    #[error("its revocation differs from the record")]
    RevocationMismatch,
    /// The credential is recorded but not stored.
    #[error("it is recorded, but the credential is missing")]
    Missing,
}

/// A difference between a stored switch and its audit records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SwitchFault {
    /// The stored flag of the entity differs from the last recorded one.
    #[error("its active flag differs from the record")]
    FlagMismatch,
    /// The switch log contains a switch that is not recorded, or that is recorded differently.
    #[error("the switch log contains a switch that is not recorded")]
    NotRecorded,
    /// The switch is recorded but not in the switch log.
    #[error("a recorded switch is missing from the switch log")]
    NotInLog,
}

/// One finding of a verification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The chain is broken.
    #[error(transparent)]
    Chain(#[from] ChainBreak),
    /// The head is faulty.
    #[error(transparent)]
    Head(#[from] HeadFault),
    /// Some data of the tenant cannot be read, so the rest cannot be verified.
    #[error("cannot be verified: {0}")]
    Unreadable(String),
    /// A credential differs from its audit records.
    #[error("credential {id}: {fault}")]
    Credential {
        /// The identifier of the credential.
        id: String,
        /// The difference.
        fault: CredentialFault,
    },
    /// The switch of an entity differs from its audit records.
    #[error("entity {label}: {fault}")]
    Switch {
        /// The label of the entity.
        label: String,
        /// The difference.
        fault: SwitchFault,
    },
}
