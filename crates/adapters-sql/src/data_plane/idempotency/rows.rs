//! Encodes and decodes stored idempotency records.

use parlance_domain::{
    error::StoreError,
    idempotency::{IdempotencyRecord, KeyDigest, Operation, RequestDigest},
    time::Timestamp,
};
use sea_orm::{DbErr, QueryResult};

use crate::error::corrupt;

const TABLE: &str = "receipts";

/// The byte before a stored digest of version 2. A digest of version 1 has no such byte.
const CANONICAL_VERSION: u8 = 2;

/// Encodes a digest with its version.
pub(super) fn encode_digest(digest: &RequestDigest) -> Vec<u8> {
    match digest {
        RequestDigest::Body(bytes) => bytes.to_vec(),
        RequestDigest::Canonical(bytes) => [&[CANONICAL_VERSION], &bytes[..]].concat(),
    }
}

fn decode_digest(stored: &[u8]) -> Option<RequestDigest> {
    match (stored.try_into(), stored.split_first()) {
        (Ok(bytes), _) => Some(RequestDigest::Body(bytes)),
        (Err(_), Some((&CANONICAL_VERSION, bytes))) => bytes.try_into().ok().map(RequestDigest::Canonical),
        (Err(_), _) => None,
    }
}

/// The columns `request_digest`, `ids` and `created_at`.
pub(crate) struct RecordColumns {
    pub(crate) digest: Vec<u8>,
    pub(crate) ids: String,
    pub(crate) created_at: i64,
}

pub(super) fn read_columns(row: &QueryResult) -> Result<RecordColumns, DbErr> {
    Ok(RecordColumns {
        digest: row.try_get_by_index(0)?,
        ids: row.try_get_by_index(1)?,
        created_at: row.try_get_by_index(2)?,
    })
}

pub(crate) fn restore(
    operation: Operation,
    key: KeyDigest,
    columns: RecordColumns,
) -> Result<IdempotencyRecord, StoreError> {
    let RecordColumns { digest, ids, created_at } = columns;
    let row = operation.name();
    let digest =
        decode_digest(&digest).ok_or_else(|| corrupt(TABLE, "request_digest", row, "has an unknown digest version"))?;
    Ok(IdempotencyRecord {
        operation,
        key,
        digest,
        ids: ids.split(' ').map(str::to_owned).collect(),
        at: Timestamp::from_micros(created_at).map_err(|error| corrupt(TABLE, "created_at", row, error))?,
    })
}
