//! The decoder of each table. The service decodes the rows with the same code.

use parlance_domain::{
    access::TenantId,
    feed::{Day, Feed, RecordBatch},
    idempotency::{KeyDigest, Operation},
};

use crate::{
    control_plane::{
        audit, credentials, deliveries,
        entities::{audit_head, audit_record, credential},
        redaction_columns,
        vocabularies::EntryColumns,
    },
    data_plane::{
        feed_reads,
        idempotency::{self, RecordColumns},
    },
    error::{ReadError, corrupt},
    row::Row,
};

/// Decodes a row and drops the result.
pub(super) type Decode = fn(&dyn Row) -> Result<(), ReadError>;

/// The columns to read from a table, and the function that decodes them.
#[derive(Clone)]
pub(super) struct Decoder {
    /// The columns as SQL, in the order in which `decode` reads them.
    pub(super) columns: &'static str,
    pub(super) decode: Decode,
}

/// Every table with a decoder, and the columns of its key.
pub(super) const DECODED_TABLES: [(&str, &str); 12] = [
    ("audit_heads", "tenant_id"),
    ("audit_records", "tenant_id, sequence"),
    ("conversations", "tenant_id, id"),
    ("credentials", "tenant_id, api_id"),
    ("late_changes", "tenant_id, feed, day, id"),
    ("messages", "tenant_id, conversation_id, sent_at, id"),
    ("receipts", "tenant_id, operation, key_digest"),
    ("redaction_audit", "tenant_id, switched_at, id"),
    ("redaction_flags", "tenant_id, label"),
    ("vocabularies", "tenant_id, id"),
    ("vocabulary_changes", "tenant_id, changed_at, id"),
    ("vocabulary_delivery", "tenant_id"),
];

impl Decoder {
    /// The decoder of a table, or `None` if the service does not decode its rows.
    pub(super) fn for_table(table: &str) -> Option<Self> {
        let (columns, decode): (_, Decode) = match table {
            "audit_heads" => ("tenant_id, sequence, hash, signature, signed_by", audit_head),
            "audit_records" => {
                ("tenant_id, sequence, recorded_at, action, subject, details, previous, hash", audit_record)
            }
            "conversations" => (feed_reads::columns(Feed::Conversations), |row| record(Feed::Conversations, row)),
            "credentials" => (
                "tenant_id, api_id, name, permissions, secret_digest, previous_digest, previous_until, created_at, \
                 revoked_at",
                credential,
            ),
            "late_changes" => ("tenant_id, day", late_change),
            "messages" => (feed_reads::columns(Feed::Messages), |row| record(Feed::Messages, row)),
            "receipts" => ("operation, key_digest, request_digest, ids, created_at", idempotency_record),
            "redaction_audit" => {
                (feed_reads::columns(Feed::RedactionChanges), |row| record(Feed::RedactionChanges, row))
            }
            "redaction_flags" => ("tenant_id, label", redaction_flag),
            "vocabularies" => ("id, phrase, sounds_like, created_at", vocabulary),
            "vocabulary_changes" => {
                (feed_reads::columns(Feed::VocabularyChanges), |row| record(Feed::VocabularyChanges, row))
            }
            "vocabulary_delivery" => (deliveries::PROGRESS_COLUMNS, deliveries::decode_progress),
            _ => return None,
        };
        Some(Self { columns, decode })
    }
}

fn record(feed: Feed, row: &dyn Row) -> Result<(), ReadError> {
    feed_reads::restore_into(feed, row, &mut RecordBatch::default())
}

fn audit_head(row: &dyn Row) -> Result<(), ReadError> {
    let head = audit_head::Model {
        tenant_id: row.text(0)?.to_owned(),
        sequence: row.integer(1)?,
        hash: row.bytes(2)?.to_vec(),
        signature: row.optional_bytes(3)?.map(<[u8]>::to_vec),
        signed_by: row.optional_bytes(4)?.map(<[u8]>::to_vec),
    };
    Ok(audit::restore_head(&head).map(|_| ())?)
}

fn audit_record(row: &dyn Row) -> Result<(), ReadError> {
    let record = audit_record::Model {
        tenant_id: row.text(0)?.to_owned(),
        sequence: row.integer(1)?,
        recorded_at: row.integer(2)?,
        action: row.text(3)?.to_owned(),
        subject: row.text(4)?.to_owned(),
        details: row.text(5)?.to_owned(),
        previous: row.bytes(6)?.to_vec(),
        hash: row.bytes(7)?.to_vec(),
    };
    Ok(audit::restore(&record).map(|_| ())?)
}

fn credential(row: &dyn Row) -> Result<(), ReadError> {
    let credential = credential::Model {
        tenant_id: row.text(0)?.to_owned(),
        api_id: row.text(1)?.to_owned(),
        name: row.text(2)?.to_owned(),
        permissions: row.text(3)?.to_owned(),
        secret_digest: row.bytes(4)?.to_vec(),
        previous_digest: row.optional_bytes(5)?.map(<[u8]>::to_vec),
        previous_until: row.optional_integer(6)?,
        created_at: row.integer(7)?,
        revoked_at: row.optional_integer(8)?,
    };
    Ok(credentials::restore(&credential).map(|_| ())?)
}

fn late_change(row: &dyn Row) -> Result<(), ReadError> {
    let (tenant, day) = (row.text(0)?, row.integer(1)?);
    TenantId::parse(tenant).map_err(|error| corrupt("late_changes", "tenant_id", tenant, error))?;
    Day::from_epoch_days(day).map_err(|error| corrupt("late_changes", "day", tenant, error))?;
    Ok(())
}

fn idempotency_record(row: &dyn Row) -> Result<(), ReadError> {
    let name = row.text(0)?;
    let operation = Operation::ALL.into_iter().find(|operation| operation.name() == name);
    let operation =
        operation.ok_or_else(|| corrupt("receipts", "operation", "-", "is not the name of an operation"))?;
    let key = row.bytes(1)?.try_into().map_err(|_| corrupt("receipts", "key_digest", name, "must have 32 bytes"))?;
    let columns =
        RecordColumns { digest: row.bytes(2)?.to_vec(), ids: row.text(3)?.to_owned(), created_at: row.integer(4)? };
    Ok(idempotency::restore(operation, KeyDigest(key), columns).map(|_| ())?)
}

fn redaction_flag(row: &dyn Row) -> Result<(), ReadError> {
    Ok(redaction_columns::restore_entity("redaction_flags", row.text(1)?, row.text(0)?).map(|_| ())?)
}

fn vocabulary(row: &dyn Row) -> Result<(), ReadError> {
    let (id, phrase, sounds_like) = (row.text(0)?, row.text(1)?, row.text(2)?);
    let columns = EntryColumns { id, phrase, sounds_like, created_at: row.integer(3)? };
    Ok(columns.restore().map(|_| ())?)
}
