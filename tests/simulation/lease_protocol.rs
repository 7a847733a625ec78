//! The protocol of leases: one replica at a time does work, and no write of an overtaken replica lands.
//!
//! The work is that of the production of feeds: numbered objects one after the other, an object that names the latest of
//! them, and the progress in the database. Two replicas can work at once, after a stall or when the clock of the database jumps.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
};

use parlance_domain::lease::{LeaseName, LeaseTerm, Leases};

use crate::{
    clock::{REPLICAS, set_clocks},
    fault::Fault,
    lease_table::LeaseTable,
    protocol::Protocol,
    world::{SECOND, World},
};

/// How long a replica waits for the store of objects.
const OBJECT_TIMEOUT: i64 = 5 * SECOND;

/// The longest time without progress when nothing goes wrong: that of the slowest object.
const MAX_STANDSTILL: i64 = 15 * SECOND;

#[derive(Clone)]
pub(crate) struct LeaseProtocol {
    world: World,
    leases: LeaseTable,
    work: Arc<Mutex<Work>>,
}

/// What the replicas have written, and when they wrote last.
#[derive(Default)]
struct Work {
    /// The number of the last finished object, in the database.
    done: u64,
    done_at: i64,
    /// The names of the objects, by their numbers.
    objects: BTreeMap<u64, String>,
    /// The term and the number that the latest object names.
    latest: (i64, u64),
}

impl Protocol for LeaseProtocol {
    const NAME: &'static str = "leases";

    const FAULTS: &'static [Fault] = &[
        Fault::UncheckedTerm,
        Fault::UncomparedWrite,
        Fault::UnconditionalObject,
        Fault::LeaseInTwoSteps,
        Fault::TermsBeginAnew,
        Fault::BelievedExpiry,
        Fault::NewNameForEachAttempt,
    ];

    fn start(world: &World) -> Self {
        let protocol = Self { world: world.clone(), leases: LeaseTable::new(world), work: Arc::default() };
        for replica in 0..REPLICAS {
            let protocol = protocol.clone();
            world.spawn_process(format!("replica {replica}"), move || {
                let leases = protocol.leases.leases_of_new_process();
                protocol.clone().run_replica(leases)
            });
        }
        world.spawn(set_clocks(world.clone()));
        protocol
    }

    fn end_changes(&self) {}

    fn check_end(&self, world: &World) {
        let standstill = world.now() - self.work().done_at;
        if standstill > MAX_STANDSTILL {
            world.violate(format!("no replica has worked for {} s", standstill / SECOND));
        }
    }
}

impl LeaseProtocol {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap()
    }

    async fn run_replica(self, leases: Leases) {
        loop {
            if let Ok(Some(term)) = leases.acquire(LeaseName::FeedProduction).await {
                for _ in 0..=self.world.below(3) {
                    if self.produce(term).await.is_none() {
                        break;
                    }
                }
                if self.world.below(10) == 0 {
                    // An error means that the lease expires.
                    let _: Result<_, _> = leases.release(LeaseName::FeedProduction).await;
                }
            }
            self.world.pause(SECOND + self.world.below(SECOND)).await;
        }
    }

    /// Produces the next object. `None` if a step failed or was refused.
    async fn produce(&self, term: LeaseTerm) -> Option<()> {
        let reader = self.clone();
        let done = self.world.call_store(move || reader.work().done).await.ok()?;
        self.world.pause(self.world.below(4 * SECOND)).await;
        let number = done + 1;
        let name = self.name_of(number);
        let writer = self.clone();
        self.world.call(OBJECT_TIMEOUT, move || writer.write_object(number, &name)).await?;
        let writer = self.clone();
        self.world.call(OBJECT_TIMEOUT, move || writer.write_latest(term, number)).await?;
        let writer = self.clone();
        let is_saved = self.world.call_store(move || writer.save(term, done)).await.ok()?;
        is_saved.then_some(())
    }

    fn name_of(&self, number: u64) -> String {
        if self.world.has(Fault::NewNameForEachAttempt) {
            return format!("{number}-{}", self.world.now());
        }
        number.to_string()
    }

    /// An object has the same name and content whoever writes it, so writing it again changes nothing.
    fn write_object(&self, number: u64, name: &str) {
        self.world.trace(|| format!("object {name} is written"));
        let mut work = self.work();
        let stored = work.objects.entry(number).or_insert_with(|| name.to_owned());
        if stored.as_str() != name {
            self.world.violate(format!("object {number} was written twice, as {stored} and as {name}"));
        }
    }

    /// The store of objects knows no leases. It compares the term with that of the object that is replaced.
    fn write_latest(&self, term: LeaseTerm, number: u64) {
        let mut work = self.work();
        if (term.0, number) < work.latest && !self.world.has(Fault::UnconditionalObject) {
            self.world.trace(|| format!("latest {number} of term {} is refused", term.0));
            return;
        }
        self.world.trace(|| format!("latest is {number} by term {}", term.0));
        if term.0 < work.latest.0 || number < work.latest.1 {
            self.world.violate(format!("latest went from {:?} back to {:?}", work.latest, (term.0, number)));
        }
        work.latest = (term.0, number);
    }

    /// Records an object as finished, if the term is the newest and nothing was recorded since the progress was read.
    fn save(&self, term: LeaseTerm, read: u64) -> bool {
        let mut work = self.work();
        let is_expected = work.done == read || self.world.has(Fault::UncomparedWrite);
        if !is_expected || !self.leases.accepts(term, Fault::UncheckedTerm) {
            self.world.trace(|| format!("the progress {} of term {} is refused", read + 1, term.0));
            return false;
        }
        self.world.trace(|| format!("the progress is {} by term {}", read + 1, term.0));
        self.leases.check_landed(term);
        if work.done != read {
            self.world.violate(format!("the progress went from {} to {}", work.done, read + 1));
        }
        (work.done, work.done_at) = (read + 1, self.world.now());
        true
    }
}
