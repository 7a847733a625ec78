//! The sample data of the sandbox: the resources that the examples in the OpenAPI document name.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, anyhow};
use parlance_adapters_http::examples;
use parlance_adapters_sql::{SqlConversations, SqlMessages, SqlRedaction, SqlVocabularies};
use parlance_domain::{
    access::{Caller, Permissions, TenantId},
    conversation::{Change, Conversations, FieldRedaction, Participant, UpsertRequest},
    feed::{Day, DayRange, Feed, FeedStore, FileFormat, Interval, IntervalLength},
    id::{IdSource, VocabularyEntryId},
    message::{MessageRedaction, Messages, NewMessage, Role, Sender},
    privacy::ArchiveReader,
    redaction::{ActiveEntityCache, TextRedaction},
    text::{ExternalId, MessageText},
    time::{Clock, Timestamp},
    vocabulary::{Alternative, CreateEntryError, Phrase, SoundsLike, Vocabularies},
};
use ulid::Ulid;

use crate::{
    feed_log::ProductionLogger,
    feed_runtime::run_on_own_threads,
    sample_hold, sample_requests, sample_webhook,
    settings::{PrivateUrl, Settings},
    wiring::Stores,
};

const SAMPLE_MESSAGES: [(Role, &str, &str, &str); 2] = [
    (Role::Agent, "agent-3", "Hello, how can I help?", "2026-01-31T09:30:02Z"),
    (Role::Customer, "customer-7", "My parcel is late.", "2026-01-31T09:30:05.5Z"),
];

/// Adds the missing parts of the sample to the tenant.
///
/// # Errors
/// One line that names the setting of the store that failed.
pub(crate) async fn add(stores: &Stores, settings: &Settings, tenant: &TenantId) -> anyhow::Result<()> {
    add_conversation(stores, tenant).await.context("the sample conversation")?;
    add_vocabulary(stores, tenant).await.context("the sample vocabulary entry")?;
    let webhook_ids = SampleIds::starting_at(examples::WEBHOOK_ID)?;
    sample_webhook::add(stores, settings, tenant, webhook_ids).await.context("the sample webhook")?;
    let hold_ids = SampleIds::starting_at(examples::HOLD_ID)?;
    let caller = Caller::new(tenant.clone(), Permissions::all()).authorize()?;
    sample_hold::add(stores, &caller, hold_ids).await.context("the sample hold")?;
    let request_ids = SampleIds::starting_at(examples::ACCESS_REQUEST_ID)?;
    let (conversations, messages) = conversation_services(stores, Arc::clone(&stores.ids));
    let requests = stores.privacy_requests(ArchiveReader::new(conversations, messages), request_ids);
    sample_requests::add(stores, settings, &caller, &requests).await.context("the sample privacy requests")?;
    // The server works without feeds, so a missing sample must not prevent its start.
    if let Err(error) = add_feed_day(stores, settings, tenant).await {
        tracing::warn!(cause = format!("{error:#}"), "failed to write the sample day of feeds");
    }
    Ok(())
}

