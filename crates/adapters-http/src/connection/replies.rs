//! Error responses that the guard sends when no request reaches the application, in the common error format.

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
use crate::errors::{
    api_error::{RETRY_AFTER_SECONDS, ceil_seconds},
    envelope::{Detail, ErrorBody},
};

/// The interim response that lets a client send its body.
pub(super) const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// Creates the responses of the guard, each with a new request id.
#[derive(Clone)]
pub struct GuardReplies {
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl GuardReplies {
    /// Replies whose request ids come from `ids`.
    #[must_use]
    pub fn new(ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { ids, clock }
    }

    fn next_request_id(&self) -> String {
        Id::<()>::from_bits(self.ids.next(self.clock.now())).as_str().to_owned()
    }

    /// The response to an invalid head.
    pub(super) fn invalid_head(&self, error: HeadError) -> Vec<u8> {
        match error {
            HeadError::Malformed => {
                let message = "must be a valid HTTP/1.1 or HTTP/1.0 head with one Host and one body length";
                self.reply(StatusCode::BAD_REQUEST, Detail::new("", "http", message))
            }
            HeadError::TooLarge => {
                let message = format!(
                    "must have at most {HEAD_MAX_BYTES} bytes and {HEAD_MAX_FIELDS} header fields before its body"
                );
                self.reply(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Detail::new("", "max_head", message))
            }
        }
    }

    /// The response to a head that did not arrive in time.
    pub(super) fn head_timeout(&self, limit: Duration) -> Vec<u8> {
        let message =
            format!("must arrive, up to the empty line before its body, within {} seconds", ceil_seconds(limit));
        self.reply(StatusCode::REQUEST_TIMEOUT, Detail::new("", "in_time", message))
    }

    /// The response on a connection that was refused.
    pub(super) fn too_many_connections(&self) -> Vec<u8> {
        let message = "has reached its connection limit: close some connections, or try again later";
        self.reply(StatusCode::SERVICE_UNAVAILABLE, Detail::new("part:server", "max_connections", message))
    }

    fn reply(&self, status: StatusCode, detail: Detail) -> Vec<u8> {
        let request_id = self.next_request_id();
        let body = ErrorBody::json(status, request_id.as_str(), vec![detail]);
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
