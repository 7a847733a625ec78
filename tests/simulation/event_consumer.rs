//! A consumer of events: reads each tenant's log by the service of the domain, sends the events to a receiver, and then
//! saves how far it has come. One replica at a time consumes, under a lease.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex},
};

use parlance_domain::{
    access::{Caller, Permission, ReadConversations, TenantId},
    conversation::FieldRedaction,
    event::{
        Event, EventLimit, EventReader, EventSources, EventType, Events, LogPosition, PollError, PollRequest, PollStart,
    },
    lease::{LeaseName, LeaseTerm, Leases},
    message::{ExportRedaction, MessageRedaction},
    redaction::{ActiveEntityCache, TextRedaction},
    time::Timestamp,
};
use support::{fixtures::FrozenClock, memory::MemoryStore};

use crate::{
    clock::ComputerClock,
    fault::Fault,
    hint::Hint,
    lease_table::LeaseTable,
    log_reader::LogReader,
    log_state::{LogDatabase, event_number, tenants},
    receiver::{Receiver, SentEvent},
    world::{SECOND, World},
};

/// How long a consumer waits for the receiver.
const RECEIVER_TIMEOUT: i64 = 5 * SECOND;

/// How often a consumer sends an event before it reads the log anew.
const ATTEMPTS: u32 = 2;

/// What the events are about: nothing, because the events of the simulation have no data.
static SOURCES: LazyLock<EventSources> = LazyLock::new(sources);

/// Stores without data.
pub(crate) fn sources() -> EventSources {
    let store = Arc::new(MemoryStore::default());
    let active = ActiveEntityCache::new(store.clone(), Arc::new(FrozenClock(Timestamp::EPOCH)));
    let redaction = MessageRedaction::new(TextRedaction::rules_only(), active.clone());
    EventSources {
        conversations: store.clone(),
        fields: FieldRedaction::new(active),
        messages: store.clone(),
        redaction: ExportRedaction::new(store.clone(), redaction),
        vocabularies: store.clone(),
        entities: store,
    }
}

/// The cursors in the database, which all replicas share.
#[derive(Clone)]
pub(crate) struct Cursors {
    world: World,
    leases: LeaseTable,
    stored: Arc<Mutex<BTreeMap<TenantId, LogPosition>>>,
}

impl Cursors {
    pub(crate) fn new(world: &World, leases: &LeaseTable) -> Self {
        Self { world: world.clone(), leases: leases.clone(), stored: Arc::default() }
    }

    /// The cursor of a tenant. The consumer exists since before the first event, so it has missed none that was dropped
    /// unseen.
    fn load(&self, tenant: &TenantId) -> Option<LogPosition> {
        let first = (!self.world.has(Fault::NoFirstCursor)).then_some(LogPosition::START);
        self.stored.lock().unwrap().get(tenant).copied().or(first)
    }

    /// Saves a cursor, if the term is the newest and no later cursor is stored.
    fn save(&self, tenant: TenantId, cursor: LogPosition, term: LeaseTerm) -> bool {
        let mut stored = self.stored.lock().unwrap();
        let place = |position: LogPosition| (position.sequence, position.index);
        let is_older = stored.get(&tenant).is_some_and(|stored| place(cursor) < place(*stored));
        let is_refused = is_older && !self.world.has(Fault::CursorMovesBack);
        if is_refused || !self.leases.accepts(term, Fault::UncheckedCursorTerm) {
            self.world.trace(|| format!("the cursor {cursor} of {tenant} by term {} is refused", term.0));
            return false;
        }
        self.world.trace(|| format!("the cursor of {tenant} is {cursor} by term {}", term.0));
        self.leases.check_landed(term);
        if is_older {
            self.world.violate(format!("the cursor of {tenant} moved back to {cursor}"));
        }
        stored.insert(tenant, cursor);
        true
    }
}

/// The consumer on one replica, which ends with its process.
pub(crate) struct Consumer {
    world: World,
    events: Events,
    leases: Leases,
    cursors: Cursors,
    receiver: Receiver,
    hint: Hint,
}

impl Consumer {
    pub(crate) fn new(
        database: &LogDatabase,
        replica: usize,
        leases: Leases,
        cursors: Cursors,
        receiver: Receiver,
    ) -> Self {
        let clock = Arc::new(ComputerClock::new(&database.world, replica));
        let events = Events::new(Arc::new(LogReader(database.clone())), SOURCES.clone(), clock);
        Self { world: database.world.clone(), events, leases, cursors, receiver, hint: database.hint(replica) }
    }

