//! The listener that serves metrics. Its address is not that of the interface, so that it can be hidden from callers.

use std::net::SocketAddr;

use actix_web::{
    App, HttpRequest, HttpResponse,
    http::header,
    middleware::from_fn,
    web::{self, Data},
};
use parlance_adapters_http::connection_scope;

use super::{Metrics, prometheus_text};
use crate::listener::{Listener, ListenerOptions};

/// The media type of the `OpenMetrics` text format, version 1.0.0.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The media type of the text format of Prometheus, version 0.0.4.
const PLAIN_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

impl Metrics {
    /// Listens on this address and answers `GET /metrics` only.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub(crate) fn listen(
        &self,
        setting: &str,
        address: SocketAddr,
        options: ListenerOptions,
    ) -> anyhow::Result<Listener> {
        let metrics = Data::new(self.clone());
        Listener::bind(setting, address, options, move || {
            let app = App::new().app_data(metrics.clone()).wrap(from_fn(connection_scope));
            app.route("/metrics", web::get().to(metrics_response))
        })
    }
}

/// Answers in the `OpenMetrics` format if the `Accept` header names it, as that of Prometheus does, else in plain text.
async fn metrics_response(request: HttpRequest, metrics: Data<Metrics>) -> HttpResponse {
    let mut accept = request.headers().get_all(header::ACCEPT).filter_map(|value| value.to_str().ok());
    let open_metrics = metrics.text();
    let (media_type, text) = if accept.any(|value| value.contains("application/openmetrics-text")) {
        (OPEN_METRICS, open_metrics)
    } else {
        (PLAIN_TEXT, prometheus_text::from_open_metrics(&open_metrics))
    };
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, media_type)).body(text)
}
