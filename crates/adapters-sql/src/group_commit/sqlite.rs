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
    sqlite::{Notices, OpenFiles, Place},
};

/// Starts the writer of a database, which tells those who read what they must know. `turns` is the pool of the one other
/// connection that writes. The writer ends when it is told to, or nobody is left to order anything.
pub(crate) fn write_to_sqlite(
    place: &Place,
    files: OpenFiles,
    turns: SqlitePool,
    notices: Notices,
) -> Result<GroupCommit, Failure> {
    let checkpoints = Checkpoints::begin(place.open_writer()?, notices.clone())?;
    let writer = Writer { connection: place.open_writer()?, files, turns, checkpoints, notices };
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
    files: OpenFiles,
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
                self.checkpoints.follow();
            }
            Err(failure) => fail(writes, &failure),
        }
    }

    /// Commits writes to the files at the path of the database. Writes that were committed to other files are not to be
    /// acknowledged, so the files are compared after each commit.
    fn commit(&mut self, writes: &mut [Write]) -> Result<(), Failure> {
        self.files.verify_if_displaced()?;
        self.commit_to_open_files(writes)?;
        self.files.verify()
    }

    fn commit_to_open_files(&mut self, writes: &mut [Write]) -> rusqlite::Result<()> {
        let mut transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for write in writes {
            match write {
                Write::Messages(pending) => {
                    let outcome = messages::add_to_sqlite(&mut transaction, &pending.entry.row);
                    pending.entry.outcome = own(&transaction, outcome)?;
                }
                Write::Conversation(pending) => {
                    let outcome = conversations::upsert_on_sqlite(&mut transaction, &pending.entry.row);
                    pending.entry.outcome = own(&transaction, outcome)?;
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

#[cfg(test)]
mod tests {
    use parlance_domain::{
        access::TenantId,
        conversation::{Change, ConversationStore, Participant, Upsert, Upserted},
        id::ConversationId,
        text::ExternalId,
        time::Timestamp,
    };

    use super::*;
    use crate::{Database, SqlConversations, database::Reading};

    /// More than the log may have.
    const FILLER: &str = "CREATE TABLE filler AS SELECT randomblob(17000000) AS bytes";

    #[tokio::test]
    async fn nothing_is_kept_for_a_turn_while_some_of_a_log_as_long_as_it_may_be_is_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("long.db");
        let database = Database::open(&format!("sqlite://{}", file.display())).await.unwrap();
        database.migrate().await.unwrap();
        let other = Connection::open(&file).unwrap();
        other.execute_batch("BEGIN; SELECT count(*) FROM conversations").unwrap();
        database.execute_unprepared(FILLER).await.unwrap();
        let (tenant, external_id) = (TenantId::parse("acme").unwrap(), ExternalId::parse("one").unwrap());
        let upsert = Upsert {
            fresh_id: ConversationId::from_bits(1),
            external_id: external_id.clone(),
            agent: Change::Keep,
            customer: Participant { external_id, name: None },
            metadata: Change::Keep,
            started_at: Timestamp::EPOCH,
        };
        let conversations = SqlConversations::new(database.clone());
        // Who is told of the second knows that the writer is done with the first.
        for _ in 0..2 {
            let upserted = conversations.upsert(&tenant, &upsert, Timestamp::EPOCH, None).await;
            assert_eq!(upserted.unwrap(), Upserted::Stored(upsert.fresh_id.clone()));
        }
        let Reading::Sqlite(readers) = database.reading() else { panic!("a database of another kind") };
        assert!(readers.read(|connection| Ok(connection.is_autocommit())).unwrap());
    }
}
