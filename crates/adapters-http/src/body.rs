//! The JSON body of a request, read within its limit.

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
    deadline::{Missed, wait_for_caller},
    load::{step_aside, step_back_in},
    problem::{ApiError, Detail, RefusalKind, pointer_step},
    reading::Object,
};

/// What is set aside for a body at first, whatever length is announced.
const FIRST_CAPACITY: usize = 16 * 1024;

/// The body of a request, of wire type `T`, and its bytes as they came.
pub(crate) struct JsonBody<T>(pub(crate) T, pub(crate) Bytes);

impl<T: DeserializeOwned + 'static> FromRequest for JsonBody<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        async move {
            check_headers(&request)?;
            let settings = request.app_data::<Data<HttpSettings>>().ok_or(ApiError::Defect)?;
            let limit = settings.max_body_bytes();
            let patience = settings.patience().body;
            step_aside(&request);
            let arrived = wait_for_caller(&request, patience, read_within(&request, payload, limit)).await;
            step_back_in(&request)?;
            let bytes = arrived.unwrap_or_else(|Missed| Err(too_late(patience)))?;
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
        let detail = Detail::new("header:content-encoding", "encoding", "must be left out: bodies are sent plain");
        return Err(ApiError::unreadable(detail));
    }
    Ok(())
}

async fn read_within(request: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Bytes, ApiError> {
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: usize| length > limit) {
        return Err(too_large(limit));
    }
    if let Some(connection) = ConnectionHandle::of(request) {
        connection.begin_body();
    }
    let mut body = BytesMut::with_capacity(declared.unwrap_or_default().min(FIRST_CAPACITY));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| cut_off(&error))?;
        if body.len() + chunk.len() > limit {
            return Err(too_large(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn too_large(limit: usize) -> ApiError {
    let message = format!("must have at most {limit} bytes");
    ApiError::Refused(RefusalKind::TooLarge, vec![Detail::new("", "max_bytes", message)])
}

fn too_late(patience: Duration) -> ApiError {
    let message = format!("must arrive within {} seconds", patience.as_secs());
    ApiError::unreadable(Detail::new("", "in_time", message))
}

fn cut_off(error: &PayloadError) -> ApiError {
    let incomplete = matches!(error, PayloadError::Incomplete(_));
    let message = if incomplete { "ends before its announced length" } else { "cannot be read" };
    ApiError::unreadable(Detail::new("", "complete", message))
}

pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // Keeping note of the place costs as much as reading, so what cannot be read is read once more for it.
    serde_json::from_slice(bytes).or_else(|_| parse_with_places(bytes)).map(|Object(value)| value)
}

/// The same, and where it fails, at which place.
fn parse_with_places<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| ApiError::unreadable(explain(error.path(), error.inner())))?;
    deserializer.end().map_err(|error| ApiError::unreadable(explain_syntax(&error)))?;
    Ok(value)
}

/// Says what is wrong without a word of the body: of the parser's message only the part that this program wrote.
fn explain(path: &Path, error: &serde_json::Error) -> Detail {
    if !error.is_data() {
        return explain_syntax(error);
    }
    let text = error.to_string();
    if text.starts_with("duplicate field") {
        return Detail::new(pointer(path), "unique_members", "has one of its members twice");
    }
    if text.starts_with("unknown field") {
        return Detail::new(pointer_of_parent(path), "unknown_member", only_members(&text));
    }
    let expected = text.rsplit_once(", expected ").map_or("a value of another type", |(_, expected)| expected);
    let expected = expected.split(" at line ").next().unwrap_or_default();
    Detail::new(pointer(path), "type", format!("must be {expected}"))
}

/// Which members there may be, from what the parser says: `unknown field …, expected one of …`.
fn only_members(text: &str) -> String {
    let listed = text.rsplit_once(", expected ").map_or("", |(_, listed)| listed);
    let members: Vec<_> = listed.split('`').skip(1).step_by(2).collect();
    format!("has a member that is none of: {}", members.join(", "))
}

fn explain_syntax(error: &serde_json::Error) -> Detail {
    let (line, column) = (error.line(), error.column());
    let message = if error.is_eof() {
        format!("is not whole JSON: it ends at line {line}, column {column}")
    } else {
        format!("is not JSON in UTF-8: see line {line}, column {column}")
    };
    Detail::new("", "json", message)
}

