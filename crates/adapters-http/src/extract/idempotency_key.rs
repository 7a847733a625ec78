//! The header `Idempotency-Key`, which makes a request that creates something safe to repeat.

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
use parlance_domain::{
    access::AuthorizedCaller,
    id::ConversationId,
    idempotency::{
        CanonicalForm, Canonicalize, Claim, IdempotentError, IdempotentRequest, IdempotentResponse, KeyDigest,
        KeyRefusal, OperationRequest, RequestDigest,
    },
    limits::IDEMPOTENCY_KEY_MAX_CHARACTERS,
};
use serde::Serialize;
use sha2::Sha256;
use utoipa::IntoParams;

use crate::{
    Services,
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::Detail,
    },
};

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header in the details of an error.
const POINTER: &str = "header:idempotency-key";
const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The header as a parameter of the OpenAPI description.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) struct IdempotencyKeyHeader {
    /// Makes the request safe to send again: for 24 hours, a repeat with the same key that means the same is answered as
    /// the first was, and creates nothing.
    #[param(rename = "Idempotency-Key", required = false, format = "idempotency-key")]
    key: Option<String>,
}

/// The idempotency key of a request, if the request has one.
pub(crate) struct IdempotencyKey(Option<HeaderValue>);

impl FromRequest for IdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read_header(request).map(Self))
    }
}

pub(crate) fn read_header(request: &HttpRequest) -> Result<Option<HeaderValue>, ApiError> {
    let Some(key) = request.headers().get(IDEMPOTENCY_KEY) else { return Ok(None) };
    // `HeaderValue::to_str` also accepts tabs.
    let printable = key.as_bytes().iter().all(|byte| matches!(byte, b' '..=b'~'));
    let is_valid = printable && (1..=IDEMPOTENCY_KEY_MAX_CHARACTERS).contains(&key.len());
    let invalid = || {
        let message = format!("must be 1 to {IDEMPOTENCY_KEY_MAX_CHARACTERS} printable ASCII characters");
        ApiError::unreadable(Detail::new(POINTER, "pattern", message))
    };
    if is_valid { Ok(Some(key.clone())) } else { Err(invalid()) }
}

impl IdempotencyKey {
    /// Executes a request with `work`, which returns the identifiers of the objects that it created. A repeat gets the
    /// response of the first request, and `work` does not run.
    ///
    /// `conversation` is the one that the path names. `body` is the content of `request` as the received bytes.
    pub(crate) async fn execute<R: OperationRequest, E: IdempotentError>(
        &self,
        services: &Services,
        caller: &AuthorizedCaller<R::Permission>,
        conversation: Option<&ConversationId>,
        (request, body): (R, &[u8]),
        work: impl AsyncFnOnce(R, Option<Claim>) -> Result<Vec<String>, E>,
    ) -> Result<IdempotentResponse, E> {
        let target = conversation.map_or("", ConversationId::as_str);
        let idempotent_request = self.idempotent_request(target, &request, body);
        services.idempotency.execute(caller, (request, conversation), idempotent_request, work).await
    }

    /// The digests that identify this request, or `None` without a key.
    ///
    /// `target` is the resource that the path names. `request` is the meaning of the body, `body` its bytes. A repeat
    /// must have the same target and meaning.
    ///
    /// All digests are HMACs (RFC 2104) under the caller's key. The key is not stored, so nobody can test a guessed
    /// request against a stored digest.
    fn idempotent_request(&self, target: &str, request: &impl Canonicalize, body: &[u8]) -> Option<IdempotentRequest> {
        let key = self.0.as_ref()?.as_bytes();
        let meaning =
            hmac_digest(key, &[b"meaning", target.as_bytes(), CanonicalForm::from_request(request).as_bytes()])?;
        let bytes = hmac_digest(key, &[b"request", target.as_bytes(), body])?;
        Some(IdempotentRequest {
            key: KeyDigest(hmac_digest(key, &[b"key"])?),
            digest: RequestDigest::Canonical(meaning),
            legacy_digest: RequestDigest::Body(bytes),
        })
    }
}