/// A clock that always returns the same time.
struct FixedClock(Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// Consecutive identifiers. The first one is that of an example.
struct SampleIds {
    first: u128,
    issued: AtomicU32,
}

impl SampleIds {
    fn starting_at(example: &str) -> anyhow::Result<Arc<Self>> {
        Ok(Arc::new(Self { first: ulid_bits(example)?, issued: AtomicU32::new(0) }))
    }
}

fn ulid_bits(example: &str) -> anyhow::Result<u128> {
    Ok(Ulid::from_string(example).map_err(|error| anyhow!("{example} is not a ULID: {error}"))?.0)
}

impl IdSource for SampleIds {
    fn next(&self, _: Timestamp) -> u128 {
        self.first + u128::from(self.issued.fetch_add(1, Ordering::Relaxed))
    }
}

/// Always the same identifier, for the single run that writes the day of feeds.
struct RunId(u128);

impl IdSource for RunId {
    fn next(&self, _: Timestamp) -> u128 {
        self.0
    }
}

fn conversation_services(stores: &Stores, ids: Arc<dyn IdSource>) -> (Conversations, Messages) {
    let store = Arc::new(SqlConversations::new(stores.database.clone()));
    let redaction_store = Arc::new(SqlRedaction::new(stores.database.clone()));
    let active = ActiveEntityCache::new(redaction_store, Arc::clone(&stores.monotonic));
    let fields = FieldRedaction::new(active.clone());
    let conversations =
        Conversations::new(Arc::clone(&store) as _, fields, Arc::clone(&ids), Arc::clone(&stores.clock));
    let redaction = MessageRedaction::new(TextRedaction::rules_only(), active);
    let messages = Arc::new(SqlMessages::new(stores.database.clone()));
    let messages = Messages::new(messages, store, redaction, ids, Arc::clone(&stores.clock));
    (conversations, messages)
}

async fn add_conversation(stores: &Stores, tenant: &TenantId) -> anyhow::Result<()> {
    let (conversations, messages) = conversation_services(stores, SampleIds::starting_at(examples::CONVERSATION_ID)?);
    let caller = Caller::new(tenant.clone(), Permissions::all());
    let external_id = ExternalId::parse(examples::EXTERNAL_ID)?;
    if conversations.search(&caller.authorize()?, &external_id).await?.is_some() {
        return Ok(());
    }
    let customer = Participant { external_id: ExternalId::parse("customer-7")?, name: None };
    let (agent, metadata, started_at) = (Change::Keep, Change::Keep, parse_timestamp("2026-01-31T09:30:00Z")?);
    let request = UpsertRequest { id: None, external_id, agent, customer, metadata, started_at };
    let id = conversations.upsert(&caller.authorize()?, request, None).await?;
    for (role, external_id, text, sent_at) in SAMPLE_MESSAGES {
        let sender = Sender { role, external_id: ExternalId::parse(external_id)? };
        let new = NewMessage { sender, text: MessageText::parse(text)?, sent_at: parse_timestamp(sent_at)? };
        messages.append(&caller.authorize()?, id.clone(), new, None).await?;
    }
    Ok(())
}

fn parse_timestamp(text: &str) -> anyhow::Result<Timestamp> {
    Timestamp::parse(text).map_err(|error| anyhow!("{text}: {error}"))
}

async fn add_vocabulary(stores: &Stores, tenant: &TenantId) -> anyhow::Result<()> {
    let caller = Caller::new(tenant.clone(), Permissions::all());
    let store = Arc::new(SqlVocabularies::new(stores.database.clone()));
    let ids = SampleIds::starting_at(examples::VOCABULARY_ID)?;
    let vocabularies = Vocabularies::new(store, ids, Arc::clone(&stores.clock));
    if vocabularies.find(&caller.authorize()?, &VocabularyEntryId::parse(examples::VOCABULARY_ID)?).await.is_ok() {
        return Ok(());
    }
    let sounds_like = SoundsLike::new(vec![Alternative::parse("I triple E")?])?;
    match vocabularies.create(&caller.authorize()?, Phrase::parse("IEEE")?, sounds_like, None).await {
        // The tenant has created the entry itself, or its vocabulary is full.
        Ok(_) | Err(CreateEntryError::PhraseTaken | CreateEntryError::Full(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Writes the day from an in-memory database that contains only the sample: the sandbox database has no data that old.
async fn add_feed_day(stores: &Stores, settings: &Settings, tenant: &TenantId) -> anyhow::Result<()> {
    let day = Day::parse(examples::FEED_DAY)?;
    if stores.feeds.is_complete(tenant, &Feed::Messages.dataset(FileFormat::JsonLines).period(day)).await? {
        return Ok(());
    }
    let (tenant, mut settings) = (tenant.clone(), settings.clone());
    settings.database_url = PrivateUrl::new("sqlite::memory:");
    run_on_own_threads(async move {
        let sample_stores = Stores::open_or_create(&settings).await?.0.with_clock(Arc::new(FixedClock(day.start())));
        add_conversation(&sample_stores, &tenant).await?;
        let sample_stores = sample_stores.with_clock(Arc::new(FixedClock(Interval::from(day).closes_at())));
        let sample_stores = Stores { ids: Arc::new(RunId(ulid_bits(examples::FEED_RUN_ID)?)), ..sample_stores };
        let range = DayRange { from: Some(day), to: Some(day), ..DayRange::default() };
        sample_stores
            .feed_production(&settings)
            .with_intervals(IntervalLength::Day)
            .produce(&tenant, &settings.feeds.formats, range, &ProductionLogger(None))
            .await?;
        sample_stores.database.close().await.context("failed to close the sample database")
    })
    .await
}
