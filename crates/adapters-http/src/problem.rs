//! Errors as callers see them: the status table of the specification (§7), and exactly what is wrong.

use std::{borrow::Cow, fmt, time::Duration};

use actix_web::{
    HttpResponse, ResponseError,
    body::BoxBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header},
};
use parlance_domain::{
    access::Denied,
    error::{Conflict, Error, StoreErrorKind},
    redaction::SwitchRefusal,
};
use serde::Serialize;
use utoipa::ToSchema;

/// How soon a caller may try again when a needed part is out of reach, in seconds.
pub(crate) const RETRY_AFTER_SECONDS: u64 = 1;

/// The body of every answer that is no success.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: ErrorContent,
}

impl ErrorBody {
    /// The body as it is sent.
    pub(crate) fn text(status: StatusCode, request_id: &str, details: Vec<Detail>) -> String {
        let (request_id, code) = (request_id.to_owned(), format!("{}-01", status.as_u16()));
        let error = ErrorContent { request_id, message: message(status), code, details };
        serde_json::to_string(&Self { error }).unwrap_or_default()
    }
}

/// What went wrong with one request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ErrorContent {
    /// Identifies the request; also in the header `x-request-id` and in the server's log.
    #[schema(min_length = 1)]
    request_id: String,
    /// What kind of error it is.
    message: Cow<'static, str>,
    /// The HTTP status and a number within it.
    #[schema(pattern = "^[0-9]{3}-[0-9]{2}$")]
    code: String,
    /// Exactly what is wrong, where that can be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    details: Vec<Detail>,
}

/// One thing that is wrong with a request, or speaks against it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Detail {
    /// Where: a JSON Pointer into the body (the empty one is the whole body), or `query:name`, `path:name`,
    /// `header:name`, `part:name`.
    pub(crate) pointer: Cow<'static, str>,
    /// Which rule is broken: a stable word.
    pub(crate) rule: &'static str,
    /// The rule, for people.
    pub(crate) message: Cow<'static, str>,
}

impl Detail {
    pub(crate) fn new(
        pointer: impl Into<Cow<'static, str>>,
        rule: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { pointer: pointer.into(), rule, message: message.into() }
    }
}

/// A member's name as a step of a JSON Pointer (RFC 6901, section 3).
pub(crate) fn pointer_step(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Why the interface itself refuses a request, before or beside the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    /// The request cannot be read as the operation's input.
    Unreadable,
    /// The input is readable but breaks a rule of the domain.
    RuleBroken,
    /// The credential is missing or wrong.
    Unauthenticated,
    /// The body is over the limit.
    TooLarge,
    /// No such path.
    UnknownRoute,
    /// The bytes that are asked for lie beyond the end of the file.
    RangeBeyond,
    /// The path has no such method.
    MethodNotAllowed,
    /// A needed part is out of reach, or the server is about to stop.
    NotReady,
    /// There are as many requests in flight as there may be.
    Overloaded,
    /// The request took longer than one may.
    TooSlow,
    /// The caller has as many answers under way, or connections, as it may have.
    TooManyAtOnce,
}

/// An error on its way to the caller.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// The interface refuses.
    Refused(RefusalKind, Vec<Detail>),
    /// The domain refuses or fails; the pointer says which part of the request that concerns.
    Domain(Error, &'static str),
    /// A defect of the program: a handler panicked, or lacks what it works with.
    Defect,
}

impl ApiError {
    pub(crate) fn refused(kind: RefusalKind) -> Self {
        Self::Refused(kind, Vec::new())
    }

    pub(crate) fn unreadable(detail: Detail) -> Self {
        Self::Refused(RefusalKind::Unreadable, vec![detail])
    }

    /// Answers a request with this error.
    pub(crate) fn answer(self, request: ServiceRequest) -> ServiceResponse<BoxBody> {
        request.into_response(HttpResponse::from_error(self))
    }

    /// Says of a domain error which part of the request it concerns.
    pub(crate) fn at(pointer: &'static str) -> impl FnOnce(Error) -> Self {
        move |error| Self::Domain(error, pointer)
    }

    fn details(&self) -> Vec<Detail> {
        match self {
            Self::Refused(_, details) => details.clone(),
            Self::Defect => Vec::new(),
            Self::Domain(error, pointer) => match error {
                Error::Denied(Denied(_)) => vec![Detail::new("", "permission", error.to_string())],
                Error::Switch(SwitchRefusal::ComplianceControlled | SwitchRefusal::SelfServed) => {
                    vec![Detail::new(*pointer, "control", error.to_string())]
                }
                Error::Missing(_) => vec![Detail::new(*pointer, "exists", error.to_string())],
                Error::Conflict(Conflict::IdBelongsElsewhere | Conflict::OtherId) => {
                    vec![Detail::new("/id", "id_of_external_id", error.to_string())]
                }
                Error::Conflict(Conflict::PhraseTaken) => vec![Detail::new("/phrase", "unique", error.to_string())],
                Error::Conflict(Conflict::StillRunning) => {
                    vec![Detail::new("header:idempotency-key", "still_running", error.to_string())]
                }
                Error::Conflict(Conflict::KeyTaken) | Error::KeyReused => {
                    vec![Detail::new("header:idempotency-key", "one_request", error.to_string())]
                }
                Error::Full(_) => vec![Detail::new("", "max_entries", error.to_string())],
                Error::HeldBack { .. } => vec![Detail::new("", "failed_authentications", error.to_string())],
                Error::Unauthenticated | Error::TooFast { .. } | Error::Store(_) => Vec::new(),
            },
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Domain(Error::TooFast { retry_after } | Error::HeldBack { retry_after }, _) => {
                Some(whole_seconds(*retry_after))
            }
            Self::Refused(RefusalKind::TooManyAtOnce, _) => Some(RETRY_AFTER_SECONDS),
            Self::Domain(..) | Self::Refused(..) | Self::Defect => {
                (self.status_code() == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_AFTER_SECONDS)
            }
        }
    }
}