/// The JSON Pointer (RFC 6901) of a path. A key of metadata is the caller's: a path ends before one that is none.
fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let step = match segment {
            Segment::Map { key } if pointer != "/metadata" || Metadata::check_key(key).is_ok() => pointer_step(key),
            Segment::Seq { index } => index.to_string(),
            Segment::Map { .. } | Segment::Enum { .. } | Segment::Unknown => break,
        };
        pointer.push('/');
        pointer.push_str(&step);
    }
    pointer
}

/// The pointer of what has the member at the end of a path, whose name is the caller's.
fn pointer_of_parent(path: &Path) -> String {
    let mut pointer = pointer(path);
    pointer.truncate(pointer.rfind('/').unwrap_or_default());
    pointer
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::reading::Pairs;

    #[derive(Debug, Deserialize)]
    struct Sample {
        #[expect(dead_code, reason = "only its type matters")]
        text: Option<String>,
        #[expect(dead_code, reason = "only its type matters")]
        metadata: Option<Pairs>,
    }

    fn wrong(body: &[u8]) -> Detail {
        match parse::<Sample>(body) {
            Err(ApiError::Refused(RefusalKind::Unreadable, details)) => details[0].clone(),
            other => panic!("expected a refusal, not {other:?}"),
        }
    }

    #[test]
    fn a_mistyped_member_is_named_with_what_it_must_be() {
        assert_eq!(wrong(br#"{"text": 7}"#), Detail::new("/text", "type", "must be a string"));
    }

    #[test]
    fn nothing_of_a_mistyped_value_is_repeated() {
        let detail = wrong(br#"{"metadata": "my secret, expected nothing"}"#);
        assert_eq!(detail, Detail::new("/metadata", "type", "must be an object of strings"));
    }

    #[test]
    fn a_mistyped_value_of_metadata_is_named_by_its_key() {
        let detail = wrong(br#"{"metadata": {"a/b~c": 7}}"#);
        assert_eq!(detail, Detail::new("/metadata/a~1b~0c", "type", "must be a string"));
    }

    #[test]
    fn what_is_no_key_of_metadata_is_not_repeated() {
        let long = format!("{{\"metadata\": {{\"{}\": 7}}}}", "k".repeat(129));
        for body in [long.as_bytes(), br#"{"metadata": {"a\u0007": 7}}"#, br#"{"metadata": {"": 7}}"#] {
            assert_eq!(wrong(body), Detail::new("/metadata", "type", "must be a string"));
        }
    }

    #[test]
    fn a_body_that_is_no_object_is_told_so() {
        for body in [&b"[\"a\"]"[..], b"[]", b"null", b"\"a\"", b"7"] {
            assert_eq!(wrong(body), Detail::new("", "type", "must be an object"));
        }
    }

    #[test]
    fn a_member_given_twice_is_refused() {
        assert_eq!(wrong(br#"{"text": "a", "text": "b"}"#).rule, "unique_members");
    }

    #[test]
    fn a_key_of_metadata_given_twice_is_refused_and_not_repeated() {
        let detail = wrong(br#"{"metadata": {"hush": "a", "hush": "b"}}"#);
        assert_eq!(detail, Detail::new("/metadata", "unique_members", "has one of its members twice"));
    }

    #[test]
    fn a_member_that_is_unknown_is_refused_without_its_name_where_all_are_known() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Strict {
            #[expect(dead_code, reason = "only its name matters")]
            inner: Option<Box<Strict>>,
        }
        for (body, place) in [(r#"{"my secret": 7}"#, ""), (r#"{"inner": {"my/secret": 7}}"#, "/inner")] {
            let Err(ApiError::Refused(RefusalKind::Unreadable, details)) = parse::<Strict>(body.as_bytes()) else {
                panic!("{body} is accepted")
            };
            assert_eq!((details[0].pointer.as_ref(), details[0].rule), (place, "unknown_member"), "{body}");
            assert_eq!(details[0].message, "has a member that is none of: inner");
        }
    }

    #[test]
    fn syntax_errors_are_placed() {
        assert_eq!(wrong(br#"{"text": "a"#).message, "is not whole JSON: it ends at line 1, column 11");
        assert_eq!(wrong(br#"{"text": "a"} x"#).rule, "json");
        assert_eq!(wrong(b"{\"text\": \"\xff\"}").rule, "json");
    }
}
