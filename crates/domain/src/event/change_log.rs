//! The port that stores the change log.

use std::time::Duration;

use async_trait::async_trait;

use super::{Change, FeedChange, LogPosition};
use crate::{access::TenantId, error::StoreError, time::Timestamp};

/// An entry of the change log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The position after the entry.
    pub position: LogPosition,
    /// The time of the change, by the clock of the store.
    pub occurred_at: Timestamp,
    /// What changed.
    pub change: Change,
}

/// Entries of the change log that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogPage {
    /// The entries.
    pub entries: Vec<LogEntry>,
    /// Whether more entries can be read at once.
    pub has_more: bool,
}

/// The outcome of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogRead {
    /// The entries after the position.
    Page(LogPage),
    /// An entry after the position was dropped.
    Expired,
    /// The log has no entry at the position.
    Unknown,
}

/// The state of the log of all tenants, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogStatus {
    /// The greatest sequence number.
    pub head: i64,
    /// The number of sequence numbers that readers must wait for, because a transaction that appends is open.
    pub watermark_lag: i64,
    /// The age of the oldest open transaction that appends.
    pub oldest_open_transaction: Option<Duration>,
}

/// Stores the change log of each tenant: what was changed, in one order that never changes.
///
/// The adapters that store conversations, messages, vocabularies and redaction flags MUST append an entry for each change
/// in the transaction of the change: [`ConversationCreated`](Change::ConversationCreated) and
/// [`ConversationUpdated`](Change::ConversationUpdated) for an upsert, [`MessageCreated`](Change::MessageCreated) for each
/// message in the order of the batch, [`MessageMasked`](Change::MessageMasked) for each updated text, and one for each
/// inserted and removed entry of a vocabulary and each switch.
///
/// A read is complete: it MUST NOT return an entry while one before it can still appear. If a change was acknowledged
/// before another began, its entry comes first.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ChangeLog: Send + Sync {
    /// The entries after a position, at most `limit`, in the order of the log. The result can have fewer entries while
    /// [`has_more`](LogPage::has_more).
    async fn read(&self, tenant: &TenantId, after: LogPosition, limit: usize) -> Result<LogRead, StoreError>;

    /// The position from which every kept entry is read.
    async fn oldest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError>;

    /// The position after the newest entry that can be read.
    async fn newest(&self, tenant: &TenantId) -> Result<LogPosition, StoreError>;

    /// Whether each tenant has entries after a position that can be read, in the same order. Costs less than reads.
    async fn has_entries(&self, positions: &[(TenantId, LogPosition)]) -> Result<Vec<bool>, StoreError>;

    /// Appends the entry of a completed or revised day, unless the log has one of this or a later revision of the day.
    async fn append_feed_change(&self, tenant: &TenantId, change: &FeedChange) -> Result<(), StoreError>;

    /// Drops entries of all tenants that are older than `cutoff`, in one step that does not hold up writers for long.
    /// Returns whether another step can drop more. A store MAY keep entries for longer.
    async fn drop_before(&self, cutoff: Timestamp) -> Result<bool, StoreError>;

    /// The state of the log.
    async fn status(&self) -> Result<LogStatus, StoreError>;
}
