//! Answers as gzip, where the caller accepts it and the answer is large and holds no secret.

use std::io::Write;

use actix_web::{
    HttpRequest, HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    http::{
        StatusCode,
        header::{
            self, AcceptEncoding, ContentEncoding, Encoding, Header, HeaderMap, HeaderValue, Preference, Quality,
        },
    },
    web::{self, Bytes},
};
use flate2::{Compression, write::GzEncoder};

use crate::routes::is_compressible;

/// Least bytes of an answer that is compressed: a smaller one fits into one packet as it is.
const MIN_BYTES: u64 = 1_024;

/// Most bytes that are compressed on the thread that answers, which takes about a millisecond.
const INLINE_BYTES: usize = 64 * 1024;

/// Compresses an answer, where it may be compressed and the caller accepts it. A streamed answer is left as it is.
pub(crate) async fn compress(request: &HttpRequest, route: Option<&str>, mut response: HttpResponse) -> HttpResponse {
    let is_large = matches!(response.body().size(), BodySize::Sized(bytes) if bytes >= MIN_BYTES);
    if !is_large || response.status() != StatusCode::OK || !route.is_some_and(is_compressible) {
        return response;
    }
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !accepts_gzip(request) {
        return response;
    }
    let (mut response, body) = response.into_parts();
    let plain = match body.try_into_bytes() {
        Ok(plain) => plain,
        Err(body) => return response.set_body(body),
    };
    let Some(compressed) = gzip_off_thread(plain.clone()).await else { return response.set_body(BoxBody::new(plain)) };
    mark(response.headers_mut());
    response.set_body(BoxBody::new(compressed))
}

/// Says that a body is compressed. Its tag stands for the plain bytes too, and is therefore a weak one.
fn mark(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(ContentEncoding::Gzip.as_str()));
    let strong = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).filter(|tag| !tag.starts_with("W/"));
    if let Some(weak) = strong.and_then(|tag| HeaderValue::try_from(format!("W/{tag}")).ok()) {
        headers.insert(header::ETAG, weak);
    }
}

/// Whether the caller accepts gzip, and likes nothing better (RFC 9110, section 12.5.3). Where it accepts neither gzip nor
/// the plain bytes it gets the plain bytes, as the section allows.
pub(crate) fn accepts_gzip(request: &HttpRequest) -> bool {
    if !request.headers().contains_key(header::ACCEPT_ENCODING) {
        return false;
    }
    let Ok(AcceptEncoding(accepted)) = AcceptEncoding::parse(request) else { return false };
    let quality = |of: Preference<Encoding>| accepted.iter().find(|one| one.item == of).map(|one| one.quality);
    let gzip = quality(Preference::Specific(Encoding::gzip())).or_else(|| quality(Preference::Any));
    let plain = quality(Preference::Specific(Encoding::identity()));
    gzip.is_some_and(|gzip| gzip > Quality::ZERO && gzip >= plain.unwrap_or(Quality::ZERO))
}

async fn gzip_off_thread(plain: Bytes) -> Option<Vec<u8>> {
    if plain.len() <= INLINE_BYTES {
        return gzip(&plain, Compression::fast());
    }
    web::block(move || gzip(&plain, Compression::fast())).await.ok().flatten()
}

/// The bytes as gzip; nothing where that fails.
pub(crate) fn gzip(plain: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), level);
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn accepts(value: &str) -> bool {
        accepts_gzip(&TestRequest::default().insert_header(("accept-encoding", value)).to_http_request())
    }

    #[test]
    fn gzip_is_taken_where_it_is_accepted_and_nothing_is_liked_better() {
        for value in ["gzip", "br, gzip;q=0.5", "gzip, identity;q=0", "gzip;q=0.1", "*", "identity;q=0, *", "GZIP"] {
            assert!(accepts(value), "{value}");
        }
    }

    #[test]
    fn the_plain_bytes_are_taken_where_gzip_is_not_accepted_or_liked_less() {
        for value in ["", "identity", "br", "gzip;q=0", "*;q=0", "identity;q=0", "gzip;q=0.5, identity", "gzip;q=0, *"]
        {
            assert!(!accepts(value), "{value}");
        }
        assert!(!accepts_gzip(&TestRequest::default().to_http_request()));
    }

    #[test]
    fn the_tag_of_a_compressed_body_is_weak() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ETAG, HeaderValue::from_static("\"a\""));
        mark(&mut headers);
        assert_eq!(headers.get(header::ETAG).unwrap(), "W/\"a\"");
    }
}
