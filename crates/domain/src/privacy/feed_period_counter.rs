//! Counts the periods of feeds that are written again for privacy requests.

use std::sync::Arc;

use async_trait::async_trait;

use super::{PrivacyRequestId, PrivacyRequestStore, RewriteRecorder};
use crate::{access::TenantId, error::StoreError};

/// Adds the periods to the counts of each request.
pub(super) struct FeedPeriodCounter {
    pub(super) store: Arc<dyn PrivacyRequestStore>,
    pub(super) tenant: TenantId,
    pub(super) requests: Vec<PrivacyRequestId>,
}

#[async_trait]
impl RewriteRecorder for FeedPeriodCounter {
    async fn record(&self, revision: &str) -> Result<(), StoreError> {
        self.store.add_feed_period(&self.tenant, &self.requests, revision).await
    }
}
