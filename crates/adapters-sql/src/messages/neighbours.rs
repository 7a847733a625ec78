//! What stands beside messages of many conversations, in few statements.

use parlance_domain::{
    access::TenantId,
    conversation::{Message, MessagePosition, Neighbours},
    error::StoreError,
    id::ConversationId,
    redaction::MAX_CONTEXT,
};
use rusqlite::Connection;

use super::{
    in_order,
    run::{FoundRun, Run, Side},
    statement::{ALL_AFTER, ALL_BEFORE},
};
use crate::{postgres::Lanes, sqlite::Readers};

/// The runs on either side of positions.
pub(super) struct Sides {
    before: Vec<Run>,
    after: Vec<Run>,
}

impl Sides {
    pub(super) fn of(tenant: &TenantId, positions: &[(ConversationId, MessagePosition)]) -> Self {
        let runs = |side| {
            let run = |(conversation, position): &_| Run::new(tenant, conversation, side, Some(position), MAX_CONTEXT);
            positions.iter().map(run).collect()
        };
        Self { before: runs(Side::Before), after: runs(Side::After) }
    }

    /// On SQLite by a statement for each run, on a thread that may be held up.
    pub(super) async fn read_sqlite(self, readers: &Readers) -> Result<Vec<Neighbours>, StoreError> {
        let read = move |connection: &Connection| {
            let read = |runs: &[Run]| runs.iter().map(|run| run.read_sqlite(connection)).collect::<Result<Vec<_>, _>>();
            Ok((read(&self.before)?, read(&self.after)?))
        };
        let (before, after) = readers.read_aside(read).await?;
        Ok(paired(before, after))
    }

    /// On PostgreSQL by one statement for each side.
    pub(super) async fn read_postgres(self, lanes: &Lanes) -> Result<Vec<Neighbours>, StoreError> {
        let (before, after) = (lanes.ask_all(ALL_BEFORE, &self.before), lanes.ask_all(ALL_AFTER, &self.after));
        let messages = |runs: Vec<FoundRun>| runs.into_iter().map(FoundRun::into_messages).collect();
        Ok(paired(messages(before.await?), messages(after.await?)))
    }
}

fn paired(before: Vec<Vec<Message>>, after: Vec<Vec<Message>>) -> Vec<Neighbours> {
    let beside = |(before, after)| Neighbours { before: in_order(before), after: in_order(after) };
    before.into_iter().zip(after).map(beside).collect()
}
