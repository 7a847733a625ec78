//! The operations that stream events.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use parlance_domain::{access::ReadConversations, event::EventTypes};

use crate::{
    DrainFlag, EventHub, Services,
    errors::{api_error::ApiError, responses::ReadErrors},
    extract::{
        authorized::Authorized,
        query::{ConversationPath, Query},
    },
    resources::events::{
        dto::{EventViewWord, StreamedEventView},
        open_stream::{StreamOpener, StreamRequest},
        parameters::{EventSelection, parse_view},
        resume::Resume,
    },
};

/// Stream events
///
/// What has changed for the tenant as Server-Sent Events, in the order of the log: `id` is the cursor after the event,
/// `event` its type, `data` the whole event as in a page. An event `reset` says that the cursor is gone; then the stream
/// ends.
#[utoipa::path(
    get,
    path = "/conversation/v1/events/stream",
    tag = "events",
    operation_id = "streamEvents",
    params(
        ("after" = Option<String>, Query, description = "The `id` of the last event that was seen; `latest` for what \
            changes from now on. Left out, the oldest event that is kept comes first", format = "event-cursor"),
        ("types" = Option<String>, Query, description = "The types to read, separated by commas. Left out, all that the \
            credential may read",
            format = "event-types"),
        ("view" = Option<EventViewWord>, Query, description = "`settled` holds a message back while what follows could \
            still show that it contains a part of a number (`immediate`)"),
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event that was received; it \
            outweighs `after`"),
    ),
    responses(
        (status = 200, description = "The stream", content_type = "text/event-stream", body = StreamedEventView),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn events(
    authorized: Authorized<ReadConversations>,
    services: Data<Services>,
    hub: Data<EventHub>,
    draining: Data<DrainFlag>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::from_request(&request)?;
    let resume = resume(&request, &query)?;
    let EventSelection { types, view } = EventSelection::from_query(&query)?;
    let stream = StreamRequest { conversation: None, resume, types, view };
    StreamOpener::new(&request, &services, &hub, &draining).open(authorized.caller(), stream).await
}

/// Stream the messages of a conversation
///
/// The transcript so far, each message as an event `message.created`, and then what changes: `message.created`,
/// `message.masked` for a text that replaces the one before, and at the end `conversation.erased`. An event `reset` says
/// that the cursor is gone, or is of the transcript of another conversation; then the stream ends.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations/{conversationId}/messages/stream",
    tag = "events",
    operation_id = "streamMessages",
    params(
        ("conversationId" = String, Path, description = "The service's id of the conversation", format = "id"),
        ("after" = Option<String>, Query, description = "The `id` of the last event that was received on the stream of \
            this conversation, or a cursor of events; `latest` for what changes from now on. Left out, the transcript \
            comes first", format = "stream-resume"),
        ("view" = Option<EventViewWord>, Query, description = "`settled` holds a message back while what follows could \
            still show that it contains a part of a number (`immediate`)"),
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event that was received; it \
            outweighs `after`"),
    ),
    responses(
        (status = 200, description = "The stream", content_type = "text/event-stream", body = StreamedEventView),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn messages(
    authorized: Authorized<ReadConversations>,
    path: ConversationPath,
    services: Data<Services>,
    hub: Data<EventHub>,
    draining: Data<DrainFlag>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::from_request(&request)?;
    let resume = resume(&request, &query)?;
    let view = query.parse("view", "enum", parse_view)?.unwrap_or_default();
    let types = Some(EventTypes::of_messages());
    let stream = StreamRequest { conversation: Some(path.0), resume, types, view };
    StreamOpener::new(&request, &services, &hub, &draining).open(authorized.caller(), stream).await
}

/// From where a stream resumes. `Last-Event-ID` outweighs `after`, which an address keeps when a browser connects again.
fn resume(request: &HttpRequest, query: &Query<'_>) -> Result<Option<Resume>, ApiError> {
    match Resume::from_header(request)? {
        None => query.parse("after", "cursor", Resume::parse),
        resume => Ok(resume),
    }
}