/// The HMAC-SHA-256 of the parts. The length before each part separates it from the next.
fn hmac_digest(key: &[u8], parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut digest = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in parts {
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    Some(digest.finalize().into_bytes().into())
}

/// The response with this status, and with a view of the identifiers of the created objects. A replayed response has
/// the header `Idempotency-Replayed`.
pub(crate) fn respond<V: Serialize>(
    status: StatusCode,
    IdempotentResponse { ids, replayed }: IdempotentResponse,
    view: impl FnOnce(Vec<String>) -> V,
) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    if replayed {
        response.insert_header((REPLAYED_HEADER, "true"));
    }
    response.json(view(ids))
}

impl From<KeyRefusal> for ApiError {
    fn from(refusal: KeyRefusal) -> Self {
        match refusal {
            KeyRefusal::InProgress => Self::refused_at(RefusalKind::Conflict, POINTER, "still_running", &refusal),
            KeyRefusal::Erased => Self::refused_at(RefusalKind::Conflict, POINTER, "erased", &refusal),
            KeyRefusal::Taken => Self::refused_at(RefusalKind::Conflict, POINTER, "one_request", &refusal),
            KeyRefusal::Reused => Self::refused_at(RefusalKind::RuleViolation, POINTER, "one_request", &refusal),
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn key(text: &str) -> IdempotencyKey {
        IdempotencyKey(
            read_header(&TestRequest::default().insert_header((IDEMPOTENCY_KEY, text)).to_http_request()).unwrap(),
        )
    }

    /// A request whose meaning is its text.
    struct TextRequest(&'static str);

    impl Canonicalize for TextRequest {
        fn write_canonical(&self, form: &mut CanonicalForm) {
            form.text(self.0);
        }
    }

    #[test]
    fn a_request_without_a_key_has_no_digests() {
        let request = TestRequest::default().to_http_request();
        assert_eq!(
            IdempotencyKey(read_header(&request).unwrap()).idempotent_request("", &TextRequest("a"), b"{}"),
            None
        );
    }

    #[test]
    fn the_formatting_of_a_body_does_not_change_the_digest_of_the_request() {
        let first = key("k").idempotent_request("A", &TextRequest("a"), b"{}").unwrap();
        let repeat = key("k").idempotent_request("A", &TextRequest("a"), b"{ }").unwrap();
        assert_eq!((first.key, first.digest), (repeat.key, repeat.digest));
    }

    #[test]
    fn another_target_or_meaning_changes_the_digest_of_the_request_and_not_of_the_key() {
        let first = key("k").idempotent_request("A", &TextRequest("Ba"), b"{}").unwrap();
        for (target, request) in [("AB", TextRequest("a")), ("A", TextRequest("Bb"))] {
            let other = key("k").idempotent_request(target, &request, b"{}").unwrap();
            assert_eq!(first.key, other.key);
            assert_ne!(first.digest, other.digest);
        }
    }

    #[test]
    fn the_digest_of_a_request_depends_on_its_key() {
        let request = |text| key(text).idempotent_request("A", &TextRequest("a"), b"{}").unwrap().digest;
        assert_ne!(request("k"), request("l"));
    }

    #[test]
    fn a_key_has_1_to_255_printable_characters() {
        for (value, fits) in [("k".repeat(255), true), ("k".repeat(256), false), (String::new(), false)] {
            let request = TestRequest::default().insert_header((IDEMPOTENCY_KEY, value.as_str())).to_http_request();
            assert_eq!(read_header(&request).is_ok(), fits, "{}", value.len());
        }
    }

    #[test]
    fn a_key_with_a_tab_or_a_letter_outside_ascii_is_refused() {
        for (value, fits) in [("a b", true), ("a\tb", false), ("aéb", false)] {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            let request = TestRequest::default().insert_header((IDEMPOTENCY_KEY, value.clone())).to_http_request();
            assert_eq!(read_header(&request).is_ok(), fits, "{value:?}");
        }
    }
}
