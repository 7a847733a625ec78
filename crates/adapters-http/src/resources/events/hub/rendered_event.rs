//! An event as the bytes that every subscriber receives.

use actix_web::web::Bytes;
use parlance_domain::{
    event::{Change, Event, EventData, EventType, LogPosition},
    id::MessageId,
};

use crate::resources::events::{dto::EventItem, sse};

/// An event that was read and rendered once for all subscribers.
#[derive(Debug)]
pub(crate) struct RenderedEvent {
    /// The position after the event.
    pub(crate) position: LogPosition,
    /// The type.
    pub(crate) event_type: EventType,
    /// The message that was created, if the event says so and the message still exists.
    pub(crate) created_message: Option<MessageId>,
    /// The event as Server-Sent Events give it.
    pub(crate) frame: Bytes,
}

impl RenderedEvent {
    /// Renders an event.
    pub(crate) fn new(event: &Event) -> Self {
        let created_message = match (&event.change, &event.data) {
            (Change::MessageCreated(_), Some(EventData::Message(message))) => Some(message.id.clone()),
            _ => None,
        };
        let event_type = event.change.event_type();
        let frame = sse::event_frame(&event.position.to_string(), event_type, &EventItem::from(event));
        Self { position: event.position, event_type, created_message, frame }
    }
}
