//! Entry points of the fuzz target `fuzz/parsers`: they run every parser of caller input on bytes from the fuzzer.
//! Only fuzzing builds contain this module.

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
use parlance_domain::{id::VocabularyEntryKind, limits::MESSAGE_PAGE_MAX};
use serde::de::DeserializeOwned;

use crate::{
    HttpSettings, connection,
    errors::{api_error::ApiError, envelope::Detail},
    extract::{idempotency_key, json_body, page_parameters, query::Query},
    middleware::{authentication, request_id::RequestId, trace_parent::TraceParent},
    resources::{
        conversations::dto::ConversationBody,
        feeds::{
            bodies::{DatasetBody, FeedBody, FeedsBody, FileBody, PeriodBody, VersionBody},
            byte_range::{self, RangeRequest},
        },
        messages::{self, batch::MessageBatchBody, dto::MessageBody},
        redaction_entities::dto::SetEntityActiveBody,
        vocabularies::dto::VocabularyBody,
    },
};

/// A word that only fuzzer input contains. No refusal may repeat it.
const SECRET: &str = "hush";

/// Parses bytes as the body of every operation that has one.
///
/// # Panics
/// A refusal has a status other than 400 or 422, or repeats the input.
pub fn bodies(bytes: &[u8]) {
    parse_body(bytes, ConversationBody::into_domain);
    parse_body(bytes, MessageBody::into_domain);
    parse_body(bytes, MessageBatchBody::into_domain);
    parse_body(bytes, VocabularyBody::into_domain);
    parse_body(bytes, SetEntityActiveBody::into_domain);
    parse_body(bytes, |FeedsBody {}| Ok(()));
    parse_body(bytes, FeedBody::into_domain);
    parse_body(bytes, VersionBody::into_domain);
    parse_body(bytes, DatasetBody::into_domain);
    parse_body(bytes, PeriodBody::into_domain);
    parse_body(bytes, FileBody::into_domain);
}

fn parse_body<T: DeserializeOwned, V>(bytes: &[u8], read: impl FnOnce(T) -> Result<V, ApiError>) {
    let _ = check_refusal(json_body::parse(bytes).and_then(read));
}

/// Checks the status of a refusal, and that its text does not contain [`SECRET`].
fn check_refusal<T>(outcome: Result<T, ApiError>) -> Option<T> {
    outcome
        .map_err(|refusal| {
            let status = refusal.status_code();
            assert!([StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY].contains(&status), "{status}");
            // The pointer of a metadata value contains its key, which is input.
            let is_metadata = |detail: &Detail| detail.pointer.starts_with("/metadata/");
            let report = match &refusal {
                ApiError::Refused(_, details) if details.iter().any(is_metadata) => {
                    format!("{:?}", details.iter().map(|detail| (detail.rule, &detail.message)).collect::<Vec<_>>())
                }
                refusal => format!("{refusal:?}"),
            };
            assert!(!report.contains(SECRET), "{refusal:?}");
        })
        .ok()
}

/// Parses bytes as the requests of a connection.
///
/// # Panics
/// The ends of requests depend on how the bytes are split into reads.
pub fn requests(bytes: &[u8]) {
    let expected = connection::request_lengths(bytes, bytes.len().max(1));
    for piece in [1, 7] {
        assert_eq!(connection::request_lengths(bytes, piece), expected, "pieces of {piece}");
    }
}

/// Parses a text as each kind of cursor, and as a limit.
///
/// # Panics
/// A parsed cursor does not survive formatting and parsing, or a limit is out of bounds.
pub fn cursors(text: &str) {
    check_round_trip(messages::dto::decode_cursor, messages::dto::encode_cursor, text);
    check_round_trip(page_parameters::decode_cursor::<VocabularyEntryKind>, page_parameters::encode_cursor, text);
    if let Ok(limit) = messages::dto::parse_limit(text) {
        assert!((1..=MESSAGE_PAGE_MAX).contains(&limit.messages()), "{text}");
    }
}

/// Checks that a parsed value survives formatting and parsing.
fn check_round_trip<T: PartialEq + Debug>(
    read: fn(&str) -> Result<T, &'static str>,
    format: fn(&T) -> String,
    text: &str,
) {
    if let Ok(value) = read(text) {
        assert_eq!(read(&format(&value)).as_ref(), Ok(&value), "{text}");
    }
}

/// Parses bytes as the value of every header that the interface reads, and as a query string.
///
/// # Panics
/// As [`bodies`], or a range exceeds its file.
pub fn headers(bytes: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(bytes) else { return };
    let request_with = |name: HeaderName| TestRequest::default().insert_header((name, value.clone())).to_http_request();
    let _ = check_refusal(idempotency_key::read_header(&request_with(idempotency_key::IDEMPOTENCY_KEY)));
    for name in [CONTENT_TYPE, CONTENT_ENCODING] {
        let _ = check_refusal(json_body::check_headers(&request_with(name)));
    }
    for name in ["x-request-id", "traceparent"] {
        let request = request_with(HeaderName::from_static(name));
        let (_, _) = (RequestId::from_headers(request.headers()), TraceParent::from_headers(request.headers()));
    }
    for name in [RANGE, IF_NONE_MATCH, IF_RANGE] {
        check_range(&request_with(name));
    }
    if let Ok(settings) = HttpSettings::new("svc", 1_000) {
        let request = TestRequest::default().insert_header((X_FORWARDED_FOR, value.clone())).to_http_request();
        let _ = authentication::client_address(&request, &settings.with_trusted_proxies(1));
    }
    if let Ok(text) = value.to_str() {
        parse_query(text);
    }
}

fn check_range(request: &HttpRequest) {
    const BYTES: u64 = 1_000;
    if let RangeRequest::Partial(range) = byte_range::requested_range(request, BYTES, "\"tag\"") {
        assert!(range.start < range.end && range.end <= BYTES, "{range:?}");
    }
}

fn parse_query(text: &str) {
    // `TestRequest` panics on an invalid URI.
    let address = format!("/?{text}");
    if address.parse::<Uri>().is_err() {
        return;
    }
    let request = TestRequest::with_uri(&address).to_http_request();
    let Some(query) = check_refusal(Query::from_request(&request)) else { return };
    for name in ["limit", "cursor", "externalId"] {
        let _ = check_refusal(query.value(name));
    }
}
