//! Wire types of events.

use std::borrow::Cow;

use parlance_domain::{
    event::{Event, EventData, FeedChange, PolledEvents},
    id::ConversationId,
    text::ExternalId,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::{
    conversations::json::ConversationView, messages::dto::MessageView, redaction_entities::dto::RedactionEntityView,
    vocabularies::dto::VocabularyView,
};

/// A page of events, in the order of the log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventsView<'event> {
    events: Vec<EventItem<'event>>,
    /// The `after` of the next page. It is given also when no event follows yet.
    #[schema(format = "event-position")]
    next_cursor: String,
}

/// Something that changed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventItem<'event> {
    /// The cursor after the event.
    #[schema(format = "event-position")]
    id: Cow<'event, str>,
    #[serde(rename = "type")]
    #[schema(value_type = EventTypeWord)]
    event_type: &'static str,
    /// The conversation, if the event belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = "id")]
    conversation_id: Option<&'event str>,
    /// The caller's identifier of the conversation, if the conversation still exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = "external-id-view")]
    external_id: Option<&'event str>,
    /// The message, if the event is about one. It names a message that was erased, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = "id")]
    message_id: Option<&'event str>,
    /// When the change was made.
    #[schema(format = DateTime)]
    occurred_at: String,
    /// What the operation that reads the resource would return now; `null` if the resource no longer exists.
    #[schema(required = true)]
    data: Option<EventDataView<'event>>,
}

/// An event of a stream, by the fields of Server-Sent Events.
#[derive(Serialize, ToSchema)]
pub(crate) struct StreamedEventView {
    /// The cursor after the event, for `Last-Event-ID`.
    #[schema(required = false)]
    id: String,
    /// The type of the event, or `reset`.
    #[schema(required = false)]
    event: String,
    /// The event as JSON, in the form of `GET /conversation/v1/events`.
    #[schema(required = false)]
    data: String,
}

/// The current state of what an event is about.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum EventDataView<'event> {
    Conversation(ConversationView),
    Message(MessageView<'event>),
    VocabularyEntry(VocabularyView),
    RedactionEntity(RedactionEntityView),
    FeedChange(FeedDayView<'event>),
}

/// A day of a feed that is complete.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedDayView<'event> {
    #[schema(value_type = String)]
    feed: &'event str,
    #[schema(format = Date)]
    date: String,
    /// How often the day was written: 1 when it is complete for the first time.
    #[schema(minimum = 1)]
    revision: u32,
}

/// The type of an event.
#[derive(Serialize, ToSchema)]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum EventTypeWord {
    #[serde(rename = "conversation.created")]
    ConversationCreated,
    #[serde(rename = "conversation.updated")]
    ConversationUpdated,
    #[serde(rename = "message.created")]
    MessageCreated,
    #[serde(rename = "message.masked")]
    MessageMasked,
    #[serde(rename = "conversation.erased")]
    ConversationErased,
    #[serde(rename = "vocabulary.created")]
    VocabularyCreated,
    #[serde(rename = "vocabulary.deleted")]
    VocabularyDeleted,
    #[serde(rename = "redaction.switched")]
    RedactionSwitched,
    #[serde(rename = "feed.day_completed")]
    FeedDayCompleted,
    #[serde(rename = "feed.day_revised")]
    FeedDayRevised,
}

/// Which events are given out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum EventViewWord {
    Immediate,
    Settled,
}

impl<'event> From<&'event PolledEvents> for EventsView<'event> {
    fn from(page: &'event PolledEvents) -> Self {
        Self { events: page.events.iter().map(EventItem::from).collect(), next_cursor: page.next.to_string() }
    }
}

impl<'event> From<&'event Event> for EventItem<'event> {
    fn from(event: &'event Event) -> Self {
        Self::with_id(event, event.position.to_string().into())
    }
}

impl<'event> EventItem<'event> {
    /// The event under another id.
    pub(crate) fn with_id(event: &'event Event, id: Cow<'event, str>) -> Self {
        Self {
            id,
            event_type: event.change.event_type().as_str(),
            conversation_id: event.change.conversation().map(ConversationId::as_str),
            external_id: event.external_id.as_ref().map(ExternalId::as_str),
            message_id: event.change.message().map(|message| message.position.id.as_str()),
            occurred_at: event.occurred_at.to_string(),
            data: event.data.as_ref().map(EventDataView::from),
        }
    }
}

impl<'event> From<&'event EventData> for EventDataView<'event> {
    fn from(data: &'event EventData) -> Self {
        match data {
            EventData::Conversation(conversation) => Self::Conversation(conversation.into()),
            EventData::Message(message) => Self::Message(message.into()),
            EventData::VocabularyEntry(entry) => Self::VocabularyEntry(entry.clone().into()),
            EventData::RedactionEntity(entity) => Self::RedactionEntity(entity.into()),
            EventData::FeedChange(change) => Self::FeedChange(change.into()),
        }
    }
}

impl<'event> From<&'event FeedChange> for FeedDayView<'event> {
    fn from(change: &'event FeedChange) -> Self {
        Self { feed: change.feed.as_str(), date: change.day.to_string(), revision: change.revision }
    }
}
