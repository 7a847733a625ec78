//! What can be wrong with a chain, with its head, and with what it is the record of.

use crate::signing::KeyFingerprint;

/// What is wrong with a chain, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("record {sequence}: {fault}")]
pub struct Break {
    /// The place of the first record that is not as it was.
    pub sequence: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no record with this place.
    #[error("the record is missing")]
    Missing,
    /// It does not hold the hash of the record before.
    #[error("the record does not follow the one before it")]
    Unlinked,
    /// Its hash is not that of what it holds.
    #[error("the record was altered")]
    Altered,
    /// The chain ends here, and not as its head says.
    #[error("the chain does not end as its head says")]
    OtherHead,
    /// There are records that the head does not count: behind the last one, or before the first.
    #[error("there are records beyond the head of the chain")]
    BeyondHead,
    /// The record is not the one that was filed.
    #[error("the record is not the one that was filed")]
    OtherThanFiled,
}

/// What can be wrong with the head of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeadFault {
    /// There are records, and no head.
    #[error("the head of the chain is missing")]
    Missing,
    /// It has no signature, and the service has a key.
    #[error("the head of the chain is not signed")]
    Unsigned,
    /// Another key than the service's signed it.
    #[error("the head of the chain is signed by the key {0}, which is not the one of master_key_file")]
    OtherKey(KeyFingerprint),
    /// The signature is not that of this head.
    #[error("the signature of the head is wrong")]
    WrongSignature,
}

/// What can be wrong with a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialFault {
    /// No record issued it.
    #[error("no record says that it was issued")]
    NotOnRecord,
    /// It was issued with other permissions, under another name, or at another time.
    #[error("its permissions, its name or its time are not those on record")]
    IssuedOtherwise,
    /// Its secret was changed at another time, or is accepted for longer.
    #[error("the secret before its last rotation is not accepted as the record says")]
    RotatedOtherwise,
    /// It is revoked and the record does not say so, or the other way about.
    #[error("whether and when it was revoked is not what the record says")]
    RevokedOtherwise,
    /// It is on record and not in its table.
    #[error("it is on record and not among the credentials")]
    Missing,
}

/// What can be wrong with a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SwitchFault {
    /// What is in force is not what was last recorded.
    #[error("what is in force is not what the record says")]
    OtherThanRecorded,
    /// The table of switches holds one that is not on record, or not as it is on record.
    #[error("the log of switches holds one that is not on record so")]
    NotOnRecord,
    /// It is on record, and not in the table of switches.
    #[error("a switch is on record and not in the log of switches")]
    NotInLog,
}

/// One thing that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The chain is broken.
    #[error(transparent)]
    Chain(#[from] Break),
    /// Its head is not what it must be.
    #[error(transparent)]
    Head(#[from] HeadFault),
    /// Something of the tenant cannot be read, so that nothing can be said of the rest.
    #[error("cannot be verified: {0}")]
    Unreadable(String),
    /// A credential was changed past the record.
    #[error("credential {id}: {fault}")]
    Credential {
        /// Its identifier.
        id: String,
        /// What is wrong.
        fault: CredentialFault,
    },
    /// An entity was switched past the record.
    #[error("entity {label}: {fault}")]
    Switch {
        /// The label of the entity.
        label: String,
        /// What is wrong.
        fault: SwitchFault,
    },
}
