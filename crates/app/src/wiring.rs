//! The wiring of the program: which adapter implements which port.

use std::sync::Arc;

use crate::{
    feed_store::open_feeds,
    keys::{
        KeyLocation, KeyPurpose, MasterKey, check_key, check_keys, open_digest_key, preview_authenticator,
        sign_existing_heads, webhook_cipher,
    },
    limiter::rate_limiter,
    metrics::Metrics,
    operator,
    redactions::Redactions,
    settings::Settings,
    signing::HmacSigner,
    system::{ProcessClock, RandomSecrets, Sha256Digester, SystemClock, UlidSource},
    traces::Tracers,
};
use anyhow::{Context, bail};
use parlance_adapters_http::Services;
use parlance_adapters_objects::ObjectFeeds;
use parlance_adapters_sql::{
    Database, MigrationReport, SqlAudit, SqlConversations, SqlCredentials, SqlDeliveries, SqlIdempotency, SqlLeases,
    SqlMessages, SqlRedaction, SqlTenants, SqlVocabularies,
};
use parlance_domain::{
    access::{AuthThrottle, Authenticator, Credentials, TenantId, TenantStore},
    audit::Audit,
    feed::Feeds,
    id::IdSource,
    idempotency::Idempotency,
    lease::{Leases, ReplicaId},
    message::{Messages, RedactionPreview, Transcripts},
    privacy::{ArchiveReader, ContentAuthenticator, IdentifierDigester},
    readiness::ReadinessProbe,
    redaction::{ActiveEntityCache, ComplianceSwitches, RedactionEntities, RedactionStore},
    signing::Signer,
    time::{Clock, MonotonicClock},
    vocabulary::{
        Vocabularies,
        delivery::{Deliveries, Redelivery},
    },
    webhook::SecretCipher,
};

/// An open database and the services that the commands of an operator need.
pub struct Stores {
    /// The database.
    pub database: Database,
    /// Issues, rotates and revokes credentials.
    pub credentials: Credentials,
    /// Switches the entities that compliance controls, and reads the record of every switch.
    pub compliance: ComplianceSwitches,
    /// Reads and verifies the audit log of credentials and switches.
    pub audit: Audit,
    /// Checks whether a tenant exists.
    pub tenants: Arc<dyn TenantStore>,
    /// Queues vocabularies for redelivery.
    pub redelivery: Redelivery,
    /// The store of feeds.
    pub feeds: ObjectFeeds,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) monotonic: Arc<dyn MonotonicClock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) webhook_cipher: Arc<dyn SecretCipher>,
    /// Makes digests of identifiers, if there is a master key.
    pub(crate) identifier_digester: Option<Arc<dyn IdentifierDigester>>,
    /// Proves objects of the ledger of erasures.
    pub(crate) ledger_authenticator: Arc<dyn ContentAuthenticator>,
    /// The objects of the ledger that the start of this server found missing.
    pub(crate) missing_ledger_objects: usize,
    /// Proves previews of retention rules.
    pub(crate) preview_authenticator: Arc<dyn ContentAuthenticator>,
    /// The redactions of messages and fields.
    pub(crate) redactions: Redactions,
    /// Begins the traces of requests and deliveries.
    pub(crate) tracers: Tracers,
}

impl Stores {
    /// Opens the configured database, which must exist. With `migrate` it updates the schema, else it only checks it.
    ///
    /// # Errors
    /// One line that names the setting and how to correct it.
    pub async fn open(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open_existing(settings.database_url.reveal()).await.context("database_url")?;
        Self::from_existing_database(database, settings, migrate).await
    }

