//! Cross-origin requests: which pages of other origins may read answers (the Fetch standard, "CORS protocol").

use actix_web::{
    Error, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderMap, HeaderValue},
    },
    middleware::Next,
    web::Data,
};

use crate::{HttpSettings, errors::api_error::ApiError};

/// The methods that a page may use.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";

/// The headers that a page may send, besides those of the credential.
const REQUEST_HEADERS: &str = "content-type, idempotency-key, last-event-id, x-request-id, traceparent";

/// The headers that a page may read.
const RESPONSE_HEADERS: &str = "x-request-id, retry-after, ratelimit, ratelimit-policy, idempotency-replayed, etag";

/// Seconds for which a browser may keep the answer to a preflight request.
const MAX_AGE_SECONDS: &str = "600";

/// Middleware that lets pages of the configured origins read answers, and answers their preflight requests. A page of
/// another origin gets the same answers as before, which its browser withholds.
pub async fn allow_origins(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let settings = request.app_data::<Data<HttpSettings>>().cloned().ok_or(ApiError::InternalError)?;
    let origin = request.headers().get(header::ORIGIN).filter(|origin| settings.allows_origin(origin)).cloned();
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match &origin {
        Some(_) if is_preflight => request.into_response(preflight_response(&settings)),
        _ => next.call(request).await?.map_into_boxed_body(),
    };
    set_headers(response.headers_mut(), origin);
    Ok(response)
}

fn preflight_response(settings: &HttpSettings) -> HttpResponse {
    let headers = format!("{}, {}, {REQUEST_HEADERS}", settings.id_header(), settings.secret_header());
    HttpResponse::NoContent()
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, METHODS))
        .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, headers))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS))
        .finish()
}

/// The answer depends on the origin, whether it is allowed or not.
fn set_headers(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(RESPONSE_HEADERS));
    }
}
