//! The request id, and the id of the trace that a request is part of.

use std::rc::Rc;

use actix_web::{
    HttpMessage, HttpRequest,
    http::header::{HeaderMap, HeaderName},
};
use parlance_domain::hex;

/// The header of the request id, in requests and responses.
pub(crate) const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

const TRACE_HEADER: HeaderName = HeaderName::from_static("traceparent");

/// Maximum length of a caller's request id, in characters.
const REQUEST_ID_MAX_CHARACTERS: usize = 64;

/// The id of one request, stored in the extensions of the request.
#[derive(Clone)]
pub(crate) struct RequestId(Rc<str>);

impl RequestId {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The id of this request; `-` if the request has none.
    pub(crate) fn from_request(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_else(|| Self::new("-"))
    }

    /// The id that the caller sends: 1 to 64 ASCII letters, digits, dots, underscores and dashes. `None` if the header
    /// is missing, repeated or has another form.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let text = single_value(headers, REQUEST_ID_HEADER)?;
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let fits = (1..=REQUEST_ID_MAX_CHARACTERS).contains(&text.len()) && text.bytes().all(is_allowed);
        fits.then(|| Self::new(text))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The id of the trace that a request is part of. `None` unless the request has exactly one `traceparent` and it is
/// well formed (W3C Trace Context, section 3.2).
pub(crate) fn trace_id(headers: &HeaderMap) -> Option<&str> {
    let text = single_value(headers, TRACE_HEADER)?;
    let mut parts = text.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, digits| part.len() == digits && hex::is_lower_hex(part);
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let is_well_formed = is_hex(version, 2) && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    // Version 00 has exactly these four parts. Later versions may have more. Version ff is invalid.
    let is_known_version = version != "ff" && (version != "00" || parts.next().is_none());
    (is_well_formed && is_known_version && !is_zero(trace) && !is_zero(parent)).then_some(trace)
}

/// The value of a header that occurs exactly once, as text.
fn single_value(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name);
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn headers(name: &'static str, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn accepted_id(values: &[&str]) -> Option<String> {
        RequestId::from_headers(&headers("x-request-id", values)).map(|id| id.as_str().to_owned())
    }

    #[test]
    fn a_well_formed_request_id_is_kept() {
        for text in ["a", "01M7Y8ZJGM11XB5Y567VPH1H8N", "web-1_2.3", &"a".repeat(64)] {
            assert_eq!(accepted_id(&[text]).as_deref(), Some(text));
        }
    }

    #[test]
    fn any_other_request_id_is_ignored() {
        for values in [&[][..], &[""], &["a b"], &["a\"b"], &["a=b"], &[&"a".repeat(65)], &["a", "b"]] {
            assert_eq!(accepted_id(values), None, "{values:?}");
        }
    }

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn parsed_trace_id(text: &str) -> Option<String> {
        trace_id(&headers("traceparent", &[text])).map(ToOwned::to_owned)
    }

    #[test]
    fn the_trace_of_a_well_formed_traceparent_is_kept() {
        for rest in ["00f067aa0ba902b7-01", "00f067aa0ba902b7-00"] {
            assert_eq!(parsed_trace_id(&format!("00-{TRACE}-{rest}")).as_deref(), Some(TRACE));
        }
        assert_eq!(parsed_trace_id(&format!("01-{TRACE}-00f067aa0ba902b7-01-more")).as_deref(), Some(TRACE));
    }

    #[test]
    fn any_other_traceparent_is_ignored() {
        let (zeros, parent) = ("0".repeat(32), "00f067aa0ba902b7");
        for text in [
            String::new(),
            format!("00-{TRACE}-{parent}"),
            format!("ff-{TRACE}-{parent}-01"),
            format!("00-{TRACE}-{parent}-01-more"),
            format!("00-{zeros}-{parent}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{parent}-01", TRACE.to_uppercase()),
            format!("00-{}-{parent}-01", "x".repeat(32)),
        ] {
            assert_eq!(parsed_trace_id(&text), None, "{text}");
        }
    }
}
