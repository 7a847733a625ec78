//! Group commit: writes that arrive while the last commit is flushed share the next one.
//!
//! One writer takes all writes that wait, lands them in one transaction, and then answers each. It never waits for a
//! time for more to come, so a lone write is not held up. Nobody is told of a write before it is on the disk. A write that
//! fails by itself fails alone.

mod batch;
mod checkpoints;
mod connection;
mod contention;
mod others;
mod postgres;
mod processor;
mod sqlite;

use parlance_domain::{
    conversation::Append,
    error::{StoreError, StoreErrorKind},
};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    task::yield_now,
};

use crate::{
    conversations::DueUpsert,
    error::{Failure, bounded},
    messages::NewMessages,
};

pub(crate) use postgres::write_to_postgres;
pub(crate) use sqlite::write_to_sqlite;

/// How many writes may wait. One more is refused, so that an overload is told at once.
const WAITING: usize = 1_024;

/// How many writes share a commit at most. More would make the first of them wait without making the rest cheaper.
const BATCH: usize = 256;

/// The way to the one writer of a database. Cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct GroupCommit(mpsc::Sender<Order>);

/// What the writer is asked for.
enum Order {
    /// To land a write.
    Land(Write),
    /// To land what was ordered before, and go on in this runtime.
    Move(Handle),
    /// To land what waits, close its connection, say so, and take nothing more.
    Stop(oneshot::Sender<()>),
}

/// A write that shares a commit with others. All that belongs to one write is in one variant, and lands together.
pub(crate) enum Write {
    /// Add messages to their conversation.
    Messages(Pending<NewMessages, Append>),
    /// Create or change a conversation, whose id is told, or nothing where its key was used.
    Conversation(Pending<DueUpsert, Option<String>>),
}

/// A write, and who waits to have it back.
pub(crate) struct Pending<Row, Outcome> {
    entry: Box<Entry<Row, Outcome>>,
    caller: oneshot::Sender<Box<Entry<Row, Outcome>>>,
}

/// A row to be written, and what became of it in a transaction that is still open. It goes back to who ordered it, whose
/// thread made it: what another thread frees, the allocator takes back under a lock.
struct Entry<Row, Outcome> {
    row: Row,
    outcome: Result<Outcome, Failure>,
}

impl<Row, Outcome> Pending<Row, Outcome> {
    fn new(row: Row, caller: oneshot::Sender<Box<Entry<Row, Outcome>>>) -> Self {
        let outcome = Err(Failure::unavailable("the write was not begun"));
        Self { entry: Box::new(Entry { row, outcome }), caller }
    }

    /// Tells the caller, who may have given up.
    fn answer(self) {
        let _ = self.caller.send(self.entry);
    }

    fn fail(mut self, failure: Failure) {
        self.entry.outcome = Err(failure);
        self.answer();
    }

    /// Whether its caller gave up.
    fn is_abandoned(&self) -> bool {
        self.caller.is_closed()
    }
}

impl Write {
    /// Tells its caller what became of it. Only for what is committed.
    fn answer(self) {
        match self {
            Self::Messages(pending) => pending.answer(),
            Self::Conversation(pending) => pending.answer(),
        }
    }

    fn fail(self, failure: Failure) {
        match self {
            Self::Messages(pending) => pending.fail(failure),
            Self::Conversation(pending) => pending.fail(failure),
        }
    }

    /// Whether it put texts in the place of others, which must not be kept.
    fn has_overwritten(&self) -> bool {
        match self {
            Self::Messages(Pending { entry, .. }) => entry.row.masks() && matches!(entry.outcome, Ok(Append::Appended)),
            Self::Conversation(_) => false,
        }
    }

    /// Whether its caller gave up before it was begun.
    fn is_abandoned(&self) -> bool {
        match self {
            Self::Messages(pending) => pending.is_abandoned(),
            Self::Conversation(pending) => pending.is_abandoned(),
        }
    }
}

impl GroupCommit {
    /// Adds messages to their conversation. When the caller gives up, they are written or not, but never in part.
    pub(crate) async fn append(&self, new: NewMessages) -> Result<Append, StoreError> {
        self.land(|caller| Write::Messages(Pending::new(new, caller))).await
    }

    /// Creates or changes a conversation, and gives its id; nothing where its key was used.
    pub(crate) async fn upsert(&self, due: DueUpsert) -> Result<Option<String>, StoreError> {
        self.land(|caller| Write::Conversation(Pending::new(due, caller))).await
    }

