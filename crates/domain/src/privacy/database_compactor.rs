//! The port that rewrites the database without the bytes of deleted rows.

use std::time::Duration;

use async_trait::async_trait;

use super::CompactionError;

/// A table that was rewritten with its indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewrittenTable {
    /// The name of the table.
    pub name: &'static str,
    /// The time that the rewrite took, including the wait for other users of the table.
    pub elapsed: Duration,
}

/// What a compaction of the database came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompactionOutcome {
    /// The database keeps no bytes of deleted rows, so nothing was done.
    NotNeeded,
    /// Every table that holds data of customers was rewritten.
    Rewritten {
        /// The tables, in the order in which they were rewritten.
        tables: Vec<RewrittenTable>,
        /// Whether a new segment of the write-ahead log was begun and a checkpoint was written, so that the server may
        /// reuse or remove the older segments. The role may lack the rights for both.
        is_log_switched: bool,
    },
}

/// Compacts the database.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait DatabaseCompactor: Send + Sync {
    /// Rewrites every table that holds data of customers. After that, no file of such a table or of its indexes MUST hold
    /// bytes of a row that was deleted before this call. A compaction that was interrupted is repeated as a whole.
    ///
    /// # Errors
    /// [`CompactionError::MissingRights`], before anything is rewritten; [`CompactionError::OpenTransaction`];
    /// [`CompactionError::TableInUse`]; [`CompactionError::StaleStatistics`]; [`CompactionError::Store`].
    async fn compact(&self) -> Result<CompactionOutcome, CompactionError>;
}
