//! The whole service, which runs in the test process on a free port.

use std::{
    net::SocketAddr,
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use actix_web::rt::System;
use parlance::{
    Service, StopHandle, Stores,
    settings::{SettingFlags, Settings, Sources},
    system::SystemClock,
};
use parlance_adapters_sql::Database;
use parlance_domain::{
    access::{ApiId, CredentialName, IssuedCredential, Permission, Permissions, TenantId},
    feed::{DayRange, Feed, FeedPeriod, FileFormat, Interval, PeriodOutcome, ProductionObserver},
    limits::FEED_CLOSE_DELAY_SECONDS,
    privacy::RetentionStep,
    time::{Clock, SECONDS_PER_DAY, Timestamp},
};
use tempfile::TempDir;

use crate::{
    client::Client, database::TestDatabase, fixtures::FrozenClock, openapi_document::OpenApiDocument,
    raw_connection::IO_TIMEOUT,
};

/// A running service with its database. Dropping the value stops the service.
pub struct TestService {
    address: SocketAddr,
    stop: StopHandle,
    thread: Option<thread::JoinHandle<()>>,
    database: TestDatabase,
    feeds: TempDir,
    settings: Settings,
    openapi_document: Arc<OpenApiDocument>,
}

impl TestService {
    /// Starts a service with an empty database: SQLite, or PostgreSQL if `PARLANCE_TEST_SERVICE_DATABASE` is `postgres`.
    pub async fn start() -> Self {
        let on_postgres = std::env::var("PARLANCE_TEST_SERVICE_DATABASE").is_ok_and(|database| database == "postgres");
        let database = if on_postgres { TestDatabase::postgres() } else { None };
        Self::start_with(database.unwrap_or_else(TestDatabase::sqlite), &[]).await
    }

    /// Starts a service with an empty database and these settings. The default rate limit is too high to affect tests.
    pub async fn start_with(database: TestDatabase, settings: &[(&str, &str)]) -> Self {
        let feeds = tempfile::tempdir().unwrap();
        let address = format!("file://{}", feeds.path().display());
        let settings = [settings, &[("PARLANCE_FEEDS_URL", &*address)]].concat();
        drop(database.open_migrated().await);
        let settings = read_settings(&database, &settings);
        let settings_copy = settings.clone();
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let thread = thread::spawn(move || {
            System::new().block_on(async {
                let stores = Stores::open(&settings, false).await.unwrap();
                let service = Service::build(&settings, stores).unwrap();
                sender.send((service.address(), service.stop_handle())).ok().unwrap();
                service.run().await.unwrap();
            });
        });
        let (address, stop) = receiver.await.unwrap();
        Self {
            address,
            stop,
            thread: Some(thread),
            database,
            feeds,
            settings: settings_copy,
            openapi_document: Arc::new(OpenApiDocument::load()),
        }
    }

    /// The address on which the service listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of open connections.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.stop.open_connections()
    }

    /// Waits until this number of requests are not answered yet.
    pub async fn wait_for_open_requests(&self, count: usize) {
        let deadline = Instant::now() + IO_TIMEOUT;
        while self.stop.open_requests() != count {
            assert!(Instant::now() < deadline, "{} requests are open", self.stop.open_requests());
            actix_web::rt::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Stops the service, and lets requests in flight finish.
    pub async fn stop(&self) {
        self.stop.stop(true).await;
    }

    /// The database of the service.
    #[must_use]
    pub fn test_database(&self) -> &TestDatabase {
        &self.database
    }

    /// The directory of the feeds.
    #[must_use]
    pub fn feeds_directory(&self) -> &Path {
        self.feeds.path()
    }

    /// Exports all missing or outdated feeds of a tenant, as a separate process does on the next day.
    pub async fn export_feeds(&self, tenant: &str) {
        let tomorrow = SystemClock.now().plus_seconds(SECONDS_PER_DAY + FEED_CLOSE_DELAY_SECONDS);
        self.export_feeds_at(tenant, tomorrow, DayRange::default()).await;
    }

    /// Exports feeds of a range of days, with the clock at `now`.
    pub async fn export_feeds_at(&self, tenant: &str, now: Timestamp, range: DayRange) {
        self.export_feeds_in(&self.settings.feeds.formats, tenant, now, range).await;
    }

    /// Exports the feeds of a tenant in these formats, as at this time.
    pub async fn export_feeds_in(&self, formats: &[FileFormat], tenant: &str, now: Timestamp, range: DayRange) {
        let stores = Stores::open(&self.settings, false).await.unwrap().with_clock(Arc::new(FrozenClock(now)));
        let tenant = TenantId::parse(tenant).unwrap();
        let production = stores.feed_production(&self.settings);
        production.produce(&tenant, formats, range, &NoopProductionObserver).await.unwrap();
        stores.database.close().await.unwrap();
    }

    /// Runs the retention rules of all tenants for which a run is due, as the replica with the lease does.
    pub async fn run_retention(&self) {
        let stores = Stores::open(&self.settings, false).await.unwrap();
        let runs = stores.retention_runs();
        for tenant in runs.due().await.unwrap() {
            let mut run = runs.begin(tenant).await.unwrap();
            while runs.step(&mut run).await.unwrap() == RetentionStep::Continues {}
        }
        stores.database.close().await.unwrap();
    }

    /// Opens the database of the service a second time.
    pub async fn open_database(&self) -> Database {
        self.database.open().await
    }

    /// A client with a new credential of this tenant and every permission.
    pub async fn client(&self, tenant: &str) -> Client {
        self.client_with_permissions(tenant, &Permission::ALL).await
    }

    /// A client with a new credential of this tenant and these permissions.
    pub async fn client_with_permissions(&self, tenant: &str, permissions: &[Permission]) -> Client {
        let issued = self.issue_credential(tenant, permissions).await;
        self.client_with_credential(issued.id.as_str(), issued.secret.reveal())
    }

    /// A client with this credential, valid or not.
    #[must_use]
    pub fn client_with_credential(&self, id: &str, secret: &str) -> Client {
        Client::new(self.address, id, secret, Arc::clone(&self.openapi_document))
    }

    /// Issues a credential, as a separate process of an operator does.
    pub async fn issue_credential(&self, tenant: &str, permissions: &[Permission]) -> IssuedCredential {
        let stores = Stores::open(&self.settings, false).await.unwrap();
        let tenant = TenantId::parse(tenant).unwrap();
        let permissions: Permissions = permissions.iter().copied().collect();
        let name = CredentialName::parse("test").unwrap();
        let issued = stores.credentials.create(tenant, name, permissions).await.unwrap();
        stores.database.close().await.unwrap();
        issued
    }

    /// Revokes a credential, as a separate process of an operator does.
    pub async fn revoke_credential(&self, id: &ApiId) {
        let stores = Stores::open(&read_settings(&self.database, &[]), false).await.unwrap();
        stores.credentials.revoke(id).await.unwrap();
        stores.database.close().await.unwrap();
    }

    /// Replaces the secret of a credential, as a separate process of an operator does. The secret before is kept for this
    /// many seconds.
    pub async fn rotate_credential(&self, id: &ApiId, keep_seconds: u32) -> IssuedCredential {
        let stores = Stores::open(&read_settings(&self.database, &[]), false).await.unwrap();
        let issued = stores.credentials.rotate(id, keep_seconds).await.unwrap();
        stores.database.close().await.unwrap();
        issued
    }

    /// Drops the database of the running service. This works only for PostgreSQL.
    pub fn drop_database(&mut self) {
        self.database = TestDatabase::sqlite();
    }
}

/// An observer that ignores all events.
pub struct NoopProductionObserver;

impl ProductionObserver for NoopProductionObserver {
    fn wants_row_count(&self) -> bool {
        false
    }

    fn export_started(&self, _: &TenantId, _: Feed, _: Interval, _: Option<u64>) {}

    fn rows_written(&self, _: u64) {}

    fn export_finished(&self, _: &TenantId, _: &FeedPeriod, _: PeriodOutcome) {}
}

fn read_settings(database: &TestDatabase, settings: &[(&str, &str)]) -> Settings {
    let explicit = |name: &str| settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let default = |name: &str| match name {
        "PARLANCE_LISTEN" => Some("127.0.0.1:0".to_owned()),
        "PARLANCE_DATABASE_URL" => Some(database.url().to_owned()),
        "PARLANCE_RATE_LIMIT_PER_SECOND" | "PARLANCE_RATE_LIMIT_BURST" => Some("1000000".to_owned()),
        "PARLANCE_FAILED_AUTH_PER_MINUTE" => Some("0".to_owned()),
        "PARLANCE_FEED_EXPORT_AT" => Some("never".to_owned()),
        _ => None,
    };
    let variable = |name: &str| explicit(name).or_else(|| default(name));
    Settings::read(&Sources::new(&SettingFlags::default(), variable, None).unwrap()).unwrap()
}

impl Drop for TestService {
    fn drop(&mut self) {
        let (stop, thread) = (self.stop.clone(), self.thread.take());
        // A new thread stops the service, because this thread may belong to the runtime of the test.
        let stopping = thread::spawn(move || System::new().block_on(stop.stop(false)));
        let stopped = stopping.join().is_ok() && thread.is_none_or(|thread| thread.join().is_ok());
        assert!(stopped || thread::panicking(), "the service did not stop in order");
    }
}
