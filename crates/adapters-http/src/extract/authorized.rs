//! The caller with a checked permission, which the signature of a handler names.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload};
use parlance_domain::access::{AccessError, Caller, Permission, PermissionDenied};

use crate::{
    errors::api_error::{ApiError, RefusalKind},
    middleware::authentication::AuthenticatedCaller,
};

/// A permission as a type, for the signature of a handler.
pub(crate) trait RequiredPermission {
    const PERMISSION: Permission;
}

/// [`Permission::ReadConversations`].
pub(crate) struct ReadConversations;

impl RequiredPermission for ReadConversations {
    const PERMISSION: Permission = Permission::ReadConversations;
}

/// [`Permission::WriteConversations`].
pub(crate) struct WriteConversations;

impl RequiredPermission for WriteConversations {
    const PERMISSION: Permission = Permission::WriteConversations;
}

/// [`Permission::ReadConfiguration`].
pub(crate) struct ReadConfiguration;

impl RequiredPermission for ReadConfiguration {
    const PERMISSION: Permission = Permission::ReadConfiguration;
}

/// [`Permission::WriteConfiguration`].
pub(crate) struct WriteConfiguration;

impl RequiredPermission for WriteConfiguration {
    const PERMISSION: Permission = Permission::WriteConfiguration;
}

/// [`Permission::ReadFeeds`].
pub(crate) struct ReadFeeds;

impl RequiredPermission for ReadFeeds {
    const PERMISSION: Permission = Permission::ReadFeeds;
}

/// The caller, whose permission `N` was checked. Handlers take this argument first, so that a caller without the
/// permission is refused before the rest of the request is read.
pub(crate) struct Authorized<N> {
    caller: Caller,
    permission: PhantomData<N>,
}

impl<N> Authorized<N> {
    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }
}

impl<N: RequiredPermission> FromRequest for Authorized<N> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller =
            request.extensions().get::<AuthenticatedCaller>().map(|authenticated| authenticated.caller.clone());
        let Some(caller) = caller else { return ready(Err(ApiError::InternalError)) };
        let outcome = caller.authorize(N::PERMISSION).map(|_| ());
        ready(match outcome {
            Ok(()) => Ok(Self { caller, permission: PhantomData }),
            Err(denied) => Err(denied.into()),
        })
    }
}

impl From<PermissionDenied> for ApiError {
    fn from(denied: PermissionDenied) -> Self {
        Self::refused_at(RefusalKind::Forbidden, "", "permission", &denied)
    }
}

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Denied(denied) => denied.into(),
            AccessError::Store(error) => error.into(),
        }
    }
}
