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
    /// An object has no authentication code.
    #[error(
        "{object}.jsonl has no authentication code: an earlier release wrote it, or somebody else changed or added it"
    )]
    NoCode {
        /// The object.
        object: LedgerObjectId,
    },
    /// The authentication code of an object is not one of the service's key.
    #[error(
        "the authentication code of {object}.jsonl does not match: it was written with another master key, or somebody \
         else changed or added it"
    )]
    WrongCode {
        /// The object.
        object: LedgerObjectId,
    },
    /// There is no key for authentication codes.
    #[error("the authentication codes of the ledger cannot be made or checked")]
    Key(#[source] StoreError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] StoreError),
}
