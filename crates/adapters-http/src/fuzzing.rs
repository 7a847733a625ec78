//! What the fuzz target `fuzz/parsers` calls: everything that reads what callers send, on bytes of the fuzzer's choice.
//! In no other build.

use std::fmt::Debug;

use actix_web::{
    HttpRequest, ResponseError,
    http::{
        StatusCode, Uri,
        header::{
            CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, IF_NONE_MATCH, IF_RANGE, RANGE, X_FORWARDED_FOR,
        },
    },
    test::TestRequest,
};
use serde::de::DeserializeOwned;

use crate::{
    HttpSettings, authentication, body, connection,
    conversations::ConversationBody,
    feeds::{
        bodies::{DayBody, FeedBody, FeedsBody, FileBody, TableBody, VersionBody},
        byte_range::{self, Asked},
    },
    message_batches::MessageBatchBody,
    messages::{self, MessageBody},
    problem::{ApiError, Detail},
    query::Query,
    redaction::SwitchBody,
    request_identity::{RequestId, trace_id},
    retry,
    vocabularies::wire::{self, VocabularyBody},
};

/// A word that is only ever in what is sent. No refusal may say it.
const SECRET: &str = "hush";

/// Reads bytes as the body of every operation that has one.
///
/// # Panics
/// Where a refusal is not the one that is promised, or repeats what was sent.
pub fn bodies(bytes: &[u8]) {
    body(bytes, ConversationBody::read);
    body(bytes, MessageBody::read);
    body(bytes, MessageBatchBody::read);
    body(bytes, VocabularyBody::read);
    body(bytes, SwitchBody::read);
    body(bytes, |FeedsBody {}| Ok(()));
    body(bytes, FeedBody::read);
    body(bytes, VersionBody::read);
    body(bytes, TableBody::read);
    body(bytes, DayBody::read);
    body(bytes, FileBody::read);
}

fn body<T: DeserializeOwned, V>(bytes: &[u8], read: impl FnOnce(T) -> Result<V, ApiError>) {
    let _ = told(body::parse(bytes).and_then(read));
}

/// Holds a refusal to what callers are promised.
fn told<T>(outcome: Result<T, ApiError>) -> Option<T> {
    outcome
        .map_err(|refusal| {
            let status = refusal.status_code();
            assert!([StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY].contains(&status), "{status}");
            // A key of metadata names the place of its value.
            let is_place = |detail: &Detail| detail.pointer.starts_with("/metadata/");
            let told = match &refusal {
                ApiError::Refused(_, details) if details.iter().any(is_place) => {
                    format!("{:?}", details.iter().map(|detail| (detail.rule, &detail.message)).collect::<Vec<_>>())
                }
                refusal => format!("{refusal:?}"),
            };
            assert!(!told.contains(SECRET), "{refusal:?}");
        })
        .ok()
}

/// Reads bytes as the requests of a connection.
///
/// # Panics
/// Where requests end elsewhere if their bytes come in other pieces.
pub fn requests(bytes: &[u8]) {
    let whole = connection::request_lengths(bytes, bytes.len().max(1));
    for piece in [1, 7] {
        assert_eq!(connection::request_lengths(bytes, piece), whole, "pieces of {piece}");
    }
}

/// Reads a text as each kind of cursor, and as a limit.
///
/// # Panics
/// Where what is read is not shown as a text that reads as the same, or is out of its bounds.
pub fn cursors(text: &str) {
    again(messages::read_cursor, messages::cursor, text);
    again(wire::read_cursor, wire::cursor, text);
    if let Ok(limit) = messages::read_limit(text) {
        assert!((1..=1_000).contains(&limit.messages()), "{text}");
    }
}

/// What a text is read as is shown as a text that reads as the same again.
fn again<T: PartialEq + Debug>(read: fn(&str) -> Result<T, &'static str>, show: fn(&T) -> String, text: &str) {
    if let Ok(read_once) = read(text) {
        assert_eq!(read(&show(&read_once)).as_ref(), Ok(&read_once), "{text}");
    }
}

/// Reads bytes as the value of every header that is read, and as a query string.
///
/// # Panics
/// As [`bodies`], and where a range is not within its file.
pub fn headers(bytes: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(bytes) else { return };
    let with = |name: HeaderName| TestRequest::default().insert_header((name, value.clone())).to_http_request();
    let _ = told(retry::read(&with(retry::KEY_HEADER)));
    for name in [CONTENT_TYPE, CONTENT_ENCODING] {
        let _ = told(body::check_headers(&with(name)));
    }
    for name in ["x-request-id", "traceparent"] {
        let request = with(HeaderName::from_static(name));
        let (_, _) = (RequestId::given(request.headers()), trace_id(request.headers()));
    }
    for name in [RANGE, IF_NONE_MATCH, IF_RANGE] {
        asked(&with(name));
    }
    if let Ok(settings) = HttpSettings::new("svc", 1_000) {
        let request = TestRequest::default().insert_header((X_FORWARDED_FOR, value.clone())).to_http_request();
        let _ = authentication::client_address(&request, &settings.with_trusted_proxies(1));
    }
    if let Ok(text) = value.to_str() {
        query(text);
    }
}

fn asked(request: &HttpRequest) {
    const BYTES: u64 = 1_000;
    if let Asked::Part(range) = byte_range::asked(request, BYTES, "\"tag\"") {
        assert!(range.start < range.end && range.end <= BYTES, "{range:?}");
    }
}

fn query(text: &str) {
    // `TestRequest` panics at what is no address.
    let address = format!("/?{text}");
    if address.parse::<Uri>().is_err() {
        return;
    }
    let request = TestRequest::with_uri(&address).to_http_request();
    let Some(query) = told(Query::of(&request)) else { return };
    for name in ["limit", "cursor", "externalId"] {
        let _ = told(query.value(name));
    }
}