    pub(crate) async fn run(self) {
        loop {
            if let Ok(Some(term)) = self.leases.acquire(LeaseName::FeedProduction).await {
                for tenant in tenants() {
                    while self.consume_page(&tenant, term).await == Some(true) {}
                }
            }
            // The interval finds changes whose hint was lost.
            while !self.hint.wait(SECOND).await && self.world.has(Fault::TrustedHint) {}
        }
    }

    /// Reads and sends one page, and saves the cursor. Returns whether more can be read at once; `None` if a step failed.
    async fn consume_page(&self, tenant: &TenantId, term: LeaseTerm) -> Option<bool> {
        let (cursors, of) = (self.cursors.clone(), tenant.clone());
        let cursor = self.world.call_store(move || cursors.load(&of)).await.ok()?;
        let start = cursor.map_or(PollStart::Oldest, PollStart::After);
        let limit = EventLimit::new(u64::try_from(1 + self.world.below(5)).unwrap()).unwrap();
        let request = PollRequest { start, limit, ..PollRequest::default() };
        let page = match self.events.poll(&reader(tenant), &request).await {
            Ok(page) => page,
            Err(PollError::Expired) => return self.skip_dropped(tenant, cursor, term).await,
            Err(PollError::Unknown) => {
                self.world.violate(format!("the cursor {cursor:?} of {tenant} is unknown"));
                return None;
            }
            Err(PollError::Denied(_) | PollError::Store(_)) => return None,
        };
        if Some(page.next) == cursor {
            return Some(false);
        }
        let saves_first = self.world.has(Fault::CursorBeforeEffect);
        if saves_first {
            self.save(tenant, page.next, term).await?;
        }
        for event in &page.events {
            self.send(tenant, event).await?;
        }
        if !saves_first {
            self.save(tenant, page.next, term).await?;
        }
        Some(page.has_more)
    }

    /// Events after the cursor were dropped: tells the receiver, and continues with the oldest that is kept.
    async fn skip_dropped(&self, tenant: &TenantId, cursor: Option<LogPosition>, term: LeaseTerm) -> Option<bool> {
        let after = cursor.unwrap_or(LogPosition::START);
        let oldest = self.events.start(&reader(tenant), PollStart::Oldest).await.ok()?;
        let (receiver, of) = (self.receiver.clone(), tenant.clone());
        self.world.call(RECEIVER_TIMEOUT, move || receiver.miss(&of, after, oldest)).await?;
        self.save(tenant, oldest, term).await?;
        Some(true)
    }

    /// Sends an event until the receiver confirms it. The identifier stays the same, so that the receiver knows it again.
    async fn send(&self, tenant: &TenantId, event: &Event) -> Option<()> {
        for attempt in 1..=ATTEMPTS {
            let mut id = event.position.to_string();
            if self.world.has(Fault::RetryWithNewId) {
                id = format!("{id}-{attempt}");
            }
            let (receiver, number) = (self.receiver.clone(), event_number(&event.change).unwrap());
            let sent = SentEvent { tenant: tenant.clone(), id, number, position: event.position };
            if self.world.call(RECEIVER_TIMEOUT, move || receiver.receive(sent)).await.is_some() {
                return Some(());
            }
        }
        self.world.has(Fault::IgnoredFailure).then_some(())
    }

    /// Saves the cursor. A replica whose write is refused must not go on, because another one has the lease.
    async fn save(&self, tenant: &TenantId, cursor: LogPosition, term: LeaseTerm) -> Option<()> {
        let (cursors, tenant) = (self.cursors.clone(), tenant.clone());
        let is_saved = self.world.call_store(move || cursors.save(tenant, cursor, term)).await.ok()?;
        is_saved.then_some(())
    }
}

fn reader(tenant: &TenantId) -> EventReader {
    let permissions = [Permission::ReadConversations, Permission::ReadConfiguration];
    let caller = Caller::new(tenant.clone(), permissions.into_iter().collect());
    let types = [EventType::VocabularyDeleted].into_iter().collect();
    EventReader::new(&caller.authorize::<ReadConversations>().unwrap(), Some(types)).unwrap()
}
