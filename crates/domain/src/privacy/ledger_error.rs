//! The errors of the ledger of erasures.

use super::LedgerObjectId;
use crate::error::StoreError;

/// The error of writing or applying the ledger. It contains nothing of an entry.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The ledger failed.
    #[error("the ledger of erasures failed")]
    Ledger(#[source] StoreError),
    /// A line of an object is not an entry.
    #[error("line {line} of {object}.jsonl is not an entry of the ledger")]
    Malformed {
        /// The object.
        object: LedgerObjectId,
        /// The number of the line; the first is 1.
        line: usize,
    },
    /// The lines of an object are not those that were written.
    #[error("{object}.jsonl was changed since it was written: its last line does not match the lines before it")]
    Changed {
        /// The object.
        object: LedgerObjectId,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] StoreError),
}
