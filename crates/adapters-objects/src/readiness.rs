//! The readiness probe of the store of feeds.

use std::time::Duration;

use async_trait::async_trait;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    readiness::ReadinessProbe,
};
use tokio::time::timeout;

use crate::{ObjectFeeds, error::store_error};

/// The time limit of the check, below the two seconds that a probe may take.
const CHECK_TIMEOUT: Duration = Duration::from_millis(1_900);

/// A directory that belongs to no tenant and is always empty. Listing it is cheap, whatever the size of the store.
const EMPTY_DIRECTORY: &str = "_reach";

/// The probe is not required: without the store, only requests for feeds fail.
#[async_trait]
impl ReadinessProbe for ObjectFeeds {
    fn part(&self) -> &'static str {
        "feeds"
    }

    fn is_required(&self) -> bool {
        false
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.check", skip_all)]
    async fn check(&self) -> Result<(), StoreError> {
        let directory = self.layout.0.clone().join(EMPTY_DIRECTORY);
        let listed = timeout(CHECK_TIMEOUT, self.objects.list_with_delimiter(Some(&directory))).await;
        let listed = listed.map_err(|elapsed| StoreError::new(StoreErrorKind::Unavailable, elapsed))?;
        listed.map(|_| ()).map_err(store_error)
    }
}
