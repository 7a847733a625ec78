//! The port that writes feeds again without what was erased.

use async_trait::async_trait;

use crate::{access::TenantId, error::StoreError};

/// What writing feeds again came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedRewrite {
    /// All files are written again. The number of written days and hours.
    Written(u64),
    /// Another run is writing feeds, so this one must be repeated.
    LeaseHeld,
    /// This service does not produce feeds.
    NotProduced,
}

/// Writes the feeds of a tenant again.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedRewriter: Send + Sync {
    /// Writes every day and hour of the tenant's feeds again that has changed since it was written, as a new revision, and
    /// removes the files of the revision before.
    async fn rewrite(&self, tenant: &TenantId) -> Result<FeedRewrite, StoreError>;
}
