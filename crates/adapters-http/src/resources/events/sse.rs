//! The frames of Server-Sent Events.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use actix_web::{HttpResponse, HttpResponseBuilder, http::header, web::Bytes};
use parlance_domain::event::EventType;
use serde::Serialize;

/// The media type of a stream.
const MEDIA_TYPE: &str = "text/event-stream";

/// The shortest and the longest time after which a client reconnects to a server that stops. The clients spread over it.
const RETRY_MILLISECONDS: (u64, u64) = (1_000, 10_000);

/// The head of a response that is a stream.
pub(crate) fn response() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .content_type(MEDIA_TYPE)
        // A proxy that compresses a stream keeps an event until the next one.
        .insert_header((header::CACHE_CONTROL, "no-store, no-transform"))
        .insert_header(("x-accel-buffering", "no"));
    response
}

/// The frame of an event. JSON text has no line end, so that the data is one line.
pub(crate) fn event_frame(id: &str, event_type: EventType, item: &impl Serialize) -> Bytes {
    let mut frame = format!("id: {id}\nevent: {event_type}\ndata: ").into_bytes();
    // A vector accepts every write, and the views have no map with other keys than texts.
    let _ = serde_json::to_writer(&mut frame, item);
    frame.extend_from_slice(b"\n\n");
    frame.into()
}

/// The first frame: a comment, so that the head of the response is sent at once.
pub(crate) fn opening_frame() -> Bytes {
    Bytes::from_static(b": stream\n\n")
}

/// A frame that keeps the connection open. It sets the id from which the client resumes, and gives no event.
pub(crate) fn keep_alive_frame(id: &str) -> Bytes {
    format!(": keep-alive\nid: {id}\n\n").into()
}

/// The frame that says that the cursor is of no use, under a rule of errors. The client resumes from `id`.
pub(crate) fn reset_frame(id: &str, rule: &str) -> Bytes {
    format!("id: {id}\nevent: reset\ndata: {{\"rule\":\"{rule}\"}}\n\n").into()
}

/// The last frame of a server that stops: after which time the client reconnects.
pub(crate) fn retry_frame() -> Bytes {
    let (shortest, longest) = RETRY_MILLISECONDS;
    let random = RandomState::new().hash_one(shortest);
    let delay = Duration::from_millis(shortest + random % (longest - shortest + 1));
    format!("retry: {}\n\n", delay.as_millis()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_an_event_is_one_line() {
        let frame = event_frame("1-0-2", EventType::MessageCreated, &"a\nb\r");
        assert_eq!(frame, "id: 1-0-2\nevent: message.created\ndata: \"a\\nb\\r\"\n\n");
    }

    #[test]
    fn the_time_to_reconnect_is_within_its_bounds() {
        let frame = String::from_utf8(retry_frame().to_vec()).unwrap();
        let delay: u64 = frame.trim_start_matches("retry: ").trim().parse().unwrap();
        assert!((RETRY_MILLISECONDS.0..=RETRY_MILLISECONDS.1).contains(&delay));
    }
}
