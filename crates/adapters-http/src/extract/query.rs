//! Strict parsing of query strings and path segments: malformed input is refused, never guessed.

use std::{
    borrow::Cow,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use parlance_domain::{
    id::{ConversationId, Id},
    text::Violation,
};
use percent_encoding::percent_decode_str;

use crate::errors::{api_error::ApiError, envelope::Detail};

/// The parameters of a query string.
pub(crate) struct Query<'request>(Vec<(Cow<'request, str>, Cow<'request, str>)>);

impl<'request> Query<'request> {
    /// Parses the query string of a request.
    ///
    /// # Errors
    /// 400 if a parameter is not percent-encoded UTF-8.
    pub(crate) fn from_request(request: &'request HttpRequest) -> Result<Self, ApiError> {
        let pairs = request.query_string().split('&').filter(|pair| !pair.is_empty());
        let decoded = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decode(name)?, decode(value)?))
        });
        let invalid = || ApiError::unreadable(Detail::new("query:", "encoding", "must be percent-encoded UTF-8"));
        decoded.collect::<Option<_>>().map(Self).ok_or_else(invalid)
    }

    /// The names and values of all parameters.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The single value of a parameter.
    ///
    /// # Errors
    /// 400 if the parameter occurs twice.
    pub(crate) fn value(&self, name: &'static str) -> Result<Option<&str>, ApiError> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| &**value);
        let first = values.next();
        if values.next().is_some() {
            return Err(invalid_parameter(name, "unique", "must be given once"));
        }
        Ok(first)
    }

    /// The value of a parameter, validated by the domain.
    ///
    /// # Errors
    /// 400 if the parameter occurs twice or breaks a rule.
    pub(crate) fn check<T>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, Violation>,
    ) -> Result<Option<T>, ApiError> {
        let parsed = self.value(name)?.map(parse).transpose();
        parsed.map_err(|violation| invalid_parameter(name, violation.rule(), violation.to_string()))
    }

    /// The parsed value of a parameter.
    ///
    /// # Errors
    /// 400 if the parameter occurs twice or does not parse.
    pub(crate) fn parse<T, E: ToString>(
        &self,
        name: &'static str,
        rule: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, ApiError> {
        self.value(name)?.map(parse).transpose().map_err(|error| invalid_parameter(name, rule, error.to_string()))
    }
}

/// The 400 for an invalid query parameter.
pub(crate) fn invalid_parameter(
    name: &'static str,
    rule: &'static str,
    message: impl Into<Cow<'static, str>>,
) -> ApiError {
    ApiError::unreadable(Detail::new(format!("query:{name}"), rule, message))
}

/// Decodes percent escapes, and plus signs as spaces. `None` for a malformed escape or invalid UTF-8.
fn decode(text: &str) -> Option<Cow<'_, str>> {
    let escapes = text.as_bytes().split(|byte| *byte == b'%').skip(1);
    let is_complete =
        |escape: &[u8]| matches!(escape, [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
    if !escapes.into_iter().all(is_complete) {
        return None;
    }
    if text.contains('+') {
        let spaced = text.replace('+', " ");
        return percent_decode_str(&spaced).decode_utf8().ok().map(|decoded| Cow::Owned(decoded.into_owned()));
    }
    percent_decode_str(text).decode_utf8().ok()
}

/// Parses a whole number that consists of digits only. A greater number than `u64::MAX` becomes `u64::MAX`.
pub(crate) fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// The conversation id in a path: 400 if the segment does not have the form of an identifier (spec §4.3).
pub(crate) struct ConversationPath(pub(crate) ConversationId);

impl FromRequest for ConversationPath {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(path_id(request, "conversationId").map(Self))
    }
}

/// The identifier in a path segment.
///
/// # Errors
/// 400 if the segment does not have the form of an identifier (spec §4.3).
pub(crate) fn path_id<Kind>(request: &HttpRequest, name: &'static str) -> Result<Id<Kind>, ApiError> {
    let segment = request.match_info().get(name).unwrap_or_default();
    Id::parse(segment).map_err(|violation| {
        ApiError::unreadable(Detail::new(format!("path:{name}"), violation.rule(), violation.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn request(query: &str) -> HttpRequest {
        TestRequest::with_uri(&format!("/x?{query}")).to_http_request()
    }

    #[test]
    fn escapes_and_plus_signs_are_decoded() {
        let request = request("externalId=a%2Bb+c%C3%A9");
        assert_eq!(Query::from_request(&request).unwrap().value("externalId").unwrap(), Some("a+b cé"));
    }

    #[test]
    fn a_repeated_parameter_is_refused() {
        let request = request("a=1&a=2");
        assert!(Query::from_request(&request).unwrap().value("a").is_err());
    }

    #[test]
    fn malformed_escapes_and_invalid_utf_8_are_refused() {
        for query in ["a=%FF", "a=%zz", "a=%4", "%=1"] {
            assert!(Query::from_request(&request(query)).is_err(), "{query}");
        }
    }
}
