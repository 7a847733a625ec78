//! Wire types of deliveries to webhooks.

use parlance_domain::{
    event::{InvalidCursor, PollStart},
    time::Timestamp,
    webhook::{
        AttemptFailure, DeliveryAttempt, DeliveryPage, DeliverySubject, WebhookDelivery, WebhookDeliveryState,
        WebhookDeliveryStatus,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::validation::{Field, Validation},
};

/// Where to send events from again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayBody {
    /// The cursor after which events are sent; `latest` for those that follow now; left out, from the oldest that is kept.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "event-cursor")]
    after: Field<String>,
}

/// A delivery: one event for one webhook. It never holds what a receiver answered but the status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookDeliveryView {
    /// The id, which is the header `webhook-id` of every attempt.
    #[schema(format = "id")]
    id: String,
    /// The type of the event; `webhook.test` for a test.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    event_type: &'static str,
    /// The id of the event; null for a test.
    #[schema(required = true)]
    event_id: Option<String>,
    #[schema(value_type = WebhookDeliveryStatusWord)]
    status: &'static str,
    #[schema(format = DateTime)]
    created_at: String,
    /// When the receiver accepted it; null where it did not.
    #[schema(required = true, format = DateTime)]
    delivered_at: Option<String>,
    /// When it is sent at the earliest; null where it is delivered.
    #[schema(required = true, format = DateTime)]
    next_attempt_at: Option<String>,
    /// The newest attempts, in order.
    attempts: Vec<AttemptView>,
}

/// Whether a receiver has accepted a delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum WebhookDeliveryStatusWord {
    Pending,
    Failed,
    Delivered,
}

/// An attempt to send a delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttemptView {
    #[schema(format = DateTime)]
    at: String,
    duration_ms: u64,
    /// The status of the answer; null where there was none.
    #[schema(required = true)]
    status: Option<u16>,
    /// Why it failed: `status`, `unresolved`, `address_not_allowed`, `unreachable`, `tls`, `timed_out`, `invalid_answer` or
    /// `internal`; null where it succeeded.
    #[schema(value_type = Option<String>, required = true)]
    failure: Option<&'static str>,
}

/// A page of deliveries, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookDeliveriesView {
    deliveries: Vec<WebhookDeliveryView>,
    /// The `cursor` of the next page; null where nothing follows.
    #[schema(required = true, format = "id")]
    next_cursor: Option<String>,
}

impl ReplayBody {
    pub(crate) fn into_domain(self) -> Result<PollStart, ApiError> {
        let mut validation = Validation::default();
        let after = validation.optional("/after", self.after);
        let start = after.map(|text| {
            let parsed: Result<PollStart, InvalidCursor> = PollStart::parse(&text);
            validation.parse("/after", "cursor", parsed)
        });
        validation.finish(start.unwrap_or(Some(PollStart::Oldest)))
    }
}

pub(crate) fn parse_status(word: &str) -> Result<WebhookDeliveryStatus, &'static str> {
    WebhookDeliveryStatus::parse(word).ok_or("must be pending, failed or delivered")
}

impl From<WebhookDelivery> for WebhookDeliveryView {
    fn from(delivery: WebhookDelivery) -> Self {
        let (delivered_at, next_attempt) = match delivery.state {
            WebhookDeliveryState::Delivered(at) => (Some(at), None),
            WebhookDeliveryState::Pending(pending) => (None, Some(pending.next_attempt)),
        };
        let event_id = match &delivery.subject {
            DeliverySubject::Event(entry) => Some(entry.position.to_string()),
            DeliverySubject::Test => None,
        };
        let text = |time: Option<Timestamp>| time.map(|time| time.to_string());
        Self {
            id: delivery.id.to_string(),
            event_type: delivery.subject.type_name(),
            event_id,
            status: delivery.status().as_str(),
            created_at: delivery.created_at.to_string(),
            delivered_at: text(delivered_at),
            next_attempt_at: text(next_attempt),
            attempts: delivery.attempts.iter().map(AttemptView::from).collect(),
        }
    }
}

impl From<&DeliveryAttempt> for AttemptView {
    fn from(attempt: &DeliveryAttempt) -> Self {
        let failure = attempt.outcome.err();
        Self {
            at: attempt.at.to_string(),
            duration_ms: u64::try_from(attempt.duration.as_millis()).unwrap_or(u64::MAX),
            status: attempt.outcome.ok().or_else(|| failure.and_then(AttemptFailure::status)),
            failure: failure.map(AttemptFailure::as_str),
        }
    }
}

impl From<DeliveryPage> for WebhookDeliveriesView {
    fn from(page: DeliveryPage) -> Self {
        let deliveries = page.deliveries.into_iter().map(WebhookDeliveryView::from).collect();
        Self { deliveries, next_cursor: page.next.map(|id| id.to_string()) }
    }
}
