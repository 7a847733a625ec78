//! Whether the parts that the service needs are in reach.

use async_trait::async_trait;

use crate::error::StoreError;

/// Tells whether one part that the service needs (a database, a bucket) can do its work now.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ReadinessProbe: Send + Sync {
    /// The part's name as operators know it, such as `database`.
    fn part(&self) -> &'static str;

    /// Whether the service cannot work without it. One that is not needed may be down while the service is ready.
    fn is_needed(&self) -> bool {
        true
    }

    /// Succeeds where the part is in reach. MUST answer within two seconds, in reach or not.
    async fn check(&self) -> Result<(), StoreError>;
}