    async fn land<Row, Outcome>(
        &self,
        write: impl FnOnce(oneshot::Sender<Box<Entry<Row, Outcome>>>) -> Write,
    ) -> Result<Outcome, StoreError> {
        let (caller, answer) = oneshot::channel();
        self.0.try_send(Order::Land(write(caller))).map_err(|refusal| match refusal {
            mpsc::error::TrySendError::Full(_) => Failure::unavailable("too many writes wait"),
            mpsc::error::TrySendError::Closed(_) => Failure::unavailable("the database is closed"),
        })?;
        let entry = bounded(async { Ok(answer.await) }).await?.map_err(|_| writer_is_gone())?;
        Ok(entry.outcome?)
    }

    /// How many writes wait for the writer.
    pub(crate) fn queued(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }

    /// Has the writer go on in this runtime. It stays where it is where so much waits that nothing more may be ordered.
    pub(crate) fn go_on_in(&self, runtime: Handle) {
        let _ = self.0.try_send(Order::Move(runtime));
    }

    /// Has the writer land what waits, and close its connection.
    pub(crate) async fn stop(&self) {
        let (stopped, stops) = oneshot::channel();
        if self.0.send(Order::Stop(stopped)).await.is_ok() {
            let _ = stops.await;
        }
    }
}

fn writer_is_gone() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the writer of the database is gone")
}

/// The writer's end: what waits, in the order in which it came.
struct Orders {
    queue: mpsc::Receiver<Order>,
    taken: Vec<Order>,
    /// Where the writer is to go on after the writes that it was given.
    place: Option<Handle>,
    stopped: Option<oneshot::Sender<()>>,
}

/// The two ends of a new queue.
fn queue() -> (GroupCommit, Orders) {
    let (sender, queue) = mpsc::channel(WAITING);
    (GroupCommit(sender), Orders { queue, taken: Vec::with_capacity(BATCH), place: None, stopped: None })
}

impl Orders {
    /// All writes that wait, at least one unless the writer is to go on elsewhere; nothing once there will be no more.
    async fn next(&mut self) -> Option<Vec<Write>> {
        self.next_after(0).await
    }

    /// The same, and what is ordered after the first of them while this thread does, so many times, all else that it can do
    /// at once.
    async fn next_after(&mut self, yields: u32) -> Option<Vec<Write>> {
        loop {
            if self.queue.recv_many(&mut self.taken, BATCH).await == 0 {
                return None;
            }
            for _ in 0..yields {
                yield_now().await;
            }
            while self.taken.len() < BATCH
                && let Ok(order) = self.queue.try_recv()
            {
                self.taken.push(order);
            }
            let mut writes = Vec::with_capacity(self.taken.len());
            for order in self.taken.drain(..) {
                match order {
                    Order::Land(write) if write.is_abandoned() => {}
                    Order::Land(write) => writes.push(write),
                    Order::Move(place) => self.place = Some(place),
                    Order::Stop(stopped) => {
                        self.queue.close();
                        self.stopped = Some(stopped);
                    }
                }
            }
            if !writes.is_empty() || self.place.is_some() {
                return Some(writes);
            }
        }
    }

    /// Says that everything is done and closed.
    fn end(self) {
        if let Some(stopped) = self.stopped {
            let _ = stopped.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        access::TenantId,
        conversation::{Message, Role, Sender},
        id::{ConversationId, MessageId},
        redaction::EntitySet,
        text::{ExternalId, MessageText},
        time::Timestamp,
    };

    use super::*;

    fn new() -> NewMessages {
        let at = Timestamp::from_micros(0).unwrap();
        let message = Message {
            id: MessageId::from_bits(1),
            conversation: ConversationId::from_bits(1),
            sender: Sender { role: Role::Customer, external_id: ExternalId::parse("ada").unwrap() },
            text: MessageText::parse("good morning").unwrap(),
            masked_with: EntitySet::defaults(),
            sent_at: at,
            created_at: at,
        };
        NewMessages::plain(&TenantId::parse("acme").unwrap(), &message)
    }

    /// Has one order a write, and another when it has had another turn.
    pub(super) fn have_two_order(way: GroupCommit) {
        let first = way.clone();
        tokio::spawn(async move { first.append(new()).await });
        tokio::spawn(async move {
            yield_now().await;
            way.append(new()).await
        });
    }

    /// How many of the two share the batch of the first.
    async fn batch_after(yields: u32) -> usize {
        let (way, mut orders) = queue();
        have_two_order(way);
        orders.next_after(yields).await.unwrap().len()
    }

    #[tokio::test]
    async fn a_batch_that_is_begun_at_once_is_what_waits() {
        assert_eq!(batch_after(0).await, 1);
    }

    #[tokio::test]
    async fn what_is_ordered_while_all_else_is_done_comes_into_the_batch() {
        assert_eq!(batch_after(2).await, 2);
    }
}
