//! The port that reads the records that feeds are made of.

use async_trait::async_trait;

use super::{Day, Feed, Interval, LateChanges, RecordBatch, RowCursor};
use crate::{access::TenantId, error::StoreError};

/// The records of one period, batch by batch, ordered by their [cursors](super::FeedRecord::cursor).
#[async_trait]
pub trait RecordStream: Send {
    /// The next batch, small enough for memory; empty after the last record.
    async fn next(&mut self) -> Result<RecordBatch, StoreError>;
}

/// Reads the records of feeds. Every method except [`tenants`](Self::tenants) is limited to one tenant.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedSource: Send + Sync {
    /// Every tenant that has or had a credential, ordered by name, except for those whose erasure began.
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError>;

    /// The first day on which the tenant has a record in any feed.
    async fn first_day(&self, tenant: &TenantId) -> Result<Option<Day>, StoreError>;

    /// The number of records of a feed in an interval.
    async fn count(&self, tenant: &TenantId, feed: Feed, interval: Interval) -> Result<u64, StoreError>;

    /// The number of late changes of each hour that has any: of the writes that add or rewrite a record of the hour, and
    /// for which [`late_hour`](super::plan::late_hour) returns the hour by the database's clock. The number MUST grow
    /// with each such write, in the same atomic step.
    async fn late_changes(&self, tenant: &TenantId, feed: Feed) -> Result<LateChanges, StoreError>;

    /// The records of an interval, starting with the first record after `after`. The implementation may hold only a few
    /// batches in memory, however many records there are.
    async fn records<'a>(
        &self,
        tenant: &TenantId,
        feed: Feed,
        interval: Interval,
        after: Option<&'a RowCursor>,
    ) -> Result<Box<dyn RecordStream>, StoreError>;
}
