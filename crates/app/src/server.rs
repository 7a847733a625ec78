//! The server around the services: what it listens on, how long it waits, and how it stops.

use std::{net::SocketAddr, num::NonZeroUsize, sync::Arc, thread::available_parallelism, time::Duration};

use anyhow::Context;
use parlance_adapters_http::{ConnectionLimits, ConnectionRegistry, Draining, ReplyIds};
use parlance_adapters_sql::Database;
use parlance_domain::{readiness::ReadinessProbe, retry::Repeats};
use tokio::{sync::watch, time::sleep};

use crate::{
    application::Application,
    delivery::DeliveryTask,
    forgetting::forget_receipts,
    listener::{Listener, ListenerHandle, ListenerOptions},
    metrics::{FeedMetrics, Metrics},
    open_files,
    scrub::ScrubTask,
    service::Stores,
    settings::Settings,
    tls::{self, Certificate},
};

/// The server, bound to its addresses and ready to run.
pub struct Service {
    listener: Listener,
    health: Option<Listener>,
    metrics: Option<Listener>,
    feed_metrics: FeedMetrics,
    delivery: Option<DeliveryTask>,
    scrub: Option<ScrubTask>,
    repeats: Repeats,
    draining: Draining,
    shutdown_delay: Duration,
    database: Database,
    certificate: Option<Certificate>,
}

/// Stops a running [`Service`] from elsewhere.
#[derive(Clone)]
pub struct StopHandle {
    listener: ListenerHandle,
    draining: Draining,
    delay: Duration,
}

impl StopHandle {
    /// How many connections of callers are open.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.listener.open_connections()
    }

    /// Takes no new work; where `graceful`, says so for a while before, so that a balancer sends no more, and lets requests
    /// in flight finish.
    pub async fn stop(&self, graceful: bool) {
        self.draining.begin();
        if graceful {
            sleep(self.delay).await;
        }
        self.listener.stop(graceful).await;
    }
}

impl Service {
    /// Plugs everything together and binds the addresses.
    ///
    /// # Errors
    /// One line that names the setting, and says what to do.
    pub fn build(settings: &Settings, stores: Stores) -> anyhow::Result<Self> {
        tls::install_provider();
        let limits = connection_limits(settings);
        let replies = ReplyIds::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        let registry = || ConnectionRegistry::new(limits, replies.clone());
        let connections = registry();
        let metrics = Metrics::new(stores.database.clone(), connections.clone());
        let certificate = settings.tls.as_ref().map(Certificate::read).transpose()?;
        let tls = certificate.as_ref().map(Certificate::server_config).transpose()?.map(Arc::new);
        let mut services = stores.services(settings, &metrics)?;
        let (scrub, scrub_status) = stores.scrub(settings, &metrics).unzip();
        services.probes.extend(scrub_status.map(|status| Arc::new(status) as Arc<dyn ReadinessProbe>));
        let repeats = services.repeats.clone();
        let delivery = stores.delivery(settings, &metrics)?;
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
                database.answer_on_this_thread_alone();
            }
            application.interface()
        })?;
        let aside = |setting, address: Option<SocketAddr>| {
            address.map(|address| (setting, address, options(registry(), 1, None)))
        };
        let health = aside("health_listen", settings.health_listen)
            .map(|(setting, address, options)| Listener::bind(setting, address, options, move || health.health()));
        let feed_metrics = metrics.feeds.clone();
        let metrics = aside("metrics_listen", settings.metrics_listen)
            .map(|(setting, address, options)| metrics.listen(setting, address, options));
        Ok(Self {
            listener,
            health: health.transpose()?,
            metrics: metrics.transpose()?,
            feed_metrics,
            delivery,
            scrub,
            repeats,
            draining,
            shutdown_delay: settings.shutdown_delay,
            database: stores.database,
            certificate,
        })
    }

    /// The address that is listened on, with the port that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// The address that metrics are read from, where they can be.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(Listener::address)
    }

    /// The address that health is answered at as well, where there is one.
    #[must_use]
    pub fn health_address(&self) -> Option<SocketAddr> {
        self.health.as_ref().map(Listener::address)
    }

    /// What the production of feeds is counted by.
    pub(crate) fn feed_metrics(&self) -> FeedMetrics {
        self.feed_metrics.clone()
    }

    /// The certificate that it shows, where it speaks TLS.
    pub(crate) fn certificate(&self) -> Option<Certificate> {
        self.certificate.clone()
    }

    /// A handle to stop it by.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { listener: self.listener.handle(), draining: self.draining.clone(), delay: self.shutdown_delay }
    }

    /// Serves until it is stopped, lets deliveries under way end, then closes the database.
    ///
    /// # Errors
    /// Where the server ends by itself, or the database does not close in order.
    pub async fn run(self) -> anyhow::Result<()> {
        let (stop, stopped) = watch::channel(false);
        let delivery = self.delivery.map(|task| actix_web::rt::spawn(task.run(stopped)));
        let beside = [self.metrics, self.health].into_iter().flatten();
        let beside: Vec<_> = beside.map(|listener| (listener.handle(), actix_web::rt::spawn(listener.run()))).collect();
        let forgetting = actix_web::rt::spawn(forget_receipts(self.repeats));
        let scrub = self.scrub.map(|task| actix_web::rt::spawn(task.run()));
        let served = self.listener.run().await.context("the server failed");
        forgetting.abort();
        if let Some(scrub) = scrub {
            scrub.abort();
        }
        // Where nothing is delivered there is nobody to hear it.
        let _ = stop.send(true);
        if let Some(delivery) = delivery {
            delivery.await.context("the task that delivers vocabularies failed")?;
        }
        for (handle, listener) in beside {
            handle.stop(false).await;
            listener.await.context("a listener beside the interface failed")??;
        }
        served?;
        self.database.close().await.context("the database did not close in order")
    }
}

