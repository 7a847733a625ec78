//! The protocol of webhooks: every event reaches each active endpoint, in order within its conversation, with one identifier.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    event::{Change, ChangeLog, EventType, EventTypes, Events},
    id::{ConversationId, IdSource, VocabularyEntryId},
    time::{Clock, MonotonicClock, SECONDS_PER_DAY, Timestamp},
    webhook::{
        Dispatcher, DispatcherPorts, SealedSecret, SecretCipher, SwitchOffReason, Webhook, WebhookId, WebhookSecret,
        WebhookStore, WebhookUrl,
    },
};
use pollster::block_on;
use support::{
    fixtures::{acme, globex},
    memory::MemoryStore,
    webhooks::webhook,
};

use crate::{
    clock::{ComputerClock, REPLICAS, set_clocks},
    event_consumer::sources,
    fault::Fault,
    lease_table::LeaseTable,
    memory_log::NetworkedLog,
    protocol::Protocol,
    webhook_endpoint::{NumberEncoder, SimulatedEndpoints},
    webhook_replica::WebhookReplica,
    webhook_store::SimulatedWebhooks,
    world::{SECOND, World},
};

/// The conversations that have events.
const CONVERSATIONS: i64 = 3;

#[derive(Clone)]
pub(crate) struct WebhookProtocol {
    world: World,
    memory: Arc<MemoryStore>,
    store: SimulatedWebhooks,
    endpoints: SimulatedEndpoints,
    leases: LeaseTable,
    ids: Arc<CountedIds>,
    /// The tenant, the number in the log, and the type of each event.
    events: Arc<Mutex<Vec<(TenantId, i64, EventType)>>>,
    is_over: Arc<AtomicBool>,
}

/// Identifiers that no two replicas share.
#[derive(Default)]
struct CountedIds(AtomicU64);

impl IdSource for CountedIds {
    fn next(&self, _: Timestamp) -> u128 {
        u128::from(1 + self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// The time of the run, which no jump of a clock changes.
struct RunClock(World);

impl MonotonicClock for RunClock {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.0.now().unsigned_abs())
    }
}

struct OneSecret;

impl SecretCipher for OneSecret {
    fn seal(&self, _: &TenantId, _: &WebhookId, _: &WebhookSecret) -> Result<SealedSecret, StoreError> {
        Ok(SealedSecret(Vec::new()))
    }

    fn open(&self, _: &TenantId, _: &WebhookId, _: &SealedSecret) -> Result<WebhookSecret, StoreError> {
        Ok(WebhookSecret::from_bytes(vec![7; 32]).unwrap())
    }
}

/// The webhooks, each of which has an endpoint of its own. One of them wants only a part of the events.
fn webhooks() -> [(TenantId, Webhook); 3] {
    let with_types = |number, types: &[EventType]| Webhook {
        url: WebhookUrl::parse(&format!("https://endpoint-{number}.example.com/")).unwrap(),
        types: types.iter().copied().collect::<EventTypes>(),
        previous_secret: None,
        ..webhook(number)
    };
    let all = [EventType::ConversationErased, EventType::VocabularyDeleted];
    [(acme(), with_types(1, &all)), (acme(), with_types(2, &all[..1])), (globex(), with_types(3, &all))]
}

impl Protocol for WebhookProtocol {
    const NAME: &'static str = "webhooks";

    /// A webhook is switched off after five days, which the clock of a replica can prolong by a day and the last delay of
    /// a retry by half of one.
    const CALM: i64 = 8 * SECONDS_PER_DAY * SECOND;

    const FAULTS: &'static [Fault] = &[
        Fault::UncheckedWebhookTerm,
        Fault::CursorBeforeDeliveries,
        Fault::UncomparedWebhookCursor,
        Fault::DeliveriesByTime,
        Fault::DeliveriesOutOfTurn,
        Fault::PresumedSuccess,
    ];

    fn start(world: &World) -> Self {
        let memory = Arc::new(MemoryStore::default());
        let protocol = Self {
            world: world.clone(),
            store: SimulatedWebhooks::new(world, &memory),
            memory,
            endpoints: SimulatedEndpoints::new(world),
            leases: LeaseTable::new(world),
            ids: Arc::default(),
            events: Arc::default(),
            is_over: Arc::default(),
        };
        for (tenant, webhook) in webhooks() {
            let entry = AuditEntry::webhook_created(&webhook, webhook.created_at);
            let _ = block_on(WebhookStore::insert(&*protocol.memory, &tenant, &webhook, 20, entry)).unwrap();
        }
        if world.below(4) == 0 {
            let [_, (_, second), _] = webhooks();
            protocol.endpoints.kill(second.url.as_str().to_owned());
        }
        for replica in 0..REPLICAS {
            let protocol = protocol.clone();
            world.spawn_process(format!("replica {replica}"), move || protocol.replica(replica).run());
        }
        for tenant in [acme(), globex()] {
            world.spawn(protocol.clone().write_events(tenant));
        }
        world.spawn(protocol.clone().switch_webhooks());
        world.spawn(set_clocks(world.clone()));
        protocol
    }

