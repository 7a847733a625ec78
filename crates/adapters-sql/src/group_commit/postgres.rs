//! The writer of PostgreSQL: one task, one connection, one statement for all that waits.
//!
//! Two writers were slower than one: each then has smaller batches, and the server flushes as often as before.

use parlance_domain::conversation::Append;
use sea_orm::sqlx::{
    self, Connection, Row,
    postgres::{PgConnectOptions, PgConnection},
};
use tokio::time::timeout;

use super::{GroupCommit, NewMessage, Orders, Pending, Write, queue};
use crate::{
    error::{CALL_TIMEOUT, Failure},
    messages::{statement::INSERT_ALL, stored_role, stored_set},
};

/// Starts the writer of a database. It ends when it is told to, or nobody is left to order anything.
pub(crate) fn write_to_postgres(options: PgConnectOptions) -> GroupCommit {
    let (way, orders) = queue();
    tokio::spawn(Writer { options, connection: None }.run(orders));
    way
}

struct Writer {
    options: PgConnectOptions,
    /// None before the first write, and after one that failed midway.
    connection: Option<PgConnection>,
}

impl Writer {
    async fn run(mut self, mut orders: Orders) {
        while let Some(writes) = orders.next().await {
            let mut messages = Vec::with_capacity(writes.len());
            for write in writes {
                match write {
                    Write::Message(pending) => messages.push(pending),
                }
            }
            self.append(messages).await;
        }
        if let Some(connection) = self.connection.take() {
            // Everything is written; whether the server hears of the end makes no difference.
            let _ = connection.close().await;
        }
        orders.end();
    }

    async fn append(&mut self, mut messages: Vec<Pending<NewMessage, Append>>) {
        match self.insert(&messages).await {
            Ok(outcomes) => {
                for (pending, outcome) in messages.iter_mut().zip(outcomes) {
                    pending.outcome = Ok(outcome);
                }
            }
            // What one row of many broke, the others have not: each is tried by itself.
            Err(failure) if messages.len() > 1 && !failure.passes() => {
                for pending in &mut messages {
                    let alone = self.insert(std::slice::from_ref(pending)).await;
                    pending.outcome = alone.map(|outcomes| outcomes.first().copied().unwrap_or(Append::NoConversation));
                }
            }
            Err(failure) => messages.iter_mut().for_each(|pending| pending.outcome = Err(failure.clone())),
        }
        messages.into_iter().for_each(Pending::answer);
    }

    /// Inserts these messages, those whose conversation exists, in one transaction.
    async fn insert(&mut self, messages: &[Pending<NewMessage, Append>]) -> Result<Vec<Append>, Failure> {
        let connection = self.connection.take();
        let written = timeout(CALL_TIMEOUT, async {
            let mut connection = match connection {
                Some(connection) => connection,
                None => PgConnection::connect_with(&self.options).await?,
            };
            let rows = insert_all(messages).fetch_all(&mut connection).await;
            Ok::<_, sqlx::Error>((connection, rows))
        });
        let (connection, rows) = written.await.map_err(|_| Failure::unavailable("the database did not answer"))??;
        let rows = match rows {
            Err(error @ (sqlx::Error::Io(_) | sqlx::Error::Protocol(_))) => return Err(error.into()),
            rows => {
                self.connection = Some(connection);
                rows?
            }
        };
        let mut outcomes = vec![Append::Appended; messages.len()];
        for row in rows {
            let place = usize::try_from(row.try_get::<i64, _>(0)? - 1).unwrap_or(usize::MAX);
            if let Some(outcome) = outcomes.get_mut(place) {
                *outcome = Append::NoConversation;
            }
        }
        Ok(outcomes)
    }
}

/// The statement with each column of all rows as one array, so that its text is the same for any number of rows.
fn insert_all(
    messages: &[Pending<NewMessage, Append>],
) -> sqlx::query::Query<'_, sqlx::Postgres, sqlx::postgres::PgArguments> {
    let texts = |column: fn(&NewMessage) -> &str| messages.iter().map(|one| column(&one.row)).collect::<Vec<_>>();
    let numbers = |column: fn(&NewMessage) -> i64| messages.iter().map(|one| column(&one.row)).collect::<Vec<_>>();
    let roles: Vec<_> = messages.iter().map(|one| stored_role(one.row.message.sender.role)).collect();
    let sets: Vec<_> = messages.iter().map(|one| stored_set(one.row.message.masked_with)).collect();
    sqlx::query(INSERT_ALL)
        .bind(texts(|row| row.tenant.as_str()))
        .bind(texts(|row| row.message.conversation.as_str()))
        .bind(numbers(|row| row.message.sent_at.as_micros()))
        .bind(texts(|row| row.message.id.as_str()))
        .bind(roles)
        .bind(texts(|row| row.message.sender.external_id.as_str()))
        .bind(texts(|row| row.message.text.as_str()))
        .bind(numbers(|row| row.message.created_at.as_micros()))
        .bind(sets)
}
