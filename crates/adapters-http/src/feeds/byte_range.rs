//! Which bytes of a file a request asks for (RFC 9110, sections 13 and 14).

use std::ops::Range;

use actix_web::{HttpRequest, http::header};

use crate::entity_tag;

/// What is to be answered of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// All of it.
    Whole,
    /// These bytes of it.
    Part(Range<u64>),
    /// Bytes that it does not have.
    Beyond,
    /// Nothing: the caller has it as it is.
    Known,
}

/// What a request asks for of a file of so many bytes with this tag.
pub(crate) fn asked(request: &HttpRequest, bytes: u64, tag: &str) -> Asked {
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    if entity_tag::is_known(request, tag) {
        return Asked::Known;
    }
    // A tag that is not this one makes the rest of another file useless: the whole is sent.
    if text(header::IF_RANGE).is_some_and(|one| one != tag) {
        return Asked::Whole;
    }
    text(header::RANGE).map_or(Asked::Whole, |range| part(range, bytes))
}

/// One range of bytes. Several, another unit, or what cannot be read is passed over, as a server may.
fn part(range: &str, bytes: u64) -> Asked {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let Some((first, last)) = range.strip_prefix("bytes=").and_then(|range| range.trim().split_once('-')) else {
        return Asked::Whole;
    };
    let range = match (number(first), number(last)) {
        (None, Some(count)) if first.is_empty() => bytes.saturating_sub(count)..bytes,
        (Some(first), None) if last.is_empty() => first..bytes,
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(bytes),
        _ => return Asked::Whole,
    };
    if range.is_empty() { Asked::Beyond } else { Asked::Part(range) }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn of(headers: &[(&str, &str)]) -> Asked {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.insert_header(*header));
        asked(&request.to_http_request(), 100, "\"tag\"")
    }

    #[test]
    fn a_range_is_cut_where_the_file_ends() {
        assert_eq!(of(&[("range", "bytes=0-9")]), Asked::Part(0..10));
        assert_eq!(of(&[("range", "bytes=90-")]), Asked::Part(90..100));
        assert_eq!(of(&[("range", "bytes=90-999")]), Asked::Part(90..100));
        assert_eq!(of(&[("range", "bytes=-10")]), Asked::Part(90..100));
        assert_eq!(of(&[("range", "bytes=-999")]), Asked::Part(0..100));
    }

    #[test]
    fn a_range_beyond_the_file_is_none_of_it() {
        for range in ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(of(&[("range", range)]), Asked::Beyond, "{range}");
        }
    }

    #[test]
    fn what_is_not_one_range_of_bytes_is_passed_over() {
        for range in ["bytes=0-1,5-6", "lines=0-9", "bytes=9-0", "bytes=a-b", "bytes=", "bytes=-", "0-9"] {
            assert_eq!(of(&[("range", range)]), Asked::Whole, "{range}");
        }
    }

    #[test]
    fn a_file_that_is_known_is_not_sent_again() {
        for tags in ["\"tag\"", "\"other\", W/\"tag\"", "*"] {
            assert_eq!(of(&[("if-none-match", tags)]), Asked::Known, "{tags}");
        }
        assert_eq!(of(&[("if-none-match", "\"other\"")]), Asked::Whole);
    }

    #[test]
    fn a_range_of_another_file_gets_the_whole() {
        assert_eq!(of(&[("range", "bytes=0-9"), ("if-range", "\"other\"")]), Asked::Whole);
        assert_eq!(of(&[("range", "bytes=0-9"), ("if-range", "\"tag\"")]), Asked::Part(0..10));
    }
}
