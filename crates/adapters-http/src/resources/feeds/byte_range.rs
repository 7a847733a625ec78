//! Evaluation of `If-None-Match`, `If-Range` and `Range` for a file (RFC 9110, sections 13 and 14).

use std::ops::Range;

use actix_web::{HttpRequest, http::header};

use crate::{extract::query::whole_number, response::entity_tag};

/// The result of a range request: the bytes of the file that the response holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RangeRequest {
    /// The whole file.
    Full,
    /// These bytes of the file.
    Partial(Range<u64>),
    /// No bytes: the range lies beyond the end of the file.
    Unsatisfiable,
    /// No bytes: the caller already has the current file.
    NotModified,
}

/// Evaluates a request for a file of `bytes` bytes with the entity tag `tag`.
pub(crate) fn requested_range(request: &HttpRequest, bytes: u64, tag: &str) -> RangeRequest {
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    if entity_tag::matches_if_none_match(request, tag) {
        return RangeRequest::NotModified;
    }
    // The range belongs to another version of the file, so the response holds the whole file.
    if text(header::IF_RANGE).is_some_and(|value| value != tag) {
        return RangeRequest::Full;
    }
    text(header::RANGE).map_or(RangeRequest::Full, |range| parse_range(range, bytes))
}

/// Parses one range of bytes. Several ranges, another unit and malformed ranges are ignored, as a server may do.
fn parse_range(range: &str, bytes: u64) -> RangeRequest {
    let Some((first, last)) = range.strip_prefix("bytes=").and_then(|range| range.trim().split_once('-')) else {
        return RangeRequest::Full;
    };
    let range = match (whole_number(first), whole_number(last)) {
        (None, Some(count)) if first.is_empty() => bytes.saturating_sub(count)..bytes,
        (Some(first), None) if last.is_empty() => first..bytes,
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(bytes),
        _ => return RangeRequest::Full,
    };
    if range.is_empty() { RangeRequest::Unsatisfiable } else { RangeRequest::Partial(range) }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn evaluate(headers: &[(&str, &str)]) -> RangeRequest {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.insert_header(*header));
        requested_range(&request.to_http_request(), 100, "\"tag\"")
    }

    #[test]
    fn a_range_is_clamped_to_the_file() {
        assert_eq!(evaluate(&[("range", "bytes=0-9")]), RangeRequest::Partial(0..10));
        assert_eq!(evaluate(&[("range", "bytes=90-")]), RangeRequest::Partial(90..100));
        assert_eq!(evaluate(&[("range", "bytes=90-999")]), RangeRequest::Partial(90..100));
        assert_eq!(evaluate(&[("range", "bytes=-10")]), RangeRequest::Partial(90..100));
        assert_eq!(evaluate(&[("range", "bytes=-999")]), RangeRequest::Partial(0..100));
    }

    #[test]
    fn a_range_beyond_the_file_is_unsatisfiable() {
        for range in ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(evaluate(&[("range", range)]), RangeRequest::Unsatisfiable, "{range}");
        }
    }

    #[test]
    fn anything_but_one_range_of_bytes_is_ignored() {
        for range in ["bytes=0-1,5-6", "lines=0-9", "bytes=9-0", "bytes=a-b", "bytes=", "bytes=-", "0-9"] {
            assert_eq!(evaluate(&[("range", range)]), RangeRequest::Full, "{range}");
        }
    }

    #[test]
    fn a_file_that_the_caller_has_is_not_sent_again() {
        for tags in ["\"tag\"", "\"other\", W/\"tag\"", "*"] {
            assert_eq!(evaluate(&[("if-none-match", tags)]), RangeRequest::NotModified, "{tags}");
        }
        assert_eq!(evaluate(&[("if-none-match", "\"other\"")]), RangeRequest::Full);
    }

    #[test]
    fn a_range_of_another_version_gets_the_whole_file() {
        assert_eq!(evaluate(&[("range", "bytes=0-9"), ("if-range", "\"other\"")]), RangeRequest::Full);
        assert_eq!(evaluate(&[("range", "bytes=0-9"), ("if-range", "\"tag\"")]), RangeRequest::Partial(0..10));
    }
}
