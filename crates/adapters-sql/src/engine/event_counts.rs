//! The numbers of rare events, for metrics.

/// The numbers of rare events since a database was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventCounts {
    /// Connections to PostgreSQL that were opened, by all pools and the writer.
    pub connections_opened: u64,
    /// Connections to PostgreSQL that were found lost, by all pools and the writer.
    pub connections_lost: u64,
    /// Changes to another server of the URL.
    pub server_changes: u64,
    /// Statements that ran again on a new connection, because theirs was lost.
    pub statement_retries: u64,
    /// Write batches that were halved, because one write failed or cannot be written together with the others.
    pub batch_splits: u64,
    /// Write batches that were written again in a slower way, because the faster way failed.
    pub batch_fallbacks: u64,
    /// Write batches that left the writer, because another transaction had locked one of their rows.
    pub blocked_batches: u64,
    /// Reads of SQLite without a cached snapshot, because the write-ahead log was full.
    pub uncached_reads: u64,
}
