//! Who calls: the two credential headers, the rate, and in a handler's signature the permission it needs.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
    net::IpAddr,
};

use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
    web::Data,
};
use parlance_domain::{
    access::{ApiId, ApiSecret, Caller, Pace, Permission, Quota},
    error,
};

use crate::{
    HttpSettings, Services,
    connection::ConnectionHandle,
    deadline::{Deadline, Missed},
    problem::{ApiError, Detail, RefusalKind, whole_seconds},
    singleton_headers,
};

/// Who sends a request: travels in the request's extensions.
pub(crate) struct Authenticated {
    pub(crate) caller: Caller,
    /// The identifier of the credential.
    pub(crate) id: ApiId,
}

/// Lets a request pass whose credential is right and within its rate, and keeps who sends it with the request.
pub(crate) async fn authenticate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let settings = request.app_data::<Data<HttpSettings>>().cloned().ok_or(ApiError::Defect)?;
    if let Err(refusal) = singleton_headers::check(request.headers(), &settings) {
        return Ok(refusal.answer(request));
    }
    let deadline = Deadline::within(settings.patience().request);
    let pace = match deadline.hold(admit(&request)).await.unwrap_or_else(|Missed| Err(too_slow())) {
        Ok(pace) => pace,
        Err(refusal) => return Ok(refusal.answer(request)),
    };
    let mut response = match pace {
        Pace::Wait { retry_after } => ApiError::from(error::Error::TooFast { retry_after }).answer(request),
        Pace::Go { .. } => answer_in_time(request, next, deadline).await?,
    };
    tell_rate(response.headers_mut(), settings.quota(), pace);
    Ok(response)
}

async fn answer_in_time(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    deadline: Deadline,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let kept = request.request().clone();
    request.extensions_mut().insert(deadline.clone());
    match deadline.hold(next.call(request)).await {
        Ok(answer) => answer.map(ServiceResponse::map_into_boxed_body),
        Err(Missed) => Ok(ServiceResponse::new(kept, HttpResponse::from_error(too_slow()))),
    }
}

fn too_many_connections() -> ApiError {
    let rule = "the credential has as many connections as it may have: use one for several requests";
    ApiError::Refused(RefusalKind::TooManyAtOnce, vec![Detail::new("", "max_connections", rule)])
}

fn too_slow() -> ApiError {
    ApiError::refused(RefusalKind::TooSlow)
}

/// Says how often the credential may call, and how much of that is left (draft-ietf-httpapi-ratelimit-headers).
fn tell_rate(headers: &mut HeaderMap, quota: Quota, pace: Pace) {
    let burst = quota.burst.get();
    let (remaining, reset) = match pace {
        Pace::Go { remaining } => (remaining, quota.refill(burst.saturating_sub(remaining))),
        Pace::Wait { retry_after } => (0, retry_after),
    };
    let policy = format!("\"credential\";q={burst};w={}", whole_seconds(quota.refill(burst)).max(1));
    let rate = format!("\"credential\";r={remaining};t={}", whole_seconds(reset));
    for (name, value) in [("ratelimit-policy", policy), ("ratelimit", rate)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

async fn admit(request: &ServiceRequest) -> Result<Pace, ApiError> {
    let services = request.app_data::<Data<Services>>().ok_or(ApiError::Defect)?;
    let settings = request.app_data::<Data<HttpSettings>>().ok_or(ApiError::Defect)?;
    let text = |name: &HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let id = text(settings.id_header()).and_then(|text| ApiId::parse(text).ok());
    let secret = text(settings.secret_header()).map(ApiSecret::new);
    let presented = id.as_ref().zip(secret.as_ref());
    let caller = services.gate.admit(presented, client_address(request.request(), settings)).await;
    let caller = caller.map_err(|error| name_headers(error, settings))?;
    let id = id.ok_or(ApiError::Defect)?;
    if ConnectionHandle::of_service(request).is_some_and(|connection| !connection.attribute(&id)) {
        return Err(too_many_connections());
    }
    let pace = services.limiter.admit(&id).await;
    request.extensions_mut().insert(Authenticated { caller, id });
    Ok(pace)
}

/// Says with a 401 which headers a credential consists of, whatever is wrong with it.
fn name_headers(error: error::Error, settings: &HttpSettings) -> ApiError {
    if !matches!(error, error::Error::Unauthenticated) {
        return error.into();
    }
    let headers = [settings.id_header(), settings.secret_header()];
    let message = "must be that of a credential, whose id and secret belong together";
    let detail = |name| Detail::new(format!("header:{name}"), "credential", message);
    ApiError::Refused(RefusalKind::Unauthenticated, headers.map(detail).into())
}

/// The address of the client, as the proxies that are trusted tell it: each adds its own client at the end.
pub(crate) fn client_address(request: &HttpRequest, settings: &HttpSettings) -> Option<IpAddr> {
    let peer = request.peer_addr().map(|peer| peer.ip());
    let Some(hops) = settings.trusted_proxies().checked_sub(1) else { return peer };
    let told = request.headers().get_all(header::X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
    let addresses: Vec<_> = told.flat_map(|value| value.split(',')).map(str::trim).collect();
    addresses.iter().rev().nth(hops).and_then(|address| address.parse().ok()).or(peer)
}

/// A permission as a type, to stand in the signature of a handler.
pub(crate) trait Needs {
    const PERMISSION: Permission;
}

/// [`Permission::ReadConversations`].
pub(crate) struct ReadConversations;

impl Needs for ReadConversations {
    const PERMISSION: Permission = Permission::ReadConversations;
}

/// [`Permission::WriteConversations`].
pub(crate) struct WriteConversations;

impl Needs for WriteConversations {
    const PERMISSION: Permission = Permission::WriteConversations;
}

/// [`Permission::ReadConfiguration`].
pub(crate) struct ReadConfiguration;

impl Needs for ReadConfiguration {
    const PERMISSION: Permission = Permission::ReadConfiguration;
}

/// [`Permission::WriteConfiguration`].
pub(crate) struct WriteConfiguration;

impl Needs for WriteConfiguration {
    const PERMISSION: Permission = Permission::WriteConfiguration;
}

/// [`Permission::ReadFeeds`].
pub(crate) struct ReadFeeds;

impl Needs for ReadFeeds {
    const PERMISSION: Permission = Permission::ReadFeeds;
}

/// The caller, who has the permission `N`. Stands first in a handler's arguments, so that a caller without it is
/// told so before the rest of the request is read.
pub(crate) struct Permitted<N> {
    caller: Caller,
    permission: PhantomData<N>,
}

impl<N> Permitted<N> {
    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl<N: Needs> FromRequest for Permitted<N> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = request.extensions().get::<Authenticated>().map(|sender| sender.caller.clone());
        let Some(caller) = caller else { return ready(Err(ApiError::Defect)) };
        let permitted = caller.permit(N::PERMISSION).map(|_| ());
        ready(match permitted {
            Ok(()) => Ok(Self { caller, permission: PhantomData }),
            Err(denied) => Err(error::Error::Denied(denied).into()),
        })
    }
}
