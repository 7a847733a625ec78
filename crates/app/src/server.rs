//! The server: its listeners, its background tasks, and how it stops.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use parlance_adapters_http::{ConnectionRegistry, DrainFlag, EventHub, GuardReplies};
use parlance_adapters_sql::{ChangeNotifications, Database, SqlChangeLog};
use parlance_domain::{
    event::ChangeLog,
    idempotency::Idempotency,
    privacy::{DeletedByteStore, Ledger},
    readiness::ReadinessProbe,
};

use crate::{
    application::Application,
    background_tasks::BackgroundTasks,
    change_log::{ChangeLogProbe, ChangeLogTask},
    deleted_bytes::keep_removing,
    delivery::DeliveryTask,
    feeds::FeedTask,
    idempotency_purge::purge_expired,
    ledger::{keep_writing, write_before_stop},
    listener::{Listener, ListenerOptions},
    metrics::Metrics,
    privacy_requests::PrivacyRequestTask,
    replica_hints::exchange_hints,
    retention::RetentionTask,
    scrub::ScrubTask,
    server_limits::{connection_limits, worker_threads},
    settings::Settings,
    signals::{ProcessSignals, reload_on_hangup, stop_on_signals},
    stop_handle::StopHandle,
    tls::{self, Certificate},
    webhooks::WebhookTask,
    wiring::Stores,
};

/// The server with its services, bound to its addresses and ready to run. It has the only database handle of the
/// process, and runs every background task.
pub struct Service {
    listener: Listener,
    health: Option<Listener>,
    metrics: Option<Listener>,
    delivery: Option<DeliveryTask>,
    webhooks: WebhookTask,
    retention: RetentionTask,
    feeds: Option<FeedTask>,
    privacy_requests: PrivacyRequestTask,
    scrub: Option<ScrubTask>,
    hub: EventHub,
    idempotency: Idempotency,
    ledger: Option<Ledger>,
    deleted_bytes: Arc<dyn DeletedByteStore>,
    change_log: ChangeLogTask,
    draining: DrainFlag,
    shutdown_delay: Duration,
    database: Database,
    certificate: Option<Certificate>,
    signals: Option<ProcessSignals>,
}

impl Service {
    /// Connects all parts and binds the addresses.
    ///
    /// # Errors
    /// One line that names the setting and how to correct it.
    pub fn build(settings: &Settings, stores: Stores) -> anyhow::Result<Self> {
        tls::install_provider();
        let limits = connection_limits(settings);
        let replies = GuardReplies::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        let new_connections = || ConnectionRegistry::new(limits, replies.clone());
        let connections = new_connections();
        let (traces, detector) = (&stores.tracers.metrics, &stores.redactions.detector_metrics);
        let metrics = Metrics::new(stores.database.clone(), connections.clone(), traces, detector);
        metrics.record_missing_ledger_objects(stores.missing_ledger_objects);
        let certificate = settings.tls.as_ref().map(Certificate::read).transpose()?;
        let tls = certificate.as_ref().map(Certificate::server_config).transpose()?.map(Arc::new);
        let mut services = stores.services(settings, &metrics)?;
        let (scrub, scrub_probe) = stores.scrub_task(settings, &metrics).unzip();
        services.probes.extend(scrub_probe.map(|probe| Arc::new(probe) as Arc<dyn ReadinessProbe>));
        let idempotency = services.idempotency.clone();
        let ledger = stores.ledger(settings)?;
        let deleted_bytes = stores.deleted_byte_store();
        let delivery = DeliveryTask::build(&stores, settings, &metrics)?;
        let webhooks = WebhookTask::build(&stores, settings, &metrics)?;
        let retention = RetentionTask::build(&stores);
        let log: Arc<dyn ChangeLog> = Arc::new(SqlChangeLog::new(stores.database.clone()));
        services.probes.push(Arc::new(ChangeLogProbe::new(Arc::clone(&log))));
        let privacy_requests = stores.privacy_request_task(settings, Arc::clone(&log), metrics.feeds.clone())?;
        let production = (stores.feed_production(settings), Arc::clone(&log));
        let feeds = FeedTask::new(production, stores.leases(), &settings.feeds, metrics.feeds.clone());
        let change_log = ChangeLogTask::new(log, settings.events.retention_days, metrics.change_log.clone());
        let application = Application::new(settings, &stores, services, &metrics)?;
        let options = |connections, workers, tls| ListenerOptions {
            connections,
            workers,
            shutdown_timeout: settings.shutdown_timeout,
            tls,
        };
        let threads = worker_threads(settings.workers, &stores.database);
        let database = stores.database.clone();
        let (draining, hub) = (application.draining.clone(), application.hub.clone());
        let health = application.clone();
        let listener = Listener::bind("listen", settings.listen, options(connections, threads, tls), move || {
            if threads == 1 {
                database.enable_single_worker_mode();
            }
            application.interface()
        })?;
        let side_listener = |setting, address: Option<SocketAddr>| {
            address.map(|address| (setting, address, options(new_connections(), 1, None)))
        };
        let health = side_listener("health_listen", settings.health_listen)
            .map(|(setting, address, options)| Listener::bind(setting, address, options, move || health.health()));
        let metrics = side_listener("metrics_listen", settings.metrics_listen)
            .map(|(setting, address, options)| metrics.listen(setting, address, options));
        Ok(Self {
            listener,
            health: health.transpose()?,
            metrics: metrics.transpose()?,
            delivery,
            webhooks,
            retention,
            feeds,
            privacy_requests,
            scrub,
            hub,
            idempotency,
            ledger,
            deleted_bytes,
            change_log,
            draining,
            shutdown_delay: settings.shutdown_delay,
            database: stores.database,
            certificate,
            signals: None,
        })
    }

