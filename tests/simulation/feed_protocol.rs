//! The protocol of feeds: a listed day is complete and readable, each late change is in a later revision in the end, and
//! each revision that stays is announced.

use std::{
    collections::BTreeMap,
    future::poll_fn,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::Poll,
};

use parlance_domain::{
    access::TenantId,
    event::{Change, ChangeLog, FeedChange, LogPosition, LogRead},
    feed::{
        Compression, Day, DayRange, Feed, FeedPeriod, FeedProduction, FileFormat, Interval, PeriodOutcome,
        ProductionObserver,
    },
    id::IdSource,
    lease::{LeaseName, Leases},
    limits::LEASE_SECONDS,
    time::{Clock, Timestamp},
};
use pollster::block_on;
use support::{fixtures::acme, memory::MemoryStore};

use crate::{
    clock::{ComputerClock, REPLICAS, set_clocks},
    event_consumer::sources,
    fault::Fault,
    feed_objects::SimulatedFeeds,
    feed_source::{SimulatedSource, days},
    lease_table::LeaseTable,
    memory_log::NetworkedLog,
    protocol::Protocol,
    world::{SECOND, World},
};

#[derive(Clone)]
pub(crate) struct FeedProtocol {
    world: World,
    source: SimulatedSource,
    objects: SimulatedFeeds,
    memory: Arc<MemoryStore>,
    leases: LeaseTable,
    ids: Arc<RunIds>,
    is_over: Arc<AtomicBool>,
}

/// Identifiers that no two runs share.
#[derive(Default)]
struct RunIds(AtomicU64);

