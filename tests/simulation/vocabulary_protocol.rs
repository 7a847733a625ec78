//! The protocol of vocabularies: every change reaches the transcription component, and no older version after a newer one.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use parlance_domain::{
    access::TenantId,
    lease::{LeaseName, Leases},
    limits::{DELIVERY_TIMEOUT_SECONDS, LEASE_SECONDS},
    time::Clock,
    vocabulary::{
        Capacity, VocabularyEntry, VocabularyStore,
        delivery::{Reconciler, Redelivery},
    },
};
use pollster::block_on;
use support::{
    fixtures::{acme, globex, vocabulary_entry},
    memory::MemoryStore,
};

use crate::{
    clock::{ComputerClock, REPLICAS, set_clocks},
    fault::Fault,
    lease_table::LeaseTable,
    protocol::Protocol,
    vocabulary_component::SimulatedComponent,
    vocabulary_deliveries::SimulatedDeliveries,
    world::{SECOND, World},
};

/// Time after a lease request in which deliveries may start, as in the program.
const START_WINDOW: i64 = (LEASE_SECONDS - DELIVERY_TIMEOUT_SECONDS.cast_signed() - 1) * SECOND;

#[derive(Clone)]
pub(crate) struct VocabularyProtocol {
    world: World,
    store: SimulatedDeliveries,
    component: SimulatedComponent,
    leases: LeaseTable,
    is_over: Arc<AtomicBool>,
}

impl Protocol for VocabularyProtocol {
    const NAME: &'static str = "vocabularies";

    const FAULTS: &'static [Fault] = &[
        Fault::UncheckedVersion,
        Fault::BlindWrite,
        Fault::TornSnapshot,
        Fault::PresumedSuccess,
        Fault::BelievedNextAttempt,
        Fault::UnseenRequeue,
    ];

    fn start(world: &World) -> Self {
        let (component, memory) = (SimulatedComponent::new(world), Arc::new(MemoryStore::default()));
        let store = SimulatedDeliveries { world: world.clone(), memory, component: component.clone() };
        let (leases, is_over) = (LeaseTable::new(world), Arc::default());
        let protocol = Self { world: world.clone(), store, component, leases, is_over };
        for replica in 0..REPLICAS {
            let (deliverer, writer) = (protocol.clone(), protocol.clone());
            world.spawn_process(format!("replica {replica}"), move || deliverer.clone().deliver_on(replica));
            world.spawn(writer.change_on(replica));
        }
        world.spawn(protocol.clone().requeue());
        world.spawn(set_clocks(world.clone()));
        protocol
    }

    fn end_changes(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn check_end(&self, world: &World) {
        for tenant in [acme(), globex()] {
            let progress = self.store.progress_of(&tenant);
            let received = self.component.version(&tenant);
            if received != progress.version || progress.pending_since.is_some() {
                world.violate(format!("{tenant} has {progress:?}, and the component has version {received}"));
            }
        }
    }
}

impl VocabularyProtocol {
    /// Adds and removes entries of both vocabularies, now and then.
    async fn change_on(self, replica: usize) {
        let clock = ComputerClock::new(&self.world, replica);
        let mut number = u128::try_from(replica).unwrap();
        loop {
            self.world.pause(self.world.below(4 * SECOND)).await;
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            number += u128::try_from(REPLICAS).unwrap();
            let tenant = if self.world.below(2) == 0 { acme() } else { globex() };
            let entry = VocabularyEntry { created_at: clock.now(), ..vocabulary_entry(number, &format!("p{number}")) };
            self.change(&tenant, &entry);
        }
    }

    fn change(&self, tenant: &TenantId, entry: &VocabularyEntry) {
        let memory = &self.store.memory;
        let oldest = self.store.snapshot_of(tenant).entries.into_iter().next();
        match oldest.filter(|_| self.world.below(3) == 0) {
            Some(oldest) => drop(block_on(memory.remove(tenant, &oldest.id, entry.created_at)).unwrap()),
            None => drop(block_on(memory.insert(tenant, entry, Capacity::PER_TENANT, None)).unwrap()),
        }
        let snapshot = self.store.snapshot_of(tenant);
        self.world.trace(|| format!("{tenant} has version {}", snapshot.version));
        self.component.expect(tenant.clone(), snapshot);
    }

    /// The component loses all vocabularies now and then, and an operator queues them again.
    async fn requeue(self) {
        let clock = Arc::new(ComputerClock::new(&self.world, 0));
        let redelivery = Redelivery::new(Arc::new(self.store.clone()), clock);
        let longest_interval = [4, 40][usize::try_from(self.world.below(2)).unwrap()] * SECOND;
        loop {
            self.world.pause(self.world.below(longest_interval)).await;
            // At the end, deliveries must need no operator.
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            self.component.lose_all();
            while redelivery.requeue(None).await.is_err() {}
            self.world.trace(|| "the operator has queued all vocabularies".to_owned());
        }
    }

    /// Delivers what is due while this replica holds the lease, as the task of the program does.
    async fn deliver_on(self, replica: usize) {
        let clock = Arc::new(ComputerClock::new(&self.world, replica));
        let component = Arc::new(self.component.clone());
        let reconciler = Reconciler::new(Arc::new(self.store.clone()), component, clock);
        let leases = self.leases.leases_of_new_process();
        loop {
            self.deliver_due(&leases, &reconciler).await;
            self.world.pause(SECOND).await;
        }
    }

    async fn deliver_due(&self, leases: &Leases, reconciler: &Reconciler) {
        let start_until = self.world.now() + START_WINDOW;
        let Ok(Some(_)) = leases.acquire(LeaseName::VocabularyDelivery).await else { return };
        for tenant in reconciler.due(16).await.unwrap_or_default() {
            if self.world.now() < start_until {
                // An error means that the delivery stays due.
                let _: Result<_, _> = reconciler.deliver(&tenant).await;
            }
        }
    }
}