pub(crate) fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::Domain(error, "")
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&message(self.status_code()))
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Refused(RefusalKind::Unreadable, _) => StatusCode::BAD_REQUEST,
            Self::Refused(RefusalKind::RuleBroken, _) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Refused(RefusalKind::Unauthenticated, _) => StatusCode::UNAUTHORIZED,
            Self::Refused(RefusalKind::TooLarge, _) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Refused(RefusalKind::RangeBeyond, _) => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::Refused(RefusalKind::UnknownRoute, _) => StatusCode::NOT_FOUND,
            Self::Refused(RefusalKind::MethodNotAllowed, _) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Refused(RefusalKind::NotReady | RefusalKind::Overloaded | RefusalKind::TooSlow, _) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Refused(RefusalKind::TooManyAtOnce, _) => StatusCode::TOO_MANY_REQUESTS,
            Self::Defect => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Domain(error, _) => match error {
                Error::Unauthenticated => StatusCode::UNAUTHORIZED,
                Error::Denied(_) | Error::Switch(_) => StatusCode::FORBIDDEN,
                Error::Missing(_) => StatusCode::NOT_FOUND,
                Error::Conflict(_) => StatusCode::CONFLICT,
                Error::Full(_) | Error::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
                Error::TooFast { .. } | Error::HeldBack { .. } => StatusCode::TOO_MANY_REQUESTS,
                Error::Store(error) => match error.kind() {
                    StoreErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
                    StoreErrorKind::Corrupt | StoreErrorKind::Unexpected => StatusCode::INTERNAL_SERVER_ERROR,
                },
            },
        }
    }

    /// The answer without its body: [`RequestScope`](crate::RequestScope) writes that, since it knows the request.
    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        if let Some(seconds) = self.retry_after() {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if self.status_code() == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "ApiKey realm=\"parlance\""));
        }
        let mut response = response.finish();
        let cause = if let Self::Domain(Error::Store(error), _) = self { Some(error.with_causes()) } else { None };
        response.extensions_mut().insert(Problem { details: self.details(), cause });
        response
    }
}

/// What is known of an error beside its status: travels in the response's extensions.
pub(crate) struct Problem {
    pub(crate) details: Vec<Detail>,
    /// The chain of causes, for the log only.
    pub(crate) cause: Option<String>,
}

/// The specification's message for a status (§7); for one that it does not name, HTTP's own phrase.
pub(crate) fn message(status: StatusCode) -> Cow<'static, str> {
    match status.as_u16() {
        400 => "Bad request".into(),
        401 => "Unauthorized".into(),
        403 => "Forbidden Response".into(),
        404 => "Not Found".into(),
        405 => "Method Not Allowed".into(),
        409 => "Conflict".into(),
        413 => "Request Entity Too Large".into(),
        422 => "Unprocessable Entity".into(),
        429 => "Too Many Requests".into(),
        500 => "Internal server error".into(),
        503 => "Service Unavailable".into(),
        _ => status.canonical_reason().unwrap_or("Error").into(),
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::error::StoreError;

    use super::*;

    #[test]
    fn a_wait_is_rounded_up_to_whole_seconds() {
        assert_eq!(whole_seconds(Duration::from_millis(1)), 1);
        assert_eq!(whole_seconds(Duration::from_secs(2)), 2);
    }

    #[test]
    fn a_store_out_of_reach_is_503_with_retry_after_and_a_corrupt_one_is_500() {
        let unavailable = ApiError::from(Error::Store(StoreError::new(StoreErrorKind::Unavailable, "down")));
        let response = unavailable.error_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
        let corrupt = ApiError::from(Error::Store(StoreError::new(StoreErrorKind::Corrupt, "row")));
        assert_eq!(corrupt.error_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
    }

    #[test]
    fn the_cause_is_for_the_log_and_not_for_the_caller() {
        let error = ApiError::from(Error::Store(StoreError::new(StoreErrorKind::Unavailable, "host db-7 is down")));
        let response = error.error_response();
        let extensions = response.extensions();
        let problem = extensions.get::<Problem>().unwrap();
        assert_eq!(problem.cause.as_deref(), Some("the store is out of reach: host db-7 is down"));
        assert!(problem.details.is_empty() && !error.to_string().contains("db-7"));
    }
}
