//! Messages over HTTP (spec §4.4 and §4.5).

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web::Data};
use parlance_domain::{
    conversation::{Message, MessagePosition, NewMessage, PageLimit, Role, Sender},
    id::MessageId,
    retry::Operation,
    text::{ExternalId, MessageText},
    time::Timestamp,
};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::{
    Services,
    authentication::{Permitted, ReadConversations, WriteConversations},
    body::JsonBody,
    conversations::{WrittenView, read_text},
    documentation::{ReadErrors, WriteErrors},
    json_text,
    load::large_read,
    message_writer,
    problem::ApiError,
    query::{ConversationPath, Query, whole_number},
    reading::{Member, Object, Reading},
    retry::{self, IdempotencyKey, RetryKey},
    transcripts::{self, Format},
};

/// A message to add to a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageBody {
    /// What was said.
    #[serde(default)]
    #[schema(value_type = String, required = true, min_length = 1, pattern = "^[^\\u0000]*$")]
    text: Member<String>,
    /// Who said it.
    #[serde(default)]
    #[schema(value_type = SenderBody, required = true)]
    sender: Member<Object<SenderBody>>,
    /// When it was sent. Without a zone it is UTC.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = DateTime)]
    timestamp: Member<String>,
}

/// Who sends a message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SenderBody {
    #[serde(default)]
    #[schema(value_type = RoleWord, required = true)]
    role: Member<String>,
    /// The identifier in the caller's system, the same in all interactions of one individual.
    #[serde(default)]
    #[schema(value_type = String, required = true, min_length = 1, max_length = 256, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$")]
    external_id: Member<String>,
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
    #[serde(serialize_with = "as_text")]
    created_timestamp: Timestamp,
    /// When the message was sent, by the caller's clock.
    #[schema(value_type = String, format = DateTime)]
    #[serde(serialize_with = "as_text")]
    client_timestamp: Timestamp,
}

/// A time as its text, straight into the body.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn as_text<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(time.text().as_str())
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

/// Create a message
///
/// Adds a message to a conversation that exists.
#[utoipa::path(
    post,
    path = "/conversation/v1/conversations/{conversationId}/messages",
    tag = "messages",
    operation_id = "createMessage",
    params(("conversationId" = String, Path, description = "The service's id of the conversation",
        pattern = "^[A-Z0-9]+$"), IdempotencyKey),
    request_body = MessageBody,
    responses((status = 200, description = "Added", body = WrittenView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    permitted: Permitted<WriteConversations>,
    path: ConversationPath,
    services: Data<Services>,
    key: RetryKey,
    body: JsonBody<MessageBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (permitted.caller(), body);
    let message = body.read()?;
    let attempt = key.attempt(path.0.as_str(), &message, &bytes);
    let record = async |claim| {
        let id = services.messages.record_once(caller, path.0, message, claim).await?;
        Ok(vec![id.to_string()])
    };
    let answer = services.repeats.once(caller, Operation::CreateMessage, attempt, record).await;
    let answer = answer.map_err(ApiError::at("path:conversationId"))?;
    Ok(retry::respond(StatusCode::OK, &answer, WrittenView::of(&answer)))
}

/// List messages
///
/// All messages of the conversation in chronological order. With `limit` or `cursor`, one page of them.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations/{conversationId}/messages",
    tag = "messages",
    operation_id = "listMessages",
    params(
        ("conversationId" = String, Path, description = "The service's id of the conversation",
            pattern = "^[A-Z0-9]+$"),
        ("limit" = Option<u16>, Query, description = "Most messages of a page, which ends early with the sixth message from the one with which its texts reach 1 MiB; with `cursor` alone, 1000",
            minimum = 1, maximum = 1000),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before",
            pattern = "^[0-9]{1,18}\\.[A-Z0-9]+$"),
    ),
    responses((status = 200, description = "The messages", body = MessagesView<'_>), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    permitted: Permitted<ReadConversations>,
    path: ConversationPath,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::of(&request)?;
    let limit = query.parse("limit", "limit", read_limit)?;
    let after = query.parse("cursor", "cursor", read_cursor)?;
    let missing = ApiError::at("path:conversationId");
    if limit.is_none() && after.is_none() {
        let _turn = large_read(&request).await;
        let transcript = services.messages.all(permitted.caller(), path.0).await.map_err(missing)?;
        return transcripts::answer(transcript, Format::Json, &request).await;
    }
    let limit = limit.unwrap_or(PageLimit::MAX);
    let page = services.messages.page(permitted.caller(), &path.0, after, limit).await.map_err(missing)?;
    let next = page.next().as_ref().map(cursor);
    Ok(json_text::respond(message_writer::page(&page.messages, next.as_deref())))
}

impl MessageBody {
    pub(crate) fn read(self) -> Result<NewMessage, ApiError> {
        let mut reading = Reading::default();
        let message = self.read_at(&mut reading, "");
        reading.finish(message)
    }

    /// Reads the message that stands at a place of the body.
    pub(crate) fn read_at(self, reading: &mut Reading, place: &str) -> Option<NewMessage> {
        let text = read_text(reading, &format!("{place}/text"), self.text, MessageText::parse);
        let at_sender = format!("{place}/sender");
        let sender = reading.required(&at_sender, self.sender);
        let sender = sender.and_then(|Object(body)| body.read(reading, &at_sender));
        let sent_at = reading.moment(&format!("{place}/timestamp"), self.timestamp);
        Some(NewMessage { sender: sender?, text: text?, sent_at: sent_at? })
    }
}

impl SenderBody {
    fn read(self, reading: &mut Reading, place: &str) -> Option<Sender> {
        let at_role = format!("{place}/role");
        let word = reading.required(&at_role, self.role);
        let role = word.and_then(|word| reading.read(&at_role, "enum", Role::parse(&word)));
        let external_id = read_text(reading, &format!("{place}/externalId"), self.external_id, ExternalId::parse);
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
        }
    }
}

