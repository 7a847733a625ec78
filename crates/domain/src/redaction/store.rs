//! The port that stores the flags of tenants and the record of every switch.

use async_trait::async_trait;

use super::{Flags, Switch, SwitchRecord};
use crate::{access::TenantId, error::StoreError};

/// The result of writing a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a switch whose precondition failed wrote nothing"]
pub enum CommitOutcome {
    /// The flag was as expected, and the switch is durable.
    Committed,
    /// The flag was not as expected. Nothing was written.
    PreconditionFailed,
}

/// Stores flags and switch records. Every method is limited to one tenant.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait RedactionStore: Send + Sync {
    /// The flags of a tenant; empty if the tenant has set none.
    async fn flags(&self, tenant: &TenantId) -> Result<Flags, StoreError>;

    /// Writes a switch, its record and its [`AuditEntry`](crate::audit::AuditEntry) in the audit log in one atomic
    /// step, if the flag is as the switch expects. Of any number of concurrent switches that expect the same flag of
    /// one entity, exactly one MUST be committed. A committed switch MUST survive a power loss.
    async fn set(&self, tenant: &TenantId, switch: &Switch) -> Result<CommitOutcome, StoreError>;

    /// Every switch record of a tenant, oldest first. Records with the same timestamp are ordered by identifier.
    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError>;
}
