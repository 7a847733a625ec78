//! Tests of feed exports from a SQL database into a directory: new days, new revisions, and interrupted exports.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use parlance_adapters_sql::{SqlFeedSource, SqlMessages, SqlRedaction};
use parlance_domain::{
    access::TenantId,
    conversation::FieldRedaction,
    feed::{
        Compression, Day, DayRange, Feed, FeedPeriod, FeedProduction, FeedSink, FeedStore, FileFormat, Interval,
        Manifest, PeriodOutcome, ProductionObserver,
    },
    message::{AppendOutcome, ExportRedaction, Message, MessageRedaction},
    redaction::{
        ActiveEntityCache, Activity, CommitOutcome, Entity, EntitySet, Switch, SwitchActor, SwitchId, SwitchRecord,
        TextRedaction,
    },
    text::MessageText,
    time::{MICROS_PER_DAY, Timestamp},
};
use support::{
    database::TestDatabase,
    feeds::TestFeedStore,
    fixtures::{CountingIds, FrozenClock, acme, conversation, from_micros, message},
    service::NoopProductionObserver,
    stores::TestStores,
};

sql_contract![
    a_day_is_exported_once_with_all_its_rows,
    a_day_without_rows_is_complete_and_has_no_files,
    an_open_day_is_skipped,
    an_open_day_is_exported_on_request_and_again_after_it_closes,
    a_late_change_makes_a_new_revision_of_its_day_only,
    files_of_the_previous_revision_are_removed,
    an_interrupted_export_leaves_no_partial_day_and_the_next_one_completes_it,
    texts_are_masked_with_the_entities_that_are_active_during_the_export,
    a_split_number_is_masked_as_in_a_list_of_messages,
    every_compression_writes_its_own_format,
];

const DAY: i64 = MICROS_PER_DAY;

pub(crate) struct ExportFixture {
    stores: TestStores,
    pub(crate) output: TestFeedStore,
    database: parlance_adapters_sql::Database,
}

impl ExportFixture {
    pub(crate) async fn new(database: &TestDatabase) -> Self {
        let database = database.open_migrated().await;
        let fixture = Self { stores: TestStores::in_sql(&database), output: TestFeedStore::in_directory(), database };
        fixture.stores.create_conversation(&acme(), &conversation(1, "call-1"), first_day_at(0)).await;
        fixture
    }

    fn production(&self, now: Timestamp, compression: Compression) -> FeedProduction {
        let feeds = Arc::new(self.output.feeds.clone());
        self.production_into((Arc::clone(&feeds) as _, feeds), now, compression)
    }

    pub(crate) fn production_into(
        &self,
        output: (Arc<dyn FeedStore>, Arc<dyn FeedSink>),
        now: Timestamp,
        compression: Compression,
    ) -> FeedProduction {
        let redaction_store = Arc::new(SqlRedaction::new(self.database.clone()));
        let active_sets = ActiveEntityCache::new(redaction_store, Arc::new(FrozenClock(now)));
        let redaction = MessageRedaction::new(TextRedaction::rules_only(), active_sets.clone());
        let redaction = ExportRedaction::new(Arc::new(SqlMessages::new(self.database.clone())), redaction);
        let redaction = (redaction, FieldRedaction::new(active_sets));
        let system = (Arc::new(CountingIds::default()) as Arc<_>, Arc::new(FrozenClock(now)) as Arc<_>);
        FeedProduction::new(Arc::new(SqlFeedSource::new(self.database.clone())), output, redaction, system, compression)
    }

    async fn produce(&self, now: Timestamp, range: DayRange) {
        let production = self.production(now, Compression::None);
        production.produce(&acme(), &[FileFormat::JsonLines], range, &NoopProductionObserver).await.unwrap();
    }

