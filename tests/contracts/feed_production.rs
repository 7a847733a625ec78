//! How feeds are produced, from the database into a directory: what is written, what is written anew, and what a run
//! that was cut off leaves.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use parlance_adapters_sql::{SqlFeedSource, SqlMessages, SqlRedaction};
use parlance_domain::{
    access::TenantId,
    conversation::{Append, ExportMasking, Masking, Message},
    feed::{
        Compression, Day, DayOutcome, DayRange, Feed, FeedDay, FeedProduction, FeedSink, FeedStore, Format, Manifest,
        ProductionWatch, plan::over_at,
    },
    redaction::{
        ActiveSets, Activity, Commit, Entity, EntitySet, Switch, SwitchId, SwitchRecord, SwitchedBy, TextRedaction,
    },
    text::MessageText,
    time::Timestamp,
};
use support::{
    database::TestDatabase,
    feeds::FeedHome,
    fixtures::{CountingIds, FrozenClock, acme, at, conversation, message},
    service::Unwatched,
    stores::Stores,
};

sql_contract![
    a_day_is_written_with_all_its_rows_and_not_again,
    a_day_without_rows_is_complete_and_has_no_files,
    a_day_that_is_not_over_is_left_out,
    a_day_that_is_not_over_is_written_where_asked_for_and_anew_once_it_is,
    a_late_change_makes_a_new_revision_of_its_day_and_of_no_other,
    files_of_the_revision_before_are_gone,
    a_run_that_is_cut_off_leaves_no_day_half_and_the_next_completes_it,
    texts_are_masked_with_what_is_active_when_they_are_written,
    a_number_in_pieces_is_masked_as_a_list_shows_it,
    every_kind_of_compression_is_what_its_name_says,
];

const DAY: i64 = 86_400_000_000;

pub(crate) struct Home {
    stores: Stores,
    kept: FeedHome,
    database: parlance_adapters_sql::Database,
}

impl Home {
    pub(crate) async fn of(database: &TestDatabase) -> Self {
        let database = database.migrated().await;
        let home = Self { stores: Stores::in_sql(&database), kept: FeedHome::in_directory(), database };
        home.stores.create(&acme(), &conversation(1, "call-1"), on(0)).await;
        home
    }

    fn production(&self, now: Timestamp, compression: Compression) -> FeedProduction {
        let kept = Arc::new(self.kept.feeds.clone());
        self.production_into((Arc::clone(&kept) as _, kept), now, compression)
    }

    pub(crate) fn production_into(
        &self,
        kept: (Arc<dyn FeedStore>, Arc<dyn FeedSink>),
        now: Timestamp,
        compression: Compression,
    ) -> FeedProduction {
        let switches = Arc::new(SqlRedaction::new(self.database.clone()));
        let masking = Masking::new(TextRedaction::by_rules(), ActiveSets::new(switches, Arc::new(FrozenClock(now))));
        let masking = ExportMasking::new(Arc::new(SqlMessages::new(self.database.clone())), masking);
        let system = (Arc::new(CountingIds::default()) as Arc<_>, Arc::new(FrozenClock(now)) as Arc<_>);
        FeedProduction::new(Arc::new(SqlFeedSource::new(self.database.clone())), kept, masking, system, compression)
    }

    async fn produce(&self, now: Timestamp, range: DayRange) {
        let production = self.production(now, Compression::None);
        production.produce(&acme(), &[Format::JsonLines], range, &Unwatched).await.unwrap();
    }

    pub(crate) async fn say(&self, number: u128, text: &str, arrived: Timestamp) {
        let message = Message {
            created_at: arrived,
            text: MessageText::parse(text).unwrap(),
            ..message(number, &conversation(1, "call-1").id, at(i64::try_from(number).unwrap()))
        };
        assert_eq!(self.stores.messages.append(&acme(), &message).await.unwrap(), Append::Appended);
    }

    async fn manifest(&self, place: &FeedDay) -> Option<Manifest> {
        let complete = self.kept.feeds.is_complete(&acme(), place).await.unwrap();
        self.kept.feeds.manifest(&acme(), place).await.unwrap().filter(|_| complete)
    }