    /// Like [`open`](Self::open), and also opens the connection for `COPY`, which `feed export` needs.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub(crate) async fn open_for_feeds(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open_for_feeds(settings.database_url.reveal()).await.context("database_url")?;
        Self::from_existing_database(database, settings, migrate).await
    }

    /// Does the same as [`open`](Self::open) for a command that appends to the audit log, writes its heads to a
    /// file, or imports. Such a command needs the key that signs the log. Always updates the schema.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), and if the audit log is signed, but the configured key is missing or another one.
    pub(crate) async fn open_with_checked_key(settings: &Settings) -> anyhow::Result<Self> {
        let stores = Self::open(settings, true).await?;
        check_keys(&stores.audit, &stores.database, &KeyLocation::from_settings(settings)).await?;
        Ok(stores)
    }

    async fn from_existing_database(database: Database, settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        database.check_migratable().await.context("database_url")?;
        let key = KeyLocation::from_settings(settings).load()?;
        migrate_or_check(&database, migrate).await?;
        Self::assemble(database, settings, key).await
    }

    /// Opens the configured database or creates its missing file, and updates the schema: for `migrate` and `restore`.
    /// Returns also what was changed.
    ///
    /// # Errors
    /// One line that names the setting and how to correct it.
    pub(crate) async fn open_or_create(settings: &Settings) -> anyhow::Result<(Self, MigrationReport)> {
        let database = Database::open(settings.database_url.reveal()).await.context("database_url")?;
        let key = KeyLocation::from_settings(settings).load()?;
        let report = database.migrate().await.context("database_url")?;
        Ok((Self::assemble(database, settings, key).await?, report))
    }

    /// Opens or creates the database for a server. Creates the master key where that is allowed, and signs heads that
    /// were written without a key.
    ///
    /// # Errors
    /// One line that names the setting and how to correct it.
    pub(crate) async fn open_for_server(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open(settings.database_url.reveal()).await.context("database_url")?;
        migrate_or_check(&database, migrate).await?;
        let key_location = KeyLocation::from_settings(settings);
        let mut key = key_location.load()?;
        if key.is_none() {
            // A signed database gets no new key: its old signatures could no longer be verified.
            check_key(&audit_service(&database, None), &key_location).await?;
            key = key_location.create()?;
        }
        let stores = Self::assemble(database, settings, key).await?;
        check_keys(&stores.audit, &stores.database, &key_location).await?;
        sign_existing_heads(&stores.audit, &key_location).await?;
        Ok(stores)
    }

    async fn assemble(database: Database, settings: &Settings, key: Option<MasterKey>) -> anyhow::Result<Self> {
        let webhook_cipher = webhook_cipher(key.as_ref())?;
        let preview_authenticator = preview_authenticator(key.as_ref())?;
        let (identifier_digester, ledger_authenticator) = open_digest_key(&database, key.as_ref()).await?;
        let signer = key.map(|key| key.signer(KeyPurpose::AuditHeads)).transpose().context("master_key_file")?;
        let signer = signer.map(|signer| Arc::new(signer) as Arc<dyn Signer>);
        let database = signer.iter().cloned().fold(database, Database::with_signer);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let monotonic: Arc<dyn MonotonicClock> = Arc::new(ProcessClock::start());
        let redactions = Redactions::new(&settings.redaction, &monotonic);
        let ids: Arc<dyn IdSource> = Arc::new(UlidSource::default());
        // Commands record the operating-system user who runs them; HTTP requests do not.
        let by_operator = database.clone().with_operator(operator::current());
        let credentials = Credentials::new(
            Arc::new(SqlCredentials::new(by_operator.clone())),
            Arc::new(Sha256Digester),
            Arc::new(RandomSecrets),
            Arc::clone(&ids),
            Arc::clone(&clock),
        );
        let redaction_store = Arc::new(SqlRedaction::new(by_operator));
        let deliveries = Arc::new(SqlDeliveries::new(database.clone()));
        Ok(Self {
            credentials,
            compliance: ComplianceSwitches::new(redaction_store, Arc::clone(&ids), Arc::clone(&clock)),
            audit: audit_service(&database, signer),
            tenants: Arc::new(SqlTenants::new(database.clone())),
            redelivery: Redelivery::new(deliveries, Arc::clone(&clock)),
            feeds: open_feeds(settings)?,
            database,
            clock,
            monotonic,
            ids,
            webhook_cipher,
            identifier_digester,
            ledger_authenticator,
            missing_ledger_objects: 0,
            preview_authenticator,
            redactions,
            tracers: Tracers::default(),
        })
    }

    /// Replaces the clock. Services that are built already keep theirs.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Fails if the tenant does not exist: its name is probably misspelled.
    ///
    /// # Errors
    /// One line that names the tenant and the command that creates it.
    pub(crate) async fn ensure_tenant_exists(&self, tenant: &TenantId) -> anyhow::Result<()> {
        if self.tenants.exists(tenant).await.context("database_url")? {
            return Ok(());
        }
        bail!(
            "--tenant: there is no tenant {tenant}: `parlance credential create --tenant {tenant} --name NAME` creates it"
        )
    }

    /// Builds leases under a new replica id: the leases of two calls wait for each other.
    pub(crate) fn leases(&self) -> Leases {
        let replica = ReplicaId::from_bits(self.ids.next(self.clock.now()));
        Leases::new(Arc::new(SqlLeases::new(self.database.clone())), replica)
    }

    /// Builds the services of the HTTP interface from the adapters.
    ///
    /// # Errors
    /// If `redis_url`, `feeds_url` or `ledger_url` is not an address that can be opened, or `feed_signing_key` is not a key.
    pub(crate) fn services(&self, settings: &Settings, metrics: &Metrics) -> anyhow::Result<Services> {
        let (clock, ids) = (&self.clock, &self.ids);
        let credential_store = Arc::new(SqlCredentials::new(self.database.clone()));
        let conversation_store = Arc::new(SqlConversations::new(self.database.clone()));
        let message_store = Arc::new(SqlMessages::new(self.database.clone()));
        let vocabulary_store = Arc::new(SqlVocabularies::new(self.database.clone()));
        let redaction_store: Arc<dyn RedactionStore> = Arc::new(SqlRedaction::new(self.database.clone()));

        let active = ActiveEntityCache::new(Arc::clone(&redaction_store), Arc::clone(&self.monotonic));
        let active = active.with_ttl(settings.redaction.refresh_seconds);
        let redaction_entities =
            RedactionEntities::new(redaction_store, active.clone(), Arc::clone(ids), Arc::clone(clock));
        let (digester, monotonic) = (Arc::new(Sha256Digester), Arc::clone(&self.monotonic));
        let mut authenticator = Authenticator::new(credential_store, digester, Arc::clone(clock), monotonic);
        authenticator = authenticator.with_meter(Arc::new(metrics.clone()));
        if let Some(failures) = settings.failed_auth_per_minute {
            authenticator = authenticator.with_throttle(AuthThrottle::per_minute(failures));
        }
        let meter = Arc::new(metrics.redactions.clone());
        let fields = self.redactions.fields(active.clone()).with_meter(Arc::clone(&meter) as _);
        let retention = self.retention(fields.clone());
        let conversations = self.conversations(Arc::clone(&conversation_store) as Arc<_>, fields);
        let preview = RedactionPreview::new(self.redactions.texts(), active.clone());
        let (backtest, events) = (self.backtest(active.clone()), self.events(active.clone()));
        let message_redaction = self.redactions.counted_messages(active, meter);
        let messages =
            Messages::new(message_store, conversation_store, message_redaction, Arc::clone(ids), Arc::clone(clock));
        let stream_addresses = self.stream_addresses(conversations.clone());
        let transcripts = Transcripts::new(conversations.clone(), messages.clone());
        let archives = ArchiveReader::new(conversations.clone(), messages.clone());
        let privacy_requests = self.privacy_requests(archives, Arc::clone(ids));
        let has_delivery = settings.vocabulary_delivery.is_some();
        let signer = HmacSigner::new(settings.feeds.signing_key.as_ref()).context("feed_signing_key")?;
        // The connections of a bucket's client depend on the threads that opened them. Requests and exports have a client
        // each, so that neither waits for the threads of the other.
        let feed_store = Arc::new(open_feeds(settings)?);
        let feeds = Feeds::new(Arc::clone(&feed_store) as Arc<_>, Arc::new(signer), Arc::clone(clock));
        let idempotency = Idempotency::new(Arc::new(SqlIdempotency::new(self.database.clone())), Arc::clone(clock));
        let mut probes: Vec<Arc<dyn ReadinessProbe>> = vec![Arc::new(self.database.clone()), feed_store];
        probes.extend(self.redactions.probe());
        probes.extend(self.database.database_files_probe().map(|probe| Arc::new(probe) as Arc<dyn ReadinessProbe>));
        let rate_limiter = rate_limiter(settings, metrics, &mut probes)?;
        Ok(Services {
            authenticator,
            rate_limiter,
            conversations,
            messages,
            transcripts,
            erasures: self.erasures(settings)?,
            privacy_requests,
            holds: self.holds(Arc::clone(ids)),
            retention,
            events,
            stream_addresses,
            vocabularies: Vocabularies::new(vocabulary_store, Arc::clone(ids), Arc::clone(clock)),
            deliveries: Deliveries::new(Arc::new(SqlDeliveries::new(self.database.clone())), has_delivery),
            webhooks: self.webhooks(settings, Arc::clone(ids)),
            redaction: redaction_entities,
            preview,
            backtest,
            feeds,
            idempotency: idempotency.with_erasures(self.erasure_store()),
            probes,
        })
    }
}

async fn migrate_or_check(database: &Database, migrate: bool) -> anyhow::Result<()> {
    let result = if migrate { database.migrate().await.map(drop) } else { database.check_schema().await };
    result.context("database_url")
}

fn audit_service(database: &Database, signer: Option<Arc<dyn Signer>>) -> Audit {
    let credentials = Arc::new(SqlCredentials::new(database.clone()));
    let redaction = Arc::new(SqlRedaction::new(database.clone()));
    Audit::new(Arc::new(SqlAudit::new(database.clone())), credentials, redaction, signer)
}
