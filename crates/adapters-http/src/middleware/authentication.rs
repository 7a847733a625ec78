//! Authentication by the two credential headers, and the rate limit.

use std::net::IpAddr;

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
    web::Data,
};
use parlance_domain::access::{ApiId, ApiSecret, AuthenticationError, Caller, Quota, RateDecision};
use tracing::Instrument;

use crate::{
    HttpSettings, Services,
    connection::ConnectionHandle,
    errors::{
        api_error::{ApiError, RefusalKind, ceil_seconds},
        envelope::Detail,
    },
    middleware::{
        change_hint::hint_after,
        deadline::{Deadline, DeadlineExceeded},
        singleton_headers,
    },
};

/// The caller of a request, stored in the extensions of the request.
pub(crate) struct AuthenticatedCaller {
    pub(crate) caller: Caller,
    /// The id of the credential.
    pub(crate) api_id: ApiId,
}

/// Middleware that passes a request on if its credential is valid and within its rate limit. Stores the caller in the
/// extensions of the request, and ends the request at its deadline.
pub(crate) async fn authenticate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let settings = request.app_data::<Data<HttpSettings>>().cloned().ok_or(ApiError::InternalError)?;
    if let Err(refusal) = singleton_headers::check(request.headers(), &settings) {
        return Ok(refusal.into_service_response(request));
    }
    let deadline = Deadline::within(settings.timeouts().request);
    let decision = match deadline
        .run(check_credential_and_rate(&request).instrument(tracing::debug_span!("http.authentication")))
        .await
        .unwrap_or_else(|DeadlineExceeded| Err(deadline_exceeded()))
    {
        Ok(decision) => decision,
        Err(refusal) => return Ok(refusal.into_service_response(request)),
    };
    let mut response = match decision {
        RateDecision::Limited { retry_after } => {
            ApiError::Limited(retry_after, Vec::new()).into_service_response(request)
        }
        RateDecision::Allowed { .. } => call_with_deadline(request, next, deadline).await?,
    };
    set_rate_limit_headers(response.headers_mut(), settings.quota(), decision);
    Ok(response)
}

async fn call_with_deadline(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    deadline: Deadline,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let http_request = request.request().clone();
    request.extensions_mut().insert(deadline.clone());
    match deadline.run(next.call(request)).await {
        Ok(answer) => {
            let response = answer?.map_into_boxed_body();
            hint_after(&http_request, response.status());
            Ok(response)
        }
        Err(DeadlineExceeded) => Ok(ServiceResponse::new(http_request, HttpResponse::from_error(deadline_exceeded()))),
    }
}

fn too_many_connections() -> ApiError {
    let message = "the credential has reached its connection limit: reuse a connection for several requests";
    ApiError::Refused(RefusalKind::TooManyConcurrent, vec![Detail::new("", "max_connections", message)])
}

fn deadline_exceeded() -> ApiError {
    ApiError::refused(RefusalKind::DeadlineExceeded)
}

/// Reports the quota of the credential and its remaining requests (draft-ietf-httpapi-ratelimit-headers).
fn set_rate_limit_headers(headers: &mut HeaderMap, quota: Quota, decision: RateDecision) {
    let burst = quota.burst.get();
    let (remaining, reset) = match decision {
        RateDecision::Allowed { remaining } => (remaining, quota.refill_time(burst.saturating_sub(remaining))),
        RateDecision::Limited { retry_after } => (0, retry_after),
    };
    let policy = format!("\"credential\";q={burst};w={}", ceil_seconds(quota.refill_time(burst)).max(1));
    let rate = format!("\"credential\";r={remaining};t={}", ceil_seconds(reset));
    for (name, value) in [("ratelimit-policy", policy), ("ratelimit", rate)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

async fn check_credential_and_rate(request: &ServiceRequest) -> Result<RateDecision, ApiError> {
    let services = request.app_data::<Data<Services>>().ok_or(ApiError::InternalError)?;
    let settings = request.app_data::<Data<HttpSettings>>().ok_or(ApiError::InternalError)?;
    let header_text = |name: &HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let id = header_text(settings.id_header()).and_then(|text| ApiId::parse(text).ok());
    let secret = header_text(settings.secret_header()).map(ApiSecret::new);
    let presented = id.as_ref().zip(secret.as_ref());
    let caller = services.authenticator.authenticate_from(presented, client_address(request.request(), settings)).await;
    let caller = caller.map_err(|error| authentication_error(error, settings))?;
    let id = id.ok_or(ApiError::InternalError)?;
    if ConnectionHandle::from_service_request(request).is_some_and(|connection| !connection.attribute(&id)) {
        return Err(too_many_connections());
    }
    let decision = services.rate_limiter.admit(&id).await;
    request.extensions_mut().insert(AuthenticatedCaller { caller, api_id: id });
    Ok(decision)
}

/// A 401 names both credential headers. Its details do not depend on the cause.
fn authentication_error(error: AuthenticationError, settings: &HttpSettings) -> ApiError {
    match error {
        AuthenticationError::Unauthenticated => {
            let headers = [settings.id_header(), settings.secret_header()];
            let message = "must be the id and secret of one valid credential";
            let detail = |name| Detail::new(format!("header:{name}"), "credential", message);
            ApiError::Refused(RefusalKind::Unauthenticated, headers.map(detail).into())
        }
        AuthenticationError::Throttled { retry_after } => {
            ApiError::Limited(retry_after, vec![Detail::new("", "failed_authentications", error.to_string())])
        }
        AuthenticationError::Store(error) => error.into(),
    }
}

/// The client address according to the trusted proxies: each of them appends the address of its client to
/// `X-Forwarded-For`.
pub(crate) fn client_address(request: &HttpRequest, settings: &HttpSettings) -> Option<IpAddr> {
    let peer = request.peer_addr().map(|peer| peer.ip());
    let Some(hops) = settings.trusted_proxies().checked_sub(1) else { return peer };
    let forwarded = request.headers().get_all(header::X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
    let addresses: Vec<_> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
    addresses.iter().rev().nth(hops).and_then(|address| address.parse().ok()).or(peer)
}
