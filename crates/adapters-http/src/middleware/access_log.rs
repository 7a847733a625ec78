//! The access log: one line for each request.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::{Method, StatusCode},
    web::Data,
};
use tracing::field::display;

use crate::{
    HttpSettings, RequestObserver,
    errors::api_error::ErrorExtension,
    middleware::{
        authentication::{AuthenticatedCaller, client_address},
        request_id::RequestId,
        trace_parent::TraceParent,
    },
};

/// Logs the response to one request and reports it to the observer. Of the caller's input, the log line contains only
/// the request id and the trace id, both of a fixed form: no text, no path, no query.
pub(crate) struct AccessLogEntry<'scope> {
    id: &'scope RequestId,
    /// The trace of the request, if it is traced.
    trace_id: Option<&'scope str>,
    method: &'static str,
    started: Instant,
}

impl<'scope> AccessLogEntry<'scope> {
    pub(crate) fn new(
        id: &'scope RequestId,
        trace_id: Option<&'scope str>,
        method: &'static str,
        started: Instant,
    ) -> Self {
        Self { id, trace_id, method, started }
    }

    /// Logs the response and reports it to the observer. `request` is `None` if the service returned an error instead.
    pub(crate) fn write(
        &self,
        request: Option<&HttpRequest>,
        route: Option<&str>,
        response: &HttpResponse,
        observer: Option<&dyn RequestObserver>,
    ) {
        let duration = self.started.elapsed();
        self.log(request, route.unwrap_or("-"), response, duration);
        if let Some(observer) = observer {
            observer.on_response(self.method, route, response.status().as_u16(), duration);
        }
    }

    fn log(&self, request: Option<&HttpRequest>, route: &str, response: &HttpResponse, duration: Duration) {
        let Self { id, method, .. } = self;
        let request_id = id.as_str();
        let parent = || Some(TraceParent::from_headers(request?.headers())?.trace_id);
        let trace_id = self.trace_id.or_else(parent);
        let extensions = request.map(HttpRequest::extensions);
        let extensions = extensions.as_deref();
        let authenticated = extensions.and_then(|extensions| extensions.get::<AuthenticatedCaller>());
        let tenant = authenticated.map_or("-", |authenticated| authenticated.caller.tenant_name());
        let api_id = authenticated.map_or("-", |authenticated| authenticated.api_id.as_str());
        let client_address = request.and_then(logged_address).map(display);
        let duration_ms = (duration.as_secs_f64() * 1e6).round() / 1e3;
        let status = response.status().as_u16();
        macro_rules! log {
            ($level:ident, $message:literal $(, $cause:ident)?) => {
                tracing::$level!(
                    request_id, trace_id, tenant, api_id, client_address, method, route, status, duration_ms,
                    $($cause,)? $message
                )
            };
        }
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            let cause = error_cause(response);
            log!(warn, "request not served", cause);
        } else if response.status().is_server_error() {
            let cause = error_cause(response);
            log!(error, "request failed", cause);
        } else if route.starts_with("/health/") {
            log!(debug, "request");
        } else {
            log!(info, "request");
        }
    }
}

/// The client address, if the settings allow it in the log.
fn logged_address(request: &HttpRequest) -> Option<IpAddr> {
    let settings = request.app_data::<Data<HttpSettings>>().filter(|settings| settings.logs_client_address())?;
    client_address(request, settings)
}

fn error_cause(response: &HttpResponse) -> String {
    let extensions = response.extensions();
    extensions.get::<ErrorExtension>().and_then(|extension| extension.cause.clone()).unwrap_or_default()
}

/// The name of a standard HTTP method, else `other`: any other name is caller input.
pub(crate) fn method_name(method: &Method) -> &'static str {
    const STANDARD_METHODS: [&str; 9] =
        ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
    STANDARD_METHODS.into_iter().find(|name| *name == method.as_str()).unwrap_or("other")
}
