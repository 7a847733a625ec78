//! The header `Idempotency-Key`: what makes a request that creates something safe to send again.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    http::{
        StatusCode,
        header::{HeaderName, HeaderValue},
    },
};
use hmac::{Hmac, KeyInit, Mac};
use parlance_domain::retry::{Answer, Attempt, Canonical, CanonicalForm, KeyDigest, RequestDigest};
use serde::Serialize;
use sha2::Sha256;
use utoipa::IntoParams;

use crate::problem::{ApiError, Detail};

pub(crate) const KEY_HEADER: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Most characters of a key. The least is one.
const KEY_MAX_CHARACTERS: usize = 255;

/// The header, for the description.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct IdempotencyKey {
    /// Makes the request safe to send again: for 24 hours, a repeat with the same key that means the same is answered as
    /// the first was, and creates nothing.
    #[param(
        rename = "Idempotency-Key",
        required = false,
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]([ -~]*[!-~])?$"
    )]
    key: Option<String>,
}

/// The key of a request, where its caller gave one.
pub(crate) struct RetryKey(Option<HeaderValue>);

impl FromRequest for RetryKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request).map(Self))
    }
}

pub(crate) fn read(request: &HttpRequest) -> Result<Option<HeaderValue>, ApiError> {
    let Some(key) = request.headers().get(KEY_HEADER) else { return Ok(None) };
    let printable = key.to_str().is_ok_and(|text| (1..=KEY_MAX_CHARACTERS).contains(&text.len()));
    let wrong = || Detail::new("header:idempotency-key", "pattern", "must be 1 to 255 printable ASCII characters");
    if printable { Ok(Some(key.clone())) } else { Err(ApiError::unreadable(wrong())) }
}

impl RetryKey {
    /// The sending of this request, in the body that is given, to the thing that the path names. Repeats must mean the
    /// same.
    ///
    /// All digests are HMACs (RFC 2104) with the caller's key, which is stored nowhere: without it nobody can try out
    /// what was sent.
    pub(crate) fn attempt(&self, place: &str, request: &impl Canonical, body: &[u8]) -> Option<Attempt> {
        let key = self.0.as_ref()?.as_bytes();
        let meaning = keyed(key, &[b"meaning", place.as_bytes(), CanonicalForm::of(request).as_bytes()])?;
        let bytes = keyed(key, &[b"request", place.as_bytes(), body])?;
        Some(Attempt {
            key: KeyDigest(keyed(key, &[b"key"])?),
            request: RequestDigest::OfMeaning(meaning),
            earlier: RequestDigest::OfBytes(bytes),
        })
    }
}

/// The digest of some parts, told apart by their lengths.
fn keyed(key: &[u8], parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut digest = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in parts {
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    Some(digest.finalize().into_bytes().into())
}

/// An answer of this status that says whether it was given before.
pub(crate) fn respond(status: StatusCode, answer: &Answer, view: impl Serialize) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    if answer.replayed {
        response.insert_header((REPLAYED_HEADER, "true"));
    }
    response.json(view)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn key(text: &str) -> RetryKey {
        RetryKey(read(&TestRequest::default().insert_header((KEY_HEADER, text)).to_http_request()).unwrap())
    }

    /// A request that means its text.
    struct Said(&'static str);

    impl Canonical for Said {
        fn add_to(&self, form: &mut CanonicalForm) {
            form.text(self.0);
        }
    }

    #[test]
    fn a_request_without_a_key_is_no_attempt() {
        let request = TestRequest::default().to_http_request();
        assert_eq!(RetryKey(read(&request).unwrap()).attempt("", &Said("a"), b"{}"), None);
    }

    #[test]
    fn repeats_of_a_request_are_one_attempt_however_they_are_written() {
        let first = key("k").attempt("A", &Said("a"), b"{}").unwrap();
        let again = key("k").attempt("A", &Said("a"), b"{ }").unwrap();
        assert_eq!((first.key, first.request), (again.key, again.request));
    }

    #[test]
    fn another_place_or_meaning_is_another_request_of_the_same_key() {
        let first = key("k").attempt("A", &Said("Ba"), b"{}").unwrap();
        for (place, said) in [("AB", Said("a")), ("A", Said("Bb"))] {
            let other = key("k").attempt(place, &said, b"{}").unwrap();
            assert_eq!(first.key, other.key);
            assert_ne!(first.request, other.request);
        }
    }

    #[test]
    fn the_digest_of_a_request_depends_on_its_key() {
        let request = |text| key(text).attempt("A", &Said("a"), b"{}").unwrap().request;
        assert_ne!(request("k"), request("l"));
    }

    #[test]
    fn a_key_has_1_to_255_printable_characters() {
        for (value, fits) in [("k".repeat(255), true), ("k".repeat(256), false), (String::new(), false)] {
            let request = TestRequest::default().insert_header((KEY_HEADER, value.as_str())).to_http_request();
            assert_eq!(read(&request).is_ok(), fits, "{}", value.len());
        }
    }
}
