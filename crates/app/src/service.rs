//! The wiring diagram: which adapter is plugged into which port.

use std::sync::Arc;

use crate::{
    delivery::{self, DeliveryTask},
    keys::{KeyPlace, MasterKey, Purpose, check_key, sign_existing_heads},
    limiter::{Fallback, ProcessRateLimiter},
    metrics::Metrics,
    operator,
    scrub::{ScrubStatus, ScrubTask},
    settings::Settings,
    signing::HmacSigner,
    system::{ProcessClock, RandomSecrets, Sha256Digester, SystemClock, UlidSource},
    tls,
};
use anyhow::{Context, bail};
use parlance_adapters_http::Services;
use parlance_adapters_objects::ObjectFeeds;
use parlance_adapters_redis::{Redis, RedisProbe, RedisRateLimiter};
use parlance_adapters_sql::{
    Database, SqlAudit, SqlConversations, SqlCredentials, SqlDeliveries, SqlFeedSource, SqlLeases, SqlMessages,
    SqlReceipts, SqlRedaction, SqlTenants, SqlVocabularies,
};
use parlance_domain::{
    access::{Credentials, FailedAttempts, Gate, RateLimiter, TenantId, TenantStore},
    audit::Audit,
    conversation::{Conversations, ExportMasking, Masking, Messages, Transcripts},
    feed::{FeedProduction, Feeds},
    id::IdSource,
    lease::{Duties, ReplicaId},
    readiness::ReadinessProbe,
    redaction::{ActiveSets, Compliance, RedactionEntities, RedactionStore, TextRedaction},
    retry::Repeats,
    signing::Signer,
    time::{Clock, MonotonicClock},
    vocabulary::{
        Vocabularies,
        delivery::{Deliveries, Reconciler, Redelivery},
    },
};

/// An open database with the services that an operator's command needs.
pub struct Stores {
    /// The database.
    pub database: Database,
    /// Issues and revokes credentials in it.
    pub credentials: Credentials,
    /// Switches what compliance controls in it, and reads the record of every switch.
    pub compliance: Compliance,
    /// Reads and verifies the audit log of both.
    pub audit: Audit,
    /// Tells which tenants there are.
    pub tenants: Arc<dyn TenantStore>,
    /// Has vocabularies in it delivered again.
    pub redelivery: Redelivery,
    /// The store of feeds.
    pub feeds: ObjectFeeds,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) monotonic: Arc<dyn MonotonicClock>,
    pub(crate) ids: Arc<dyn IdSource>,
}

impl Stores {
    /// Opens the configured database, which must be there, and brings its schema up to date where `migrate` says so.
    ///
    /// # Errors
    /// One line that names the setting, and says what to do.
    pub async fn open(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open_existing(settings.database_url.reveal()).await.context("database_url")?;
        Self::of_existing(database, settings, migrate).await
    }

