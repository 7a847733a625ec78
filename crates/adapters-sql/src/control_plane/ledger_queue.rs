//! The rows of the queue of the ledger of erasures, which an erasure adds in its transaction.

use parlance_domain::privacy::{ErasedPart, LedgerEntry};
use sea_orm::{DatabaseTransaction, DbErr, Value};

use crate::control_plane::statements::execute;

/// An entry that is queued already stays: a conversation has one identifier and is erased once.
const ENQUEUE: &str = "INSERT INTO ledger_queue (tenant_id, conversation_id, message_id, digest, erased_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, conversation_id, message_id) DO NOTHING";

/// The key of an entry, and its digest. That of a whole tenant names no conversation.
pub(super) fn key_and_digest(entry: &LedgerEntry) -> ([Value; 3], Option<Vec<u8>>) {
    let (conversation, message, digest) = match &entry.erased {
        ErasedPart::Conversation(conversation, digest) => (conversation.as_str(), "", Some(digest.0.to_vec())),
        ErasedPart::Message(conversation, message) => (conversation.as_str(), message.as_str(), None),
        ErasedPart::Tenant => ("", "", None),
    };
    ([entry.tenant.as_str().into(), conversation.into(), message.into()], digest)
}

/// Queues an entry, in the transaction of the erasure.
pub(super) async fn enqueue(transaction: &DatabaseTransaction, entry: &LedgerEntry) -> Result<(), DbErr> {
    let (key, digest) = key_and_digest(entry);
    let values: [Value; 2] = [digest.into(), entry.at.as_micros().into()];
    execute(transaction, ENQUEUE, key.into_iter().chain(values)).await.map(|_| ())
}
