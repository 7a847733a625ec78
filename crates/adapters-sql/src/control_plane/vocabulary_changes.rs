//! The history of vocabularies. Each change is recorded in its own transaction and never deleted.

use parlance_domain::{access::TenantId, feed::VocabularyChangeKind, id::VocabularyEntryId, time::Timestamp};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement};

/// Copies the entry from `vocabularies`, so it runs after the entry is added or before it is removed.
const INSERT_CHANGE: &str = "INSERT INTO vocabulary_changes
    (tenant_id, changed_at, id, vocabulary_id, kind, phrase, sounds_like, created_at)
    SELECT tenant_id, $1, $2, id, $3, phrase, sounds_like, created_at FROM vocabularies
    WHERE tenant_id = $4 AND id = $5";

pub(crate) async fn record_change(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    entry: &VocabularyEntryId,
    kind: VocabularyChangeKind,
    at: Timestamp,
) -> Result<(), DbErr> {
    let key = format!("{entry} {}", kind.as_str());
    let values =
        [at.as_micros().into(), key.into(), kind_to_number(kind).into(), tenant.as_str().into(), entry.as_str().into()];
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), INSERT_CHANGE, values);
    transaction.execute_raw(statement).await.map(|_| ())
}

/// The stored number of a kind. The numbers never change their meaning.
fn kind_to_number(kind: VocabularyChangeKind) -> i16 {
    match kind {
        VocabularyChangeKind::Added => 1,
        VocabularyChangeKind::Removed => 2,
    }
}

pub(crate) fn kind_from_number(number: i16) -> Option<VocabularyChangeKind> {
    VocabularyChangeKind::ALL.into_iter().find(|kind| kind_to_number(*kind) == number)
}