    /// The same, where feeds are produced at once.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub(crate) async fn open_for_feeds(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open_for_feeds(settings.database_url.reveal()).await.context("database_url")?;
        Self::of_existing(database, settings, migrate).await
    }

    /// The same for a command that adds to the audit log or files its heads, which needs the key that signs it.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), and where the audit log is signed by a key that is not there.
    pub(crate) async fn open_to_record(settings: &Settings) -> anyhow::Result<Self> {
        let stores = Self::open(settings, true).await?;
        check_key(&stores.audit, &KeyPlace::of(settings)).await?;
        Ok(stores)
    }

    async fn of_existing(database: Database, settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        database.check_presence().await.context("database_url")?;
        let key = KeyPlace::of(settings).find()?;
        bring_up_to_date(&database, migrate).await?;
        Self::within(database, settings, key)
    }

    /// Opens the configured database, or makes it where it is a file that is missing: for `migrate` and `restore`.
    ///
    /// # Errors
    /// One line that names the setting, and says what to do.
    pub(crate) async fn create(settings: &Settings) -> anyhow::Result<Self> {
        let database = Database::open(settings.database_url.reveal()).await.context("database_url")?;
        let key = KeyPlace::of(settings).find()?;
        bring_up_to_date(&database, true).await?;
        Self::within(database, settings, key)
    }

    /// The same for a server, which makes the master key where it may, and signs heads that were written before.
    ///
    /// # Errors
    /// One line that names the setting, and says what to do.
    pub(crate) async fn open_to_serve(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open(settings.database_url.reveal()).await.context("database_url")?;
        bring_up_to_date(&database, migrate).await?;
        let place = KeyPlace::of(settings);
        let mut key = place.find()?;
        if key.is_none() {
            // A new key in place of one that signed already would have the log of this database refused for good.
            check_key(&audit_of(&database, None), &place).await?;
            key = place.make()?;
        }
        let stores = Self::within(database, settings, key)?;
        check_key(&stores.audit, &place).await?;
        sign_existing_heads(&stores.audit, &place).await?;
        Ok(stores)
    }

    fn within(database: Database, settings: &Settings, key: Option<MasterKey>) -> anyhow::Result<Self> {
        let signer = key.map(|key| key.signer(Purpose::AuditHeads)).transpose().context("master_key_file")?;
        let signer = signer.map(|signer| Arc::new(signer) as Arc<dyn Signer>);
        let database = signer.iter().cloned().fold(database, Database::signing_with);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let monotonic = Arc::new(ProcessClock::start());
        let ids: Arc<dyn IdSource> = Arc::new(UlidSource::default());
        // What the operator does is recorded with who that is; what callers do by HTTP is not done by that user.
        let by_operator = database.clone().run_by(operator::current());
        let credentials = Credentials::new(
            Arc::new(SqlCredentials::new(by_operator.clone())),
            Arc::new(Sha256Digester),
            Arc::new(RandomSecrets),
            Arc::clone(&ids),
            Arc::clone(&clock),
        );
        let switches = Arc::new(SqlRedaction::new(by_operator));
        let compliance = Compliance::new(switches, Arc::clone(&ids), Arc::clone(&clock));
        let audit = audit_of(&database, signer);
        let tenants = Arc::new(SqlTenants::new(database.clone()));
        let deliveries = Arc::new(SqlDeliveries::new(database.clone()));
        let redelivery = Redelivery::new(deliveries, Arc::clone(&clock));
        let feeds = open_feeds(settings)?;
        Ok(Self { database, credentials, compliance, audit, tenants, redelivery, feeds, clock, monotonic, ids })
    }

    /// The same stores, whose services go by another clock.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Refuses a tenant of which there is nothing: most likely its name is mistyped.
    ///
    /// # Errors
    /// One line that names the tenant and says how one is made.
    pub(crate) async fn refuse_unknown_tenant(&self, tenant: &TenantId) -> anyhow::Result<()> {
        if self.tenants.is_known(tenant).await.context("database_url")? {
            return Ok(());
        }
        bail!("--tenant: there is no tenant {tenant}: `parlance credential create --tenant {tenant}` makes one")
    }

    /// Produces feeds from the database into their store.
    #[must_use]
    pub fn feed_production(&self, settings: &Settings) -> FeedProduction {
        let switches = Arc::new(SqlRedaction::new(self.database.clone()));
        let active = ActiveSets::new(switches, Arc::clone(&self.monotonic));
        let masking = Masking::new(TextRedaction::by_rules(), active);
        let masking = ExportMasking::new(Arc::new(SqlMessages::new(self.database.clone())), masking);
        let source = Arc::new(SqlFeedSource::new(self.database.clone()));
        let store = (Arc::new(self.feeds.clone()) as Arc<_>, Arc::new(self.feeds.clone()) as Arc<_>);
        let system = (Arc::clone(&self.ids), Arc::clone(&self.clock));
        FeedProduction::new(source, store, masking, system, settings.feeds.compression)
    }

    /// The duties of this process.
    pub(crate) fn duties(&self) -> Duties {
        let replica = ReplicaId::from_bits(self.ids.next(self.clock.now()));
        Duties::new(Arc::new(SqlLeases::new(self.database.clone())), Arc::clone(&self.clock), replica)
    }

    /// Plugs the adapters into the services of the interface.
    ///
    /// # Errors
    /// Where `redis_url` is no address, or `feed_signing_key` no key.
    pub(crate) fn services(&self, settings: &Settings, metrics: &Metrics) -> anyhow::Result<Services> {
        let (clock, ids) = (&self.clock, &self.ids);
        let credential_store = Arc::new(SqlCredentials::new(self.database.clone()));
        let conversation_store = Arc::new(SqlConversations::new(self.database.clone()));
        let message_store = Arc::new(SqlMessages::new(self.database.clone()));
        let vocabulary_store = Arc::new(SqlVocabularies::new(self.database.clone()));
        let switches: Arc<dyn RedactionStore> = Arc::new(SqlRedaction::new(self.database.clone()));

        let active = ActiveSets::new(Arc::clone(&switches), Arc::clone(&self.monotonic));
        let active = active.trusted_for(settings.redaction_refresh_seconds);
        let redaction = RedactionEntities::new(switches, active.clone(), Arc::clone(ids), Arc::clone(clock));
        let monotonic = Arc::clone(&self.monotonic);
        let mut gate = Gate::new(credential_store, Arc::new(Sha256Digester), Arc::clone(clock), monotonic);
        gate = gate.metered_by(Arc::new(metrics.clone()));
        if let Some(failures) = settings.failed_auth_per_minute {
            gate = gate.with_failures(FailedAttempts::per_minute(failures));
        }
        let conversations =
            Conversations::new(Arc::clone(&conversation_store) as Arc<_>, Arc::clone(ids), Arc::clone(clock));
        let masking = Masking::new(TextRedaction::by_rules(), active).metered_by(Arc::new(metrics.clone()));
        let messages = Messages::new(message_store, conversation_store, masking, Arc::clone(ids), Arc::clone(clock));
        let transcripts = Transcripts::new(conversations.clone(), messages.clone());
        let vocabularies = Vocabularies::new(vocabulary_store, Arc::clone(ids), Arc::clone(clock));
        let delivery_store = Arc::new(SqlDeliveries::new(self.database.clone()));
        let deliveries = Deliveries::new(delivery_store, settings.vocabulary_delivery.is_some());
        let signer = HmacSigner::new(settings.feeds.signing_key.as_ref()).context("feed_signing_key")?;
        let feeds = Feeds::new(Arc::new(self.feeds.clone()), Arc::new(signer), Arc::clone(clock));
        let repeats = Repeats::new(Arc::new(SqlReceipts::new(self.database.clone())), Arc::clone(clock));
        let mut probes: Vec<Arc<dyn ReadinessProbe>> =
            vec![Arc::new(self.database.clone()), Arc::new(self.feeds.clone())];
        probes.extend(self.database.files_probe().map(|probe| Arc::new(probe) as Arc<dyn ReadinessProbe>));
        let limiter = limiter(settings, metrics, &mut probes)?;
        Ok(Services {
            gate,
            limiter,
            conversations,
            messages,
            transcripts,
            vocabularies,
            deliveries,
            redaction,
            feeds,
            repeats,
            probes,
        })
    }

    /// The task that reads all that is stored, where there is one, and what it tells.
    pub(crate) fn scrub(&self, settings: &Settings, metrics: &Metrics) -> Option<(ScrubTask, ScrubStatus)> {
        let (scrub, interval) = self.database.scrub().zip(settings.scrub_interval)?;
        let status = ScrubStatus::default();
        Some((ScrubTask::new(scrub, interval, status.clone(), metrics.scrub.clone()), status))
    }

    /// The task that brings vocabularies to the transcription component, where there is one.
    pub(crate) fn delivery(&self, settings: &Settings, metrics: &Metrics) -> anyhow::Result<Option<DeliveryTask>> {
        let Some(target) = &settings.vocabulary_delivery else { return Ok(None) };
        let component = delivery::component(target, settings.output_mode, Arc::clone(&self.clock))?;
        let store = Arc::new(SqlDeliveries::new(self.database.clone()));
        let reconciler = Reconciler::new(store, component, Arc::clone(&self.clock));
        Ok(Some(DeliveryTask::new(reconciler, self.duties(), metrics.clone())))
    }
}

