//! The listener that metrics are read from: apart from the interface, so that it can be kept from its callers.

use std::net::SocketAddr;

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    http::header,
    web::{self, Data},
};

use super::{Metrics, plain_text};

/// The media type of the `OpenMetrics` text format, version 1.0.0.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The media type of the text format of Prometheus, version 0.0.4.
const PLAIN_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

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

/// In the format that the reader asks for: `OpenMetrics` where its header `Accept` names it, as that of Prometheus does.
async fn read(request: HttpRequest, metrics: Data<Metrics>) -> HttpResponse {
    let mut accepted = request.headers().get_all(header::ACCEPT).filter_map(|value| value.to_str().ok());
    let open_metrics = metrics.text();
    let (media_type, text) = if accepted.any(|value| value.contains("application/openmetrics-text")) {
        (OPEN_METRICS, open_metrics)
    } else {
        (PLAIN_TEXT, plain_text::of_open_metrics(&open_metrics))
    };
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, media_type)).body(text)
}
