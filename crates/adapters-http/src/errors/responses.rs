//! The error responses of operations in the OpenAPI description.

use std::collections::BTreeMap;

use utoipa::{
    IntoResponses,
    openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder},
};

/// The errors of a reading operation.
pub(crate) struct ReadErrors;

impl IntoResponses for ReadErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 429, 500, 503])
    }
}

/// The errors of a writing operation.
pub(crate) struct WriteErrors;

impl IntoResponses for WriteErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 409, 413, 422, 429, 500, 503])
    }
}

/// The errors of the erasure of a conversation.
pub(crate) struct EraseErrors;

impl IntoResponses for EraseErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 409, 429, 500, 503])
    }
}

/// The errors of the operations on events.
pub(crate) struct EventErrors;

impl IntoResponses for EventErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 410, 429, 500, 503])
    }
}

/// The errors of a writing operation that continues from a cursor.
pub(crate) struct ContinuedWriteErrors;

impl IntoResponses for ContinuedWriteErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 409, 410, 413, 422, 429, 500, 503])
    }
}

/// The errors of the download of a file.
pub(crate) struct DownloadErrors;

impl IntoResponses for DownloadErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 404, 416, 500, 503])
    }
}

/// The only error of the readiness check.
pub(crate) struct UnavailableError;

impl IntoResponses for UnavailableError {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[503])
    }
}

fn errors(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let error = |status: &u16| {
        let response = ResponseBuilder::new().description(describe(*status)).content("application/json", body.clone());
        (status.to_string(), RefOr::T(response.build()))
    };
    statuses.iter().map(error).collect()
}

fn describe(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be read as the operation's input",
        401 => "The credential is missing or wrong",
        403 => "The credential lacks the permission, or compliance controls the entity",
        404 => "There is no such thing for this tenant",
        409 => "The state of what is stored is against it",
        410 => "The cursor has expired or is unknown",
        416 => "The file has no such bytes",
        413 => "The body is over the limit",
        422 => "The input breaks a limit or a rule",
        429 => "The credential sends too many requests; see Retry-After",
        503 => "A needed part is out of reach; see Retry-After",
        _ => "The server failed",
    }
}
