//! Gzip compression of large responses on [compressible paths](COMPRESSIBLE), if the caller accepts gzip.

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

/// The paths whose responses may be compressed. These responses are large, and do not combine a secret with text that
/// the caller chose: the compressed length would reveal the secret. Searches, signed URLs and files are not listed.
const COMPRESSIBLE: [&str; 13] = [
    "/conversation/v1/conversations/{conversationId}/messages",
    "/conversation/v1/conversation/messages",
    "/configuration/v1/custom-vocabularies",
    "/configuration/v1/custom-vocabularies/export",
    "/configuration/v1/auto-transcribe/custom-vocabularies",
    "/configuration/v1/auto-transcribe/custom-vocabularies/export",
    "/configuration/v1/redaction/redaction-entities",
    "/fileexporter/v1/static/listfeeds",
    "/fileexporter/v1/static/listfeedversions",
    "/fileexporter/v1/static/listfeedformats",
    "/fileexporter/v1/static/listfeeddates",
    "/fileexporter/v1/static/listfeedfiles",
    "/fileexporter/v1/static/getfeedschema",
];

/// Smallest body that is compressed, in bytes: a smaller body fits into one packet without compression.
const MIN_BYTES: u64 = 1_024;

/// Largest body that is compressed on the worker thread, in bytes. The compression takes about a millisecond.
const MAX_INLINE_BYTES: usize = 64 * 1024;

/// Compresses a response if its path allows it and the caller accepts gzip. A streamed response stays uncompressed.
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
    let Some(compressed) = gzip_body(plain.clone()).await else { return response.set_body(BoxBody::new(plain)) };
    set_gzip_headers(response.headers_mut());
    response.set_body(BoxBody::new(compressed))
}

/// Whether responses of this path may be compressed.
fn is_compressible(route: &str) -> bool {
    COMPRESSIBLE.contains(&route)
}

/// Sets the headers of a compressed body. Its entity tag also identifies the plain bytes, so the tag becomes weak.
fn set_gzip_headers(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(ContentEncoding::Gzip.as_str()));
    let strong = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).filter(|tag| !tag.starts_with("W/"));
    if let Some(weak) = strong.and_then(|tag| HeaderValue::try_from(format!("W/{tag}")).ok()) {
        headers.insert(header::ETAG, weak);
    }
}

/// Whether the caller accepts gzip and does not prefer the plain bytes (RFC 9110, section 12.5.3). A caller that
/// accepts neither gets the plain bytes, as the section allows.
pub(crate) fn accepts_gzip(request: &HttpRequest) -> bool {
    if !request.headers().contains_key(header::ACCEPT_ENCODING) {
        return false;
    }
    let Ok(AcceptEncoding(accepted)) = AcceptEncoding::parse(request) else { return false };
    let quality = |encoding: Preference<Encoding>| {
        accepted.iter().find(|preference| preference.item == encoding).map(|preference| preference.quality)
    };
    let gzip = quality(Preference::Specific(Encoding::gzip())).or_else(|| quality(Preference::Any));
    let plain = quality(Preference::Specific(Encoding::identity()));
    gzip.is_some_and(|gzip| gzip > Quality::ZERO && gzip >= plain.unwrap_or(Quality::ZERO))
}

async fn gzip_body(plain: Bytes) -> Option<Vec<u8>> {
    if plain.len() <= MAX_INLINE_BYTES {
        return gzip(&plain, Compression::fast());
    }
    web::block(move || gzip(&plain, Compression::fast())).await.ok().flatten()
}

/// The bytes as gzip; `None` if the compression fails.
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
    fn gzip_is_used_if_it_is_accepted_and_nothing_is_preferred() {
        for value in ["gzip", "br, gzip;q=0.5", "gzip, identity;q=0", "gzip;q=0.1", "*", "identity;q=0, *", "GZIP"] {
            assert!(accepts(value), "{value}");
        }
    }

    #[test]
    fn the_plain_bytes_are_used_if_gzip_is_not_accepted_or_less_preferred() {
        for value in ["", "identity", "br", "gzip;q=0", "*;q=0", "identity;q=0", "gzip;q=0.5, identity", "gzip;q=0, *"]
        {
            assert!(!accepts(value), "{value}");
        }
        assert!(!accepts_gzip(&TestRequest::default().to_http_request()));
    }

    #[test]
    fn the_etag_of_a_compressed_body_is_weak() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ETAG, HeaderValue::from_static("\"a\""));
        set_gzip_headers(&mut headers);
        assert_eq!(headers.get(header::ETAG).unwrap(), "W/\"a\"");
    }
}