impl IdSource for RunIds {
    fn next(&self, _: Timestamp) -> u128 {
        u128::from(1 + self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Collects the changes of days that a run has completed, as the program does.
struct Announcements {
    today: Day,
    forgets_revisions: bool,
    changes: Mutex<Vec<FeedChange>>,
}

impl ProductionObserver for Announcements {
    fn wants_row_count(&self) -> bool {
        false
    }

    fn export_started(&self, _: &TenantId, _: Feed, _: Interval, _: Option<u64>) {}

    fn rows_written(&self, _: u64) {}

    fn export_finished(&self, _: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome) {
        let change = FeedChange::of_outcome(period, outcome, self.today);
        let is_unchanged = matches!(outcome, PeriodOutcome::Unchanged { .. } | PeriodOutcome::Marked { .. });
        let is_forgotten = |change: &FeedChange| self.forgets_revisions && is_unchanged && change.revision > 1;
        self.changes.lock().unwrap().extend(change.filter(|change| !is_forgotten(change)));
    }
}

impl Protocol for FeedProtocol {
    const NAME: &'static str = "feeds";

    const FAULTS: &'static [Fault] = &[
        Fault::StaleRows,
        Fault::ManifestBeforeFiles,
        Fault::RemovalBeforeManifest,
        Fault::UnconditionalManifest,
        Fault::AnnouncementBeforeFiles,
        Fault::ForgottenRevision,
    ];

    fn start(world: &World) -> Self {
        let source = SimulatedSource::new(world);
        let protocol = Self {
            world: world.clone(),
            objects: SimulatedFeeds::new(world, &source),
            source,
            memory: Arc::default(),
            leases: LeaseTable::new(world),
            ids: Arc::default(),
            is_over: Arc::default(),
        };
        for replica in 0..REPLICAS {
            let protocol = protocol.clone();
            world.spawn_process(format!("replica {replica}"), move || protocol.clone().run_replica(replica));
        }
        world.spawn(protocol.clone().change_late());
        world.spawn(set_clocks(world.clone()));
        protocol
    }

    fn end_changes(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn check_end(&self, world: &World) {
        let announced = self.announced();
        for feed in Feed::ALL {
            for day in days() {
                let late_changes = self.source.late_changes_of(feed, day);
                let period = feed.dataset(FileFormat::JsonLines).period(day);
                let included = self.objects.with(&feed.name(), day, |objects| {
                    self.objects.check_listed(&period, objects);
                    let manifest = objects.manifest.as_ref().filter(|_| objects.is_marked);
                    manifest.map(|manifest| (manifest.inputs.late_changes, manifest.inputs.revision))
                });
                let (feed, (included, revision)) = (feed.as_str(), included.unzip());
                if included != Some(late_changes) {
                    world.violate(format!("{feed} {day} has {included:?} of {late_changes} late changes"));
                }
                let newest = announced.get(&(feed.to_owned(), day)).and_then(|revisions| revisions.last().copied());
                if newest != revision {
                    world.violate(format!("{feed} {day} is revision {revision:?}, and was announced as {newest:?}"));
                }
            }
        }
    }
}

impl FeedProtocol {
    /// The revisions of each day in the order in which they were announced, each of them once.
    fn announced(&self) -> BTreeMap<(String, Day), Vec<u32>> {
        let read = block_on(self.memory.read(&acme(), LogPosition::START, usize::from(u16::MAX))).unwrap();
        let LogRead::Page(page) = read else { return BTreeMap::new() };
        let mut announced = BTreeMap::<_, Vec<u32>>::new();
        for entry in page.entries {
            let is_first = matches!(entry.change, Change::FeedDayCompleted(_));
            let (Change::FeedDayCompleted(change) | Change::FeedDayRevised(change)) = entry.change else { continue };
            let revisions = announced.entry((change.feed.as_str().to_owned(), change.day)).or_default();
            if is_first != revisions.is_empty() || revisions.last().is_some_and(|last| *last >= change.revision) {
                self.world.violate(format!("{} {} was announced twice or out of order", change.feed, change.day));
            }
            revisions.push(change.revision);
        }
        announced
    }

    /// Adds rows to days that are over, now and then.
    async fn change_late(self) {
        let mut number = 10;
        loop {
            self.world.pause(self.world.below(10 * SECOND)).await;
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            number += 1;
            let [first, second] = days();
            self.source.add_late(if self.world.below(2) == 0 { first } else { second }, number);
        }
    }

    async fn run_replica(self, replica: usize) {
        let leases = self.leases.leases_of_new_process();
        loop {
            if let Ok(Some(_)) = leases.acquire(LeaseName::FeedProduction).await {
                self.produce_under_lease(replica, &leases).await;
                // An error means that the lease expires.
                let _: Result<_, _> = leases.release(LeaseName::FeedProduction).await;
            }
            self.world.pause(SECOND + self.world.below(3 * SECOND)).await;
        }
    }

    /// Runs a production beside the renewals of the lease, which end it at its next step when the lease is lost.
    async fn produce_under_lease(&self, replica: usize, leases: &Leases) {
        let (state, process) = (Arc::new(AtomicBool::new(false)), Arc::new(()));
        let (protocol, is_done, alive) = (self.clone(), Arc::clone(&state), Arc::downgrade(&process));
        self.world.spawn(async move {
            let mut work = pin!(protocol.produce(replica));
            poll_fn(|context| if alive.strong_count() == 0 { Poll::Ready(()) } else { work.as_mut().poll(context) })
                .await;
            is_done.store(true, Ordering::Relaxed);
        });
        let mut renew_at = self.world.now() + LEASE_SECONDS / 3 * SECOND;
        while !state.load(Ordering::Relaxed) {
            self.world.pause(SECOND / 4).await;
            if self.world.now() < renew_at {
                continue;
            }
            if !matches!(leases.acquire(LeaseName::FeedProduction).await, Ok(Some(_))) {
                self.world.trace(|| "a run has lost the lease".to_owned());
                return;
            }
            renew_at = self.world.now() + LEASE_SECONDS / 3 * SECOND;
        }
    }

    /// Writes what is missing, and announces it.
    async fn produce(self, replica: usize) {
        let clock = Arc::new(ComputerClock::new(&self.world, replica));
        let today = Day::containing(clock.now());
        let (objects, sources) = (Arc::new(self.objects.clone()), sources());
        let production = FeedProduction::new(
            Arc::new(self.source.clone()),
            (Arc::clone(&objects) as _, objects as _),
            (sources.redaction, sources.fields),
            (Arc::clone(&self.ids) as _, clock),
            Compression::None,
        );
        if self.world.has(Fault::AnnouncementBeforeFiles) {
            let change = FeedChange { feed: Feed::Messages.name(), day: days()[0], revision: 1 };
            self.announce(vec![change]).await;
        }
        let announcements = Announcements {
            today,
            forgets_revisions: self.world.has(Fault::ForgottenRevision),
            changes: Mutex::default(),
        };
        let range = DayRange { to: days().last().copied(), ..DayRange::default() };
        // After a failure, the next run writes what is missing.
        let _: Result<_, _> = production.produce(&acme(), &[FileFormat::JsonLines], range, &announcements).await;
        self.announce(announcements.changes.into_inner().unwrap()).await;
    }

    /// Announces each day once, with its newest revision. What is announced must be listed.
    async fn announce(&self, mut changes: Vec<FeedChange>) {
        changes.sort_by(|one, other| (&one.feed, one.day, other.revision).cmp(&(&other.feed, other.day, one.revision)));
        changes.dedup_by(|later, first| (&later.feed, later.day) == (&first.feed, first.day));
        let log = NetworkedLog { world: self.world.clone(), memory: Arc::clone(&self.memory) };
        for change in changes {
            let listed = self.objects.with(&change.feed, change.day, |objects| {
                objects.manifest.as_ref().filter(|_| objects.is_marked).map(|manifest| manifest.inputs.revision)
            });
            if listed.is_none_or(|listed| listed < change.revision) {
                let FeedChange { feed, day, revision } = &change;
                self.world.violate(format!("{feed} {day} was announced as revision {revision}, and is {listed:?}"));
            }
            if log.append_feed_change(&acme(), &change).await.is_err() {
                return;
            }
        }
    }
}
