//! The body of an error: the message of the specification for its status (§7), and its details.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// The body of every answer that is no success.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: ErrorContent,
}

impl ErrorBody {
    /// The body as JSON text.
    pub(crate) fn json(status: StatusCode, request_id: &str, details: Vec<Detail>) -> String {
        let (request_id, code) = (request_id.to_owned(), format!("{}-01", status.as_u16()));
        let error = ErrorContent { request_id, message: status_message(status), code, details };
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

/// Escapes a member name as a reference token of a JSON Pointer (RFC 6901, section 3).
pub(crate) fn escape_pointer_token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The message of the specification for a status (§7), or the reason phrase of HTTP for a status that it does not list.
pub(crate) fn status_message(status: StatusCode) -> Cow<'static, str> {
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
