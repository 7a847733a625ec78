//! The reads of conversations for the decision which of them are no longer kept.

use std::collections::BTreeMap;

use parlance_domain::{
    access::TenantId,
    conversation::Metadata,
    error::StoreError,
    id::ConversationId,
    privacy::{CandidatePosition, RetentionCandidate},
    text::ExternalId,
    time::Timestamp,
};
use sea_orm::{FromQueryResult, Value};

use crate::{
    Database,
    control_plane::statements::{key, statement},
    error::corrupt,
};

const TABLE: &str = "conversations";

/// The conversations of a tenant that meet a further condition. A message counts with the time of sending, but never later
/// than it arrived.
macro_rules! select_where {
    ($condition:literal) => {
        concat!(
            "SELECT c.id, c.external_id, c.metadata, c.created_at,
                (SELECT max(CASE WHEN m.sent_at < m.created_at THEN m.sent_at ELSE m.created_at END) FROM messages m
                    WHERE m.tenant_id = $1 AND m.conversation_id = c.id) AS last_message,
                (SELECT count(*) FROM messages m WHERE m.tenant_id = $1 AND m.conversation_id = c.id) AS messages,
                CAST(CASE WHEN EXISTS (SELECT 1 FROM holds h WHERE h.tenant_id = $1 AND h.conversation_id = c.id)
                        OR EXISTS (SELECT 1 FROM holds h
                            WHERE h.tenant_id = $1 AND h.customer_external_id = c.customer_external_id)
                    THEN 1 ELSE 0 END AS BIGINT) AS is_held
            FROM conversations c WHERE c.tenant_id = $1 AND ",
            $condition
        )
    };
}

const PAGE: &str =
    select_where!("c.created_at <= $2 AND (c.created_at, c.id) > ($3, $4) ORDER BY c.created_at, c.id LIMIT $5");

const FIND: &str = select_where!("c.id = $2");

#[derive(FromQueryResult)]
struct CandidateRow {
    id: String,
    external_id: String,
    metadata: Option<String>,
    created_at: i64,
    last_message: Option<i64>,
    messages: i64,
    is_held: i64,
}

impl CandidateRow {
    fn restore(self) -> Result<RetentionCandidate, StoreError> {
        let row = self.id.as_str();
        let time = |micros, column| Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, row, error));
        // The parser's own error could quote the text.
        let not_pairs = |_| corrupt(TABLE, "metadata", row, "is not a JSON object of strings");
        let pairs = self.metadata.as_deref().map(serde_json::from_str::<BTreeMap<_, _>>).transpose();
        let metadata = pairs.map_err(not_pairs)?.map(Metadata::parse).transpose();
        Ok(RetentionCandidate {
            conversation: ConversationId::parse(row).map_err(|error| corrupt(TABLE, "id", row, error))?,
            external_id: ExternalId::parse(self.external_id)
                .map_err(|error| corrupt(TABLE, "external_id", row, error))?,
            metadata: metadata.map_err(|error| corrupt(TABLE, "metadata", row, error))?,
            created_at: time(self.created_at, "created_at")?,
            last_message: self.last_message.map(|micros| time(micros, "messages.sent_at")).transpose()?,
            messages: u64::try_from(self.messages).unwrap_or_default(),
            is_held: self.is_held != 0,
        })
    }
}

async fn select(database: &Database, sql: &str, values: &[Value]) -> Result<Vec<RetentionCandidate>, StoreError> {
    let rows = database
        .read(async |db| CandidateRow::find_by_statement(statement(db, sql, values.iter().cloned())).all(db).await);
    rows.await?.into_iter().map(CandidateRow::restore).collect()
}

pub(super) async fn page(
    database: &Database,
    tenant: &TenantId,
    after: Option<&CandidatePosition>,
    until: Timestamp,
    limit: u16,
) -> Result<Vec<RetentionCandidate>, StoreError> {
    let (created_at, id) =
        after.map_or((i64::MIN, ""), |after| (after.created_at.as_micros(), after.conversation.as_str()));
    let values: [Value; 5] =
        [tenant.as_str().into(), until.as_micros().into(), created_at.into(), id.into(), i64::from(limit).into()];
    select(database, PAGE, &values).await
}

pub(super) async fn find(
    database: &Database,
    tenant: &TenantId,
    conversation: &ConversationId,
) -> Result<Option<RetentionCandidate>, StoreError> {
    let found = select(database, FIND, &key(tenant, conversation)).await?;
    Ok(found.into_iter().next())
}