    /// The address that is listened on, with its actual port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The address of the metrics listener, if there is one.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(Listener::address)
    }

    /// The address of the health listener, if there is one.
    #[must_use]
    pub fn health_address(&self) -> Option<SocketAddr> {
        self.health.as_ref().map(Listener::address)
    }

    /// The same service, which also stops on signals of the process, and reloads its certificate on another one.
    pub(crate) fn with_signals(self, signals: ProcessSignals) -> Self {
        Self { signals: Some(signals), ..self }
    }

    /// Returns a handle that stops the server.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { listener: self.listener.handle(), draining: self.draining.clone(), delay: self.shutdown_delay }
    }

    /// Serves until [`StopHandle::stop`] is called. Then requests in flight finish, the background tasks stop and
    /// release their leases, and the database is closed, in this order.
    ///
    /// # Errors
    /// The first failure: the server ends without being stopped, a background task fails, or the database does not close
    /// cleanly.
    pub async fn run(self) -> anyhow::Result<()> {
        let (mut tasks, handle) = (BackgroundTasks::new(), self.stop_handle());
        if let Some(ProcessSignals { stop, reload }) = self.signals {
            tasks.run_endless(
                "the task that reloads the certificate failed",
                reload_on_hangup(reload, self.certificate),
            );
            tasks.run_endless("the task that waits for a signal to stop failed", stop_on_signals(stop, handle));
        }
        tasks.run_endless("the task that deletes idempotency records failed", purge_expired(self.idempotency));
        if let Some(ledger) = self.ledger.clone() {
            tasks.run_endless("the task that writes the ledger of erasures failed", keep_writing(ledger));
        }
        tasks.run_endless("the task that removes deleted bytes failed", keep_removing(self.deleted_bytes));
        tasks.run_endless("the task that drops old events failed", self.change_log.run());
        if let Some(notifications) = ChangeNotifications::new(self.database.clone()) {
            let exchange = exchange_hints(notifications, self.hub.hints().clone());
            tasks.run_endless("the task that exchanges hints with replicas failed", exchange);
        }
        if let Some(scrub) = self.scrub {
            tasks.run_endless("the scrub task failed", scrub.run());
        }
        tasks.run_stoppable("the task that reads the change log for streams failed", |stop| self.hub.run(stop));
        if let Some(delivery) = self.delivery {
            tasks.run_stoppable("the task that delivers vocabularies failed", |stop| delivery.run(stop));
        }
        tasks.run_stoppable("the task that sends events to webhooks failed", |stop| self.webhooks.run(stop));
        let retention = self.retention;
        tasks.run_stoppable("the task of retention failed", |stop| retention.run(stop));
        if let Some(feeds) = self.feeds {
            tasks.run_stoppable("the task that exports feeds failed", |stop| feeds.run(stop));
        }
        tasks
            .run_stoppable("the task that carries out privacy requests failed", |stop| self.privacy_requests.run(stop));
        for listener in [self.metrics, self.health].into_iter().flatten() {
            tasks.run_listener(listener);
        }
        serve(self.listener.run(), tasks, (self.ledger, self.database)).await
    }
}

