//! The JSON body of a request, with a limit of size and of time.

use std::time::Duration;

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    error::PayloadError,
    http::header,
    web::{Bytes, BytesMut, Data},
};
use futures_util::{FutureExt, StreamExt, future::LocalBoxFuture};
use parlance_domain::conversation::Metadata;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

use crate::{
    HttpSettings,
    connection::ConnectionHandle,
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::{Detail, escape_pointer_token},
    },
    extract::validation::Object,
    middleware::{
        concurrency_limit::{reacquire_permit, release_permit},
        deadline::{DeadlineExceeded, wait_for_caller},
    },
};

/// The maximum initial capacity of the body buffer in bytes, whatever `Content-Length` the request declares.
const MAX_INITIAL_CAPACITY: usize = 16 * 1024;

/// The body of a request: parsed into wire type `T`, and as the received bytes.
pub(crate) struct JsonBody<T>(pub(crate) T, pub(crate) Bytes);

impl<T: DeserializeOwned + 'static> FromRequest for JsonBody<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        async move {
            check_headers(&request)?;
            let settings = request.app_data::<Data<HttpSettings>>().ok_or(ApiError::InternalError)?;
            let limit = settings.max_body_bytes();
            let timeout = settings.timeouts().body;
            release_permit(&request);
            let body = wait_for_caller(&request, timeout, read_body(&request, payload, limit)).await;
            reacquire_permit(&request)?;
            let bytes = body.unwrap_or_else(|DeadlineExceeded| Err(body_timeout(timeout)))?;
            Ok(Self(parse(&bytes)?, bytes))
        }
        .boxed_local()
    }
}

pub(crate) fn check_headers(request: &HttpRequest) -> Result<(), ApiError> {
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let media_type = text(header::CONTENT_TYPE).map(|value| value.split(';').next().unwrap_or_default().trim());
    if media_type.is_some_and(|media_type| !media_type.eq_ignore_ascii_case("application/json")) {
        let detail = Detail::new("header:content-type", "media_type", "must be application/json");
        return Err(ApiError::unreadable(detail));
    }
    let encoding = text(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        let detail = Detail::new("header:content-encoding", "encoding", "must be absent or identity");
        return Err(ApiError::unreadable(detail));
    }
    Ok(())
}

async fn read_body(request: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Bytes, ApiError> {
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: usize| length > limit) {
        return Err(body_too_large(limit));
    }
    if let Some(connection) = ConnectionHandle::from_request(request) {
        connection.request_continue();
    }
    let mut body = BytesMut::with_capacity(declared.unwrap_or_default().min(MAX_INITIAL_CAPACITY));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| incomplete_body(&error))?;
        if body.len() + chunk.len() > limit {
            return Err(body_too_large(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn body_too_large(limit: usize) -> ApiError {
    let message = format!("must have at most {limit} bytes");
    ApiError::Refused(RefusalKind::TooLarge, vec![Detail::new("", "max_bytes", message)])
}

fn body_timeout(timeout: Duration) -> ApiError {
    let message = format!("must arrive within {} seconds", timeout.as_secs());
    ApiError::unreadable(Detail::new("", "in_time", message))
}

fn incomplete_body(error: &PayloadError) -> ApiError {
    let incomplete = matches!(error, PayloadError::Incomplete(_));
    let message = if incomplete { "ends before its announced length" } else { "cannot be read" };
    ApiError::unreadable(Detail::new("", "complete", message))
}

pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // Tracking the path costs as much as parsing. Only a body that fails to parse is parsed again with its path.
    serde_json::from_slice(bytes).or_else(|_| parse_with_path(bytes)).map(|Object(value)| value)
}

/// Parses the body. An error has the path at which parsing failed.
fn parse_with_path<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| ApiError::unreadable(describe_error(error.path(), error.inner())))?;
    deserializer.end().map_err(|error| ApiError::unreadable(describe_syntax_error(&error)))?;
    Ok(value)
}

/// Describes a parse error without repeating the body. The description takes from the parser's message only the text
/// that this program wrote.
fn describe_error(path: &Path, error: &serde_json::Error) -> Detail {
    if !error.is_data() {
        return describe_syntax_error(error);
    }
    let text = error.to_string();
    if text.starts_with("duplicate field") {
        return Detail::new(pointer(path), "unique_members", "has a duplicate member");
    }
    if text.starts_with("unknown field") {
        return Detail::new(parent_pointer(path), "unknown_member", unknown_member_message(&text));
    }
    let expected = text.rsplit_once(", expected ").map_or("a value of another type", |(_, expected)| expected);
    let expected = expected.split(" at line ").next().unwrap_or_default();
    let is_integer = |name: &str| name.strip_prefix(['u', 'i']).is_some_and(|bits| bits.parse::<u8>().is_ok());
    let expected = if is_integer(expected) { "a whole number within its limits" } else { expected };
    Detail::new(pointer(path), "type", format!("must be {expected}"))
}

