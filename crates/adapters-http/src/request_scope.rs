//! What goes around every request: its identifier, the body of every error, its line of log, and a net for panics.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use actix_web::{
    Error, HttpMessage, HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready},
    http::header::HeaderValue,
    web::Bytes,
};
use futures_util::{FutureExt, future::LocalBoxFuture};
use parlance_domain::{
    id::{Id, IdSource},
    time::Clock,
};

use crate::{
    access_line::{AccessLine, known},
    compression::compress,
    load::count_output,
    problem::{ApiError, ErrorBody, Problem},
    request_identity::{REQUEST_ID_HEADER, RequestId},
};

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

    fn new_id(&self) -> RequestId {
        RequestId::new(Id::<()>::from_bits(self.ids.next(self.clock.now())).as_str())
    }

    /// The same, with this observer.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn RequestObserver>) -> Self {
        Self { observer: Some(observer), ..self }
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
        let id = RequestId::given(request.headers()).unwrap_or_else(|| self.scope.new_id());
        request.extensions_mut().insert(id.clone());
        let method = known(request.method());
        let observer = self.scope.observer.clone();
        let answered = AssertUnwindSafe(self.service.call(request)).catch_unwind();
        async move {
            let line = AccessLine::new(&id, method, started);
            match answered.await.unwrap_or_else(|_| Err(ApiError::Defect.into())) {
                Ok(response) => {
                    let response = response.map_into_boxed_body();
                    let (request, response) = response.into_parts();
                    let route = request.match_pattern();
                    let response = compress(&request, route.as_deref(), finish(response, &id)).await;
                    let counted = count_output(&request, response);
                    let response = counted.unwrap_or_else(|refusal| finish(HttpResponse::from_error(refusal), &id));
                    let response = without_body(method, response);
                    line.write(Some(&request), route.as_deref(), &response, observer.as_deref());
                    Ok(ServiceResponse::new(request, response))
                }
                Err(mut error) => {
                    line.write(None, None, &error.error_response(), observer.as_deref());
                    error.add_response_mapper(move |response| finish(response, &id));
                    Err(error)
                }
            }
        }
        .boxed_local()
    }
}

/// The answer to a `HEAD` has the headers of that to a `GET`, its length among them, and no body: what the body would be
/// is not made.
fn without_body(method: &str, response: HttpResponse) -> HttpResponse {
    if method == "HEAD" { response.map_body(|_, body| BoxBody::new(NoBody(body.size()))) } else { response }
}

/// The size of a body without the body.
struct NoBody(BodySize);

impl MessageBody for NoBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
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
    let text = ErrorBody::text(status, id.as_str(), details);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(actix_web::http::header::CONTENT_TYPE, json);
    response.set_body(BoxBody::new(text))
}