pub(crate) fn read_limit(text: &str) -> Result<PageLimit, &'static str> {
    let limit = whole_number(text).and_then(|number| PageLimit::new(number).ok());
    limit.ok_or("must be a whole number from 1 to 1000")
}

/// A position as text: its client time in microseconds after the first moment there is, a dot, its message. Any text
/// of this form is a position, so that a description of the form is a description of what is accepted.
pub(crate) fn cursor(position: &MessagePosition) -> String {
    let since_first = position.sent_at.as_micros() - Timestamp::MIN.as_micros();
    format!("{since_first}.{}", position.id)
}

pub(crate) fn read_cursor(text: &str) -> Result<MessagePosition, &'static str> {
    let read = || {
        let (since_first, id) = text.split_once('.')?;
        let digits = (1..=18).contains(&since_first.len()) && since_first.bytes().all(|byte| byte.is_ascii_digit());
        let micros = since_first.parse::<i64>().ok().filter(|_| digits)? + Timestamp::MIN.as_micros();
        let sent_at = Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX);
        Some(MessagePosition { sent_at, id: MessageId::parse(id).ok()? })
    };
    read().ok_or("must be a nextCursor that was answered before")
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
        assert_eq!(read_cursor(&cursor(&position)), Ok(position));
    }

    #[test]
    fn every_number_of_up_to_18_digits_is_a_position() {
        assert_eq!(read_cursor("999999999999999999.A").unwrap().sent_at, Timestamp::MAX);
        assert_eq!(read_cursor("0.A").unwrap().sent_at, Timestamp::MIN);
    }

    #[test]
    fn what_was_never_a_cursor_is_refused() {
        for text in ["", "x", "1", "1.", ".A", "-1.A", "+1.A", "1.a", "1.A.B", "1234567890123456789.A"] {
            assert!(read_cursor(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_is_a_whole_number_from_1_to_1000() {
        assert!(read_limit("1").is_ok() && read_limit("1000").is_ok());
        for text in ["", "0", "1001", "-1", "+1", "1.0", "1e2", "99999999999999999999999"] {
            assert!(read_limit(text).is_err(), "{text}");
        }
    }
}
