//! The request id.

use std::rc::Rc;

use actix_web::{
    HttpMessage, HttpRequest,
    http::header::{HeaderMap, HeaderName},
};

/// The header of the request id, in requests and responses.
pub(crate) const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

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

/// The value of a header that occurs exactly once, as text.
pub(super) fn single_value(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
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
}