    fn end_changes(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn check_end(&self, world: &World) {
        for (tenant, Webhook { id, url, .. }) in webhooks() {
            let webhook = block_on(WebhookStore::find(&*self.memory, &tenant, &id)).unwrap().unwrap();
            let events = self.events.lock().unwrap();
            let url = url.as_str();
            let is_wanted = |event: &&(TenantId, i64, EventType)| event.0 == tenant && webhook.types.contains(event.2);
            let mut wanted = events.iter().filter(is_wanted).map(|(_, number, _)| *number);
            if self.endpoints.is_dead(url) {
                if wanted.next().is_some() && webhook.switched_off != Some(SwitchOffReason::Failing) {
                    world.violate(format!("{url} has failed for days, and its webhook is not switched off"));
                }
            } else if !webhook.active {
                world.violate(format!("the webhook of {url} is switched off: {:?}", webhook.switched_off));
            } else if let Some(lost) = wanted.find(|number| !self.endpoints.has_received(url, *number)) {
                world.violate(format!("event {lost} of {tenant} never reached {url}"));
            }
        }
    }
}

impl WebhookProtocol {
    fn replica(&self, replica: usize) -> WebhookReplica {
        let world = &self.world;
        let clock = Arc::new(ComputerClock::new(world, replica));
        let log = Arc::new(NetworkedLog { world: world.clone(), memory: Arc::clone(&self.memory) });
        let ports = DispatcherPorts {
            store: Arc::new(self.store.clone()),
            sender: Arc::new(self.endpoints.clone()),
            encoder: Arc::new(NumberEncoder),
            cipher: Arc::new(OneSecret),
            ids: Arc::clone(&self.ids) as _,
            clock: Arc::clone(&clock) as _,
            monotonic: Arc::new(RunClock(world.clone())),
        };
        let dispatcher = Dispatcher::new(ports, Events::new(log, sources(), clock));
        WebhookReplica::new(world, dispatcher, self.leases.leases_of_new_process())
    }

    /// Writes events of a few conversations, and some of none.
    async fn write_events(self, tenant: TenantId) {
        loop {
            self.world.pause(self.world.below(4 * SECOND)).await;
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let number = u128::try_from(self.world.below(CONVERSATIONS + 1)).unwrap();
            let change = match number {
                0 => Change::VocabularyDeleted(VocabularyEntryId::from_bits(1)),
                _ => Change::ConversationErased(ConversationId::from_bits(number)),
            };
            let event_type = change.event_type();
            self.memory.append_changes(&tenant, vec![change]);
            let sequence = block_on(self.memory.newest(&tenant)).unwrap().sequence;
            self.world.trace(|| format!("{tenant} has event {sequence}, of conversation {number}"));
            self.events.lock().unwrap().push((tenant.clone(), sequence, event_type));
        }
    }

    /// A caller switches a webhook off and on again, now and then.
    async fn switch_webhooks(self) {
        let clock = ComputerClock::new(&self.world, 0);
        loop {
            self.world.pause(self.world.below(30 * SECOND)).await;
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let [first, _, third] = webhooks();
            let (tenant, Webhook { id, .. }) = if self.world.below(2) == 0 { first } else { third };
            for active in [false, true] {
                let stored = block_on(WebhookStore::find(&*self.memory, &tenant, &id)).unwrap().unwrap();
                let changed = Webhook { active, revision: stored.revision + 1, ..stored };
                let entry = AuditEntry::webhook_created(&changed, clock.now());
                let is_changed = block_on(WebhookStore::update(&*self.memory, &tenant, &changed, entry)).unwrap();
                assert!(is_changed, "the revision was just read");
                let state = if active { "on" } else { "off" };
                self.world.trace(|| format!("a caller switches the webhook of {} {state}", changed.url.as_str()));
                self.world.pause(self.world.below(5 * SECOND)).await;
            }
        }
    }
}
