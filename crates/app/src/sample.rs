//! What the sandbox has from its start: whatever the examples of the interface's description name.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, anyhow};
use parlance_adapters_http::examples;
use parlance_adapters_sql::{SqlConversations, SqlMessages, SqlRedaction, SqlVocabularies};
use parlance_domain::{
    access::{Caller, Permissions, TenantId},
    conversation::{Change, Conversations, Masking, Messages, NewMessage, Participant, Role, Sender, UpsertRequest},
    error::{Conflict, Error},
    feed::{Day, DayRange, Feed, FeedStore, Format, plan::over_at},
    id::{IdSource, VocabularyId},
    redaction::{ActiveSets, TextRedaction},
    text::{ExternalId, MessageText},
    time::{Clock, Timestamp},
    vocabulary::{Alternative, Phrase, SoundsLike, Vocabularies},
};
use ulid::Ulid;

use crate::{
    feeds::{LogWatch, on_own_threads},
    service::Stores,
    settings::{PrivateUrl, Settings},
};

const WHAT_IS_SAID: [(Role, &str, &str, &str); 2] = [
    (Role::Agent, "agent-3", "Hello, how can I help?", "2026-01-31T09:30:02Z"),
    (Role::Customer, "customer-7", "My parcel is late.", "2026-01-31T09:30:05.5Z"),
];

/// Adds what the tenant lacks of the sample.
///
/// # Errors
/// One line that names the setting of the store that failed.
pub(crate) async fn add(stores: &Stores, settings: &Settings, tenant: &TenantId) -> anyhow::Result<()> {
    add_conversation(stores, tenant).await.context("the sample conversation")?;
    add_vocabulary(stores, tenant).await.context("the sample vocabulary entry")?;
    // The server works without feeds, so a sample of them is not worth its start.
    if let Err(error) = add_feed_day(stores, settings, tenant).await {
        tracing::warn!(cause = format!("{error:#}"), "the sample day of feeds is not written");
    }
    Ok(())
}

/// A clock that stands still.
struct FixedClock(Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// Identifiers from that of an example on.
struct SampleIds {
    first: u128,
    given: AtomicU32,
}

impl SampleIds {
    fn from(example: &str) -> anyhow::Result<Arc<Self>> {
        Ok(Arc::new(Self { first: bits(example)?, given: AtomicU32::new(0) }))
    }
}

fn bits(example: &str) -> anyhow::Result<u128> {
    Ok(Ulid::from_string(example).map_err(|error| anyhow!("{example} is no ULID: {error}"))?.0)
}

impl IdSource for SampleIds {
    fn next(&self, _: Timestamp) -> u128 {
        self.first + u128::from(self.given.fetch_add(1, Ordering::Relaxed))
    }
}

/// One identifier, for the one run that writes the day of feeds.
struct RunId(u128);

impl IdSource for RunId {
    fn next(&self, _: Timestamp) -> u128 {
        self.0
    }
}

async fn add_conversation(stores: &Stores, tenant: &TenantId) -> anyhow::Result<()> {
    let ids: Arc<dyn IdSource> = SampleIds::from(examples::CONVERSATION_ID)?;
    let caller = Caller::new(tenant.clone(), Permissions::all());
    let store = Arc::new(SqlConversations::new(stores.database.clone()));
    let conversations = Conversations::new(Arc::clone(&store) as _, Arc::clone(&ids), Arc::clone(&stores.clock));
    let external_id = ExternalId::parse(examples::EXTERNAL_ID)?;
    if conversations.search(&caller, &external_id).await?.is_some() {
        return Ok(());
    }
    let customer = Participant { external_id: ExternalId::parse("customer-7")?, name: None };
    let (agent, metadata, started_at) = (Change::Keep, Change::Keep, moment("2026-01-31T09:30:00Z")?);
    let request = UpsertRequest { id: None, external_id, agent, customer, metadata, started_at };
    let id = conversations.upsert(&caller, request).await?;
    let switches = Arc::new(SqlRedaction::new(stores.database.clone()));
    let masking = Masking::new(TextRedaction::by_rules(), ActiveSets::new(switches, Arc::clone(&stores.monotonic)));
    let messages = Arc::new(SqlMessages::new(stores.database.clone()));
    let messages = Messages::new(messages, store, masking, ids, Arc::clone(&stores.clock));
    for (role, external_id, text, sent_at) in WHAT_IS_SAID {
        let sender = Sender { role, external_id: ExternalId::parse(external_id)? };
        let new = NewMessage { sender, text: MessageText::parse(text)?, sent_at: moment(sent_at)? };
        messages.record(&caller, id.clone(), new).await?;
    }
    Ok(())
}

fn moment(text: &str) -> anyhow::Result<Timestamp> {
    Timestamp::parse(text).map_err(|error| anyhow!("{text}: {error}"))
}

async fn add_vocabulary(stores: &Stores, tenant: &TenantId) -> anyhow::Result<()> {
    let caller = Caller::new(tenant.clone(), Permissions::all());
    let store = Arc::new(SqlVocabularies::new(stores.database.clone()));
    let ids = SampleIds::from(examples::VOCABULARY_ID)?;
    let vocabularies = Vocabularies::new(store, ids, Arc::clone(&stores.clock));
    if vocabularies.find(&caller, &VocabularyId::parse(examples::VOCABULARY_ID)?).await.is_ok() {
        return Ok(());
    }
    let sounds_like = SoundsLike::new(vec![Alternative::parse("I triple E")?])?;
    match vocabularies.create(&caller, Phrase::parse("IEEE")?, sounds_like).await {
        // The tenant has made the entry itself, or has as many as there may be.
        Ok(_) | Err(Error::Conflict(Conflict::PhraseTaken) | Error::Full(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Writes the day from a database in memory that holds the sample alone, since nothing in the sandbox's own is that old.
async fn add_feed_day(stores: &Stores, settings: &Settings, tenant: &TenantId) -> anyhow::Result<()> {
    let day = Day::parse(examples::FEED_DAY)?;
    if stores.feeds.is_complete(tenant, &Feed::Messages.table(Format::JsonLines).on(day)).await? {
        return Ok(());
    }
    let (tenant, mut settings) = (tenant.clone(), settings.clone());
    settings.database_url = PrivateUrl::new("sqlite::memory:");
    on_own_threads(async move || {
        let past = Stores::create(&settings).await?.with_clock(Arc::new(FixedClock(day.start())));
        add_conversation(&past, &tenant).await?;
        let past = past.with_clock(Arc::new(FixedClock(over_at(day))));
        let past = Stores { ids: Arc::new(RunId(bits(examples::FEED_MARK)?)), ..past };
        let range = DayRange { from: Some(day), to: Some(day), unfinished: false };
        past.feed_production(&settings).produce(&tenant, &settings.feeds.formats, range, &LogWatch(None)).await?;
        past.database.close().await.context("the database of the sample did not close in order")
    })
    .await
}
