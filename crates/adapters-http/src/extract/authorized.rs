//! The authorized caller. The signature of a handler names the permission.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload};
use parlance_domain::access::{AuthorizedCaller, Caller, PermissionDenied, RequiredPermission};

use crate::{
    errors::api_error::{ApiError, RefusalKind},
    middleware::authentication::AuthenticatedCaller,
};

/// The caller with the permission `P`. Handlers take this argument first, so that a caller without the permission is
/// refused before the rest of the request is read.
pub(crate) struct Authorized<P>(AuthorizedCaller<P>);

impl<P> Authorized<P> {
    pub(crate) fn caller(&self) -> &AuthorizedCaller<P> {
        &self.0
    }
}

impl<P: RequiredPermission> Authorized<P> {
    /// The caller of a request that proves its identity by other means than a credential.
    pub(crate) fn from_caller(caller: &Caller) -> Result<Self, ApiError> {
        caller.authorize().map(Self).map_err(ApiError::from)
    }
}

impl<P: RequiredPermission> FromRequest for Authorized<P> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let extensions = request.extensions();
        let Some(authenticated) = extensions.get::<AuthenticatedCaller>() else {
            return ready(Err(ApiError::InternalError));
        };
        ready(Self::from_caller(&authenticated.caller))
    }
}

impl From<PermissionDenied> for ApiError {
    fn from(denied: PermissionDenied) -> Self {
        Self::refused_at(RefusalKind::Forbidden, "", "permission", &denied)
    }
}
