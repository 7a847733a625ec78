//! What stands beside messages of many conversations, in few statements.

use parlance_domain::{
    access::TenantId,
    conversation::{Message, MessagePosition, Neighbours},
    error::StoreError,
    id::ConversationId,
    redaction::MAX_CONTEXT,
};
use rusqlite::{Connection, params};
use sea_orm::sqlx::{self, Row, postgres::PgRow};

use super::{
    most,
    statement::{NEIGHBOURS, NEWEST_BEFORE, PAGE_AFTER},
    stored::restore,
};
use crate::{
    error::{Failure, Unread},
    postgres::Lanes,
    sqlite::Readers,
};

type Positions = [(ConversationId, MessagePosition)];

/// On SQLite by two statements for each position, on a thread that may be held up.
pub(super) async fn read_sqlite(
    readers: &Readers,
    tenant: &TenantId,
    positions: &Positions,
) -> Result<Vec<Neighbours>, StoreError> {
    let (tenant, positions) = (tenant.clone(), positions.to_vec());
    let read = move |connection: &Connection| {
        let side = |statement: &str, (conversation, position): &(ConversationId, MessagePosition)| {
            let (sent_at, id) = (position.sent_at.as_micros(), position.id.as_str());
            let values = params![tenant.as_str(), conversation.as_str(), sent_at, id, most(MAX_CONTEXT)];
            let mut statement = connection.prepare_cached(statement)?;
            let mut rows = statement.query(values)?;
            let mut messages = Vec::new();
            while let Some(row) = rows.next()? {
                messages.push(restore(row, conversation)?);
            }
            Ok::<_, Unread>(messages)
        };
        let beside = |position| {
            let (mut before, after) = (side(NEWEST_BEFORE, position)?, side(PAGE_AFTER, position)?);
            before.reverse();
            Ok(Neighbours { before, after })
        };
        positions.iter().map(beside).collect()
    };
    readers.read_aside(read).await
}

/// On PostgreSQL by one statement for all positions, whose columns are arrays.
pub(super) async fn read_postgres(
    lanes: &Lanes,
    tenant: &TenantId,
    positions: &Positions,
) -> Result<Vec<Neighbours>, StoreError> {
    let query = sqlx::query(NEIGHBOURS)
        .bind(tenant.as_str())
        .bind(positions.iter().map(|(conversation, _)| conversation.as_str()).collect::<Vec<_>>())
        .bind(positions.iter().map(|(_, position)| position.sent_at.as_micros()).collect::<Vec<_>>())
        .bind(positions.iter().map(|(_, position)| position.id.as_str()).collect::<Vec<_>>())
        .bind(most(MAX_CONTEXT));
    let numbered = |row: &PgRow| -> Result<(usize, Message), Unread> {
        let number = usize::try_from(row.try_get::<i64, _>(7)? - 1).unwrap_or(usize::MAX);
        let (conversation, _) =
            positions.get(number).ok_or_else(|| Failure::unexpected("a neighbour of no position"))?;
        Ok((number, restore(row, conversation)?))
    };
    let mut all = vec![Neighbours::default(); positions.len()];
    for (number, message) in lanes.read(query, numbered).await? {
        let (Some((_, position)), Some(beside)) = (positions.get(number), all.get_mut(number)) else { continue };
        let side = if message.position() < *position { &mut beside.before } else { &mut beside.after };
        side.push(message);
    }
    Ok(all)
}