    pub(crate) async fn append_message(&self, number: u128, text: &str, created_at: Timestamp) {
        let message = Message {
            created_at,
            text: MessageText::parse(text).unwrap(),
            ..message(number, &conversation(1, "call-1").id, from_micros(i64::try_from(number).unwrap()))
        };
        assert_eq!(self.stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
    }

    pub(crate) async fn manifest(&self, period: &FeedPeriod) -> Option<Manifest> {
        let complete = self.output.feeds.is_complete(&acme(), period).await.unwrap();
        self.output.feeds.manifest(&acme(), period).await.unwrap().filter(|_| complete)
    }

    /// The message texts in the files of a period.
    async fn texts(&self, period: &FeedPeriod) -> Vec<String> {
        let mut texts = Vec::new();
        for file in self.manifest(period).await.unwrap().files {
            let read = self.output.feeds.read(&acme(), period, &file.path.name, 0..file.bytes).await.unwrap();
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
        let record = SwitchRecord { id, switched_at: first_day_at(0), actor: SwitchActor::Embedder, entity, from, to };
        let switch = Switch { expected: None, record };
        assert_eq!(self.stores.redaction.set(&acme(), &switch).await.unwrap(), CommitOutcome::Committed);
    }
}

pub(crate) fn first_day() -> Day {
    Day::from_epoch_days(20_000).unwrap()
}

pub(crate) fn first_day_at(micros: i64) -> Timestamp {
    from_micros(20_000 * DAY + micros)
}

pub(crate) fn messages(day: Day) -> FeedPeriod {
    Feed::Messages.dataset(FileFormat::JsonLines).period(day)
}

/// The time at which the second day closes.
pub(crate) fn second_day_close() -> Timestamp {
    Interval::from(first_day().next().unwrap()).closes_at()
}

async fn a_day_is_exported_once_with_all_its_rows(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    for number in 1..=3 {
        fixture.append_message(number, "text", first_day_at(5)).await;
    }
    fixture.produce(second_day_close(), DayRange::default()).await;
    let manifest = fixture.manifest(&messages(first_day())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.inputs.revision, manifest.files.len()), (3, 1, 1));
    fixture.produce(second_day_close().plus_seconds(9), DayRange::default()).await;
    assert_eq!(fixture.manifest(&messages(first_day())).await, Some(manifest));
}

async fn a_day_without_rows_is_complete_and_has_no_files(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    let manifest = fixture.manifest(&messages(first_day())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.files.len()), (0, 0));
}

async fn an_open_day_is_skipped(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.produce(Interval::from(first_day()).closes_at().plus_seconds(-1), DayRange::default()).await;
    assert_eq!(fixture.manifest(&messages(first_day())).await, None);
    fixture.produce(Interval::from(first_day()).closes_at(), DayRange::default()).await;
    assert!(fixture.manifest(&messages(first_day())).await.is_some());
}

async fn an_open_day_is_exported_on_request_and_again_after_it_closes(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.append_message(1, "text", first_day_at(5)).await;
    fixture.produce(first_day_at(10), DayRange { include_open: true, ..DayRange::default() }).await;
    assert_eq!(fixture.output.feeds.manifest(&acme(), &messages(first_day())).await.unwrap().unwrap().rows(), 1);
    assert_eq!(fixture.manifest(&messages(first_day())).await, None, "the day is not complete");
    fixture.append_message(2, "text", first_day_at(20)).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    let manifest = fixture.manifest(&messages(first_day())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.inputs.revision), (2, 2));
}

async fn a_late_change_makes_a_new_revision_of_its_day_only(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.append_message(1, "text", first_day_at(5)).await;
    fixture.append_message(2, "text", first_day_at(DAY + 5)).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    fixture.append_message(3, "late", first_day_at(6)).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    let manifest = fixture.manifest(&messages(first_day())).await.unwrap();
    assert_eq!((manifest.rows(), manifest.inputs.revision), (2, 2));
    let other = fixture.manifest(&messages(first_day().next().unwrap())).await.unwrap();
    assert_eq!((other.rows(), other.inputs.revision), (1, 1));
}

async fn files_of_the_previous_revision_are_removed(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.append_message(1, "text", first_day_at(5)).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    fixture.append_message(2, "late", first_day_at(6)).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    let stored = fixture.output.feeds.files(&acme(), &messages(first_day())).await.unwrap();
    let listed = fixture.manifest(&messages(first_day())).await.unwrap().files;
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].name, listed[0].path.name);
}

/// Interrupts an export after it has reported a number of steps.
struct InterruptingObserver {
    steps: AtomicUsize,
    limit: usize,
    interrupt: tokio::sync::Notify,
}

