//! Reads the records of imported files as the interface reads the bodies of requests, with the same errors.

use std::collections::BTreeMap;

use parlance_domain::{
    conversation::{Change, Metadata, Participant, UpsertRequest},
    import::{ConversationRecord, ImportError},
    message::{NewMessage, Role, Sender},
    text::{DisplayName, ExternalId, MessageText},
    time::Timestamp,
};
use serde::Deserialize;

use crate::{
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::Detail,
    },
    extract::{
        json_body::parse,
        validation::{Field, Object, Validation},
    },
    resources::{conversations::dto::ConversationBody, messages::dto::MessageBody},
};

/// What is wrong with a record. It contains nothing of the record but the names of members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// The part of the record: a JSON Pointer, or the name of a column. Empty for the whole record.
    pub field: String,
    /// The broken rule, as a stable word.
    pub rule: &'static str,
    /// The rule, for people.
    pub message: String,
}

impl From<Detail> for RecordError {
    fn from(Detail { pointer, rule, message }: Detail) -> Self {
        // A record is one line, so a syntax error needs no line of its own.
        Self { field: pointer.into_owned(), rule, message: message.replace(" at line 1, column ", " at column ") }
    }
}

/// The messages of a line, beside the members of the conversation.
#[derive(Deserialize)]
struct MessagesBody {
    #[serde(default)]
    messages: Field<Vec<Object<MessageBody>>>,
}

/// Reads a line of a JSON Lines file: the body that creates a conversation, with a member `messages`, which holds bodies
/// that create messages. The text of a message has at most `max_text_bytes`.
///
/// # Errors
/// Everything that is wrong with the line, at least one error.
pub fn read_conversation(line: &[u8], max_text_bytes: usize) -> Result<ConversationRecord, Vec<RecordError>> {
    let conversation = parse(line).and_then(ConversationBody::into_domain);
    // A line that is no JSON object is wrong as a whole, and has one error.
    let messages = match &conversation {
        Err(error) if is_about_whole_line(error) => Ok(Vec::new()),
        _ => parse(line).and_then(|body: MessagesBody| body.into_domain(max_text_bytes)),
    };
    match (conversation, messages) {
        (Ok(conversation), Ok(messages)) => Ok(ConversationRecord { conversation, updates: true, messages }),
        (conversation, messages) => {
            let errors = conversation.err().into_iter().chain(messages.err());
            Err(errors.flat_map(into_errors).collect())
        }
    }
}

fn is_about_whole_line(error: &ApiError) -> bool {
    matches!(error, ApiError::Refused(_, details) if details.iter().any(|detail| detail.pointer.is_empty()))
}

fn into_errors(error: ApiError) -> Vec<RecordError> {
    match error {
        ApiError::Refused(_, details) | ApiError::Limited(_, details) => {
            details.into_iter().map(RecordError::from).collect()
        }
        ApiError::Store(_) | ApiError::InternalError => Vec::new(),
    }
}

impl MessagesBody {
    fn into_domain(self, max_text_bytes: usize) -> Result<Vec<NewMessage>, ApiError> {
        let mut validation = Validation::default();
        let bodies = validation.required("/messages", self.messages).unwrap_or_default();
        let mut messages = Vec::with_capacity(bodies.len());
        for (index, Object(body)) in bodies.into_iter().enumerate() {
            let pointer = format!("/messages/{index}");
            let message = body.into_domain_at(&mut validation, &pointer);
            messages.extend(message.filter(|message| {
                check_text_size(&mut validation, &format!("{pointer}/text"), &message.text, max_text_bytes).is_some()
            }));
        }
        validation.finish(Some(messages))
    }
}

fn check_text_size(validation: &mut Validation, field: &str, text: &MessageText, max: usize) -> Option<()> {
    let size = if text.as_str().len() <= max { Ok(()) } else { Err(format!("must have at most {max} bytes")) };
    validation.parse(field, "max_bytes", size)
}

