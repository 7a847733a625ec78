//! The operation that polls events.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use parlance_domain::{
    access::ReadConversations,
    event::{EventReader, PollRequest, PollStart},
};

use crate::{
    DrainFlag, EventHub, Services,
    errors::{api_error::ApiError, responses::EventErrors},
    extract::{authorized::Authorized, query::Query},
    resources::events::{
        dto::{EventViewWord, EventsView},
        errors::poll_error_at,
        long_poll::LongPoll,
        parameters::{EventSelection, limit, wait},
    },
};

/// Poll events
///
/// One page of what has changed for the tenant, in an order that never changes. Who continues with `nextCursor` sees
/// every change once. A page can have fewer events than `limit`, even none, although more follow.
#[utoipa::path(
    get,
    path = "/conversation/v1/events",
    tag = "events",
    operation_id = "pollEvents",
    params(
        ("after" = Option<String>, Query, description = "`nextCursor` of the page before, or the `id` of an event; \
            `latest` for what changes from now on. Left out, the oldest event that is kept comes first",
            format = "event-cursor"),
        ("limit" = Option<u16>, Query, description = "Most events of the page (100)", format = "event-page"),
        ("wait" = Option<u16>, Query, description = "For how many seconds the answer waits for an event (0)",
            format = "event-wait"),
        ("types" = Option<String>, Query, description = "The types to read, separated by commas. Left out, all that the \
            credential may read",
            format = "event-types"),
        ("view" = Option<EventViewWord>, Query, description = "`settled` holds a message back while what follows could \
            still show that it contains a part of a number (`immediate`)"),
    ),
    responses((status = 200, description = "The events", body = EventsView<'_>), EventErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn poll(
    authorized: Authorized<ReadConversations>,
    services: Data<Services>,
    hub: Data<EventHub>,
    draining: Data<DrainFlag>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::from_request(&request)?;
    let start = query.parse("after", "cursor", PollStart::parse)?;
    let EventSelection { types, view } = EventSelection::from_query(&query)?;
    let (limit, wait) = (limit(&query)?, wait(&query)?);
    let reader = EventReader::new(authorized.caller(), types)?;
    let mut poll = PollRequest { start: start.unwrap_or_default(), limit, view, conversation: None };
    let mut page = services.events.poll(&reader, &poll).await.map_err(poll_error_at("query:after"))?;
    if page.events.is_empty() && !wait.is_zero() {
        let wait = LongPoll::begin(&request, hub.subscribe(&reader, None, page.next), wait);
        while page.events.is_empty() && !draining.is_set() {
            if !page.has_more && !wait.wait(&draining, page.next).await? {
                break;
            }
            poll.start = PollStart::After(page.next);
            page = services.events.poll(&reader, &poll).await.map_err(poll_error_at("query:after"))?;
        }
    }
    Ok(HttpResponse::Ok().json(EventsView::from(&page)))
}
