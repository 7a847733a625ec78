//! Parsing of a request head: its end, the length of the body, and the options that the guard blanks.

use std::{mem::MaybeUninit, ops::Range};

use actix_web::http::Uri;

use crate::connection::limits::{HEAD_MAX_BYTES, HEAD_MAX_FIELDS};

/// Why a head is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::connection) enum HeadError {
    /// The head is not HTTP/1, or is ambiguous.
    Malformed,
    /// The head has too many bytes or fields.
    TooLarge,
}

/// The length of a request body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyLength {
    None,
    Sized(u64),
    Chunked,
}

/// The relevant contents of a head.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) body: BodyLength,
    pub(super) expects_continue: bool,
}

/// Finds the empty line that ends a head. `scanned` is the position at which the previous search stopped.
pub(super) fn find_end(bytes: &[u8], scanned: &mut usize) -> Result<Option<usize>, HeadError> {
    let first = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    let start = first.unwrap_or(bytes.len());
    if bytes.get(start).is_some_and(|byte| !byte.is_ascii_alphabetic()) {
        return Err(HeadError::Malformed);
    }
    let mut from = (*scanned).max(start);
    while let Some(at) = memchr::memchr(b'\n', bytes.get(from..).unwrap_or_default()).map(|at| from + at) {
        let line = bytes.get(..at).unwrap_or_default();
        // Implementations differ on whether a lone line feed ends a line.
        let before = line.strip_suffix(b"\r").ok_or(HeadError::Malformed)?;
        from = at + 1;
        if before.ends_with(b"\n") {
            return if from > HEAD_MAX_BYTES { Err(HeadError::TooLarge) } else { Ok(Some(from)) };
        }
    }
    *scanned = from;
    if bytes.len() > HEAD_MAX_BYTES { Err(HeadError::TooLarge) } else { Ok(None) }
}

/// Parses a complete head, and blanks offers to upgrade the protocol and the expectation of `100 Continue`. The HTTP
/// library would act on an upgrade offer, and would send `100 Continue` before the application examines the request.
pub(super) fn read_head(bytes: &mut [u8]) -> Result<Head, HeadError> {
    let mut field_buffer = [const { MaybeUninit::uninit() }; HEAD_MAX_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    match request.parse_with_uninit_headers(bytes, &mut field_buffer) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(HeadError::TooLarge),
        Ok(httparse::Status::Partial) | Err(_) => return Err(HeadError::Malformed),
    }
    if !request.path.is_some_and(is_target) {
        return Err(HeadError::Malformed);
    }
    let http_11 = request.version == Some(1);
    let mut fields = HeadFields::default();
    let base = bytes.as_ptr() as usize;
    for field in request.headers.iter() {
        let start = (field.value.as_ptr() as usize).saturating_sub(base);
        fields.add(field.name, field.value, start..start + field.value.len())?;
    }
    let head = fields.finish(http_11)?;
    for range in &fields.blank_ranges {
        if let Some(value) = bytes.get_mut(range.clone()) {
            value.fill(b' ');
        }
    }
    Ok(head)
}

/// Whether the HTTP library accepts this target. It would refuse another one with an empty response.
fn is_target(target: &str) -> bool {
    let is_common = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%?=&:+,".contains(&byte);
    target.starts_with('/') && target.bytes().all(is_common) || Uri::try_from(target).is_ok()
}

/// The contents of the fields that were parsed so far.
#[derive(Debug, Default)]
struct HeadFields {
    length: Option<u64>,
    chunked: bool,
    hosts: usize,
    expects_continue: bool,
    /// The byte ranges of values, or of parts of values, to be blanked.
    blank_ranges: Vec<Range<usize>>,
}

