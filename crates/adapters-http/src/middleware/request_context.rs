//! Middleware around every request: the request id, the bodies of errors, the access log, and panics as errors.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready},
    http::{StatusCode, header::HeaderValue},
    web::Bytes,
};
use futures_util::{FutureExt, future::LocalBoxFuture};
use parlance_domain::{
    id::{Id, IdSource},
    time::Clock,
};
use tracing::{Instrument, Span};

use crate::{
    errors::{
        api_error::{ApiError, ErrorExtension},
        envelope::ErrorBody,
    },
    middleware::{
        access_log::{AccessLogEntry, method_name},
        compression::compress,
        concurrency_limit::attach_output_permit,
        request_id::{REQUEST_ID_HEADER, RequestId},
        request_observer::RequestObserver,
        request_tracer::{RequestTracer, TracedRequest},
        trace_parent::TraceParent,
    },
};

/// The name of the span that the log has for a request.
pub const REQUEST_SPAN: &str = "http.request";

/// The middleware around the whole interface.
#[derive(Clone)]
pub struct RequestScope {
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
    observer: Option<Arc<dyn RequestObserver>>,
    tracer: Option<Arc<dyn RequestTracer>>,
}

impl RequestScope {
    /// Middleware that generates request ids from `ids`.
    #[must_use]
    pub fn new(ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { ids, clock, observer: None, tracer: None }
    }

    fn new_id(&self) -> RequestId {
        RequestId::new(Id::<()>::from_bits(self.ids.next(self.clock.now())).as_str())
    }

    /// Sets the observer of responses.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn RequestObserver>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Sets the tracer of requests; `None` for no traces.
    #[must_use]
    pub fn with_tracer(self, tracer: Option<Arc<dyn RequestTracer>>) -> Self {
        Self { tracer, ..self }
    }

    fn begin_trace(&self, request: &ServiceRequest, id: &RequestId) -> Option<RequestTrace> {
        let tracer = self.tracer.as_ref()?;
        let request = tracer.begin(TraceParent::from_headers(request.headers()), id.as_str())?;
        Some(RequestTrace { tracer: Arc::clone(tracer), request })
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

/// The trace of a request.
struct RequestTrace {
    tracer: Arc<dyn RequestTracer>,
    request: TracedRequest,
}

impl RequestTrace {
    fn end(&self, method: &'static str, route: Option<&str>, status: StatusCode) {
        self.tracer.end(&self.request, method, route, status.as_u16());
    }
}

/// A service inside a [`RequestScope`].
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
        let id = RequestId::from_headers(request.headers()).unwrap_or_else(|| self.scope.new_id());
        request.extensions_mut().insert(id.clone());
        let method = method_name(request.method());
        let observer = self.scope.observer.clone();
        let trace = self.scope.begin_trace(&request, &id);
        let traced = trace.as_ref().map_or_else(Span::none, |trace| trace.request.span.clone());
        let span = traced.in_scope(|| tracing::debug_span!(REQUEST_SPAN, request_id = id.as_str()));
        let service = self.service.call(request).instrument(span).instrument(traced);
        let outcome = AssertUnwindSafe(service).catch_unwind();
        async move {
            let trace_id = trace.as_ref().map(|trace| trace.request.trace_id.as_str());
            let line = AccessLogEntry::new(&id, trace_id, method, started);
            match outcome.await.unwrap_or_else(|_| Err(ApiError::InternalError.into())) {
                Ok(response) => {
                    let (request, response) = response.map_into_boxed_body().into_parts();
                    let route = request.match_pattern();
                    let response = finish_response(&request, route.as_deref(), response, &id).await;
                    let response = strip_body_for_head(method, response);
                    line.write(Some(&request), route.as_deref(), &response, observer.as_deref());
                    if let Some(trace) = &trace {
                        trace.end(method, route.as_deref(), response.status());
                    }
                    Ok(ServiceResponse::new(request, response))
                }
                Err(mut error) => {
                    let response = error.error_response();
                    line.write(None, None, &response, observer.as_deref());
                    if let Some(trace) = &trace {
                        trace.end(method, None, response.status());
                    }
                    error.add_response_mapper(move |response| complete_response(response, &id));
                    Err(error)
                }
            }
        }
        .boxed_local()
    }
}

/// Adds the request id and the body of an error, and compresses the body. Refuses a response if too many of them wait for
/// their readers already.
async fn finish_response(
    request: &HttpRequest,
    route: Option<&str>,
    response: HttpResponse,
    id: &RequestId,
) -> HttpResponse {
    let response = compress(request, route, complete_response(response, id)).await;
    let permitted = attach_output_permit(request, response);
    permitted.unwrap_or_else(|refusal| complete_response(HttpResponse::from_error(refusal), id))
}

/// Replaces the body of a response to `HEAD` by an empty body of the same size. The headers, including the length, are
/// those of the response to `GET`.
fn strip_body_for_head(method: &str, response: HttpResponse) -> HttpResponse {
    if method == "HEAD" { response.map_body(|_, body| BoxBody::new(SizeOnlyBody(body.size()))) } else { response }
}

/// A body that reports a size and yields no bytes.
struct SizeOnlyBody(BodySize);

impl MessageBody for SizeOnlyBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}

/// Adds the request id header, and the body if the response is an error.
fn complete_response(mut response: HttpResponse, id: &RequestId) -> HttpResponse {
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        response.headers_mut().insert(REQUEST_ID_HEADER, value);
    }
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let details =
        response.extensions().get::<ErrorExtension>().map(|extension| extension.details.clone()).unwrap_or_default();
    let text = ErrorBody::json(status, id.as_str(), details);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(actix_web::http::header::CONTENT_TYPE, json);
    response.set_body(BoxBody::new(text))
}
