//! The server around the services: what it listens on, how long it waits, and how it stops.

use std::{net::SocketAddr, num::NonZeroUsize, sync::Arc, thread::available_parallelism};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle},
    http::KeepAlive,
    middleware::from_fn,
    web::Data,
};
use anyhow::{Context, anyhow};
use parlance_adapters_http::{Draining, HttpSettings, Load, Patience, RequestScope, routes, shed_load};
use parlance_adapters_sql::Database;
use parlance_domain::{readiness::ReadinessProbe, retry::Repeats};
use tokio::sync::watch;

use crate::{
    delivery::DeliveryTask,
    forgetting::forget_receipts,
    metrics::{Metrics, MetricsListener},
    scrub::ScrubTask,
    service::Stores,
    settings::Settings,
    tls::{self, Certificate},
};

/// The server, bound to its address and ready to run.
pub struct Service {
    server: Server,
    address: SocketAddr,
    metrics: Option<MetricsListener>,
    delivery: Option<DeliveryTask>,
    scrub: Option<ScrubTask>,
    repeats: Repeats,
    draining: Draining,
    database: Database,
    certificate: Option<Certificate>,
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
        let http = http_settings(settings)?;
        let load = Data::new(Load::at_most(settings.max_in_flight));
        let draining = Draining::default();
        let metrics = Metrics::new(stores.database.clone());
        let scope = RequestScope::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        let scope = scope.observed_by(Arc::clone(&metrics.requests) as Arc<_>);
        let mut services = stores.services(settings, &metrics)?;
        let (scrub, scrub_status) = stores.scrub(settings, &metrics).unzip();
        services.probes.extend(scrub_status.map(|status| Arc::new(status) as Arc<dyn ReadinessProbe>));
        let (repeats, services) = (services.repeats.clone(), Data::new(services));
        let delivery = stores.delivery(settings, &metrics)?;
        let (http, drain) = (Data::new(http), Data::new(draining.clone()));
        let (threads, database) = (worker_threads(settings.workers, &stores.database), stores.database.clone());
        let server = HttpServer::new(move || {
            if threads == 1 {
                database.answer_on_this_thread_alone();
            }
            App::new()
                .app_data(services.clone())
                .app_data(http.clone())
                .app_data(drain.clone())
                .app_data(load.clone())
                .wrap(from_fn(shed_load))
                .wrap(scope.clone())
                .configure(routes)
        });
        let server = server
            .workers(threads)
            .disable_signals()
            .shutdown_timeout(settings.shutdown_timeout.as_secs())
            .client_request_timeout(settings.timeouts.header)
            .keep_alive(KeepAlive::Timeout(settings.timeouts.idle));
        tls::install_provider();
        let certificate = settings.tls.as_ref().map(Certificate::read).transpose()?;
        let bound = match &certificate {
            Some(certificate) => server.bind_rustls_0_23(settings.listen, certificate.server_config()?),
            None => server.bind(settings.listen),
        };
        let server = bound.map_err(|error| unusable_address("listen", settings.listen, &error))?;
        let address = server.addrs().first().copied().unwrap_or(settings.listen);
        let metrics = listen_for_metrics(settings, &metrics)?;
        let database = stores.database;
        Ok(Self { server: server.run(), address, metrics, delivery, scrub, repeats, draining, database, certificate })
    }

    /// The address that is listened on, with the port that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that metrics are read from, where they can be.
    #[must_use]
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(MetricsListener::address)
    }

    /// The certificate that it shows, where it speaks TLS.
    pub(crate) fn certificate(&self) -> Option<Certificate> {
        self.certificate.clone()
    }

    /// A handle to stop it by.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { server: self.server.handle(), draining: self.draining.clone() }
    }

    /// Serves until it is stopped, lets deliveries under way end, then closes the database.
    ///
    /// # Errors
    /// Where the server ends by itself, or the database does not close in order.
    pub async fn run(self) -> anyhow::Result<()> {
        let (stop, stopped) = watch::channel(false);
        let delivery = self.delivery.map(|task| actix_web::rt::spawn(task.run(stopped)));
        let metrics = self.metrics.map(|listener| (listener.handle(), actix_web::rt::spawn(listener.run())));
        let forgetting = actix_web::rt::spawn(forget_receipts(self.repeats));
        let scrub = self.scrub.map(|task| actix_web::rt::spawn(task.run()));
        let served = self.server.await.context("the server failed");
        forgetting.abort();
        if let Some(scrub) = scrub {
            scrub.abort();
        }
        // Where nothing is delivered there is nobody to hear it.
        let _ = stop.send(true);
        if let Some(delivery) = delivery {
            delivery.await.context("the task that delivers vocabularies failed")?;
        }
        if let Some((handle, listener)) = metrics {
            handle.stop(false).await;
            listener.await.context("the listener of metrics failed")?;
        }
        served?;
        self.database.close().await.context("the database did not close in order")
    }
}

fn http_settings(settings: &Settings) -> anyhow::Result<HttpSettings> {
    let http = HttpSettings::new(&settings.header_prefix, settings.max_body_bytes).context("header_prefix")?;
    let patience = Patience { body: settings.timeouts.body, request: settings.timeouts.request };
    Ok(http
        .with_vocabulary_page_size(settings.vocabulary_page_size)
        .with_quota(settings.rate_limit)
        .with_patience(patience)
        .with_trusted_proxies(settings.trusted_proxies))
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

fn listen_for_metrics(settings: &Settings, metrics: &Metrics) -> anyhow::Result<Option<MetricsListener>> {
    let Some(listen) = settings.metrics_listen else { return Ok(None) };
    let listener = MetricsListener::bind(listen, metrics);
    listener.map(Some).map_err(|error| unusable_address("metrics_listen", listen, &error))
}

fn unusable_address(setting: &str, address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    if error.kind() == std::io::ErrorKind::AddrInUse {
        let flag = setting.replace('_', "-");
        return anyhow!(
            "{setting}: {address} is in use by another program: stop that, or choose another with --{flag}"
        );
    }
    anyhow!("{setting}: {address} cannot be listened on: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(wished: Option<usize>, processors: usize, beside_server: bool) -> usize {
        let number = |number| NonZeroUsize::new(number).unwrap();
        threads_for(wished.map(number), number(processors), beside_server).get()
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
