//! The port that keeps what tenants say of entities, and the record of every switch.

use async_trait::async_trait;

use super::{Flags, Switch, SwitchRecord};
use crate::{access::TenantId, error::StoreError};

/// Whether what a switch presumes still held when it landed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a superseded switch wrote nothing"]
pub enum Commit {
    /// It held, and the switch is durable.
    Committed,
    /// It did not hold, and nothing was written.
    Superseded,
}

/// Keeps flags and the records of their switches. Every method sees one tenant's only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait RedactionStore: Send + Sync {
    /// What a tenant says of entities; nothing where it never said anything.
    async fn flags(&self, tenant: &TenantId) -> Result<Flags, StoreError>;

    /// Lands a switch together with its record and its [`Entry`](crate::audit::Entry) in the audit log, or none of them,
    /// where what it presumes holds. Of any number of concurrent switches that presume the same of one entity exactly one
    /// MUST be committed. A committed switch MUST survive a loss of power.
    async fn set(&self, tenant: &TenantId, switch: &Switch) -> Result<Commit, StoreError>;

    /// Every record of a tenant, the oldest first; those of one moment by their identifiers.
    async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError>;
}