/// The message for an unknown member. The parser's message lists the allowed members: `unknown field …, expected one
/// of …`.
fn unknown_member_message(text: &str) -> String {
    let listed = text.rsplit_once(", expected ").map_or("", |(_, listed)| listed);
    let members: Vec<_> = listed.split('`').skip(1).step_by(2).collect();
    format!("has an unknown member; allowed members: {}", members.join(", "))
}

fn describe_syntax_error(error: &serde_json::Error) -> Detail {
    let (line, column) = (error.line(), error.column());
    let message = if error.is_eof() {
        format!("is incomplete JSON: ends at line {line}, column {column}")
    } else {
        format!("is not JSON in UTF-8: the error is at line {line}, column {column}")
    };
    Detail::new("", "json", message)
}

/// The JSON Pointer (RFC 6901) of a path. The caller chooses the keys of `metadata`, so the pointer ends before an
/// invalid key.
fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let step = match segment {
            Segment::Map { key } if pointer != "/metadata" || Metadata::check_key(key).is_ok() => {
                escape_pointer_token(key)
            }
            Segment::Seq { index } => index.to_string(),
            Segment::Map { .. } | Segment::Enum { .. } | Segment::Unknown => break,
        };
        pointer.push('/');
        pointer.push_str(&step);
    }
    pointer
}

/// The pointer of the object that holds the member at the end of a path. The pointer leaves out the name of the member,
/// because the caller chooses it.
fn parent_pointer(path: &Path) -> String {
    let mut pointer = pointer(path);
    pointer.truncate(pointer.rfind('/').unwrap_or_default());
    pointer
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::extract::validation::StringMap;

    #[derive(Debug, Deserialize)]
    struct Sample {
        #[expect(dead_code, reason = "only its type matters")]
        text: Option<String>,
        #[expect(dead_code, reason = "only its type matters")]
        metadata: Option<StringMap>,
    }

    fn parse_error(body: &[u8]) -> Detail {
        match parse::<Sample>(body) {
            Err(ApiError::Refused(RefusalKind::Unreadable, details)) => details[0].clone(),
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    #[test]
    fn a_mistyped_member_is_named_with_its_expected_type() {
        assert_eq!(parse_error(br#"{"text": 7}"#), Detail::new("/text", "type", "must be a string"));
    }

    #[test]
    fn nothing_of_a_mistyped_value_is_repeated() {
        let detail = parse_error(br#"{"metadata": "my secret, expected nothing"}"#);
        assert_eq!(detail, Detail::new("/metadata", "type", "must be an object of strings"));
    }

    #[test]
    fn a_mistyped_value_of_metadata_is_named_by_its_key() {
        let detail = parse_error(br#"{"metadata": {"a/b~c": 7}}"#);
        assert_eq!(detail, Detail::new("/metadata/a~1b~0c", "type", "must be a string"));
    }

    #[test]
    fn an_invalid_key_of_metadata_is_not_repeated() {
        let long = format!("{{\"metadata\": {{\"{}\": 7}}}}", "k".repeat(129));
        for body in [long.as_bytes(), br#"{"metadata": {"a\u0007": 7}}"#, br#"{"metadata": {"": 7}}"#] {
            assert_eq!(parse_error(body), Detail::new("/metadata", "type", "must be a string"));
        }
    }

    #[test]
    fn a_body_that_is_no_object_is_refused() {
        for body in [&b"[\"a\"]"[..], b"[]", b"null", b"\"a\"", b"7"] {
            assert_eq!(parse_error(body), Detail::new("", "type", "must be an object"));
        }
    }

    #[test]
    fn a_member_given_twice_is_refused() {
        assert_eq!(parse_error(br#"{"text": "a", "text": "b"}"#).rule, "unique_members");
    }

    #[test]
    fn a_key_of_metadata_given_twice_is_refused_and_not_repeated() {
        let detail = parse_error(br#"{"metadata": {"hush": "a", "hush": "b"}}"#);
        assert_eq!(detail, Detail::new("/metadata", "unique_members", "has a duplicate member"));
    }

    #[test]
    fn a_strict_object_refuses_an_unknown_member_without_repeating_its_name() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Strict {
            #[expect(dead_code, reason = "only its name matters")]
            inner: Option<Box<Strict>>,
        }
        for (body, pointer) in [(r#"{"my secret": 7}"#, ""), (r#"{"inner": {"my/secret": 7}}"#, "/inner")] {
            let Err(ApiError::Refused(RefusalKind::Unreadable, details)) = parse::<Strict>(body.as_bytes()) else {
                panic!("{body} is accepted")
            };
            assert_eq!((details[0].pointer.as_ref(), details[0].rule), (pointer, "unknown_member"), "{body}");
            assert_eq!(details[0].message, "has an unknown member; allowed members: inner");
        }
    }

    #[test]
    fn syntax_errors_have_a_line_and_a_column() {
        assert_eq!(parse_error(br#"{"text": "a"#).message, "is incomplete JSON: ends at line 1, column 11");
        assert_eq!(parse_error(br#"{"text": "a"} x"#).rule, "json");
        assert_eq!(parse_error(b"{\"text\": \"\xff\"}").rule, "json");
    }
}
