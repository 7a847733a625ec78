//! What a request is called: its own identifier, and that of the trace that it is part of.

use std::rc::Rc;

use actix_web::{
    HttpMessage, HttpRequest,
    http::header::{HeaderMap, HeaderName},
};

/// The header that carries the identifier of a request, both ways.
pub(crate) const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

const TRACE_HEADER: HeaderName = HeaderName::from_static("traceparent");

/// Most characters of an identifier that a caller gives.
const REQUEST_ID_MAX_CHARACTERS: usize = 64;

/// The identifier of the request at hand: travels in the request's extensions.
#[derive(Clone)]
pub(crate) struct RequestId(Rc<str>);

impl RequestId {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The identifier of this request.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_else(|| Self::new("-"))
    }

    /// The identifier that the caller gives: 1 to 64 ASCII letters, digits, dots, underscores and dashes. Nothing where it
    /// gives another text or several.
    pub(crate) fn given(headers: &HeaderMap) -> Option<Self> {
        let text = only(headers, REQUEST_ID_HEADER)?;
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let fits = (1..=REQUEST_ID_MAX_CHARACTERS).contains(&text.len()) && text.bytes().all(is_allowed);
        fits.then(|| Self::new(text))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The identifier of the trace that a request is part of, where its `traceparent` is well formed (W3C Trace Context,
/// section 3.2).
pub(crate) fn trace_id(headers: &HeaderMap) -> Option<&str> {
    let text = only(headers, TRACE_HEADER)?;
    let mut parts = text.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, digits| part.len() == digits && part.bytes().all(is_lower_hex);
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let well_formed = is_hex(version, 2) && is_hex(trace, 32) && is_hex(parent, 16) && is_hex(flags, 2);
    // Version 00 has these four parts; a later one may have more, and ff is none.
    let known = version != "ff" && (version != "00" || parts.next().is_none());
    (well_formed && known && !is_zero(trace) && !is_zero(parent)).then_some(trace)
}

fn is_lower_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

/// The one value of a header, as text.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
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

    fn given(values: &[&str]) -> Option<String> {
        RequestId::given(&headers("x-request-id", values)).map(|id| id.as_str().to_owned())
    }

    #[test]
    fn a_well_formed_request_id_is_kept() {
        for text in ["a", "01M7Y8ZJGM11XB5Y567VPH1H8N", "web-1_2.3", &"a".repeat(64)] {
            assert_eq!(given(&[text]).as_deref(), Some(text));
        }
    }

    #[test]
    fn any_other_request_id_is_not() {
        for values in [&[][..], &[""], &["a b"], &["a\"b"], &["a=b"], &[&"a".repeat(65)], &["a", "b"]] {
            assert_eq!(given(values), None, "{values:?}");
        }
    }

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn traced(text: &str) -> Option<String> {
        trace_id(&headers("traceparent", &[text])).map(ToOwned::to_owned)
    }

    #[test]
    fn the_trace_of_a_well_formed_traceparent_is_kept() {
        for rest in ["00f067aa0ba902b7-01", "00f067aa0ba902b7-00"] {
            assert_eq!(traced(&format!("00-{TRACE}-{rest}")).as_deref(), Some(TRACE));
        }
        assert_eq!(traced(&format!("01-{TRACE}-00f067aa0ba902b7-01-more")).as_deref(), Some(TRACE));
    }

    #[test]
    fn any_other_traceparent_is_passed_over() {
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
            assert_eq!(traced(&text), None, "{text}");
        }
    }
}
