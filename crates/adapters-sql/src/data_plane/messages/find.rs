//! Finds one message by its id, on either database.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::{ConversationId, MessageId},
    message::{Message, MessageArena},
};
use sea_orm::sqlx::{self, postgres::PgRow};

use super::{rows::restore_into, statement::BY_ID};
use crate::{
    data_plane::read_batchers::ReadBatchers,
    engine::{postgres::PerThreadPools, sqlite::Readers},
    error::ReadError,
    row::Row,
};

/// Finds the message on a thread that may block, because a conversation can have many messages.
pub(super) async fn find_on_sqlite(
    readers: &Readers,
    tenant: &TenantId,
    conversation: &ConversationId,
    id: &MessageId,
) -> Result<Option<Message>, StoreError> {
    let (tenant, conversation, id) = (tenant.clone(), conversation.clone(), id.clone());
    let read = move |connection: &rusqlite::Connection| {
        let mut statement = connection.prepare_cached(BY_ID)?;
        let mut rows = statement.query((tenant.as_str(), conversation.as_str(), id.as_str()))?;
        let found = rows.next()?.map(|row| restore(row, &conversation)).transpose()?;
        Ok(found.flatten())
    };
    readers.read_blocking(read).await
}

pub(super) async fn find_on_postgres(
    pools: &PerThreadPools<ReadBatchers>,
    tenant: &TenantId,
    conversation: &ConversationId,
    id: &MessageId,
) -> Result<Option<Message>, StoreError> {
    let query = || sqlx::query(BY_ID).bind(tenant.as_str()).bind(conversation.as_str()).bind(id.as_str());
    let add = |row: &PgRow, found: &mut Option<Message>| {
        *found = restore(row, conversation)?;
        Ok(())
    };
    pools.fold(query, add).await
}

pub(super) fn restore(row: &impl Row, conversation: &ConversationId) -> Result<Option<Message>, ReadError> {
    let mut arena = MessageArena::with_capacity(conversation.clone(), 1);
    restore_into(row, conversation, &mut arena)?;
    Ok(arena.into_messages().pop())
}
