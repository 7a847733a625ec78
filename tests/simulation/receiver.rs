//! A receiver of events outside of the service, as a webhook or a consumer of the stream is. It keeps the identifiers of
//! the events that it has processed, and processes each identifier once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use parlance_domain::{access::TenantId, event::LogPosition};

use crate::world::World;

/// The receiver of the events of all tenants. Clones share it.
#[derive(Clone)]
pub(crate) struct Receiver {
    world: World,
    state: Arc<Mutex<BTreeMap<TenantId, Received>>>,
}

#[derive(Default)]
struct Received {
    ids: BTreeSet<String>,
    events: BTreeSet<u128>,
    /// The last event that was processed in the order of the log.
    last: Option<LogPosition>,
    /// The ranges of which the receiver was told that it has missed events, because they were dropped. A range begins
    /// after its first position.
    missed: Vec<(LogPosition, LogPosition)>,
}

impl Received {
    fn has_missed(&self, position: LogPosition) -> bool {
        self.missed.iter().any(|(after, up_to)| place(*after) < place(position) && place(position) <= place(*up_to))
    }
}

/// An event as it is sent.
pub(crate) struct SentEvent {
    pub(crate) tenant: TenantId,
    pub(crate) id: String,
    pub(crate) number: u128,
    pub(crate) position: LogPosition,
}

fn place(position: LogPosition) -> (i64, u32) {
    (position.sequence, position.index)
}

impl Receiver {
    pub(crate) fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Arc::default() }
    }

    /// Processes an event, unless its identifier is known. Checks that no event is doubled or out of order.
    pub(crate) fn receive(&self, sent: SentEvent) {
        let SentEvent { tenant, id, number, position } = sent;
        let mut state = self.state.lock().unwrap();
        let received = state.entry(tenant.clone()).or_default();
        if !received.ids.insert(id.clone()) {
            self.world.trace(|| format!("{tenant} receives event {number} again, as {id}"));
            return;
        }
        self.world.trace(|| format!("{tenant} receives event {number} as {id}"));
        if !received.events.insert(number) {
            self.world.violate(format!("event {number} of {tenant} was processed twice"));
        }
        // An event that counts as missed may still come, from a replica that had read it before it was dropped.
        if received.has_missed(position) {
            return;
        }
        if received.last.is_some_and(|last| place(position) < place(last)) {
            self.world.violate(format!("event {number} of {tenant} came after a later one"));
        }
        received.last = Some(position);
    }

    /// Events between two positions were dropped before they were sent.
    pub(crate) fn miss(&self, tenant: &TenantId, after: LogPosition, up_to: LogPosition) {
        self.world.trace(|| format!("{tenant} has missed events from {after} to {up_to}"));
        self.state.lock().unwrap().entry(tenant.clone()).or_default().missed.push((after, up_to));
    }

    /// Whether an event was processed, or its receiver was told that it was dropped.
    pub(crate) fn knows(&self, tenant: &TenantId, number: u128, position: LogPosition) -> bool {
        let state = self.state.lock().unwrap();
        state.get(tenant).is_some_and(|received| received.events.contains(&number) || received.has_missed(position))
    }
}
