//! The listener that metrics are read from: apart from the interface, so that it can be kept from its callers.

use std::net::SocketAddr;

use actix_web::{
    App, HttpResponse,
    http::header,
    middleware::from_fn,
    web::{self, Data},
};
use parlance_adapters_http::connection_scope;

use super::Metrics;
use crate::listener::{Listener, ListenerOptions};

/// The media type of the `OpenMetrics` text format, version 1.0.0.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

impl Metrics {
    /// Listens on this address, and answers `GET /metrics` and nothing else.
    ///
    /// # Errors
    /// Where the address cannot be listened on.
    pub(crate) fn listen(
        &self,
        setting: &str,
        address: SocketAddr,
        options: ListenerOptions,
    ) -> anyhow::Result<Listener> {
        let metrics = Data::new(self.clone());
        Listener::bind(setting, address, options, move || {
            let app = App::new().app_data(metrics.clone()).wrap(from_fn(connection_scope));
            app.route("/metrics", web::get().to(read))
        })
    }
}

async fn read(metrics: Data<Metrics>) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, OPEN_METRICS)).body(metrics.text())
}
