//! The whole service, running in this process on a free port.

use std::{net::SocketAddr, path::Path, sync::Arc, thread};

use actix_web::rt::System;
use parlance::{
    Service, StopHandle, Stores,
    settings::{SettingFlags, Settings, Sources},
    system::SystemClock,
};
use parlance_adapters_sql::Database;
use parlance_domain::{
    access::{CredentialName, IssuedCredential, Permission, Permissions, TenantId},
    feed::{DayOutcome, DayRange, FeedDay, ProductionWatch},
    limits::FEED_SETTLE_SECONDS,
    time::{Clock, Timestamp},
};
use tempfile::TempDir;

use crate::{client::Client, database::TestDatabase, description::Description, fixtures::FrozenClock};

/// A running service with its database. It stops when it is dropped.
pub struct TestService {
    address: SocketAddr,
    stop: StopHandle,
    thread: Option<thread::JoinHandle<()>>,
    home: TestDatabase,
    feeds: TempDir,
    settings: Settings,
    description: Arc<Description>,
}

impl TestService {
    /// A service over an empty SQLite database.
    pub async fn start() -> Self {
        Self::over(TestDatabase::sqlite(), &[]).await
    }

    /// A service over an empty database, with these settings and a rate that no test reaches by chance.
    pub async fn over(home: TestDatabase, settings: &[(&str, &str)]) -> Self {
        let feeds = tempfile::tempdir().unwrap();
        let address = format!("file://{}", feeds.path().display());
        let settings = [settings, &[("PARLANCE_FEEDS_URL", &*address)]].concat();
        let settings = read_settings(&home, &settings);
        let kept = settings.clone();
        drop(home.migrated().await);
        let (started, starts) = tokio::sync::oneshot::channel();
        let thread = thread::spawn(move || {
            System::new().block_on(async {
                let stores = Stores::open(&settings, false).await.unwrap();
                let service = Service::build(&settings, stores).unwrap();
                started.send((service.address(), service.stop_handle())).ok().unwrap();
                service.run().await.unwrap();
            });
        });
        let (address, stop) = starts.await.unwrap();
        Self {
            address,
            stop,
            thread: Some(thread),
            home,
            feeds,
            settings: kept,
            description: Arc::new(Description::read()),
        }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections it has open.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.stop.open_connections()
    }

    /// Where its database is.
    #[must_use]
    pub fn home(&self) -> &TestDatabase {
        &self.home
    }

    /// The directory of its feeds.
    #[must_use]
    pub fn feeds(&self) -> &Path {
        self.feeds.path()
    }

    /// Writes what is missing or out of date of a tenant's feeds, as an operator does beside the running service once
    /// today is over.
    pub async fn produce(&self, tenant: &str) {
        let tomorrow = SystemClock.now().plus_seconds(24 * 3_600 + FEED_SETTLE_SECONDS);
        self.produce_at(tenant, tomorrow, DayRange::default()).await;
    }

    /// The same at any moment.
    pub async fn produce_at(&self, tenant: &str, moment: Timestamp, range: DayRange) {
        let stores = Stores::open(&self.settings, false).await.unwrap().with_clock(Arc::new(FrozenClock(moment)));
        let (tenant, formats) = (TenantId::parse(tenant).unwrap(), &self.settings.feeds.formats);
        let production = stores.feed_production(&self.settings);
        production.produce(&tenant, formats, range, &Unwatched).await.unwrap();
        stores.database.close().await.unwrap();
    }

    /// Its database, opened once more beside it.
    pub async fn database(&self) -> Database {
        self.home.open().await
    }

    /// A client of this tenant with every permission.
    pub async fn client(&self, tenant: &str) -> Client {
        self.client_with(tenant, &Permission::ALL).await
    }

    /// A client of this tenant with these permissions.
    pub async fn client_with(&self, tenant: &str, permissions: &[Permission]) -> Client {
        let issued = self.credential(tenant, permissions).await;
        self.client_of(issued.id.as_str(), issued.secret.reveal())
    }

    /// A client that presents this credential, right or wrong.
    #[must_use]
    pub fn client_of(&self, id: &str, secret: &str) -> Client {
        Client::new(self.address, id, secret, Arc::clone(&self.description))
    }

    /// A credential issued beside the running service, as an operator does.
    pub async fn credential(&self, tenant: &str, permissions: &[Permission]) -> IssuedCredential {
        let stores = Stores::open(&read_settings(&self.home, &[]), false).await.unwrap();
        let tenant = TenantId::parse(tenant).unwrap();
        let permissions: Permissions = permissions.iter().copied().collect();
        let name = CredentialName::parse("test").unwrap();
        let issued = stores.credentials.create(tenant, name, permissions).await.unwrap();
        stores.database.close().await.unwrap();
        issued
    }

    /// Takes the database away under the running service; only a server's can be.
    pub fn lose_database(&mut self) {
        self.home = TestDatabase::sqlite();
    }
}

/// Nobody looks on.
pub struct Unwatched;

impl ProductionWatch for Unwatched {
    fn wants_total(&self) -> bool {
        false
    }

    fn begins(&self, _: &TenantId, _: &FeedDay, _: Option<u64>) {}

    fn rows(&self, _: u64) {}

    fn ends(&self, _: &TenantId, _: &FeedDay, _: DayOutcome) {}
}

fn read_settings(home: &TestDatabase, settings: &[(&str, &str)]) -> Settings {
    let given = |name: &str| settings.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned());
    let usual = |name: &str| match name {
        "PARLANCE_LISTEN" => Some("127.0.0.1:0".to_owned()),
        "PARLANCE_DATABASE_URL" => Some(home.url().to_owned()),
        "PARLANCE_RATE_LIMIT_PER_SECOND" | "PARLANCE_RATE_LIMIT_BURST" => Some("1000000".to_owned()),
        "PARLANCE_FAILED_AUTH_PER_MINUTE" => Some("0".to_owned()),
        _ => None,
    };
    let variable = |name: &str| given(name).or_else(|| usual(name));
    Settings::read(&Sources::new(&SettingFlags::default(), variable, None).unwrap()).unwrap()
}

impl Drop for TestService {
    fn drop(&mut self) {
        let (stop, thread) = (self.stop.clone(), self.thread.take());
        // The service stops on a thread of its own, since this may be a thread of the test's runtime.
        let stopping = thread::spawn(move || System::new().block_on(stop.stop(false)));
        let stopped = stopping.join().is_ok() && thread.is_none_or(|thread| thread.join().is_ok());
        assert!(stopped || thread::panicking(), "the service stops in order");
    }
}
