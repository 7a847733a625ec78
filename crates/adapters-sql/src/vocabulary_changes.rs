//! The history of vocabularies: each change is noted in its own transaction, and stays.

use parlance_domain::{access::TenantId, feed::VocabularyChangeKind, id::VocabularyId, time::Timestamp};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Statement};

/// Of an entry that is there: after it was added, or before it is removed.
const NOTE: &str = "INSERT INTO vocabulary_changes
    (tenant_id, changed_at, id, vocabulary_id, kind, phrase, sounds_like, created_at)
    SELECT tenant_id, $1, $2, id, $3, phrase, sounds_like, created_at FROM vocabularies
    WHERE tenant_id = $4 AND id = $5";

pub(crate) async fn note(
    transaction: &DatabaseTransaction,
    tenant: &TenantId,
    entry: &VocabularyId,
    kind: VocabularyChangeKind,
    at: Timestamp,
) -> Result<(), DbErr> {
    let key = format!("{entry} {}", kind.as_str());
    let values =
        [at.as_micros().into(), key.into(), stored(kind).into(), tenant.as_str().into(), entry.as_str().into()];
    let note = Statement::from_sql_and_values(transaction.get_database_backend(), NOTE, values);
    transaction.execute_raw(note).await.map(|_| ())
}

/// The numbers are stored: they never change their meaning.
fn stored(kind: VocabularyChangeKind) -> i16 {
    match kind {
        VocabularyChangeKind::Added => 1,
        VocabularyChangeKind::Removed => 2,
    }
}

pub(crate) fn restore(number: i16) -> Option<VocabularyChangeKind> {
    VocabularyChangeKind::ALL.into_iter().find(|kind| stored(*kind) == number)
}