impl InterruptingObserver {
    fn count_step(&self) {
        if self.steps.fetch_add(1, Ordering::Relaxed) + 1 == self.limit {
            self.interrupt.notify_one();
        }
    }
}

impl ProductionObserver for InterruptingObserver {
    fn wants_row_count(&self) -> bool {
        true
    }

    fn export_started(&self, _: &TenantId, _: Feed, _: Interval, _: Option<u64>) {
        self.count_step();
    }

    fn rows_written(&self, _: u64) {
        self.count_step();
    }

    fn export_finished(&self, _: &TenantId, _: &FeedPeriod, _: PeriodOutcome) {
        self.count_step();
    }
}

async fn an_interrupted_export_leaves_no_partial_day_and_the_next_one_completes_it(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    for number in 1..=5 {
        fixture.append_message(number, "text", first_day_at(5)).await;
    }
    for limit in 1..=12 {
        let observer =
            InterruptingObserver { steps: AtomicUsize::new(0), limit, interrupt: tokio::sync::Notify::new() };
        let production = fixture.production(second_day_close(), Compression::None);
        let (tenant, formats) = (acme(), [FileFormat::JsonLines, FileFormat::Parquet]);
        tokio::select! {
            biased;
            () = observer.interrupt.notified() => {}
            done = production.produce(&tenant, &formats, DayRange::default(), &observer) => done.unwrap(),
        }
        let manifest = fixture.manifest(&messages(first_day())).await;
        assert!(manifest.is_none_or(|manifest| manifest.rows() == 5));
    }
    fixture.produce(second_day_close(), DayRange::default()).await;
    assert_eq!(fixture.manifest(&messages(first_day())).await.unwrap().rows(), 5);
    assert_eq!(fixture.output.feeds.load_checkpoint(&acme(), &messages(first_day())).await.unwrap(), None);
}

async fn texts_are_masked_with_the_entities_that_are_active_during_the_export(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.append_message(1, "write to ada@example.com", first_day_at(5)).await;
    fixture.switch_on(Entity::EMAIL).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    assert_eq!(fixture.texts(&messages(first_day())).await, ["write to ***@example.com"]);
    let active: EntitySet = fixture.manifest(&messages(first_day())).await.unwrap().inputs.masked_with.unwrap();
    assert!(active.contains(Entity::EMAIL));
}

async fn a_split_number_is_masked_as_in_a_list_of_messages(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.switch_on(Entity::PHONE_NUMBER).await;
    fixture.append_message(1, "what is your phone number?", first_day_at(5)).await;
    fixture.append_message(2, "650 253", first_day_at(6)).await;
    fixture.append_message(3, "0000", first_day_at(7)).await;
    fixture.produce(second_day_close(), DayRange::default()).await;
    let process = fixture.stores.message_service(&Arc::default(), second_day_close());
    let caller = parlance_domain::access::Caller::new(acme(), parlance_domain::access::Permissions::all());
    let limit = parlance_domain::message::PageLimit::MAX;
    let page = process.page(&caller.authorize().unwrap(), &conversation(1, "call-1").id, None, limit).await.unwrap();
    let listed_texts: Vec<_> = page.messages.iter().map(|message| message.text.as_str().to_owned()).collect();
    assert_eq!(fixture.texts(&messages(first_day())).await, listed_texts);
}

async fn every_compression_writes_its_own_format(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    fixture.append_message(1, "text", first_day_at(5)).await;
    for (compression, magic) in [(Compression::Gzip, &[0x1f, 0x8b][..]), (Compression::Zstd, &[0x28, 0xb5, 0x2f, 0xfd])]
    {
        let production = fixture.production(second_day_close(), compression);
        production.produce(&acme(), &[FileFormat::Csv], DayRange::default(), &NoopProductionObserver).await.unwrap();
        let period = Feed::Messages.dataset(FileFormat::Csv).period(first_day());
        let file = fixture.manifest(&period).await.unwrap().files.remove(0);
        assert!(file.path.name.as_str().ends_with(compression.suffix()), "{}", file.path);
        let read = fixture.output.feeds.read(&acme(), &period, &file.path.name, 0..4).await.unwrap();
        assert!(read.unwrap().next().await.unwrap().unwrap().starts_with(magic));
        fixture.append_message(u128::from(magic[0]), "late", first_day_at(6)).await;
    }
}
