//! The writer of SQLite: one thread, one connection.
//!
//! The rest of the adapter writes through the general pool's one connection. While this writer holds that, it is the
//! only one of the process that writes, and nobody has to wait for a lock by polling.

use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use sea_orm::sqlx::SqlitePool;
use tokio::runtime::Handle;

use super::{GroupCommit, Orders, Write, checkpoints::Checkpoints, queue};
use crate::{
    conversations,
    error::Failure,
    messages,
    sqlite::{Notices, Place},
};

/// Starts the writer of a database, which tells those who read what they must know. `turns` is the pool of the one other connection that writes.
/// The writer ends when it is told to, or nobody is left to order anything.
pub(crate) fn write_to_sqlite(place: &Place, turns: SqlitePool, notices: Notices) -> Result<GroupCommit, Failure> {
    let checkpoints = Checkpoints::begin(place.open_writer()?)?;
    let writer = Writer { connection: place.open_writer()?, turns, checkpoints, notices };
    Checkpoints::count_pages_of(&writer.connection);
    let (way, orders) = queue();
    // The runtime drives the timers of waiting for a turn; what blocks, blocks this thread only.
    let runtime = Handle::current();
    let thread = thread::Builder::new().name("sqlite-writer".to_owned());
    let run = move || runtime.block_on(writer.run(orders));
    thread.spawn(run)?;
    Ok(way)
}

struct Writer {
    connection: Connection,
    turns: SqlitePool,
    checkpoints: Checkpoints,
    notices: Notices,
}

impl Writer {
    async fn run(mut self, mut orders: Orders) {
        while let Some(writes) = orders.next().await {
            match self.turns.acquire().await {
                Ok(_turn) => self.land(writes),
                Err(error) => fail(writes, &Failure::from(error)),
            }
        }
        drop(self.connection);
        self.checkpoints.end();
        orders.end();
    }

    fn land(&mut self, mut writes: Vec<Write>) {
        match self.commit(&mut writes) {
            Ok(()) => {
                self.notices.committed();
                if writes.iter().any(Write::has_overwritten) {
                    self.checkpoints.forget_old_pages();
                }
                writes.into_iter().for_each(Write::answer);
                self.notices.give_way(self.checkpoints.follow());
            }
            Err(error) => fail(writes, &Failure::from(error)),
        }
    }

    fn commit(&mut self, writes: &mut [Write]) -> rusqlite::Result<()> {
        let mut transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for write in writes {
            match write {
                Write::Messages(pending) => {
                    let outcome = messages::add_to_sqlite(&mut transaction, &pending.row);
                    pending.outcome = own(&transaction, outcome)?;
                }
                Write::Conversation(pending) => {
                    let outcome = conversations::upsert_on_sqlite(&mut transaction, &pending.row);
                    pending.outcome = own(&transaction, outcome)?;
                }
            }
        }
        transaction.commit()
    }
}

fn fail(writes: Vec<Write>, failure: &Failure) {
    for write in writes {
        write.fail(failure.clone());
    }
}

/// A failure that left the transaction open is the row's own, since what its statement did is undone.
fn own<T>(transaction: &Transaction<'_>, outcome: rusqlite::Result<T>) -> rusqlite::Result<Result<T, Failure>> {
    match outcome {
        Err(error) if transaction.is_autocommit() => Err(error),
        outcome => Ok(outcome.map_err(Failure::from)),
    }
}
