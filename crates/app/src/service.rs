//! The wiring diagram: which adapter is plugged into which port, and the server around them.

use std::{net::SocketAddr, sync::Arc};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle},
    web::Data,
};
use anyhow::{Context, anyhow};
use parlance_adapters_http::{Draining, HttpSettings, RequestScope, Services, routes};
use parlance_adapters_objects::ObjectFeeds;
use parlance_adapters_sql::{
    Database, SqlConversations, SqlCredentials, SqlFeedSource, SqlLeases, SqlMessages, SqlReceipts, SqlRedaction,
    SqlVocabularies,
};
use parlance_domain::{
    access::{Credentials, Gate},
    conversation::{Conversations, ExportMasking, Masking, Messages, Transcripts},
    feed::{FeedProduction, Feeds},
    id::IdSource,
    lease::{Duties, ReplicaId},
    redaction::{ActiveSets, Compliance, RedactionEntities, RedactionStore, TextRedaction},
    retry::Repeats,
    time::Clock,
    vocabulary::Vocabularies,
};

use crate::{
    limiter::ProcessRateLimiter,
    settings::Settings,
    signing::HmacSigner,
    system::{RandomSecrets, Sha256Digester, SystemClock, UlidSource},
    tls,
};

/// An open database with the services that an operator's command needs.
pub struct Stores {
    /// The database.
    pub database: Database,
    /// Issues and revokes credentials in it.
    pub credentials: Credentials,
    /// Switches what compliance controls in it, and reads the record of every switch.
    pub compliance: Compliance,
    /// The store of feeds.
    pub feeds: ObjectFeeds,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl Stores {
    /// Opens the configured database, and brings its schema up to date where `migrate` says so.
    ///
    /// # Errors
    /// One line that names the setting, and says what to do.
    pub async fn open(settings: &Settings, migrate: bool) -> anyhow::Result<Self> {
        let database = Database::open(settings.database_url.reveal()).await.context("database_url")?;
        let ready = if migrate { database.migrate().await } else { database.check_schema().await };
        ready.context("database_url")?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ids: Arc<dyn IdSource> = Arc::new(UlidSource::default());
        let credentials = Credentials::new(
            Arc::new(SqlCredentials::new(database.clone())),
            Arc::new(Sha256Digester),
            Arc::new(RandomSecrets),
            Arc::clone(&ids),
            Arc::clone(&clock),
        );
        let switches = Arc::new(SqlRedaction::new(database.clone()));
        let compliance = Compliance::new(switches, Arc::clone(&ids), Arc::clone(&clock));
        let feeds = open_feeds(settings)?;
        Ok(Self { database, credentials, compliance, feeds, clock, ids })
    }

    /// Produces feeds from the database into their store.
    #[must_use]
    pub fn feed_production(&self, settings: &Settings) -> FeedProduction {
        let switches = Arc::new(SqlRedaction::new(self.database.clone()));
        let active = ActiveSets::new(switches, Arc::clone(&self.clock));
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

    fn services(&self, settings: &Settings) -> anyhow::Result<Services> {
        let (clock, ids) = (&self.clock, &self.ids);
        let credential_store = Arc::new(SqlCredentials::new(self.database.clone()));
        let conversation_store = Arc::new(SqlConversations::new(self.database.clone()));
        let message_store = Arc::new(SqlMessages::new(self.database.clone()));
        let vocabulary_store = Arc::new(SqlVocabularies::new(self.database.clone()));
        let switches: Arc<dyn RedactionStore> = Arc::new(SqlRedaction::new(self.database.clone()));

        let active = ActiveSets::new(Arc::clone(&switches), Arc::clone(clock));
        let redaction = RedactionEntities::new(switches, active.clone(), Arc::clone(ids), Arc::clone(clock));
        let gate = Gate::new(credential_store, Arc::new(Sha256Digester), Arc::clone(clock));
        let conversations =
            Conversations::new(Arc::clone(&conversation_store) as Arc<_>, Arc::clone(ids), Arc::clone(clock));
        let masking = Masking::new(TextRedaction::by_rules(), active);
        let messages = Messages::new(message_store, conversation_store, masking, Arc::clone(ids), Arc::clone(clock));
        let transcripts = Transcripts::new(conversations.clone(), messages.clone());
        let vocabularies = Vocabularies::new(vocabulary_store, Arc::clone(ids), Arc::clone(clock));
        let signer = HmacSigner::new(settings.feeds.signing_key.as_ref()).context("feed_signing_key")?;
        let feeds = Feeds::new(Arc::new(self.feeds.clone()), Arc::new(signer), Arc::clone(clock));
        let receipts = Arc::new(SqlReceipts::new(self.database.clone()));
        let repeats = Repeats::new(receipts, Arc::clone(clock));
        let limiter = Arc::new(ProcessRateLimiter::new(settings.rate_limit));
        let probes = vec![Arc::new(self.database.clone()) as Arc<_>];
        Ok(Services {
            gate,
            limiter,
            conversations,
            messages,
            transcripts,
            vocabularies,
            redaction,
            feeds,
            repeats,
            probes,
        })
    }
}

/// The server, bound to its address and ready to run.
pub struct Service {
    server: Server,
    address: SocketAddr,
    draining: Draining,
    database: Database,
}

/// Stops a running [`Service`] from elsewhere.
#[derive(Clone)]
pub struct StopHandle {
    server: ServerHandle,
    draining: Draining,
}

impl StopHandle {
    /// Takes no new work; where `graceful`, lets requests in flight finish first.
    pub async fn stop(&self, graceful: bool) {
        self.draining.begin();
        self.server.stop(graceful).await;
    }
}

impl Service {
    /// Plugs everything together and binds the address.
    ///
    /// # Errors
    /// One line that names the setting, and says what to do.
    pub fn build(settings: &Settings, stores: Stores) -> anyhow::Result<Self> {
        let http = HttpSettings::new(&settings.header_prefix, settings.max_body_bytes).context("header_prefix")?;
        let http = http.with_vocabulary_page_size(settings.vocabulary_page_size);
        let draining = Draining::default();
        let scope = RequestScope::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        let services = Data::new(stores.services(settings)?);
        let (http, drain) = (Data::new(http), Data::new(draining.clone()));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(services.clone())
                .app_data(http.clone())
                .app_data(drain.clone())
                .wrap(scope.clone())
                .configure(routes)
        });
        let server = server
            .disable_signals()
            .shutdown_timeout(settings.shutdown_timeout.as_secs())
            .bind(settings.listen)
            .map_err(|error| unusable_address(settings.listen, &error))?;
        let address = server.addrs().first().copied().unwrap_or(settings.listen);
        Ok(Self { server: server.run(), address, draining, database: stores.database })
    }

    /// The address that is listened on, with the port that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle to stop it by.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { server: self.server.handle(), draining: self.draining.clone() }
    }

    /// Serves until it is stopped, then closes the database.
    ///
    /// # Errors
    /// Where the server ends by itself, or the database does not close in order.
    pub async fn run(self) -> anyhow::Result<()> {
        self.server.await.context("the server failed")?;
        self.database.close().await.context("the database did not close in order")
    }
}

fn open_feeds(settings: &Settings) -> anyhow::Result<ObjectFeeds> {
    tls::use_ring();
    ObjectFeeds::open(settings.feeds.url.reveal()).context("feeds_url")
}

fn unusable_address(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    if error.kind() == std::io::ErrorKind::AddrInUse {
        return anyhow!("listen: {address} is in use by another program: stop that, or choose another with --listen");
    }
    anyhow!("listen: {address} cannot be listened on: {error}")
}
