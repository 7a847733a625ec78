//! The one line of log of each request.

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
    authentication::{Authenticated, client_address},
    problem::Problem,
    request_identity::{RequestId, trace_id},
};

/// What is logged and counted of a request. Of what the caller chose it holds only a request id and a trace id of a fixed
/// form: no text, no path, no query.
pub(crate) struct AccessLine<'scope> {
    id: &'scope RequestId,
    method: &'static str,
    started: Instant,
}

impl<'scope> AccessLine<'scope> {
    pub(crate) fn new(id: &'scope RequestId, method: &'static str, started: Instant) -> Self {
        Self { id, method, started }
    }

    /// Logs and counts the answer to a request; to one that is lost, without what is known of it.
    pub(crate) fn write(
        &self,
        request: Option<&HttpRequest>,
        route: Option<&str>,
        response: &HttpResponse,
        observer: Option<&dyn RequestObserver>,
    ) {
        let took = self.started.elapsed();
        self.log(request, route.unwrap_or("-"), response, took);
        if let Some(observer) = observer {
            observer.answered(self.method, route, response.status().as_u16(), took);
        }
    }

    fn log(&self, request: Option<&HttpRequest>, route: &str, response: &HttpResponse, took: Duration) {
        let Self { id, method, .. } = self;
        let request_id = id.as_str();
        let trace_id = request.and_then(|request| trace_id(request.headers()));
        let extensions = request.map(HttpRequest::extensions);
        let extensions = extensions.as_deref();
        let sender = extensions.and_then(|known| known.get::<Authenticated>());
        let tenant = sender.map_or("-", |sender| sender.caller.tenant_name());
        let api_id = sender.map_or("-", |sender| sender.id.as_str());
        let client_address = request.and_then(logged_address).map(display);
        let duration_ms = (took.as_secs_f64() * 1e6).round() / 1e3;
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
            let cause = cause_of(response);
            log!(warn, "request not served", cause);
        } else if response.status().is_server_error() {
            let cause = cause_of(response);
            log!(error, "request failed", cause);
        } else if route.starts_with("/health/") {
            log!(debug, "request");
        } else {
            log!(info, "request");
        }
    }
}

/// The address of the client, where it may be logged.
fn logged_address(request: &HttpRequest) -> Option<IpAddr> {
    let settings = request.app_data::<Data<HttpSettings>>().filter(|settings| settings.logs_client_address())?;
    client_address(request, settings)
}

fn cause_of(response: &HttpResponse) -> String {
    let extensions = response.extensions();
    extensions.get::<Problem>().and_then(|problem| problem.cause.clone()).unwrap_or_default()
}

/// The method's name, where it is one that HTTP knows: any other is the caller's own word.
pub(crate) fn known(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
    KNOWN.into_iter().find(|name| *name == method.as_str()).unwrap_or("other")
}