    /// The texts of a day, as its files hold them.
    async fn texts(&self, place: &FeedDay) -> Vec<String> {
        let mut texts = Vec::new();
        for file in self.manifest(place).await.unwrap().files {
            let read = self.kept.feeds.read(&acme(), place, &file.name, 0..file.bytes).await.unwrap();
            let (mut read, mut content) = (read.unwrap(), Vec::new());
            while let Some(bytes) = read.next().await.unwrap() {
                content.extend(bytes);
            }
            let lines = String::from_utf8(content).unwrap();
            let text = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].clone();
            texts.extend(lines.lines().map(|line| text(line).as_str().unwrap().to_owned()));
        }
        texts
    }

    async fn switch_on(&self, entity: Entity) {
        let (id, from, to) = (SwitchId::from_bits(1), Activity::Off, Activity::On);
        let record = SwitchRecord { id, at: on(0), by: SwitchedBy::Embedder, entity, from, to };
        let switch = Switch { presumes: None, record };
        assert_eq!(self.stores.redaction.set(&acme(), &switch).await.unwrap(), Commit::Committed);
    }
}

pub(crate) fn first() -> Day {
    Day::from_number(20_000).unwrap()
}

pub(crate) fn on(micros: i64) -> Timestamp {
    at(20_000 * DAY + micros)
}

fn messages(day: Day) -> FeedDay {
    Feed::Messages.table(Format::JsonLines).on(day)
}

/// Long after the first days.
pub(crate) fn later() -> Timestamp {
    over_at(first().next().unwrap())
}

async fn a_day_is_written_with_all_its_rows_and_not_again(database: &TestDatabase) {
    let home = Home::of(database).await;
    for number in 1..=3 {
        home.say(number, "text", on(5)).await;
    }
    home.produce(later(), DayRange::default()).await;
    let manifest = home.manifest(&messages(first())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.origin.revision, manifest.files.len()), (3, 1, 1));
    home.produce(later().plus_seconds(9), DayRange::default()).await;
    assert_eq!(home.manifest(&messages(first())).await, Some(manifest));
}

async fn a_day_without_rows_is_complete_and_has_no_files(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.produce(later(), DayRange::default()).await;
    let manifest = home.manifest(&messages(first())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.files.len()), (0, 0));
}

async fn a_day_that_is_not_over_is_left_out(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.produce(over_at(first()).plus_seconds(-1), DayRange::default()).await;
    assert_eq!(home.manifest(&messages(first())).await, None);
    home.produce(over_at(first()), DayRange::default()).await;
    assert!(home.manifest(&messages(first())).await.is_some());
}

async fn a_day_that_is_not_over_is_written_where_asked_for_and_anew_once_it_is(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.say(1, "text", on(5)).await;
    home.produce(on(10), DayRange { unfinished: true, ..DayRange::default() }).await;
    assert_eq!(home.kept.feeds.manifest(&acme(), &messages(first())).await.unwrap().unwrap().rows(), 1);
    assert_eq!(home.manifest(&messages(first())).await, None, "the day is not complete");
    home.say(2, "text", on(20)).await;
    home.produce(later(), DayRange::default()).await;
    let manifest = home.manifest(&messages(first())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.origin.revision), (2, 2));
}

async fn a_late_change_makes_a_new_revision_of_its_day_and_of_no_other(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.say(1, "text", on(5)).await;
    home.say(2, "text", on(DAY + 5)).await;
    home.produce(later(), DayRange::default()).await;
    home.say(3, "late", on(6)).await;
    home.produce(later(), DayRange::default()).await;
    let manifest = home.manifest(&messages(first())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.origin.revision), (2, 2));
    let other = home.manifest(&messages(first().next().unwrap())).await.unwrap();
    assert_eq!((other.rows(), other.origin.revision), (1, 1));
}

async fn files_of_the_revision_before_are_gone(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.say(1, "text", on(5)).await;
    home.produce(later(), DayRange::default()).await;
    home.say(2, "late", on(6)).await;
    home.produce(later(), DayRange::default()).await;
    let found = home.kept.feeds.files(&acme(), &messages(first())).await.unwrap();
    let named = home.manifest(&messages(first())).await.unwrap().files;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].name, named[0].name);
}

