//! The server: its listeners, its background tasks, and how it stops.

use std::{io, net::SocketAddr, num::NonZeroUsize, sync::Arc, thread::available_parallelism, time::Duration};

use anyhow::Context;
use parlance_adapters_http::{ConnectionLimits, ConnectionRegistry, DrainFlag, GuardReplies};
use parlance_adapters_sql::Database;
use parlance_domain::{idempotency::Idempotency, readiness::ReadinessProbe};
use tokio::{sync::watch, time::sleep};

use crate::{
    application::Application,
    background_tasks::BackgroundTasks,
    delivery::DeliveryTask,
    idempotency_purge::purge_expired,
    listener::{Listener, ListenerHandle, ListenerOptions},
    metrics::{FeedMetrics, Metrics},
    open_file_limit,
    scrub::ScrubTask,
    settings::Settings,
    tls::{self, Certificate},
    wiring::Stores,
};

/// The server with its services, bound to its addresses and ready to run.
pub struct Service {
    listener: Listener,
    health: Option<Listener>,
    metrics: Option<Listener>,
    feed_metrics: FeedMetrics,
    delivery: Option<DeliveryTask>,
    scrub: Option<ScrubTask>,
    idempotency: Idempotency,
    draining: DrainFlag,
    shutdown_delay: Duration,
    database: Database,
    certificate: Option<Certificate>,
}

/// A handle that stops a running [`Service`].
#[derive(Clone)]
pub struct StopHandle {
    listener: ListenerHandle,
    draining: DrainFlag,
    delay: Duration,
}

impl StopHandle {
    /// The number of open connections of callers.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.listener.open_connections()
    }

    /// Stops the server. Readiness reports the stop at once. If `graceful`, the server then waits for the shutdown delay,
    /// in which a load balancer takes it out, and requests in flight finish.
    pub async fn stop(&self, graceful: bool) {
        self.draining.set();
        if graceful {
            sleep(self.delay).await;
        }
        self.listener.stop(graceful).await;
    }
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
        let metrics = Metrics::new(stores.database.clone(), connections.clone());
        let certificate = settings.tls.as_ref().map(Certificate::read).transpose()?;
        let tls = certificate.as_ref().map(Certificate::server_config).transpose()?.map(Arc::new);
        let mut services = stores.services(settings, &metrics)?;
        let (scrub, scrub_status) = stores.scrub_task(settings, &metrics).unzip();
        services.probes.extend(scrub_status.map(|status| Arc::new(status) as Arc<dyn ReadinessProbe>));
        let idempotency = services.idempotency.clone();
        let delivery = stores.delivery_task(settings, &metrics)?;
        let application = Application::new(settings, &stores, services, &metrics)?;
        let options = |connections, workers, tls| ListenerOptions {
            connections,
            workers,
            shutdown_timeout: settings.shutdown_timeout,
            tls,
        };
        let threads = worker_threads(settings.workers, &stores.database);
        let database = stores.database.clone();
        let draining = application.draining.clone();
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
        let feed_metrics = metrics.feeds.clone();
        let metrics = side_listener("metrics_listen", settings.metrics_listen)
            .map(|(setting, address, options)| metrics.listen(setting, address, options));
        Ok(Self {
            listener,
            health: health.transpose()?,
            metrics: metrics.transpose()?,
            feed_metrics,
            delivery,
            scrub,
            idempotency,
            draining,
            shutdown_delay: settings.shutdown_delay,
            database: stores.database,
            certificate,
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

    /// The metrics of feed production.
    pub(crate) fn feed_metrics(&self) -> FeedMetrics {
        self.feed_metrics.clone()
    }

    /// The TLS certificate, or `None` without TLS.
    pub(crate) fn certificate(&self) -> Option<Certificate> {
        self.certificate.clone()
    }

    /// Returns a handle that stops the server.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { listener: self.listener.handle(), draining: self.draining.clone(), delay: self.shutdown_delay }
    }

    /// Serves until [`StopHandle::stop`] is called, waits for running deliveries, then closes the database.
    ///
    /// # Errors
    /// The first failure: the server ends without being stopped, a background task fails, or the database does not close
    /// cleanly.
    pub async fn run(self) -> anyhow::Result<()> {
        let (stop_delivery, stop_receiver) = watch::channel(false);
        let delivery = self.delivery.map(|task| actix_web::rt::spawn(task.run(stop_receiver)));
        let side_listeners = [self.metrics, self.health].into_iter().flatten();
        let side_listeners =
            side_listeners.map(|listener| (listener.handle(), actix_web::rt::spawn(listener.run()))).collect();
        let purge = actix_web::rt::spawn(purge_expired(self.idempotency));
        let scrub = self.scrub.map(|task| actix_web::rt::spawn(task.run()));
        let tasks = BackgroundTasks { purge, scrub, delivery, stop_delivery, side_listeners };
        serve(self.listener.run(), tasks, self.database).await
    }
}

