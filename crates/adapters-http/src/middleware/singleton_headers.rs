//! Headers that a request may have only once: programs along the way could choose different values of a repeated one.

use actix_web::http::header::{self, HeaderMap, HeaderName};

use crate::{
    HttpSettings,
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::Detail,
    },
    extract::idempotency_key::IDEMPOTENCY_KEY,
    resources::events::resume::LAST_EVENT_ID,
};

/// The singleton headers besides the two credential headers. The connection guard refuses a second `Content-Length`.
static SINGLETONS: [HeaderName; 5] =
    [header::CONTENT_TYPE, header::CONTENT_ENCODING, header::AUTHORIZATION, IDEMPOTENCY_KEY, LAST_EVENT_ID];

/// Refuses a request that repeats a singleton header.
///
/// # Errors
/// 400 that names each repeated header.
pub(crate) fn check(headers: &HeaderMap, settings: &HttpSettings) -> Result<(), ApiError> {
    let names = SINGLETONS.iter().chain([settings.id_header(), settings.secret_header()]);
    let repeated = names.filter(|name| headers.get_all(*name).nth(1).is_some());
    let details: Vec<_> =
        repeated.map(|name| Detail::new(format!("header:{name}"), "repeated", "must be given once")).collect();
    if details.is_empty() { Ok(()) } else { Err(ApiError::Refused(RefusalKind::Unreadable, details)) }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn repeated(names: &[&'static str]) -> Vec<String> {
        let request = names.iter().fold(TestRequest::default(), |request, name| request.append_header((*name, "a")));
        let settings = HttpSettings::new("acme", 1).unwrap();
        match check(request.to_http_request().headers(), &settings) {
            Ok(()) => Vec::new(),
            Err(ApiError::Refused(_, details)) => details.iter().map(|detail| detail.pointer.to_string()).collect(),
            Err(other) => panic!("expected a refusal, not {other:?}"),
        }
    }

    #[test]
    fn each_repeated_singleton_header_is_named() {
        let twice =
            ["content-type", "idempotency-key", "acme-api-secret", "authorization", "acme-api-id", "last-event-id"];
        let named = repeated(&[twice, twice].concat());
        assert_eq!(named.len(), twice.len());
        assert!(twice.iter().all(|name| named.contains(&format!("header:{name}"))), "{named:?}");
    }

    #[test]
    fn single_headers_and_repeatable_headers_are_accepted() {
        assert!(repeated(&["content-type", "acme-api-id", "accept", "accept", "svc-api-id", "svc-api-id"]).is_empty());
    }
}
