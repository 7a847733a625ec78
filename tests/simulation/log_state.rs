//! The change log of a database whose transactions take numbers and commit in another order (ADR 0046), as a state.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
};

use parlance_domain::{
    access::TenantId,
    event::{Change, LogPosition},
    id::VocabularyEntryId,
    time::{Clock, Timestamp},
};
use support::fixtures::{acme, globex};

use crate::{
    clock::{ComputerClock, DATABASE, REPLICAS},
    fault::Fault,
    hint::Hint,
    world::World,
};

/// The digits of identifiers.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The database with the log. Clones share it.
#[derive(Clone)]
pub(crate) struct LogDatabase {
    pub(crate) world: World,
    state: Arc<Mutex<LogState>>,
}

#[derive(Default)]
pub(crate) struct LogState {
    /// The last number that was taken.
    pub(crate) head: i64,
    /// The announced numbers of each open transaction.
    pub(crate) announced: BTreeMap<usize, Vec<i64>>,
    next_transaction: usize,
    pub(crate) rows: BTreeMap<i64, LogRow>,
    /// The last dropped event of each tenant.
    pub(crate) last_dropped: BTreeMap<TenantId, LogPosition>,
    /// The committed events that consumers read, by their numbers, with their tenant and position.
    pub(crate) committed: BTreeMap<u128, (TenantId, LogPosition)>,
    next_event: u128,
    /// One hint for each replica, which commits give.
    pub(crate) hints: Vec<Hint>,
}

pub(crate) struct LogRow {
    pub(crate) transaction: usize,
    pub(crate) is_visible: bool,
    pub(crate) tenant: TenantId,
    pub(crate) tag: i64,
    pub(crate) occurred_at: Timestamp,
    pub(crate) changes: Vec<Change>,
}

impl LogRow {
    pub(crate) fn position(&self, number: i64, index: usize) -> LogPosition {
        LogPosition { sequence: number, index: u32::try_from(index).unwrap(), tag: self.tag }
    }

    pub(crate) fn last(&self, number: i64) -> LogPosition {
        self.position(number, self.changes.len() - 1)
    }
}

impl LogState {
    /// The greatest number that readers may pass.
    pub(crate) fn watermark(&self) -> i64 {
        self.announced.values().flatten().copied().min().unwrap_or(self.head).min(self.head)
    }
}

pub(crate) fn tenants() -> [TenantId; 2] {
    [acme(), globex()]
}

/// The number of the event of a change that consumers read.
pub(crate) fn event_number(change: &Change) -> Option<u128> {
    let Change::VocabularyDeleted(id) = change else { return None };
    let digit = |letter: u8| ALPHABET.iter().position(|known| *known == letter);
    id.as_str().bytes().try_fold(0, |number, letter| Some(number * 32 + u128::try_from(digit(letter)?).ok()?))
}

impl LogDatabase {
    pub(crate) fn new(world: &World) -> Self {
        let hints = (0..REPLICAS).map(|_| Hint::new(world)).collect();
        Self { world: world.clone(), state: Arc::new(Mutex::new(LogState { hints, ..LogState::default() })) }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap()
    }

    pub(crate) fn now(&self) -> Timestamp {
        ComputerClock::new(&self.world, DATABASE).now()
    }

    /// The hint of a replica.
    pub(crate) fn hint(&self, replica: usize) -> Hint {
        self.state().hints[replica].clone()
    }

    pub(crate) fn begin(&self) -> usize {
        let mut state = self.state();
        state.next_transaction += 1;
        state.next_transaction
    }

    /// Announces that the transaction will take greater numbers than one that was the last, by a lock.
    pub(crate) fn announce(&self, transaction: usize, number: i64) {
        self.state().announced.entry(transaction).or_default().push(number);
        self.world.trace(|| format!("transaction {transaction} announces numbers above {number}"));
    }

    /// Takes the next number for a row with this many events.
    pub(crate) fn append(&self, transaction: usize, tenant: &TenantId, events: i64) {
        let (tag, occurred_at) = (1 + self.world.below(1_000_000), self.now());
        let mut state = self.state();
        state.head += 1;
        let number = state.head;
        let changes: Vec<_> = (0..events).map(|_| next_change(&mut state)).collect();
        self.world.trace(|| {
            let numbers: Vec<_> = changes.iter().map(|change| event_number(change).unwrap_or_default()).collect();
            format!("transaction {transaction} takes {number} for events {numbers:?} of {tenant}")
        });
        let row = LogRow { transaction, is_visible: false, tenant: tenant.clone(), tag, occurred_at, changes };
        state.rows.insert(number, row);
    }

    /// Makes the rows of a transaction visible. The change is acknowledged.
    pub(crate) fn show(&self, transaction: usize) {
        self.world.trace(|| format!("transaction {transaction} is visible"));
        let mut guard = self.state();
        let LogState { rows, committed, .. } = &mut *guard;
        for (number, row) in rows.iter_mut().filter(|(_, row)| row.transaction == transaction) {
            row.is_visible = true;
            for (index, change) in row.changes.iter().enumerate() {
                if let Some(event) = event_number(change) {
                    committed.insert(event, (row.tenant.clone(), row.position(*number, index)));
                }
            }
        }
    }

    /// Ends the announcements of a transaction.
    pub(crate) fn release(&self, transaction: usize) {
        self.state().announced.remove(&transaction);
    }

    /// Undoes a transaction, unless it is visible.
    pub(crate) fn roll_back(&self, transaction: usize) {
        let mut state = self.state();
        let before = state.rows.len();
        state.rows.retain(|_, row| row.transaction != transaction || row.is_visible);
        state.announced.remove(&transaction);
        if state.rows.len() < before {
            self.world.trace(|| format!("transaction {transaction} is rolled back"));
        }
    }

    /// Drops the rows before a time, up to the first that is newer or not complete.
    pub(crate) fn drop_before(&self, cutoff: Timestamp) {
        let mut guard = self.state();
        let watermark = guard.watermark();
        let LogState { rows, last_dropped, .. } = &mut *guard;
        let is_old = |(number, row): &(&i64, &LogRow)| **number <= watermark && row.occurred_at < cutoff;
        let old: BTreeSet<i64> = rows.iter().take_while(is_old).map(|(number, _)| *number).collect();
        for number in &old {
            let row = rows.remove(number).unwrap();
            last_dropped.insert(row.tenant.clone(), row.last(*number));
        }
        if let Some(last) = old.last() {
            self.world.trace(|| format!("the rows up to {last} are dropped"));
        }
    }
}

/// Every fourth change is of a kind that no consumer reads.
fn next_change(state: &mut LogState) -> Change {
    state.next_event += 1;
    let id = VocabularyEntryId::from_bits(state.next_event);
    if state.next_event.is_multiple_of(4) { Change::VocabularyCreated(id) } else { Change::VocabularyDeleted(id) }
}

/// Whether a fault lets readers pass open transactions.
pub(crate) fn passes_open_transactions(world: &World) -> bool {
    world.has(Fault::NoWatermark) || world.has(Fault::SkippingByTime)
}
