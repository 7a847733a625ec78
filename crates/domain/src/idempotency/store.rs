//! The port that reads and deletes idempotency records.

use async_trait::async_trait;

use super::{IdempotencyRecord, KeyDigest, Operation};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// Reads and deletes idempotency records. The stores of the created objects write the records, in the same step.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// The record of the request that used this key for this operation, even if it has expired.
    async fn find(
        &self,
        tenant: &TenantId,
        operation: Operation,
        key: &KeyDigest,
    ) -> Result<Option<IdempotencyRecord>, StoreError>;

    /// Deletes the records of all tenants with a timestamp up to and including `up_to`, and returns their number.
    async fn purge(&self, up_to: Timestamp) -> Result<u64, StoreError>;
}
