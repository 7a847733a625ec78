//! The preview of redaction: what would be masked in a text, and why. Nothing is stored or logged.

use actix_web::web::{Data, Json};
use parlance_domain::{
    access::ReadConfiguration,
    message::{PreviewMessage, PreviewMessages, PreviewedText, Role},
    redaction::{EntitySet, Evidence, MaskedRange},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Services,
    errors::{api_error::ApiError, responses::WriteErrors},
    extract::{
        authorized::Authorized,
        json_body::JsonBody,
        validation::{Field, Object, Validation, required_text},
    },
    resources::{messages::dto::RoleWord, redaction_entities::dto::parse_entities},
};

/// What to mask: exactly one of `text` and `messages`.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PreviewBody {
    /// One text, without a conversation.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "preview-text")]
    text: Field<String>,
    /// The messages of a conversation, in chronological order. Each is masked in the context of those before it.
    #[serde(default)]
    #[schema(value_type = Vec<PreviewMessageBody>, required = false)]
    messages: Field<Vec<Object<PreviewMessageBody>>>,
    /// The labels of the entities to mask. Without them, those that are active are masked.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required = false)]
    entities: Field<Vec<String>>,
}

/// A message, with the members of a message of a conversation that matter for redaction. Others are ignored.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PreviewMessageBody {
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "preview-text")]
    text: Field<String>,
    #[serde(default)]
    #[schema(value_type = PreviewSenderBody, required = true)]
    sender: Field<Object<PreviewSenderBody>>,
}

/// Who sends a message.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PreviewSenderBody {
    #[serde(default)]
    #[schema(value_type = RoleWord, required = true)]
    role: Field<String>,
}

/// The masked texts.
#[derive(Serialize, ToSchema)]
pub(crate) struct PreviewView {
    /// One for each message of the request, in its order; one for a `text`.
    messages: Vec<PreviewedTextView>,
}

/// A masked text.
#[derive(Serialize, ToSchema)]
pub(crate) struct PreviewedTextView {
    #[schema(min_length = 1)]
    text: String,
    /// What is masked in the text, in order.
    spans: Vec<PreviewSpanView>,
}

/// A masked value.
#[derive(Serialize, ToSchema)]
pub(crate) struct PreviewSpanView {
    /// The first character, counted in Unicode scalar values of the masked text.
    start: usize,
    /// The character after the last one. Characters that stay readable belong to the span.
    end: usize,
    /// The label of the entity.
    #[schema(value_type = String, pattern = "^[A-Z0-9_]+$")]
    entity: &'static str,
    /// How strong the evidence is, from 0 to 1. It orders spans, and is no measured probability.
    #[schema(value_type = f64, format = "fraction")]
    confidence: f64,
    /// Why the value was found, in words.
    #[schema(value_type = String)]
    reason: &'static str,
}

/// Preview redaction
///
/// Masks a text, or messages as if they were added to a new conversation, and says why each value is masked. Nothing is
/// stored or logged.
#[utoipa::path(
    post,
    path = "/configuration/v1/redaction/preview",
    tag = "redaction",
    operation_id = "previewRedaction",
    request_body = PreviewBody,
    responses((status = 200, description = "The masked texts", body = PreviewView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn preview(
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
    body: JsonBody<PreviewBody>,
) -> Result<Json<PreviewView>, ApiError> {
    let (messages, entities) = body.0.into_domain()?;
    let previewed = services.preview.preview(authorized.caller(), messages, entities).await?;
    Ok(Json(PreviewView { messages: previewed.into_iter().map(PreviewedTextView::from).collect() }))
}

impl PreviewBody {
    fn into_domain(self) -> Result<(PreviewMessages, Option<EntitySet>), ApiError> {
        let mut validation = Validation::default();
        let entities = validation.optional("/entities", self.entities);
        let entities = entities.map(|labels| parse_entities(&mut validation, &labels));
        let messages = match (self.text, self.messages) {
            (text @ (Field::Value(_) | Field::Null), Field::Absent) => {
                let text = required_text(&mut validation, "/text", text, PreviewMessages::parse_text);
                text.map(|text| vec![PreviewMessage { role: Role::Customer, text }])
            }
            (Field::Absent, bodies @ (Field::Value(_) | Field::Null)) => {
                let bodies = validation.required("/messages", bodies);
                bodies.and_then(|bodies| messages_into_domain(bodies, &mut validation))
            }
            _ => {
                let rule = Err::<Vec<_>, _>("exactly one of text and messages must be given");
                validation.parse("/text", "exactly_one", rule)
            }
        };
        let messages = messages.and_then(|messages| validation.check("/messages", PreviewMessages::new(messages)));
        validation.finish(messages.map(|messages| (messages, entities)))
    }
}

/// All messages, if every message is valid. Records the errors of every message.
fn messages_into_domain(
    bodies: Vec<Object<PreviewMessageBody>>,
    validation: &mut Validation,
) -> Option<Vec<PreviewMessage>> {
    validation.check("/messages", PreviewMessages::check_len(bodies.len()))?;
    let bodies = bodies.into_iter().enumerate();
    let messages: Vec<_> =
        bodies.map(|(index, Object(body))| body.into_domain_at(validation, &format!("/messages/{index}"))).collect();
    messages.into_iter().collect()
}

impl PreviewMessageBody {
    fn into_domain_at(self, validation: &mut Validation, pointer: &str) -> Option<PreviewMessage> {
        let text = required_text(validation, &format!("{pointer}/text"), self.text, PreviewMessages::parse_text);
        let sender = validation.required(&format!("{pointer}/sender"), self.sender);
        let role_pointer = format!("{pointer}/sender/role");
        let role = sender.and_then(|Object(sender)| validation.required(&role_pointer, sender.role));
        let role = role.and_then(|word| validation.parse(&role_pointer, "enum", Role::parse(&word)));
        Some(PreviewMessage { role: role?, text: text? })
    }
}

impl From<PreviewedText> for PreviewedTextView {
    fn from(previewed: PreviewedText) -> Self {
        Self { text: previewed.text, spans: previewed.ranges.into_iter().map(PreviewSpanView::from).collect() }
    }
}

impl From<MaskedRange<Evidence>> for PreviewSpanView {
    fn from(range: MaskedRange<Evidence>) -> Self {
        let MaskedRange { start, end, finding } = range;
        let (confidence, reason) = (finding.confidence.fraction(), finding.reason.describe());
        Self { start, end, entity: finding.entity.label(), confidence, reason }
    }
}
