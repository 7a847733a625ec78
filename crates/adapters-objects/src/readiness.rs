//! Whether the store of feeds is in reach.

use std::time::Duration;

use async_trait::async_trait;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    readiness::ReadinessProbe,
};
use tokio::time::timeout;

use crate::{ObjectFeeds, error::failed};

/// How long the store may take to answer, less than a probe may.
const PATIENCE: Duration = Duration::from_millis(1_900);

/// A folder that is no tenant's and has nothing in it, so that to list it costs little, however much there is.
const EMPTY_FOLDER: &str = "_reach";

/// The service answers all but what is about feeds without their store.
#[async_trait]
impl ReadinessProbe for ObjectFeeds {
    fn part(&self) -> &'static str {
        "feeds"
    }

    fn is_needed(&self) -> bool {
        false
    }

    async fn check(&self) -> Result<(), StoreError> {
        let folder = self.layout.0.clone().join(EMPTY_FOLDER);
        let listed = timeout(PATIENCE, self.objects.list_with_delimiter(Some(&folder))).await;
        let listed = listed.map_err(|silence| StoreError::new(StoreErrorKind::Unavailable, silence))?;
        listed.map(|_| ()).map_err(failed)
    }
}
