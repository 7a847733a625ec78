//! The listener that metrics are read from: apart from the interface, so that it can be kept from its callers.

use std::net::SocketAddr;

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    http::header,
    web::{self, Data},
};

use super::Metrics;

/// The media type of the `OpenMetrics` text format, version 1.0.0.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers `GET /metrics`, and nothing else.
pub(crate) struct MetricsListener {
    server: Server,
    address: SocketAddr,
}

impl MetricsListener {
    /// Listens on this address.
    ///
    /// # Errors
    /// Where the address cannot be listened on.
    pub(crate) fn bind(address: SocketAddr, metrics: &Metrics) -> std::io::Result<Self> {
        let metrics = Data::new(metrics.clone());
        let server =
            HttpServer::new(move || App::new().app_data(metrics.clone()).route("/metrics", web::get().to(read)));
        let server = server.workers(1).disable_signals().shutdown_timeout(1).bind(address)?;
        let address = server.addrs().first().copied().unwrap_or(address);
        Ok(Self { server: server.run(), address })
    }

    /// The address that is listened on, with the port that was taken.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle to stop it by.
    pub(crate) fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Answers until it is stopped.
    pub(crate) async fn run(self) {
        if let Err(error) = self.server.await {
            tracing::error!(%error, "metrics can no longer be read");
        }
    }
}

async fn read(metrics: Data<Metrics>) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, OPEN_METRICS)).body(metrics.text())
}
