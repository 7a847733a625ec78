//! Static content: the same for every caller while the process runs, so it is compressed and tagged once.

use actix_web::{HttpRequest, HttpResponse, http::header, web::Bytes};
use flate2::Compression;

use crate::{
    middleware::compression::{accepts_gzip, gzip},
    response::entity_tag,
};

/// A file, its compressed form and its entity tag.
#[derive(Debug)]
pub(crate) struct StaticContent {
    content_type: String,
    plain: Bytes,
    /// `None` if the compressed form is not smaller.
    compressed: Option<Bytes>,
    tag: String,
}

impl StaticContent {
    pub(crate) fn new(content_type: impl Into<String>, plain: impl Into<Bytes>) -> Self {
        let plain = plain.into();
        let compressed = gzip(&plain, Compression::best()).filter(|compressed| compressed.len() < plain.len());
        Self {
            content_type: content_type.into(),
            compressed: compressed.map(Bytes::from),
            tag: entity_tag::compute(&plain),
            plain,
        }
    }

    /// The file, compressed if the caller accepts that; 304 if the caller already has it.
    pub(crate) fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let accepted = self.compressed.as_ref().filter(|_| accepts_gzip(request));
        let tag = if accepted.is_some() { format!("W/{}", self.tag) } else { self.tag.clone() };
        let mut response = if entity_tag::matches_if_none_match(request, &self.tag) {
            return HttpResponse::NotModified()
                .insert_header((header::ETAG, tag))
                .insert_header((header::VARY, "accept-encoding"))
                .finish();
        } else {
            HttpResponse::Ok()
        };
        response.content_type(self.content_type.as_str()).insert_header((header::ETAG, tag));
        if self.compressed.is_some() {
            response.insert_header((header::VARY, "accept-encoding"));
        }
        match accepted {
            Some(compressed) => response.insert_header((header::CONTENT_ENCODING, "gzip")).body(compressed.clone()),
            None => response.body(self.plain.clone()),
        }
    }
}
