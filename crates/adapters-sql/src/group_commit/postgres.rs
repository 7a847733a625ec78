//! The writer of PostgreSQL: one task, one connection, and where nothing is to be compared first, one statement for all
//! that waits.
//!
//! Two writers were slower than one: each then has smaller batches, and the server flushes as often as before.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use sea_orm::sqlx::{
    self, Connection,
    postgres::{PgConnectOptions, PgConnection},
};
use tokio::time::timeout;

use super::{GroupCommit, Orders, Pending, Write, queue};
use crate::{
    conversations::{self, Parts},
    error::{CALL_TIMEOUT, Failure},
    messages::{self, Trust},
    postgres::by_keys,
};

/// Starts the writer of a database. It ends when it is told to, or nobody is left to order anything.
pub(crate) fn write_to_postgres(options: PgConnectOptions) -> GroupCommit {
    let (way, orders) = queue();
    tokio::spawn(Writer { options: by_keys(options), connection: None }.run(orders));
    way
}

struct Writer {
    options: PgConnectOptions,
    /// None before the first write, and after one that failed midway.
    connection: Option<PgConnection>,
}

/// What lands rows in one transaction, and gives what became of each in their order.
type Landing<'rows, Outcome> = Pin<Box<dyn Future<Output = Result<Vec<Outcome>, sqlx::Error>> + Send + 'rows>>;

impl Writer {
    async fn run(mut self, mut orders: Orders) {
        let trust = Arc::new(Trust::default());
        while let Some(writes) = orders.next().await {
            let (mut new, mut due) = (Vec::new(), BTreeMap::<Parts, Vec<_>>::new());
            for write in writes {
                match write {
                    Write::Messages(pending) => new.push(pending),
                    Write::Conversation(pending) => due.entry(pending.row.parts()).or_default().push(pending),
                }
            }
            let land = self.land(new, |connection, rows| {
                let trust = Arc::clone(&trust);
                Box::pin(async move { messages::add_to_postgres(connection, rows, &trust).await })
            });
            land.await;
            // One statement changes the same parts of all its conversations.
            for alike in due.into_values() {
                self.land(alike, |connection, rows| Box::pin(conversations::upsert_on_postgres(connection, rows)))
                    .await;
            }
        }
        if let Some(connection) = self.connection.take() {
            // Everything is written; whether the server hears of the end makes no difference.
            let _ = connection.close().await;
        }
        orders.end();
    }

    async fn land<Row, Outcome>(
        &mut self,
        mut writes: Vec<Pending<Row, Outcome>>,
        landing: impl for<'rows> Fn(&'rows mut PgConnection, &'rows [&'rows Row]) -> Landing<'rows, Outcome>,
    ) {
        if writes.is_empty() {
            return;
        }
        let rows: Vec<_> = writes.iter().map(|write| &write.row).collect();
        let outcomes = match self.commit(&rows, &landing).await {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            // What one row of many broke, the others have not: each is tried by itself.
            Err(failure) if rows.len() > 1 && !failure.passes() => {
                let mut alone = Vec::with_capacity(rows.len());
                for row in rows {
                    let outcome = self.commit(&[row], &landing).await;
                    alone.push(outcome.and_then(|mut outcomes| outcomes.pop().ok_or_else(Failure::untold)));
                }
                alone
            }
            Err(failure) => rows.iter().map(|_| Err(failure.clone())).collect(),
        };
        for (write, outcome) in writes.iter_mut().zip(outcomes) {
            write.outcome = outcome;
        }
        writes.into_iter().for_each(Pending::answer);
    }

    async fn commit<Row, Outcome>(
        &mut self,
        rows: &[&Row],
        landing: &impl for<'rows> Fn(&'rows mut PgConnection, &'rows [&'rows Row]) -> Landing<'rows, Outcome>,
    ) -> Result<Vec<Outcome>, Failure> {
        let kept = self.connection.take();
        let landed = timeout(CALL_TIMEOUT, async {
            let mut connection = match kept {
                Some(connection) => connection,
                None => PgConnection::connect_with(&self.options).await?,
            };
            let outcomes = landing(&mut connection, rows).await;
            Ok::<_, sqlx::Error>((connection, outcomes))
        });
        let (connection, outcomes) = landed.await.map_err(|_| Failure::untold())??;
        if !matches!(outcomes, Err(sqlx::Error::Io(_) | sqlx::Error::Protocol(_))) {
            self.connection = Some(connection);
        }
        Ok(outcomes?)
    }
}