/// The cells of a line of a CSV file. An empty cell of an optional column is no value.
#[derive(Debug, Default)]
pub struct MessageCells<'line> {
    /// The caller's identifier of the conversation.
    pub conversation_external_id: &'line str,
    /// The identifier of the customer.
    pub customer_external_id: &'line str,
    /// The name of the customer; optional.
    pub customer_name: &'line str,
    /// The identifier of the agent; optional.
    pub agent_external_id: &'line str,
    /// The name of the agent; optional, and only with the identifier.
    pub agent_name: &'line str,
    /// The creation time of the conversation.
    pub conversation_timestamp: &'line str,
    /// The role of the sender of the message.
    pub sender_role: &'line str,
    /// The identifier of the sender.
    pub sender_external_id: &'line str,
    /// The time of sending.
    pub timestamp: &'line str,
    /// The text of the message.
    pub text: &'line str,
    /// The keys and values of the columns `metadata.KEY`; an empty value is no value.
    pub metadata: Vec<(&'line str, &'line str)>,
}

impl MessageCells<'_> {
    /// The conversation of the line, and its message.
    ///
    /// # Errors
    /// Everything that is wrong with the line, each with the name of its column.
    pub fn read(&self, max_text_bytes: usize) -> Result<(UpsertRequest, NewMessage), Vec<RecordError>> {
        let mut validation = Validation::default();
        let conversation = self.conversation(&mut validation);
        let message = self.message(&mut validation, max_text_bytes);
        validation.finish(conversation.zip(message)).map_err(into_errors)
    }

    fn conversation(&self, validation: &mut Validation) -> Option<UpsertRequest> {
        let external_id =
            validation.check("conversation_external_id", ExternalId::parse(self.conversation_external_id));
        let customer = ("customer_external_id", self.customer_external_id, "customer_name", self.customer_name);
        let customer = read_participant(validation, customer);
        let has_agent = !(self.agent_external_id.is_empty() && self.agent_name.is_empty());
        let agent = ("agent_external_id", self.agent_external_id, "agent_name", self.agent_name);
        let agent = has_agent.then(|| read_participant(validation, agent));
        let metadata = self.read_metadata(validation);
        let started_at =
            validation.parse("conversation_timestamp", "date_time", Timestamp::parse(self.conversation_timestamp));
        let agent = agent.map_or(Some(Change::Keep), |agent| agent.map(Change::Set));
        Some(UpsertRequest {
            id: None,
            external_id: external_id?,
            agent: agent?,
            customer: customer?,
            metadata: metadata?,
            started_at: started_at?,
        })
    }

    fn read_metadata(&self, validation: &mut Validation) -> Option<Change<Metadata>> {
        let given = self.metadata.iter().filter(|(_, value)| !value.is_empty());
        let pairs: BTreeMap<_, _> = given.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        if pairs.is_empty() {
            return Some(Change::Keep);
        }
        let parsed = Metadata::parse(pairs);
        let key = parsed.as_ref().err().and_then(|error| error.key.as_deref());
        let field = key.map_or("metadata".to_owned(), |key| format!("metadata.{key}"));
        validation.check(&field, parsed.map_err(|error| error.violation)).map(Change::Set)
    }

    fn message(&self, validation: &mut Validation, max_text_bytes: usize) -> Option<NewMessage> {
        let text = validation.check("text", MessageText::parse(self.text));
        let text = text.filter(|text| check_text_size(validation, "text", text, max_text_bytes).is_some());
        let role = validation.parse("sender_role", "enum", Role::parse(self.sender_role));
        let external_id = validation.check("sender_external_id", ExternalId::parse(self.sender_external_id));
        let sent_at = validation.parse("timestamp", "date_time", Timestamp::parse(self.timestamp));
        let sender = Sender { role: role?, external_id: external_id? };
        Some(NewMessage { sender, text: text?, sent_at: sent_at? })
    }
}

fn read_participant(
    validation: &mut Validation,
    (id_column, id, name_column, name): (&str, &str, &str, &str),
) -> Option<Participant> {
    let external_id = validation.check(id_column, ExternalId::parse(id));
    let name = (!name.is_empty()).then(|| validation.check(name_column, DisplayName::parse(name)));
    Some(Participant { external_id: external_id?, name: name.flatten() })
}

/// The errors of a record that the import refuses; empty if a store failed. The fields are those of a JSON body.
#[must_use]
pub fn refusal_errors(error: ImportError) -> Vec<RecordError> {
    into_errors(match error {
        ImportError::Refused(refusal) => refusal.into(),
        ImportError::Identifiers(sensitive) => sensitive.into(),
        ImportError::Erased => ApiError::refused_at(RefusalKind::Conflict, "/externalId", "erased", &error),
        ImportError::Store(error) => error.into(),
    })
}
