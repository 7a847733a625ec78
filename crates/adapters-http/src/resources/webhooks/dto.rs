//! Wire types of webhooks.

use parlance_domain::{
    event::{EventType, EventTypes},
    limits::WEBHOOK_URL_MAX_CHARACTERS,
    text::Violation,
    time::Timestamp,
    webhook::{
        IssuedWebhook, NewWebhook, SwitchOffReason, Webhook, WebhookChange, WebhookDescription, WebhookPage, WebhookUrl,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::{
        page_parameters::encode_cursor,
        validation::{Field, Validation},
    },
    resources::events::{dto::EventTypeWord, type_list::parse_types},
};

/// A webhook to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebhookBody {
    /// The address that receives events: `https`, with a public address. The operator can allow other networks.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "webhook-url")]
    url: Field<String>,
    /// The types of events to send, at least one; left out, every type that the credential may read.
    #[serde(default)]
    #[schema(value_type = Vec<EventTypeWord>, required = false)]
    types: Field<Vec<String>>,
    /// What the webhook is for.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "webhook-description")]
    description: Field<String>,
}

/// A change of a webhook. Members that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebhookChangeBody {
    /// Whether events are sent.
    #[serde(default)]
    #[schema(value_type = bool, required = false)]
    active: Field<bool>,
    /// The address that receives events.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "webhook-url")]
    url: Field<String>,
    /// The types of events to send, at least one.
    #[serde(default)]
    #[schema(value_type = Vec<EventTypeWord>, required = false)]
    types: Field<Vec<String>>,
    /// What the webhook is for.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "webhook-description")]
    description: Field<String>,
}

/// A webhook.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookView {
    #[schema(format = "id")]
    id: String,
    #[schema(format = "webhook-url-view")]
    url: String,
    /// The types of events that are sent.
    #[schema(value_type = Vec<EventTypeWord>)]
    types: Vec<&'static str>,
    #[schema(format = "webhook-description-view")]
    description: String,
    /// Whether events are sent.
    active: bool,
    /// Why the service switched the webhook off; null where it did not.
    #[schema(value_type = Option<SwitchOffWord>, required = true)]
    switched_off: Option<&'static str>,
    /// The cursor after the last event that was queued for the webhook.
    cursor: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// Until when the secret before the last rotation signs as well; null where there was none.
    #[schema(required = true, format = DateTime)]
    previous_secret_until: Option<String>,
    /// The secret, which is given only by the operations that make one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    secret: Option<String>,
}

/// Why the service switched a webhook off.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum SwitchOffWord {
    Failing,
    CredentialRevoked,
    CursorLost,
}

/// A page of webhooks, oldest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhooksView {
    webhooks: Vec<WebhookView>,
    /// The `cursor` of the page after this one; null where nothing follows.
    #[schema(required = true, format = "next-cursor")]
    next_cursor: Option<String>,
    /// The `cursor` of the page before this one; null where nothing precedes.
    #[schema(required = true, format = "previous-cursor")]
    prev_cursor: Option<String>,
}

impl WebhookBody {
    pub(crate) fn into_domain(self) -> Result<NewWebhook, ApiError> {
        let mut validation = Validation::default();
        let url = validation.required("/url", self.url).and_then(|url| parse_url(&mut validation, &url));
        let types = validation
            .optional("/types", self.types)
            .and_then(|types| parse_types(&mut validation, &types, EventTypes::all()));
        let description = parse_description(&mut validation, self.description).or_else(empty_description);
        let new = url.zip(description).map(|(url, description)| NewWebhook { url, types, description });
        validation.finish(new)
    }
}

impl WebhookChangeBody {
    pub(crate) fn into_domain(self) -> Result<WebhookChange, ApiError> {
        let mut validation = Validation::default();
        let active = validation.optional("/active", self.active);
        let url = validation.optional("/url", self.url).and_then(|url| parse_url(&mut validation, &url));
        let types = validation
            .optional("/types", self.types)
            .and_then(|types| parse_types(&mut validation, &types, EventTypes::all()));
        let description = parse_description(&mut validation, self.description);
        validation.finish(Some(WebhookChange { url, types, description, active }))
    }
}

fn parse_url(validation: &mut Validation, url: &str) -> Option<WebhookUrl> {
    if url.len() > WEBHOOK_URL_MAX_CHARACTERS {
        return validation.check("/url", Err(Violation::MaxCharacters(WEBHOOK_URL_MAX_CHARACTERS)));
    }
    validation.parse("/url", "url", WebhookUrl::parse(url))
}

fn parse_description(validation: &mut Validation, member: Field<String>) -> Option<WebhookDescription> {
    let text = validation.optional("/description", member)?;
    validation.check("/description", WebhookDescription::parse(text))
}

fn empty_description() -> Option<WebhookDescription> {
    WebhookDescription::parse(String::new()).ok()
}

impl From<Webhook> for WebhookView {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id.to_string(),
            url: webhook.url.as_str().to_owned(),
            types: webhook.types.iter().map(EventType::as_str).collect(),
            description: webhook.description.as_str().to_owned(),
            active: webhook.active,
            switched_off: webhook.switched_off.map(SwitchOffReason::as_str),
            cursor: webhook.cursor.to_string(),
            created_at: webhook.created_at.to_string(),
            previous_secret_until: webhook.previous_secret.map(|(_, until): (_, Timestamp)| until.to_string()),
            secret: None,
        }
    }
}

impl From<IssuedWebhook> for WebhookView {
    fn from(issued: IssuedWebhook) -> Self {
        Self { secret: Some(issued.secret.as_str().to_owned()), ..Self::from(issued.webhook) }
    }
}

impl From<WebhookPage> for WebhooksView {
    fn from(page: WebhookPage) -> Self {
        Self {
            webhooks: page.webhooks.into_iter().map(WebhookView::from).collect(),
            next_cursor: page.next.as_ref().map(encode_cursor),
            prev_cursor: page.previous.as_ref().map(encode_cursor),
        }
    }
}