impl HeadFields {
    fn add(&mut self, name: &str, value: &[u8], at: Range<usize>) -> Result<(), HeadError> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        // The length distinguishes most names without a comparison.
        match name.len() {
            4 if is("host") => self.hosts += 1,
            6 if is("expect") => {
                self.expects_continue |= value.trim_ascii().eq_ignore_ascii_case(b"100-continue");
                self.blank_ranges.push(at);
            }
            7 if is("upgrade") => self.blank_ranges.push(at),
            10 if is("connection") => self.blank_upgrade(value, at.start),
            14 if is("content-length") => {
                let digits = value.trim_ascii();
                let length =
                    std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                let length = length.and_then(|text| text.parse().ok()).ok_or(HeadError::Malformed)?;
                if self.length.replace(length).is_some() {
                    return Err(HeadError::Malformed);
                }
            }
            17 if is("transfer-encoding") => {
                let chunked = value.trim_ascii().eq_ignore_ascii_case(b"chunked");
                if !chunked || std::mem::replace(&mut self.chunked, true) {
                    return Err(HeadError::Malformed);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Blanks the option `upgrade` of `Connection`.
    fn blank_upgrade(&mut self, value: &[u8], start: usize) {
        let mut at = start;
        for option in value.split(|byte| *byte == b',') {
            if option.trim_ascii().eq_ignore_ascii_case(b"upgrade") {
                self.blank_ranges.push(at..at + option.len());
            }
            at += option.len() + 1;
        }
    }

    fn finish(&self, http_11: bool) -> Result<Head, HeadError> {
        let hosts_allowed = if http_11 { 1..=1 } else { 0..=1 };
        let ambiguous = self.chunked && (self.length.is_some() || !http_11);
        if ambiguous || !hosts_allowed.contains(&self.hosts) {
            return Err(HeadError::Malformed);
        }
        let body = match self.length {
            _ if self.chunked => BodyLength::Chunked,
            Some(0) | None => BodyLength::None,
            Some(length) => BodyLength::Sized(length),
        };
        let expects_continue = self.expects_continue && http_11 && body != BodyLength::None;
        Ok(Head { body, expects_continue })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(fields: &str) -> Result<(BodyLength, bool, String), HeadError> {
        let mut bytes = format!("POST / HTTP/1.1\r\nhost: a\r\n{fields}\r\n").into_bytes();
        let head = read_head(&mut bytes)?;
        Ok((head.body, head.expects_continue, String::from_utf8(bytes).unwrap()))
    }

    fn end(text: &str) -> Result<Option<usize>, HeadError> {
        find_end(text.as_bytes(), &mut 0)
    }

    #[test]
    fn the_body_length_comes_from_content_length_or_transfer_encoding() {
        assert_eq!(head("").unwrap().0, BodyLength::None);
        assert_eq!(head("content-length: 0\r\n").unwrap().0, BodyLength::None);
        assert_eq!(head("Content-Length: 7\r\n").unwrap().0, BodyLength::Sized(7));
        assert_eq!(head("Transfer-Encoding: Chunked\r\n").unwrap().0, BodyLength::Chunked);
    }

    #[test]
    fn a_target_that_is_no_uri_is_refused() {
        let head = |target: &str| {
            let mut bytes = format!("GET {target} HTTP/1.1\r\nhost: a\r\n\r\n").into_bytes();
            read_head(&mut bytes).map(|_| ())
        };
        for target in ["/", "/a?b=c,d:e+f", "/a/%C3%A9?x=!$'()*;@~", "http://a/b", "*", "/a?metadata[key]=b"] {
            assert_eq!(head(target), Ok(()), "{target}");
        }
        for target in ["/?x=<>", "http://", "http:///x", "http://[::1", "http://a:b:c/", "?", "/#"] {
            assert_eq!(head(target).is_ok(), Uri::try_from(target).is_ok(), "{target}");
        }
        assert_eq!(head("http:///x"), Err(HeadError::Malformed));
    }

    #[test]
    fn an_ambiguous_head_is_refused() {
        for fields in [
            "content-length: 1\r\ncontent-length: 1\r\n",
            "content-length: 1, 1\r\n",
            "content-length: +1\r\n",
            "content-length: -1\r\n",
            "content-length: 1x\r\n",
            "content-length:\r\n",
            "content-length: 99999999999999999999\r\n",
            "content-length: 1\r\ntransfer-encoding: chunked\r\n",
            "transfer-encoding: gzip, chunked\r\n",
            "transfer-encoding: identity\r\n",
            "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
            "host: b\r\n",
            "content-length : 1\r\n",
            " folded: 1\r\n",
        ] {
            assert_eq!(head(fields), Err(HeadError::Malformed), "{fields:?}");
        }
    }

    #[test]
    fn heads_that_violate_their_protocol_version_are_refused() {
        for text in [
            "POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\n",
            "GET / HTTP/9.9\r\nhost: a\r\n\r\n",
        ] {
            assert_eq!(read_head(&mut text.as_bytes().to_vec()), Err(HeadError::Malformed), "{text:?}");
        }
        assert!(read_head(&mut b"GET / HTTP/1.0\r\n\r\n".to_vec()).is_ok());
    }

    #[test]
    fn upgrade_offers_are_blanked() {
        let (body, _, blanked) =
            head("upgrade: websocket\r\ncontent-length: 2\r\nconnection: Upgrade, HTTP2-Settings\r\n").unwrap();
        assert_eq!(body, BodyLength::Sized(2));
        assert!(
            blanked.contains("upgrade:          \r\n") && blanked.contains("connection:        , HTTP2-Settings\r\n"),
            "{blanked}"
        );
    }

    #[test]
    fn the_expectation_of_100_continue_is_blanked_and_recorded() {
        let (_, expected, blanked) = head("expect: 100-Continue\r\ncontent-length: 2\r\n").unwrap();
        assert!(expected && !blanked.contains("100"), "{blanked}");
        assert!(!head("expect: 100-continue\r\n").unwrap().1, "a request without a body does not wait");
    }

    #[test]
    fn a_head_ends_only_with_an_empty_line() {
        assert_eq!(end("GET / HTTP/1.1\r\nhost: a\r\n\r\nrest"), Ok(Some(27)));
        assert_eq!(end("GET / HTTP/1.1\r\nhost: a\r\n"), Ok(None));
        assert_eq!(end("GET / HTTP/1.1\nhost: a\n\n"), Err(HeadError::Malformed));
        assert_eq!(end("\x16\x03\x01"), Err(HeadError::Malformed));
    }

    #[test]
    fn a_head_has_a_size_limit() {
        let long = format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "a".repeat(HEAD_MAX_BYTES));
        assert_eq!(end(&long), Err(HeadError::TooLarge));
        assert_eq!(end(long.get(..=HEAD_MAX_BYTES).unwrap()), Err(HeadError::TooLarge));
        assert_eq!(head(&"a: b\r\n".repeat(HEAD_MAX_FIELDS)), Err(HeadError::TooLarge));
    }
}
