//! The server around the services: what it listens on, how long it waits, and how it stops.

use std::{net::SocketAddr, sync::Arc};

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

use crate::{
    service::Stores,
    settings::Settings,
    tls::{self, Certificate},
};

/// The server, bound to its address and ready to run.
pub struct Service {
    server: Server,
    address: SocketAddr,
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
        let scope = RequestScope::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        let services = Data::new(stores.services(settings)?);
        let (http, drain) = (Data::new(http), Data::new(draining.clone()));
        let server = HttpServer::new(move || {
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
        let server = bound.map_err(|error| unusable_address(settings.listen, &error))?;
        let address = server.addrs().first().copied().unwrap_or(settings.listen);
        Ok(Self { server: server.run(), address, draining, database: stores.database, certificate })
    }

    /// The address that is listened on, with the port that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
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

    /// Serves until it is stopped, then closes the database.
    ///
    /// # Errors
    /// Where the server ends by itself, or the database does not close in order.
    pub async fn run(self) -> anyhow::Result<()> {
        self.server.await.context("the server failed")?;
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

fn unusable_address(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    if error.kind() == std::io::ErrorKind::AddrInUse {
        return anyhow!("listen: {address} is in use by another program: stop that, or choose another with --listen");
    }
    anyhow!("listen: {address} cannot be listened on: {error}")
}
