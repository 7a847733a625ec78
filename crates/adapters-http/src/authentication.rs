//! Who calls: the two credential headers, the rate, and in a handler's signature the permission it needs.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
};

use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header::HeaderName,
    middleware::Next,
    web::Data,
};
use parlance_domain::{
    access::{ApiId, ApiSecret, Caller, Pace, Permission},
    error,
};

use crate::{HttpSettings, Services, problem::ApiError};

/// Lets a request pass whose credential is right and within its rate, and keeps its [`Caller`] with the request.
pub(crate) async fn authenticate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    match admit(&request).await {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_boxed_body),
        Err(refusal) => Ok(request.into_response(HttpResponse::from_error(refusal))),
    }
}

async fn admit(request: &ServiceRequest) -> Result<(), ApiError> {
    let services = request.app_data::<Data<Services>>().ok_or(ApiError::Defect)?;
    let settings = request.app_data::<Data<HttpSettings>>().ok_or(ApiError::Defect)?;
    let text = |name: &HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let id = text(settings.id_header()).and_then(|text| ApiId::parse(text).ok());
    let secret = text(settings.secret_header()).map(ApiSecret::new);
    let (Some(id), Some(secret)) = (id, secret) else { return Err(error::Error::Unauthenticated.into()) };
    let caller = services.gate.authenticate(&id, &secret).await?;
    request.extensions_mut().insert(caller);
    match services.limiter.admit(&id).await {
        Pace::Go { .. } => Ok(()),
        Pace::Wait { retry_after } => Err(error::Error::TooFast { retry_after }.into()),
    }
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
        let Some(caller) = request.extensions().get::<Caller>().cloned() else { return ready(Err(ApiError::Defect)) };
        let permitted = caller.permit(N::PERMISSION).map(|_| ());
        ready(match permitted {
            Ok(()) => Ok(Self { caller, permission: PhantomData }),
            Err(denied) => Err(error::Error::Denied(denied).into()),
        })
    }
}
