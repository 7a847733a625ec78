//! The encoding of the columns that records and heads of the audit chains share.

use parlance_domain::error::StoreError;

use crate::error::corrupt;

pub(super) fn sequence_to_i64(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

pub(super) fn restore_sequence(table: &'static str, sequence: i64, row: &str) -> Result<u64, StoreError> {
    u64::try_from(sequence).map_err(|error| corrupt(table, "sequence", row, error))
}

pub(crate) fn restore_bytes<const BYTES: usize>(
    table: &'static str,
    column: &'static str,
    bytes: &[u8],
    row: &str,
) -> Result<[u8; BYTES], StoreError> {
    bytes.try_into().map_err(|_| corrupt(table, column, row, "has the wrong length"))
}
