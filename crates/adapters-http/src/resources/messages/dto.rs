//! Wire types of messages and pages, and the encoding of cursors.

use parlance_domain::{
    id::MessageId,
    message::{Message, MessagePosition, NewMessage, PageLimit, Role, Sender},
    text::{ExternalId, MessageText, Violation},
    time::Timestamp,
};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

#[cfg(test)]
use crate::resources::messages::include::redaction_views;
use crate::{
    errors::api_error::ApiError,
    extract::{
        query::whole_number,
        validation::{Field, Object, Validation, required_text},
    },
    resources::messages::include::RedactionView,
};

/// A message to add to a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageBody {
    /// What was said.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "text")]
    text: Field<String>,
    /// Who said it.
    #[serde(default)]
    #[schema(value_type = SenderBody, required = true)]
    sender: Field<Object<SenderBody>>,
    /// When it was sent. Without a zone it is UTC.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = DateTime)]
    timestamp: Field<String>,
}

/// Who sends a message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SenderBody {
    #[serde(default)]
    #[schema(value_type = RoleWord, required = true)]
    role: Field<String>,
    /// The identifier in the caller's system, the same in all interactions of one individual.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "external-id")]
    external_id: Field<String>,
}

/// In what role someone sends. A system sender is no participant of the conversation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RoleWord {
    Agent,
    Customer,
    System,
}

/// A message of a conversation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageView<'message> {
    #[schema(min_length = 1)]
    text: &'message str,
    sender: SenderView<'message>,
    #[schema(value_type = String, min_length = 1)]
    message_id: &'message str,
    /// When the message arrived, by the service's clock.
    #[schema(value_type = String, format = DateTime)]
    #[serde(serialize_with = "serialize_timestamp")]
    created_timestamp: Timestamp,
    /// When the message was sent, by the caller's clock.
    #[schema(value_type = String, format = DateTime)]
    #[serde(serialize_with = "serialize_timestamp")]
    client_timestamp: Timestamp,
    /// What is masked in the text, in order. Given only with `include=redactions`. Texts that were stored by an earlier
    /// version have no ranges.
    #[schema(value_type = Vec<RedactionView>, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    redactions: Option<Vec<RedactionView>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn serialize_timestamp<S: Serializer>(timestamp: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(timestamp.text().as_str())
}

/// Who sent a message.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SenderView<'message> {
    role: RoleWord,
    #[schema(value_type = Option<String>, required = false)]
    external_id: &'message str,
}

/// Messages in chronological order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessagesView<'message> {
    items: Vec<MessageView<'message>>,
    /// Where the next page begins, or `null` after the last one. Given only where a page was asked for.
    #[schema(required = false)]
    next_cursor: Option<String>,
}

impl MessageBody {
    pub(crate) fn into_domain(self) -> Result<NewMessage, ApiError> {
        let mut validation = Validation::default();
        let message = self.into_domain_at(&mut validation, "");
        validation.finish(message)
    }

    pub(crate) fn into_domain_at(self, validation: &mut Validation, pointer: &str) -> Option<NewMessage> {
        let text = required_text(validation, &format!("{pointer}/text"), self.text, MessageText::parse);
        let sender_pointer = format!("{pointer}/sender");
        let sender = validation.required(&sender_pointer, self.sender);
        let sender = sender.and_then(|Object(body)| body.into_domain(validation, &sender_pointer));
        let sent_at = validation.timestamp(&format!("{pointer}/timestamp"), self.timestamp);
        Some(NewMessage { sender: sender?, text: text?, sent_at: sent_at? })
    }
}

impl SenderBody {
    fn into_domain(self, validation: &mut Validation, pointer: &str) -> Option<Sender> {
        let role_pointer = format!("{pointer}/role");
        let role = validation.required(&role_pointer, self.role);
        let role = role.and_then(|word| validation.parse(&role_pointer, "enum", Role::parse(&word)));
        let external_id =
            required_text(validation, &format!("{pointer}/externalId"), self.external_id, ExternalId::parse);
        Some(Sender { role: role?, external_id: external_id? })
    }
}

impl<'message> From<&'message Message> for MessageView<'message> {
    fn from(message: &'message Message) -> Self {
        let role = match message.sender.role {
            Role::Agent => RoleWord::Agent,
            Role::Customer => RoleWord::Customer,
            Role::System => RoleWord::System,
        };
        Self {
            text: message.text.as_str(),
            sender: SenderView { role, external_id: message.sender.external_id.as_str() },
            message_id: message.id.as_str(),
            created_timestamp: message.created_at,
            client_timestamp: message.sent_at,
            redactions: None,
        }
    }
}

#[cfg(test)]
impl MessageView<'_> {
    pub(crate) fn with_redactions(self, message: &Message) -> Self {
        Self { redactions: Some(redaction_views(message)), ..self }
    }
}

/// Parses a page limit. The domain refuses a text that is no number as it refuses zero.
pub(crate) fn parse_limit(text: &str) -> Result<PageLimit, Violation> {
    PageLimit::new(whole_number(text).unwrap_or_default())
}

/// Encodes a position as text: the client time in microseconds after `Timestamp::MIN`, a dot, and the message id. Every
/// text of this form is a position, so the pattern in the OpenAPI description matches exactly the accepted cursors.
pub(crate) fn encode_cursor(position: &MessagePosition) -> String {
    let offset = position.sent_at.as_micros() - Timestamp::MIN.as_micros();
    format!("{offset}.{}", position.id)
}

pub(crate) fn decode_cursor(text: &str) -> Result<MessagePosition, &'static str> {
    let decode = || {
        let (offset, id) = text.split_once('.')?;
        let digits = (1..=18).contains(&offset.len()) && offset.bytes().all(|byte| byte.is_ascii_digit());
        let micros = offset.parse::<i64>().ok().filter(|_| digits)? + Timestamp::MIN.as_micros();
        let sent_at = Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX);
        Some(MessagePosition { sent_at, id: MessageId::parse(id).ok()? })
    };
    decode().ok_or("must be a nextCursor from an earlier response")
}

#[cfg(test)]
impl<'message> MessagesView<'message> {
    pub(crate) fn new(messages: &'message [Message], next_cursor: Option<String>) -> Self {
        Self { items: messages.iter().map(MessageView::from).collect(), next_cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_its_position() {
        let sent_at = Timestamp::from_micros(-5).unwrap();
        let position = MessagePosition { sent_at, id: MessageId::from_bits(9) };
        assert_eq!(decode_cursor(&encode_cursor(&position)), Ok(position));
    }

    #[test]
    fn every_number_of_up_to_18_digits_is_a_position() {
        assert_eq!(decode_cursor("999999999999999999.A").unwrap().sent_at, Timestamp::MAX);
        assert_eq!(decode_cursor("0.A").unwrap().sent_at, Timestamp::MIN);
    }

    #[test]
    fn a_malformed_cursor_is_refused() {
        for text in ["", "x", "1", "1.", ".A", "-1.A", "+1.A", "1.a", "1.A.B", "1234567890123456789.A"] {
            assert!(decode_cursor(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_is_a_whole_number_from_1_to_1000() {
        assert!(parse_limit("1").is_ok() && parse_limit("1000").is_ok());
        for text in ["", "0", "1001", "-1", "+1", "1.0", "1e2", "99999999999999999999999"] {
            assert!(parse_limit(text).is_err(), "{text}");
        }
    }
}
