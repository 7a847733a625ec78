//! A reader of Server-Sent Events.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::timeout;

/// Time after which a test fails that waits for an event.
const EVENT_TIMEOUT: Duration = Duration::from_secs(20);

/// An open stream.
pub struct EventStream {
    response: Response,
    received: String,
}

/// An event as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedEvent {
    /// The id from which a client resumes.
    pub id: String,
    /// The type.
    pub event_type: String,
    /// The data.
    pub data: Value,
}

impl EventStream {
    /// Reads a response.
    #[must_use]
    pub fn new(response: Response) -> Self {
        Self { response, received: String::new() }
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// The value of a header; empty if the header is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The next event. Comments and other frames are left out.
    ///
    /// # Panics
    /// If the stream ends, or if no event comes in time.
    pub async fn next(&mut self) -> StreamedEvent {
        self.try_next().await.expect("the stream ended")
    }

    /// The next event; `None` if the stream ends.
    ///
    /// # Panics
    /// If nothing comes in time.
    pub async fn try_next(&mut self) -> Option<StreamedEvent> {
        loop {
            let frame = self.next_frame().await?;
            if frame.contains("\nevent: ") {
                return Some(StreamedEvent::parse(&frame));
            }
        }
    }

    /// The next frame, without the empty line at its end; `None` if the stream ends.
    ///
    /// # Panics
    /// If nothing comes in time.
    pub async fn next_frame(&mut self) -> Option<String> {
        loop {
            if let Some((frame, rest)) = self.received.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.received = rest;
                return Some(frame);
            }
            let chunk = timeout(EVENT_TIMEOUT, self.response.chunk()).await.expect("no event came in time").unwrap()?;
            self.received.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next events, as many as `count`.
    pub async fn take(&mut self, count: usize) -> Vec<StreamedEvent> {
        let mut events = Vec::with_capacity(count);
        for _ in 0..count {
            events.push(self.next().await);
        }
        events
    }
}

impl StreamedEvent {
    fn parse(frame: &str) -> Self {
        let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        Self { id: field("id: "), event_type: field("event: "), data: serde_json::from_str(&field("data: ")).unwrap() }
    }
}