/// Ends a run when it has told of so many steps.
struct CutOff {
    steps: AtomicUsize,
    after: usize,
    cut: tokio::sync::Notify,
}

impl CutOff {
    fn step(&self) {
        if self.steps.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            self.cut.notify_one();
        }
    }
}

impl ProductionWatch for CutOff {
    fn wants_total(&self) -> bool {
        true
    }

    fn begins(&self, _: &TenantId, _: &FeedDay, _: Option<u64>) {
        self.step();
    }

    fn rows(&self, _: u64) {
        self.step();
    }

    fn ends(&self, _: &TenantId, _: &FeedDay, _: DayOutcome) {
        self.step();
    }
}

async fn a_run_that_is_cut_off_leaves_no_day_half_and_the_next_completes_it(database: &TestDatabase) {
    let home = Home::of(database).await;
    for number in 1..=5 {
        home.say(number, "text", on(5)).await;
    }
    for after in 1..=12 {
        let watch = CutOff { steps: AtomicUsize::new(0), after, cut: tokio::sync::Notify::new() };
        let production = home.production(later(), Compression::None);
        let (tenant, formats) = (acme(), [Format::JsonLines, Format::Parquet]);
        tokio::select! {
            biased;
            () = watch.cut.notified() => {}
            done = production.produce(&tenant, &formats, DayRange::default(), &watch) => done.unwrap(),
        }
        let manifest = home.manifest(&messages(first())).await;
        assert!(manifest.is_none_or(|manifest| manifest.rows() == 5));
    }
    home.produce(later(), DayRange::default()).await;
    assert_eq!(home.manifest(&messages(first())).await.unwrap().rows(), 5);
    assert_eq!(home.kept.feeds.progress(&acme(), &messages(first())).await.unwrap(), None);
}

async fn texts_are_masked_with_what_is_active_when_they_are_written(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.say(1, "write to ada@example.com", on(5)).await;
    home.switch_on(Entity::EMAIL).await;
    home.produce(later(), DayRange::default()).await;
    assert_eq!(home.texts(&messages(first())).await, ["write to ***@example.com"]);
    let active: EntitySet = home.manifest(&messages(first())).await.unwrap().origin.masked_with.unwrap();
    assert!(active.contains(Entity::EMAIL));
}

async fn a_number_in_pieces_is_masked_as_a_list_shows_it(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.switch_on(Entity::PHONE_NUMBER).await;
    home.say(1, "what is your phone number?", on(5)).await;
    home.say(2, "650 253", on(6)).await;
    home.say(3, "0000", on(7)).await;
    home.produce(later(), DayRange::default()).await;
    let listed = home.stores.process(&Arc::default(), later());
    let caller = parlance_domain::access::Caller::new(acme(), parlance_domain::access::Permissions::all());
    let limit = parlance_domain::conversation::PageLimit::MAX;
    let page = listed.page(&caller, &conversation(1, "call-1").id, None, limit).await.unwrap();
    let shown: Vec<_> = page.messages.iter().map(|message| message.text.as_str().to_owned()).collect();
    assert_eq!(home.texts(&messages(first())).await, shown);
}

async fn every_kind_of_compression_is_what_its_name_says(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.say(1, "text", on(5)).await;
    for (compression, magic) in [(Compression::Gzip, &[0x1f, 0x8b][..]), (Compression::Zstd, &[0x28, 0xb5, 0x2f, 0xfd])]
    {
        let production = home.production(later(), compression);
        production.produce(&acme(), &[Format::Csv], DayRange::default(), &Unwatched).await.unwrap();
        let place = Feed::Messages.table(Format::Csv).on(first());
        let file = home.manifest(&place).await.unwrap().files.remove(0);
        assert!(file.name.as_str().ends_with(compression.suffix()), "{}", file.name);
        let read = home.kept.feeds.read(&acme(), &place, &file.name, 0..4).await.unwrap();
        assert!(read.unwrap().next().await.unwrap().unwrap().starts_with(magic));
        home.say(u128::from(magic[0]), "late", on(6)).await;
    }
}
