//! What goes around every request: its identifier, the body of every error, the one line of log, and a net for panics.

use std::{
    future::{Ready, ready},
    panic::AssertUnwindSafe,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready},
    http::{
        Method, StatusCode,
        header::{HeaderName, HeaderValue},
    },
};
use futures_util::{FutureExt, future::LocalBoxFuture};
use parlance_domain::{
    access::Caller,
    id::{Id, IdSource},
    time::Clock,
};

use crate::problem::{ApiError, ErrorBody, ErrorContent, Problem, message};

const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The middleware that goes around all of the interface.
#[derive(Clone)]
pub struct RequestScope {
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
    observer: Option<Arc<dyn RequestObserver>>,
}

/// Is told of every request that was answered, such as to count it.
pub trait RequestObserver: Send + Sync {
    /// A request was answered: its method, or `other` where HTTP knows none of that name; the pattern of its path, where
    /// the server knows it; the status of the answer; and how long it took until the body was about to be sent. MUST NOT
    /// wait for anything.
    fn answered(&self, method: &'static str, route: Option<&str>, status: u16, took: Duration);
}

impl RequestScope {
    /// Takes the identifiers of requests from this source.
    #[must_use]
    pub fn new(ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { ids, clock, observer: None }
    }

    /// The same, with this observer.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn RequestObserver>) -> Self {
        Self { observer: Some(observer), ..self }
    }
}

/// The identifier of the request at hand: travels in the request's extensions.
#[derive(Clone)]
pub(crate) struct RequestId(Rc<str>);

impl RequestId {
    /// The identifier of this request.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_else(|| Self("-".into()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<S, B> Transform<S, ServiceRequest> for RequestScope
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Transform = ScopedService<S>;
    type InitError = ();
    type Future = Ready<Result<Self::Transform, Self::InitError>>;

    fn new_transform(&self, service: S) -> Self::Future {
        ready(Ok(ScopedService { service, scope: self.clone() }))
    }
}

/// The service with the scope around it.
pub struct ScopedService<S> {
    service: S,
    scope: RequestScope,
}

impl<S, B> Service<ServiceRequest> for ScopedService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self::Response, Self::Error>>;

    forward_ready!(service);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        let started = Instant::now();
        let at = self.scope.clock.now();
        let id = RequestId(Id::<()>::from_bits(self.scope.ids.next(at)).as_str().into());
        request.extensions_mut().insert(id.clone());
        let method = known(request.method());
        let observer = self.scope.observer.clone();
        let answered = AssertUnwindSafe(self.service.call(request)).catch_unwind();
        async move {
            match answered.await.unwrap_or_else(|_| Err(ApiError::Defect.into())) {
                Ok(response) => {
                    let response = response.map_into_boxed_body();
                    let (request, response) = response.into_parts();
                    let tenant = request.extensions().get::<Caller>().map(|caller| caller.tenant_name().to_owned());
                    let route = request.match_pattern();
                    let response = finish(response, &id);
                    let line = Line { id: &id, method, started };
                    line.write(tenant.as_deref(), route.as_deref(), &response);
                    line.tell(observer.as_deref(), route.as_deref(), &response);
                    Ok(ServiceResponse::new(request, response))
                }
                Err(mut error) => {
                    let line = Line { id: &id, method, started };
                    let response = error.error_response();
                    line.write(None, None, &response);
                    line.tell(observer.as_deref(), None, &response);
                    error.add_response_mapper(move |response| finish(response, &id));
                    Err(error)
                }
            }
        }
        .boxed_local()
    }
}

/// Adds the request's identifier, and to an error its body.
fn finish(mut response: HttpResponse, id: &RequestId) -> HttpResponse {
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        response.headers_mut().insert(REQUEST_ID_HEADER, value);
    }
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let details = response.extensions().get::<Problem>().map(|problem| problem.details.clone()).unwrap_or_default();
    let code = format!("{}-01", status.as_u16());
    let request_id = id.as_str().to_owned();
    let body = ErrorBody { error: ErrorContent { request_id, message: message(status), code, details } };
    let text = serde_json::to_string(&body).unwrap_or_default();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(actix_web::http::header::CONTENT_TYPE, json);
    response.set_body(BoxBody::new(text))
}

/// The method's name, where it is one that HTTP knows: any other is the caller's own word.
fn known(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
    KNOWN.into_iter().find(|name| *name == method.as_str()).unwrap_or("other")
}

/// What is logged of every request. Nothing that the caller chose: no text, no identifier, no query.
struct Line<'scope> {
    id: &'scope RequestId,
    method: &'static str,
    started: Instant,
}

impl Line<'_> {
    fn tell(&self, observer: Option<&dyn RequestObserver>, route: Option<&str>, response: &HttpResponse) {
        if let Some(observer) = observer {
            observer.answered(self.method, route, response.status().as_u16(), self.started.elapsed());
        }
    }

    fn write(&self, tenant: Option<&str>, route: Option<&str>, response: &HttpResponse) {
        let Self { id, method, started } = self;
        let (request_id, status) = (id.as_str(), response.status());
        let duration_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        let (tenant, route) = (tenant.unwrap_or("-"), route.unwrap_or("-"));
        let code = status.as_u16();
        if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
            let cause = cause_of(response);
            tracing::error!(request_id, tenant, method, route, status = code, duration_ms, cause, "request failed");
        } else if status.is_server_error() {
            let cause = cause_of(response);
            tracing::warn!(request_id, tenant, method, route, status = code, duration_ms, cause, "request not served");
        } else if route.starts_with("/health/") {
            tracing::debug!(request_id, tenant, method, route, status = code, duration_ms, "request");
        } else {
            tracing::info!(request_id, tenant, method, route, status = code, duration_ms, "request");
        }
    }
}

fn cause_of(response: &HttpResponse) -> String {
    let extensions = response.extensions();
    extensions.get::<Problem>().and_then(|problem| problem.cause.clone()).unwrap_or_default()
}
