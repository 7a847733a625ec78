//! Messages in SQL.

mod add_postgres;
mod add_sqlite;
mod long_run;
mod neighbours;
mod new;
mod run;
pub(crate) mod statement;
mod stored;

pub(crate) use add_postgres::{Trust, add_to_postgres};
pub(crate) use add_sqlite::add_to_sqlite;
pub(crate) use long_run::LongRun;
use neighbours::Sides;
pub(crate) use new::NewMessages;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::{Addition, Append, Message, MessagePage, MessagePosition, MessageStore, Neighbours, PageLimit},
    error::StoreError,
    id::ConversationId,
    redaction::MAX_CONTEXT,
};
pub(crate) use run::Run;
use run::Side;
pub(crate) use stored::{broken, stored};

use crate::{Database, database::Reading, sqlite::Readers};

/// The longest run of messages on SQLite that a worker reads itself. A longer one is read aside, since the worker
/// serves nobody else meanwhile.
const READ_IN_PLACE: usize = 129;

/// Keeps messages in SQL.
#[derive(Clone, Debug)]
pub struct SqlMessages(Database);

impl SqlMessages {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

async fn read_sqlite(readers: &Readers, run: Run) -> Result<Vec<Message>, StoreError> {
    let near = readers.read(|connection| run.nearest(run.most().min(READ_IN_PLACE), connection))?;
    if near.len() < READ_IN_PLACE || run.most() == READ_IN_PLACE {
        return Ok(near);
    }
    readers.read_aside(move |connection| run.read_sqlite(connection)).await
}

/// Messages of one conversation in chronological order.
fn in_order(mut messages: Vec<Message>) -> Vec<Message> {
    messages.sort_unstable_by(|one, other| (one.sent_at, &one.id).cmp(&(other.sent_at, &other.id)));
    messages
}

#[async_trait]
impl MessageStore for SqlMessages {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<Append, StoreError> {
        self.0.group_commit().append(NewMessages::plain(tenant, message)).await
    }

    async fn append_all(&self, tenant: &TenantId, addition: &Addition) -> Result<Append, StoreError> {
        self.0.group_commit().append(NewMessages::of(tenant, addition)).await
    }

    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError> {
        let run = Run::new(tenant, conversation, Side::Before, before, MAX_CONTEXT);
        let messages = match self.0.reading() {
            Reading::Sqlite(readers) => read_sqlite(readers, run).await?,
            Reading::Postgres(lanes) => lanes.ask(run).await?.into_messages(),
        };
        Ok(in_order(messages))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError> {
        let run = Run::new(tenant, conversation, Side::After, after, usize::from(limit.messages()) + 1);
        let run = run.within(limit.bytes());
        let messages = match self.0.reading() {
            Reading::Sqlite(readers) => read_sqlite(readers, run).await?,
            Reading::Postgres(lanes) => long_run::read_page(run, lanes).await?,
        };
        Ok(MessagePage::of(in_order(messages), limit))
    }

    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError> {
        let sides = Sides::of(tenant, positions);
        match self.0.reading() {
            Reading::Sqlite(readers) => sides.read_sqlite(readers).await,
            Reading::Postgres(lanes) => sides.read_postgres(lanes).await,
        }
    }
}

/// A bound on a number of rows as databases take it.
fn most(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