/// Waits for the end of the listener, then stops the tasks and closes the database, also after a failure. Returns the
/// first failure.
async fn serve(
    listener: impl Future<Output = io::Result<()>>,
    tasks: BackgroundTasks,
    database: Database,
) -> anyhow::Result<()> {
    let served = listener.await.context("the server failed");
    let stopped = tasks.stop().await;
    let closed = database.close().await.context("failed to close the database");
    served.and(stopped).and(closed)
}

/// Returns the limits of connections. The limit on open files caps their number.
fn connection_limits(settings: &Settings) -> ConnectionLimits {
    let limits = settings.connections.limits(settings.timeouts, settings.trusted_proxies);
    let connections = open_file_limit::cap_connections(limits.max_connections, open_file_limit::raise_limit());
    if connections < limits.max_connections {
        tracing::warn!(connections, "max_connections is reduced: the process may not open more files");
    }
    with_connections(limits, connections)
}

/// Returns the limits with this number of connections. One credential may have at most half of them, rounded up.
fn with_connections(limits: ConnectionLimits, connections: usize) -> ConnectionLimits {
    let per_credential = limits.max_per_credential.min(connections.div_ceil(2));
    ConnectionLimits { max_connections: connections, max_per_credential: per_credential, ..limits }
}

/// Returns the number of worker threads for this machine and this database.
fn worker_threads(requested: Option<NonZeroUsize>, database: &Database) -> usize {
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    threads_for(requested, processors, database.is_colocated()).get()
}

/// Returns the number of worker threads: `requested`, capped by the number of processors, because each thread has
/// database connections of its own. By default there is one thread per processor, or one per two processors if the
/// database server runs on the same machine: a request costs that server as much processor time as this program
/// (docs/performance.md).
fn threads_for(requested: Option<NonZeroUsize>, processors: NonZeroUsize, is_colocated: bool) -> NonZeroUsize {
    let half = NonZeroUsize::new(processors.get() / 2).unwrap_or(NonZeroUsize::MIN);
    requested.unwrap_or(if is_colocated { half } else { processors }).min(processors)
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use actix_web::rt::spawn;

    use super::*;
    use crate::background_tasks::tests::{idle_tasks, single_connection_limits};

    #[actix_web::test]
    async fn the_database_is_closed_although_the_listener_and_a_task_fail() {
        let failures = ["the server failed: broken", "the task that delivers vocabularies failed"];
        for (is_listener_broken, expected) in [(true, failures[0]), (false, failures[1])] {
            let database = Database::open("sqlite::memory:").await.unwrap();
            database.migrate().await.unwrap();
            let tasks =
                BackgroundTasks { delivery: Some(spawn(async { panic!("not to be repeated") })), ..idle_tasks() };
            let listener = ready(if is_listener_broken { Err(io::Error::other("broken")) } else { Ok(()) });
            let failure = serve(listener, tasks, database.clone()).await.unwrap_err();
            assert_eq!(format!("{failure:#}"), expected);
            assert!(database.check_schema().await.is_err());
        }
    }

    fn threads(requested: Option<usize>, processors: usize, is_colocated: bool) -> usize {
        let number = |number| NonZeroUsize::new(number).unwrap();
        threads_for(requested.map(number), number(processors), is_colocated).get()
    }

    #[test]
    fn one_credential_has_at_most_half_of_the_connections() {
        let limits = ConnectionLimits { max_per_credential: 1_024, ..single_connection_limits() };
        let per_credential = [4_096, 97, 1].map(|connections| with_connections(limits, connections).max_per_credential);
        assert_eq!(per_credential, [1_024, 49, 1]);
    }

    #[test]
    fn each_processor_has_a_thread_by_default() {
        assert_eq!([1, 2, 5].map(|processors| threads(None, processors, false)), [1, 2, 5]);
    }

    #[test]
    fn every_second_processor_has_a_thread_if_the_database_server_is_on_the_same_machine() {
        assert_eq!([1, 2, 3, 8].map(|processors| threads(None, processors, true)), [1, 1, 1, 4]);
    }

    #[test]
    fn the_requested_number_of_threads_is_capped_by_the_number_of_processors() {
        for is_colocated in [false, true] {
            assert_eq!([1, 3, 4, 9].map(|requested| threads(Some(requested), 4, is_colocated)), [1, 3, 4, 4]);
        }
    }
}
