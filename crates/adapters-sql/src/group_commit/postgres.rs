//! The writer of PostgreSQL: one task, one connection, and where nothing is to be compared first, one statement for all
//! that waits. Where one thread answers all requests, the task is best on that thread: no write then goes from one thread to
//! another.
//!
//! Two writers were slower than one: each then has smaller batches, and the server flushes as often as before.

use std::{collections::BTreeMap, sync::Arc};

use sea_orm::sqlx::query_scalar;
use tokio::runtime::Handle;

use super::{
    GroupCommit, Orders, Write,
    batch::{BATCH_LIMITS, land},
    connection::WriterConnection,
    contention::WaitingApart,
    others::{self, Others},
    processor::Processor,
    queue,
};
use crate::{
    conversations::{DueUpsert, Parts},
    messages::{NewMessages, Trust},
    postgres::{ConnectionLosses, Servers, by_keys},
};

/// How often, on a thread that answers requests, all else that can be done there at once goes before a batch, where others
/// write as well and processors are scarce. Fewer, larger batches then cost the server and the program less; were a processor
/// free, the server would only have nothing to do meanwhile.
const YIELDS: u32 = 2;

/// Starts the writer of a database, in the runtime of who calls. It ends when it is told to, or nobody is left to order
/// anything.
pub(crate) fn write_to_postgres(servers: &Servers, losses: ConnectionLosses) -> GroupCommit {
    let (way, orders) = queue();
    Writer::new(WriterConnection::new(&servers.with(by_keys), losses, BATCH_LIMITS), orders)
        .go_on_in(&Handle::current());
    way
}

struct Writer {
    connection: WriterConnection,
    trust: Arc<Trust>,
    new_apart: WaitingApart<NewMessages>,
    due_apart: WaitingApart<DueUpsert>,
    /// None once there will be no more, or another writer has them.
    orders: Option<Orders>,
    /// Where it began, while it is elsewhere.
    home: Option<Handle>,
    others: Others,
    processor: Processor,
}

/// A writer whose place is no more, since its thread ended, goes on where it began. Who waits for what it had taken already
/// is told that it is not known what became of it.
impl Drop for Writer {
    fn drop(&mut self) {
        if let (Some(home), Some(orders)) = (self.home.take(), self.orders.take()) {
            Self::new(self.connection.another(BATCH_LIMITS), orders).go_on_in(&home);
        }
    }
}

impl Writer {
    fn new(connection: WriterConnection, orders: Orders) -> Self {
        Self {
            connection,
            trust: Arc::default(),
            new_apart: WaitingApart::default(),
            due_apart: WaitingApart::default(),
            orders: Some(orders),
            home: None,
            others: Others::default(),
            processor: Processor::default(),
        }
    }

    fn go_on_in(self, place: &Handle) {
        place.spawn(self.run());
    }

    async fn run(mut self) {
        while let Some((writes, place)) = self.next().await {
            self.write(writes).await;
            self.look_around().await;
            if let Some(place) = place {
                return self.leave_for(&place).await;
            }
        }
        self.connection.close().await;
        if let Some(orders) = self.orders.take() {
            orders.end();
        }
    }

    /// What to write, and where to go on after it where that is elsewhere.
    async fn next(&mut self) -> Option<(Vec<Write>, Option<Handle>)> {
        let yields = self.yields();
        let orders = self.orders.as_mut()?;
        let writes = orders.next_after(yields).await?;
        Some((writes, orders.place.take()))
    }

    fn yields(&self) -> u32 {
        if self.home.is_some() && self.others.write() && self.processor.is_scarce() { YIELDS } else { 0 }
    }

    async fn write(&mut self, writes: Vec<Write>) {
        let (mut new, mut due) = (Vec::new(), BTreeMap::<Parts, Vec<_>>::new());
        for write in writes {
            match write {
                Write::Messages(pending) => new.push(pending),
                Write::Conversation(pending) => due.entry(pending.entry.row.parts()).or_default().push(pending),
            }
        }
        if !new.is_empty() {
            self.others.count_own();
            land(new, &mut self.connection, &self.new_apart, &self.trust).await;
        }
        // One statement changes the same parts of all its conversations.
        for alike in due.into_values() {
            self.others.count_own();
            land(alike, &mut self.connection, &self.due_apart, &self.trust).await;
        }
    }

    /// Learns whether others write and processors are scarce, where it makes a difference and it is time to. Who waited for a
    /// write has been answered before.
    async fn look_around(&mut self) {
        if self.home.is_none() || !self.others.are_due() {
            return;
        }
        self.processor.look();
        if self.connection.is_open() {
            let next =
                self.connection.ask(&(), |connection, ()| Box::pin(query_scalar(others::NEXT).fetch_one(connection)));
            self.others.see(next.await.ok());
        }
    }

    /// A connection is of no use elsewhere: its runtime is told of what comes by it.
    async fn leave_for(mut self, place: &Handle) {
        self.connection.close().await;
        self.home.get_or_insert_with(Handle::current);
        self.go_on_in(place);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::have_two_order, *};
    use crate::postgres;

    /// A writer on a thread that answers requests, where others write and processors are scarce, and the way to it.
    fn that_lets_others_first() -> (GroupCommit, Writer) {
        let (way, orders) = queue();
        let servers = postgres::servers("postgres://127.0.0.1/parlance").unwrap();
        let connection = WriterConnection::new(&servers, ConnectionLosses::default(), BATCH_LIMITS);
        let mut writer = Writer::new(connection, orders);
        writer.home = Some(Handle::current());
        (writer.others, writer.processor) = (Others::that_write(), Processor::that_is_scarce());
        (way, writer)
    }

    #[tokio::test]
    async fn what_is_ordered_while_all_else_is_done_comes_into_the_writers_batch() {
        let (way, mut writer) = that_lets_others_first();
        have_two_order(way);
        assert_eq!(writer.next().await.unwrap().0.len(), 2);
    }

    #[tokio::test]
    async fn once_in_256_transactions_it_is_looked_whether_processors_are_scarce() {
        let (_, mut writer) = that_lets_others_first();
        (0..256).for_each(|_| writer.others.count_own());
        writer.processor = Processor::default();
        writer.look_around().await;
        assert_eq!(writer.processor.was_told(), Processor::can_be_told());
    }

    #[tokio::test]
    async fn all_else_is_done_first_where_others_write_and_processors_are_scarce() {
        assert_eq!(that_lets_others_first().1.yields(), YIELDS);
    }

    #[tokio::test]
    async fn a_batch_is_begun_at_once_where_nobody_else_writes() {
        let (_, mut writer) = that_lets_others_first();
        writer.others = Others::default();
        assert_eq!(writer.yields(), 0);
    }

    #[tokio::test]
    async fn a_batch_is_begun_at_once_where_a_processor_is_free() {
        let (_, mut writer) = that_lets_others_first();
        writer.processor = Processor::default();
        assert_eq!(writer.yields(), 0);
    }

    #[tokio::test]
    async fn a_batch_is_begun_at_once_on_a_thread_that_answers_nobody() {
        let (_, mut writer) = that_lets_others_first();
        writer.home = None;
        assert_eq!(writer.yields(), 0);
    }
}
