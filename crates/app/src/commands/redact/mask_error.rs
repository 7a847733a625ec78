//! The error of masking.

use std::io;

/// Why masking stopped before the end of the input.
#[derive(Debug, thiserror::Error)]
pub(super) enum MaskError {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is invalid. The error contains nothing from it, because it may be sensitive.
    #[error("line {number}: {wrong}")]
    InvalidLine { number: u64, wrong: String },
}