/// Waits for the end of the listener, then stops the tasks, writes the ledger and closes the database, also after a failure.
/// Returns the first failure.
async fn serve(
    listener: impl Future<Output = io::Result<()>>,
    tasks: BackgroundTasks,
    (ledger, database): (Option<Ledger>, Database),
) -> anyhow::Result<()> {
    let served = listener.await.context("the server failed");
    let stopped = tasks.stop().await;
    if let Some(ledger) = &ledger {
        write_before_stop(ledger).await;
    }
    let closed = database.close().await.context("failed to close the database");
    served.and(stopped).and(closed)
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use parlance_domain::{
        access::TenantId,
        ports::{MockContentAuthenticator, MockDeletedByteStore, MockErasureLedger, MockLedgerStore},
        privacy::LedgerEntry,
        time::Timestamp,
    };

    use super::*;
    use crate::{
        background_tasks::tests::idle_tasks,
        system::{SystemClock, UlidSource},
    };

    #[actix_web::test]
    async fn the_database_is_closed_although_the_listener_and_a_task_fail() {
        let failures = ["the server failed: broken", "the task that delivers vocabularies failed"];
        for (is_listener_broken, expected) in [(true, failures[0]), (false, failures[1])] {
            let database = Database::open("sqlite::memory:").await.unwrap();
            database.migrate().await.unwrap();
            let mut tasks = idle_tasks();
            tasks.run_stoppable(failures[1], |_| async { panic!("not to be repeated") });
            let listener = ready(if is_listener_broken { Err(io::Error::other("broken")) } else { Ok(()) });
            let failure = serve(listener, tasks, (None, database.clone())).await.unwrap_err();
            assert_eq!(format!("{failure:#}"), expected);
            assert!(database.check_schema().await.is_err());
        }
    }

    #[actix_web::test]
    async fn erasures_that_are_queued_are_in_the_ledger_after_a_stop() {
        let entry = LedgerEntry::of_tenant(&TenantId::parse("acme").unwrap(), Timestamp::EPOCH);
        let (mut store, mut objects, mut queue) =
            (MockLedgerStore::new(), MockErasureLedger::new(), vec![entry.clone()]);
        store.expect_queued().returning(move |_| Ok(std::mem::take(&mut queue)));
        store.expect_record_object().once().returning(|_, _| Ok(()));
        let mut authenticator = MockContentAuthenticator::new();
        authenticator.expect_code().returning(|_| Ok([1; 32]));
        objects
            .expect_write()
            .withf(move |_, content| content.entries == [entry.clone()])
            .once()
            .returning(|_, _| Ok(()));
        let clock = Arc::new(SystemClock);
        let store = (Arc::new(store) as Arc<_>, Arc::new(MockDeletedByteStore::new()) as Arc<_>);
        let ledger =
            Ledger::new((Arc::new(objects), Arc::new(authenticator)), store, Arc::new(UlidSource::default()), clock);
        let database = Database::open("sqlite::memory:").await.unwrap();
        serve(ready(Ok(())), idle_tasks(), (Some(ledger), database)).await.unwrap();
    }
}
