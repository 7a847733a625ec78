//! The listener that metrics are read from: apart from the interface, so that it can be kept from its callers.

use std::net::SocketAddr;

use actix_web::{
    App, HttpRequest, HttpResponse,
    http::header,
    middleware::from_fn,
    web::{self, Data},
};
use parlance_adapters_http::connection_scope;

use super::{Metrics, plain_text};
use crate::listener::{Listener, ListenerOptions};

/// The media type of the `OpenMetrics` text format, version 1.0.0.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The media type of the text format of Prometheus, version 0.0.4.
const PLAIN_TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

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
