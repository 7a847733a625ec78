//! The interface of the encoders of file formats.

use parlance_domain::{error::StoreError, feed::Rows};

/// Encodes rows in one format.
pub(super) trait Encoder: Send {
    /// Appends encoded rows to `out`. An encoder may buffer rows.
    fn encode_rows(&mut self, rows: &dyn Rows, out: &mut Vec<u8>) -> Result<(), StoreError>;

    /// Appends the rest of the file to `out`.
    fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), StoreError>;
}