/// What connections may cost, and how many there may be with the files that the process may open.
fn connection_limits(settings: &Settings) -> ConnectionLimits {
    let limits = settings.connections.limits(settings.timeouts, settings.trusted_proxies);
    let connections = open_files::connections_for(limits.connections, open_files::raise_limit());
    if connections < limits.connections {
        tracing::warn!(connections, "fewer connections than max_connections: the process may open no more files");
    }
    with_connections(limits, connections)
}

/// The same with so many connections, of which one credential has half at most.
fn with_connections(limits: ConnectionLimits, connections: usize) -> ConnectionLimits {
    let per_credential = limits.per_credential.min(connections.div_ceil(2));
    ConnectionLimits { connections, per_credential, ..limits }
}

/// How many threads answer requests.
fn worker_threads(wished: Option<NonZeroUsize>, database: &Database) -> usize {
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    threads_for(wished, processors, database.is_beside_its_server()).get()
}

/// As many as are wished, but not more than there are processors: each has connections of its own to the database. Where
/// nothing is wished, as many, and beside the database's server half of them: it takes as much of the processors for a
/// request as the program does (docs/performance.md).
fn threads_for(wished: Option<NonZeroUsize>, processors: NonZeroUsize, beside_server: bool) -> NonZeroUsize {
    let half = NonZeroUsize::new(processors.get() / 2).unwrap_or(NonZeroUsize::MIN);
    wished.unwrap_or(if beside_server { half } else { processors }).min(processors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(wished: Option<usize>, processors: usize, beside_server: bool) -> usize {
        let number = |number| NonZeroUsize::new(number).unwrap();
        threads_for(wished.map(number), number(processors), beside_server).get()
    }

    #[test]
    fn one_credential_has_no_more_than_half_of_the_connections() {
        let limits = ConnectionLimits {
            head: Duration::ZERO,
            idle: Duration::ZERO,
            body: Duration::ZERO,
            write: Duration::ZERO,
            write_floor: 0,
            connections: 4_096,
            per_address: None,
            per_credential: 1_024,
        };
        let of_one = [4_096, 97, 1].map(|connections| with_connections(limits, connections).per_credential);
        assert_eq!(of_one, [1_024, 49, 1]);
    }

    #[test]
    fn each_processor_has_a_thread() {
        assert_eq!([1, 2, 5].map(|processors| threads(None, processors, false)), [1, 2, 5]);
    }

    #[test]
    fn every_other_processor_has_a_thread_beside_the_databases_server() {
        assert_eq!([1, 2, 3, 8].map(|processors| threads(None, processors, true)), [1, 1, 1, 4]);
    }

    #[test]
    fn as_many_as_are_wished_are_made_as_far_as_there_are_processors() {
        for beside_server in [false, true] {
            assert_eq!([1, 3, 4, 9].map(|wished| threads(Some(wished), 4, beside_server)), [1, 3, 4, 4]);
        }
    }
}
