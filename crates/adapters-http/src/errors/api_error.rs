//! The errors that callers receive: the status and the headers of each error.
//!
//! Each resource converts the errors of its use cases in its `errors.rs`, and names the part of the request there.

use std::{fmt, time::Duration};

use actix_web::{
    HttpResponse, ResponseError,
    body::BoxBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header},
};
use parlance_domain::error::{StoreError, StoreErrorKind};

use crate::errors::envelope::{Detail, status_message};

/// Seconds in `Retry-After` when a dependency is unavailable.
pub(crate) const RETRY_AFTER_SECONDS: u64 = 1;

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    /// The request cannot be parsed as the input of the operation.
    Unreadable,
    /// The input can be parsed but violates a rule of the domain.
    RuleViolation,
    /// The credential is missing or wrong.
    Unauthenticated,
    /// The caller must not do this.
    Forbidden,
    /// The object does not exist for this tenant.
    NotFound,
    /// What the request continues from is no longer kept.
    Gone,
    /// The stored state conflicts with the request.
    Conflict,
    /// The body exceeds its size limit.
    TooLarge,
    /// The path does not exist.
    UnknownRoute,
    /// The requested byte range lies beyond the end of the file.
    RangeNotSatisfiable,
    /// The path does not support the method.
    MethodNotAllowed,
    /// A dependency is unavailable, or the server is about to stop.
    NotReady,
    /// The limit on requests in flight is reached.
    Overloaded,
    /// The request exceeded its deadline.
    DeadlineExceeded,
    /// The caller has reached its limit on pending responses or on connections.
    TooManyConcurrent,
}

/// An error that becomes a response to the caller.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// The request is refused.
    Refused(RefusalKind, Vec<Detail>),
    /// The caller exceeds a limit, and may try again after this time.
    Limited(Duration, Vec<Detail>),
    /// A store failed.
    Store(StoreError),
    /// A defect of the program: a handler panicked, or its application data is missing.
    InternalError,
}

impl ApiError {
    pub(crate) fn refused(kind: RefusalKind) -> Self {
        Self::Refused(kind, Vec::new())
    }

    /// A refusal with one detail: the part of the request, the rule, and the error as the message.
    pub(crate) fn refused_at(
        kind: RefusalKind,
        pointer: &'static str,
        rule: &'static str,
        error: &impl fmt::Display,
    ) -> Self {
        Self::Refused(kind, vec![Detail::new(pointer, rule, error.to_string())])
    }

    /// A refusal because the object that this part of the request names does not exist.
    pub(crate) fn not_found(pointer: &'static str, error: &impl fmt::Display) -> Self {
        Self::refused_at(RefusalKind::NotFound, pointer, "exists", error)
    }

    pub(crate) fn unreadable(detail: Detail) -> Self {
        Self::Refused(RefusalKind::Unreadable, vec![detail])
    }

    /// The response to a request that failed with this error.
    pub(crate) fn into_service_response(self, request: ServiceRequest) -> ServiceResponse<BoxBody> {
        request.into_response(HttpResponse::from_error(self))
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Limited(retry_after, _) => Some(ceil_seconds(*retry_after)),
            Self::Refused(RefusalKind::TooManyConcurrent, _) => Some(RETRY_AFTER_SECONDS),
            Self::Refused(..) | Self::Store(_) | Self::InternalError => {
                (self.status_code() == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_AFTER_SECONDS)
            }
        }
    }
}

/// The duration in seconds, rounded up.
pub(crate) fn ceil_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&status_message(self.status_code()))
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Refused(RefusalKind::Unreadable, _) => StatusCode::BAD_REQUEST,
            Self::Refused(RefusalKind::RuleViolation, _) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Refused(RefusalKind::Unauthenticated, _) => StatusCode::UNAUTHORIZED,
            Self::Refused(RefusalKind::Forbidden, _) => StatusCode::FORBIDDEN,
            Self::Refused(RefusalKind::TooLarge, _) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Refused(RefusalKind::RangeNotSatisfiable, _) => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::Refused(RefusalKind::NotFound | RefusalKind::UnknownRoute, _) => StatusCode::NOT_FOUND,
            Self::Refused(RefusalKind::Gone, _) => StatusCode::GONE,
            Self::Refused(RefusalKind::Conflict, _) => StatusCode::CONFLICT,
            Self::Refused(RefusalKind::MethodNotAllowed, _) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Refused(RefusalKind::NotReady | RefusalKind::Overloaded | RefusalKind::DeadlineExceeded, _) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Refused(RefusalKind::TooManyConcurrent, _) | Self::Limited(..) => StatusCode::TOO_MANY_REQUESTS,
            Self::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Store(error) => match error.kind() {
                StoreErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
                // The credential is revoked, and only the cache of this replica accepted it.
                StoreErrorKind::TenantErased => StatusCode::UNAUTHORIZED,
                StoreErrorKind::Corrupt | StoreErrorKind::Unexpected => StatusCode::INTERNAL_SERVER_ERROR,
            },
        }
    }

    /// The response without its body. [`RequestScope`](crate::RequestScope) writes the body, which contains the request
    /// id.
    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        if let Some(seconds) = self.retry_after() {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if self.status_code() == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "ApiKey realm=\"parlance\""));
        }
        let mut response = response.finish();
        let (details, cause) = match self {
            Self::Refused(_, details) | Self::Limited(_, details) => (details.clone(), None),
            Self::Store(error) => (Vec::new(), Some(error.cause_chain())),
            Self::InternalError => (Vec::new(), None),
        };
        response.extensions_mut().insert(ErrorExtension { details, cause });
        response
    }
}

/// Details and cause of an error, stored in the extensions of the response.
pub(crate) struct ErrorExtension {
    pub(crate) details: Vec<Detail>,
    /// The chain of causes, for the log only.
    pub(crate) cause: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_rounded_up_to_whole_seconds() {
        assert_eq!(ceil_seconds(Duration::from_millis(1)), 1);
        assert_eq!(ceil_seconds(Duration::from_secs(2)), 2);
    }

    #[test]
    fn an_unavailable_store_is_503_with_retry_after_and_a_corrupt_store_is_500() {
        let unavailable = ApiError::from(StoreError::new(StoreErrorKind::Unavailable, "down"));
        let response = unavailable.error_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
        let corrupt = ApiError::from(StoreError::new(StoreErrorKind::Corrupt, "row"));
        assert_eq!(corrupt.error_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
    }

    #[test]
    fn the_cause_is_logged_and_not_sent_to_the_caller() {
        let error = ApiError::from(StoreError::new(StoreErrorKind::Unavailable, "host db-7 is down"));
        let response = error.error_response();
        let extensions = response.extensions();
        let extension = extensions.get::<ErrorExtension>().unwrap();
        assert_eq!(extension.cause.as_deref(), Some("the store is out of reach: host db-7 is down"));
        assert!(extension.details.is_empty() && !error.to_string().contains("db-7"));
    }
}
