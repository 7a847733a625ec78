//! Finds messages of any conversations by their positions, on either database.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::ConversationId,
    message::{Message, MessagePosition},
};
use rusqlite::{Connection, params};
use sea_orm::sqlx::{self, postgres::PgRow};

use super::{
    find::restore,
    statement::{ALL_AT_POSITIONS, AT_POSITION},
};
use crate::{
    data_plane::read_batchers::ReadBatchers,
    engine::{postgres::PerThreadPools, sqlite::Readers},
    row::Row,
};

/// The index of the column with the number of the position, after the columns of a message.
const NUMBER_COLUMN: usize = 8;

type Position = (ConversationId, MessagePosition);

pub(super) async fn find_all_on_sqlite(
    readers: &Readers,
    tenant: &TenantId,
    positions: &[Position],
) -> Result<Vec<Option<Message>>, StoreError> {
    let (tenant, positions) = (tenant.clone(), positions.to_vec());
    let read = move |connection: &Connection| {
        let mut statement = connection.prepare_cached(AT_POSITION)?;
        let mut messages = Vec::with_capacity(positions.len());
        for (conversation, MessagePosition { sent_at, id }) in &positions {
            let key = params![tenant.as_str(), conversation.as_str(), sent_at.as_micros(), id.as_str()];
            let mut rows = statement.query(key)?;
            messages.push(rows.next()?.map(|row| restore(row, conversation)).transpose()?.flatten());
        }
        Ok(messages)
    };
    readers.read_blocking(read).await
}

pub(super) async fn find_all_on_postgres(
    pools: &PerThreadPools<ReadBatchers>,
    tenant: &TenantId,
    positions: &[Position],
) -> Result<Vec<Option<Message>>, StoreError> {
    let tenants = vec![tenant.as_str(); positions.len()];
    let conversations: Vec<_> = positions.iter().map(|(conversation, _)| conversation.as_str()).collect();
    let times: Vec<_> = positions.iter().map(|(_, position)| position.sent_at.as_micros()).collect();
    let ids: Vec<_> = positions.iter().map(|(_, position)| position.id.as_str()).collect();
    let query = || {
        sqlx::query(ALL_AT_POSITIONS)
            .bind(tenants.as_slice())
            .bind(conversations.as_slice())
            .bind(times.as_slice())
            .bind(ids.as_slice())
    };
    let add = |row: &PgRow, found: &mut Vec<(usize, Message)>| {
        let index = usize::try_from(row.integer(NUMBER_COLUMN)? - 1).unwrap_or(usize::MAX);
        if let Some((conversation, _)) = positions.get(index) {
            found.extend(restore(row, conversation)?.map(|message| (index, message)));
        }
        Ok(())
    };
    let mut messages = vec![None; positions.len()];
    for (index, message) in pools.fold(query, add).await? {
        if let Some(slot) = messages.get_mut(index) {
            *slot = Some(message);
        }
    }
    Ok(messages)
}
