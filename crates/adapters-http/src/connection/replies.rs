//! What the guard itself answers where no request reaches the application, in the envelope of every error.

use std::{sync::Arc, time::Duration};

use actix_web::http::StatusCode;
use parlance_domain::{
    id::{Id, IdSource},
    time::Clock,
};

use super::{
    framing::HeadError,
    limits::{HEAD_MAX_BYTES, HEAD_MAX_FIELDS},
};
use crate::problem::{Detail, ErrorBody, RETRY_AFTER_SECONDS, whole_seconds};

/// The interim response that lets a client send its body.
pub(super) const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// Makes the request ids of the guard's own answers.
#[derive(Clone)]
pub struct ReplyIds {
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl ReplyIds {
    /// Takes identifiers from this source.
    #[must_use]
    pub fn new(ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { ids, clock }
    }

    fn next(&self) -> String {
        Id::<()>::from_bits(self.ids.next(self.clock.now())).as_str().to_owned()
    }

    /// To a head that cannot be read.
    pub(super) fn bad_head(&self, error: HeadError) -> Vec<u8> {
        match error {
            HeadError::Malformed => {
                let rule = "must begin as HTTP/1.1 or HTTP/1.0, with one Host and one length of the body";
                self.reply(StatusCode::BAD_REQUEST, Detail::new("", "http", rule))
            }
            HeadError::TooLarge => {
                let rule = format!(
                    "must have at most {HEAD_MAX_BYTES} bytes and {HEAD_MAX_FIELDS} header fields before its body"
                );
                self.reply(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Detail::new("", "max_head", rule))
            }
        }
    }

    /// To a head that did not arrive in time.
    pub(super) fn late_head(&self, limit: Duration) -> Vec<u8> {
        let rule =
            format!("must arrive, up to the empty line before its body, within {} seconds", whole_seconds(limit));
        self.reply(StatusCode::REQUEST_TIMEOUT, Detail::new("", "in_time", rule))
    }

    /// To a connection that is one too many.
    pub(super) fn refused(&self) -> Vec<u8> {
        let rule = "has as many connections as it may have: close some, or try again later";
        self.reply(StatusCode::SERVICE_UNAVAILABLE, Detail::new("part:server", "max_connections", rule))
    }

    fn reply(&self, status: StatusCode, detail: Detail) -> Vec<u8> {
        let request_id = self.next();
        let body = ErrorBody::text(status, request_id.as_str(), vec![detail]);
        let phrase = status.canonical_reason().unwrap_or_default();
        let retry = if status == StatusCode::SERVICE_UNAVAILABLE {
            format!("retry-after: {RETRY_AFTER_SECONDS}\r\n")
        } else {
            String::new()
        };
        format!(
            "HTTP/1.1 {} {phrase}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nx-request-id: {request_id}\r\n\
             {retry}connection: close\r\n\r\n{body}",
            status.as_u16(),
            body.len(),
        )
        .into_bytes()
    }
}
