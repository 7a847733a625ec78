//! The port to what feeds are made of.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{Day, Feed, Records, RowPlace};
use crate::{access::TenantId, error::StoreError};

/// The records of one day of a feed, run by run, in the order of their [places](super::Record::place).
#[async_trait]
pub trait RecordRun: Send {
    /// The next records, in a run that fits into memory easily; empty after the last.
    async fn next(&mut self) -> Result<Records, StoreError>;
}

/// Gives what feeds are made of. Every method but [`tenants`](Self::tenants) sees one tenant's only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedSource: Send + Sync {
    /// Every tenant that has or had a credential, in the order of their names.
    async fn tenants(&self) -> Result<Vec<TenantId>, StoreError>;

    /// The first day on which the tenant has a record of any feed.
    async fn first_day(&self, tenant: &TenantId) -> Result<Option<Day>, StoreError>;

    /// How many records a day of a feed has.
    async fn count(&self, tenant: &TenantId, feed: Feed, day: Day) -> Result<u64, StoreError>;

    /// Of each day of a feed that was changed after its end, how often: a record of it was added or written anew on a
    /// later day, by the database's clock. The number MUST grow with each such change, and at once with it.
    async fn late_changes(&self, tenant: &TenantId, feed: Feed) -> Result<BTreeMap<Day, u64>, StoreError>;

    /// The records of a day, from the first that stands after `after`. Whatever their number, no more than a few runs
    /// of them may be held at a time.
    async fn records<'a>(
        &self,
        tenant: &TenantId,
        feed: Feed,
        day: Day,
        after: Option<&'a RowPlace>,
    ) -> Result<Box<dyn RecordRun>, StoreError>;
}
