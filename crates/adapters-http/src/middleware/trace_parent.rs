//! The header `traceparent`: the trace that a request is part of (W3C Trace Context, section 3.2).

use actix_web::http::header::{HeaderMap, HeaderName};
use parlance_domain::hex;

use crate::middleware::request_id::single_value;

const HEADER: HeaderName = HeaderName::from_static("traceparent");

/// The bit of the flags that says that the caller records the trace.
const SAMPLED: u8 = 0x01;

/// The trace that a request is part of, and the span of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceParent<'header> {
    /// The id of the trace: 32 lower-case hexadecimal digits, not all zero.
    pub trace_id: &'header str,
    /// The id of the caller's span: 16 lower-case hexadecimal digits, not all zero.
    pub span_id: &'header str,
    /// Whether the caller records the trace.
    pub is_sampled: bool,
}

impl<'header> TraceParent<'header> {
    /// The trace of a request. `None` unless the request has exactly one `traceparent` and it is well formed.
    pub(crate) fn from_headers(headers: &'header HeaderMap) -> Option<Self> {
        Self::parse(single_value(headers, HEADER)?)
    }

    fn parse(text: &'header str) -> Option<Self> {
        let mut parts = text.split('-');
        let (version, trace_id, span_id, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let is_hex = |part: &str, digits| part.len() == digits && hex::is_lower_hex(part);
        let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
        let is_well_formed = is_hex(version, 2) && is_hex(trace_id, 32) && is_hex(span_id, 16) && is_hex(flags, 2);
        // Version 00 has exactly these four parts. Later versions may have more. Version ff is invalid.
        let is_known_version = version != "ff" && (version != "00" || parts.next().is_none());
        let is_valid = is_well_formed && is_known_version && !is_zero(trace_id) && !is_zero(span_id);
        let flags = u8::from_str_radix(flags, 16).ok().filter(|_| is_valid)?;
        Some(Self { trace_id, span_id, is_sampled: flags & SAMPLED != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    #[test]
    fn a_well_formed_traceparent_has_a_trace_a_span_and_whether_it_is_sampled() {
        for (version, rest, is_sampled) in
            [("00", "01", true), ("00", "00", false), ("00", "03", true), ("00", "02", false), ("01", "01-more", true)]
        {
            let text = format!("{version}-{TRACE}-{PARENT}-{rest}");
            let expected = TraceParent { trace_id: TRACE, span_id: PARENT, is_sampled };
            assert_eq!(TraceParent::parse(&text), Some(expected), "{text}");
        }
    }

    #[test]
    fn any_other_traceparent_is_ignored() {
        let (zeros, parent) = ("0".repeat(32), PARENT);
        for text in [
            String::new(),
            format!("00-{TRACE}-{parent}"),
            format!("00-{TRACE}-{parent}-"),
            format!("00-{TRACE}-{parent}-1"),
            format!("00-{TRACE}-{parent}-0g"),
            format!("00-{TRACE}-{parent}-+1"),
            format!("ff-{TRACE}-{parent}-01"),
            format!("00-{TRACE}-{parent}-01-more"),
            format!("00-{TRACE}-{parent}-01-"),
            format!("00-{zeros}-{parent}-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{}-{parent}-01", TRACE.to_uppercase()),
            format!("00-{}-{parent}-01", "x".repeat(32)),
            format!(" 00-{TRACE}-{parent}-01"),
        ] {
            assert_eq!(TraceParent::parse(&text), None, "{text}");
        }
    }

    #[test]
    fn a_repeated_traceparent_is_ignored() {
        let mut headers = HeaderMap::new();
        let value = format!("00-{TRACE}-{PARENT}-01");
        headers.append(HEADER, value.parse().unwrap());
        assert!(TraceParent::from_headers(&headers).is_some());
        headers.append(HEADER, value.parse().unwrap());
        assert_eq!(TraceParent::from_headers(&headers), None);
    }
}
