//! The model of the erasure of a whole tenant.

use super::{PlaceCount, PrivacyRequestId};
use crate::{access::TenantId, redaction::Approval, time::Timestamp};

/// The erasure of a tenant. It stays for good, so that the name of the tenant is not used again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantErasure {
    /// The identifier, by which the receipt names the erasure.
    pub id: PrivacyRequestId,
    /// The approval by two people. An erasure that was applied from the ledger has none.
    pub approval: Option<Approval>,
    /// The time from which on nothing is stored for the tenant, by the service's clock.
    pub requested_at: Timestamp,
    /// The time at which nothing of the tenant was left, by the service's clock.
    pub completed_at: Option<Timestamp>,
}

/// The erasures of tenants that are not completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTenantErasures {
    /// Their number, at least 1.
    pub count: u64,
    /// The tenant whose erasure began first.
    pub oldest_tenant: TenantId,
    /// The time at which that one began, by the service's clock.
    pub open_since: Timestamp,
}

/// What would be erased of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantPreview {
    /// The number of objects in each place that has any.
    pub counts: Vec<PlaceCount>,
    /// The number of holds, which refuse the erasure.
    pub holds: u64,
    /// The erasure of the tenant, if it began.
    pub erasure: Option<TenantErasure>,
}

/// The start of an erasure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantErasureStart {
    /// The erasure.
    pub erasure: TenantErasure,
    /// Whether it began now; if not, an earlier run began it.
    pub is_new: bool,
}

/// What the erasure of a tenant waits for before it can be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantWait {
    /// The ledger of erasures, which cannot be written.
    Ledger,
    /// The feeds, which another run writes.
    Feeds,
    /// The transcription component, which does not have the emptied vocabulary yet.
    Vocabulary,
    /// Rows that were stored after the last pass.
    Rows,
    /// Another process, which reads an old state of the database, so that its files still hold what was erased.
    Readers,
}

impl TenantWait {
    /// What is waited for, in words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ledger => "the ledger of erasures, which cannot be written",
            Self::Feeds => "another run that writes feeds",
            Self::Vocabulary => "the delivery of the emptied vocabulary to the transcription component",
            Self::Rows => "a further pass, because rows were stored meanwhile",
            Self::Readers => "another process, which reads an old state of the database file",
        }
    }
}

/// How far a run came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantRunProgress {
    /// Nothing of the tenant is left.
    Completed,
    /// The erasure must be run again.
    Waiting(TenantWait),
}
