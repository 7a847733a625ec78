//! The writer of PostgreSQL: one task, one connection, and where nothing is to be compared first, one statement for all
//! that waits. Where one thread answers all requests, the task is best on that thread: no write then goes from one thread to
//! another.
//!
//! Two writers were slower than one: each then has smaller batches, and the server flushes as often as before.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use sea_orm::sqlx::{
    self, Connection,
    postgres::{PgConnectOptions, PgConnection},
};
use tokio::{runtime::Handle, time::timeout};

use super::{GroupCommit, Orders, Pending, Write, queue};
use crate::{
    conversations::{self, Parts},
    error::{CALL_TIMEOUT, Failure},
    messages::{self, Trust},
    postgres::by_keys,
};

/// Starts the writer of a database, in the runtime of who calls. It ends when it is told to, or nobody is left to order
/// anything.
pub(crate) fn write_to_postgres(options: PgConnectOptions) -> GroupCommit {
    let (way, orders) = queue();
    Writer::new(by_keys(options), orders).go_on_in(&Handle::current());
    way
}

struct Writer {
    options: PgConnectOptions,
    /// None before the first write, and after one that failed midway.
    connection: Option<PgConnection>,
    trust: Arc<Trust>,
    /// None once there will be no more, or another writer has them.
    orders: Option<Orders>,
    /// Where it began, while it is elsewhere.
    home: Option<Handle>,
}

/// A writer whose place is no more, since its thread ended, goes on where it began. Who waits for what it had taken already
/// is told that it is not known what became of it.
impl Drop for Writer {
    fn drop(&mut self) {
        if let (Some(home), Some(orders)) = (self.home.take(), self.orders.take()) {
            Self::new(self.options.clone(), orders).go_on_in(&home);
        }
    }
}

/// What lands rows in one transaction, and gives what became of each in their order.
type Landing<'rows, Outcome> = Pin<Box<dyn Future<Output = Result<Vec<Outcome>, sqlx::Error>> + Send + 'rows>>;

impl Writer {
    fn new(options: PgConnectOptions, orders: Orders) -> Self {
        Self { options, connection: None, trust: Arc::default(), orders: Some(orders), home: None }
    }

    fn go_on_in(self, place: &Handle) {
        place.spawn(self.run());
    }

    async fn run(mut self) {
        while let Some(orders) = &mut self.orders
            && let Some(writes) = orders.next().await
        {
            let place = orders.place.take();
            self.write(writes).await;
            if let Some(place) = place {
                return self.leave_for(&place).await;
            }
        }
        self.disconnect().await;
        if let Some(orders) = self.orders.take() {
            orders.end();
        }
    }

    async fn write(&mut self, writes: Vec<Write>) {
        let (mut new, mut due) = (Vec::new(), BTreeMap::<Parts, Vec<_>>::new());
        for write in writes {
            match write {
                Write::Messages(pending) => new.push(pending),
                Write::Conversation(pending) => due.entry(pending.row.parts()).or_default().push(pending),
            }
        }
        let trust = Arc::clone(&self.trust);
        let land = self.land(new, |connection, rows| {
            let trust = Arc::clone(&trust);
            Box::pin(async move { messages::add_to_postgres(connection, rows, &trust).await })
        });
        land.await;
        // One statement changes the same parts of all its conversations.
        for alike in due.into_values() {
            self.land(alike, |connection, rows| Box::pin(conversations::upsert_on_postgres(connection, rows))).await;
        }
    }

    /// A connection is of no use elsewhere: its runtime is told of what comes by it.
    async fn leave_for(mut self, place: &Handle) {
        self.disconnect().await;
        self.home.get_or_insert_with(Handle::current);
        self.go_on_in(place);
    }

    async fn disconnect(&mut self) {
        if let Some(connection) = self.connection.take() {
            // Everything is written; whether the server hears of the end makes no difference.
            let _ = connection.close().await;
        }
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