async fn bring_up_to_date(database: &Database, migrate: bool) -> anyhow::Result<()> {
    let ready = if migrate { database.migrate().await } else { database.check_schema().await };
    ready.context("database_url")
}

fn audit_of(database: &Database, key: Option<Arc<dyn Signer>>) -> Audit {
    let credentials = Arc::new(SqlCredentials::new(database.clone()));
    let redaction = Arc::new(SqlRedaction::new(database.clone()));
    Audit::new(Arc::new(SqlAudit::new(database.clone())), credentials, redaction, key)
}

/// The limiter that replicas share where there is a Redis, else this process' own.
fn limiter(
    settings: &Settings,
    metrics: &Metrics,
    probes: &mut Vec<Arc<dyn ReadinessProbe>>,
) -> anyhow::Result<Arc<dyn RateLimiter>> {
    let own = ProcessRateLimiter::new(settings.rate_limit);
    let Some(url) = &settings.redis_url else { return Ok(Arc::new(own)) };
    let own = Arc::new(Fallback::new(own, metrics.rate_limit_fallbacks.clone()));
    let redis = Redis::at(url.reveal()).context("redis_url")?;
    probes.push(Arc::new(RedisProbe::new(redis.clone())));
    Ok(Arc::new(RedisRateLimiter::new(redis, settings.rate_limit, own)))
}

fn open_feeds(settings: &Settings) -> anyhow::Result<ObjectFeeds> {
    tls::install_provider();
    let feeds = ObjectFeeds::open(settings.feeds.url.reveal()).context("feeds_url")?;
    Ok(feeds.with_mode(settings.output_mode))
}
