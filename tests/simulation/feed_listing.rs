//! What the production of feeds reads of the bucket.

use std::ops::Range;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{
        Dataset, Day, FeedFormat, FeedName, FeedPeriod, FeedStore, FeedVersion, FileBytes, FileName, FileStat, Hour,
        Manifest,
    },
};

use crate::feed_objects::{SimulatedFeeds, TIMEOUT};

#[async_trait]
impl FeedStore for SimulatedFeeds {
    async fn complete_days(&self, _: &TenantId, dataset: &Dataset) -> Result<Vec<Day>, StoreError> {
        let (feeds, feed) = (self.clone(), dataset.feed.clone());
        let listed = self.world.call(TIMEOUT, move || {
            let periods = feeds.periods.lock().unwrap();
            let listed = periods.iter().filter(|((of, _), objects)| *of == feed && objects.is_marked);
            listed.map(|((_, day), _)| *day).collect::<Vec<_>>()
        });
        let failed = || StoreError::new(StoreErrorKind::Unavailable, "the simulated bucket gives no answer");
        listed.await.ok_or_else(failed)
    }

    async fn complete_hours(&self, _: &TenantId, _: &Dataset, _: Day) -> Result<Vec<Hour>, StoreError> {
        Ok(Vec::new())
    }

    async fn is_complete(&self, _: &TenantId, period: &FeedPeriod) -> Result<bool, StoreError> {
        self.call(period, |_, objects| objects.is_marked).await
    }

    async fn manifest(&self, _: &TenantId, period: &FeedPeriod) -> Result<Option<Manifest>, StoreError> {
        self.call(period, |_, objects| objects.manifest.clone()).await
    }

    // The production of feeds needs nothing else of the store.

    async fn feeds(&self, _: &TenantId) -> Result<Vec<FeedName>, StoreError> {
        unreachable!("production lists no feeds")
    }

    async fn versions(&self, _: &TenantId, _: &FeedName) -> Result<Vec<FeedVersion>, StoreError> {
        unreachable!("production lists no versions")
    }

    async fn formats(&self, _: &TenantId, _: &FeedName, _: &FeedVersion) -> Result<Vec<FeedFormat>, StoreError> {
        unreachable!("production lists no formats")
    }

    async fn files(&self, _: &TenantId, _: &FeedPeriod) -> Result<Vec<FileStat>, StoreError> {
        unreachable!("production lists no files")
    }

    async fn stat(&self, _: &TenantId, _: &FeedPeriod, _: &FileName) -> Result<Option<FileStat>, StoreError> {
        unreachable!("production reads no metadata of files")
    }

    async fn read(
        &self,
        _: &TenantId,
        _: &FeedPeriod,
        _: &FileName,
        _: Range<u64>,
    ) -> Result<Option<Box<dyn FileBytes>>, StoreError> {
        unreachable!("production reads no files")
    }

    async fn presigned_url(
        &self,
        _: &TenantId,
        _: &FeedPeriod,
        _: &FileName,
        _: u64,
    ) -> Result<Option<String>, StoreError> {
        unreachable!("production needs no addresses")
    }
}
