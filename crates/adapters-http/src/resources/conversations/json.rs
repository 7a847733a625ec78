//! Conversations as JSON: the views that the OpenAPI description documents, and functions that write the same JSON
//! directly into a body. The functions cost less, because they copy no conversation into a view.

use std::collections::BTreeMap;

use parlance_domain::{
    conversation::{Conversation, Participant},
    json_text::write_string,
};
use serde::Serialize;
use utoipa::ToSchema;

/// A conversation as it is stored.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationView {
    #[schema(format = "id")]
    id: String,
    #[schema(format = "external-id-view")]
    external_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ParticipantView, required = false)]
    agent: Option<ParticipantView>,
    customer: ParticipantView,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    metadata: Option<BTreeMap<String, String>>,
}

/// Someone who takes part in a conversation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParticipantView {
    #[schema(format = "external-id-view")]
    external_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = "name-view")]
    name: Option<String>,
}

/// The conversations that meet the search criteria.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationsView {
    items: Vec<ConversationView>,
    /// Where the next page begins, or `null` after the last one. Not given where `externalId` is the one parameter.
    #[schema(value_type = Option<String>, required = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<serde_json::Value>,
}

/// The initial capacity of a body in bytes: about the size of one conversation.
const CAPACITY: usize = 512;

/// The body with one conversation.
pub(crate) fn conversation_json(conversation: &Conversation) -> Vec<u8> {
    let mut out = Vec::with_capacity(CAPACITY);
    write(conversation, &mut out);
    out
}

/// The body of a search result: one conversation or none.
pub(crate) fn search_json(conversation: Option<&Conversation>) -> Vec<u8> {
    let mut out = Vec::with_capacity(CAPACITY);
    out.extend_from_slice(b"{\"items\":[");
    if let Some(conversation) = conversation {
        write(conversation, &mut out);
    }
    out.extend_from_slice(b"]}");
    out
}

/// The body of a page, with the cursor of the next one.
pub(crate) fn page_json(conversations: &[Conversation], next_cursor: Option<&str>) -> Vec<u8> {
    let mut out = Vec::with_capacity(CAPACITY * (conversations.len() + 1));
    out.extend_from_slice(b"{\"items\":[");
    for (index, conversation) in conversations.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(conversation, &mut out);
    }
    out.extend_from_slice(b"],\"nextCursor\":");
    match next_cursor {
        Some(cursor) => write_string(cursor, &mut out),
        None => out.extend_from_slice(b"null"),
    }
    out.push(b'}');
    out
}

fn write(conversation: &Conversation, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    write_string(conversation.id.as_str(), out);
    out.extend_from_slice(b",\"externalId\":");
    write_string(conversation.external_id.as_str(), out);
    if let Some(agent) = &conversation.agent {
        out.extend_from_slice(b",\"agent\":");
        write_participant(agent, out);
    }
    out.extend_from_slice(b",\"customer\":");
    write_participant(&conversation.customer, out);
    if let Some(metadata) = &conversation.metadata {
        out.extend_from_slice(b",\"metadata\":{");
        for (index, (key, value)) in metadata.pairs().iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_string(key, out);
            out.push(b':');
            write_string(value, out);
        }
        out.push(b'}');
    }
    out.push(b'}');
}

fn write_participant(participant: &Participant, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"externalId\":");
    write_string(participant.external_id.as_str(), out);
    if let Some(name) = &participant.name {
        out.extend_from_slice(b",\"name\":");
        write_string(name.as_str(), out);
    }
    out.push(b'}');
}

impl From<&Conversation> for ConversationView {
    fn from(conversation: &Conversation) -> Self {
        Self {
            id: conversation.id.to_string(),
            external_id: conversation.external_id.as_str().to_owned(),
            agent: conversation.agent.as_ref().map(ParticipantView::from),
            customer: ParticipantView::from(&conversation.customer),
            metadata: conversation.metadata.as_ref().map(|metadata| metadata.pairs().clone()),
        }
    }
}

impl From<&Participant> for ParticipantView {
    fn from(participant: &Participant) -> Self {
        Self {
            external_id: participant.external_id.as_str().to_owned(),
            name: participant.name.as_ref().map(|name| name.as_str().to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        conversation::Metadata,
        id::ConversationId,
        text::{DisplayName, ExternalId},
        time::Timestamp,
    };

    use super::*;
    use crate::response::json_text::escaping_samples;

    fn participant(name: Option<&str>) -> Participant {
        let external_id = ExternalId::parse("a \"b\" \\").unwrap();
        Participant { external_id, name: name.map(|name| DisplayName::parse(name).unwrap()) }
    }

    /// Conversations with and without each optional part.
    fn conversations() -> Vec<Conversation> {
        let text = escaping_samples().filter(|text| DisplayName::parse(text.as_str()).is_ok()).last().unwrap();
        let pairs = |count: usize| (0..count).map(|number| (format!("{number} \"é\""), text.clone()));
        let metadata = |count| Some(Metadata::parse(pairs(count).collect::<BTreeMap<_, _>>()).unwrap());
        let names = [None, Some(text.as_str()), Some("Ada"), Some("\t\"\\")];
        let optional_parts = names
            .into_iter()
            .flat_map(|name| [None, metadata(0), metadata(1), metadata(3)].map(|metadata| (name, metadata)));
        let build = |(name, metadata): (Option<&str>, _)| Conversation {
            id: ConversationId::from_bits(7),
            external_id: ExternalId::parse("call \"1\"").unwrap(),
            agent: name.map(|name| participant(Some(name).filter(|name| *name != "Ada"))),
            customer: participant(name),
            metadata,
            started_at: Timestamp::EPOCH,
        };
        optional_parts.map(build).collect()
    }

    #[test]
    fn a_conversation_is_written_like_its_view() {
        for conversation in conversations() {
            let expected = serde_json::to_string(&ConversationView::from(&conversation)).unwrap();
            assert_eq!(String::from_utf8(conversation_json(&conversation)).unwrap(), expected);
        }
    }

    #[test]
    fn a_search_result_is_written_like_its_view() {
        for conversation in conversations().iter().map(Some).chain([None]) {
            let view = ConversationsView {
                items: conversation.into_iter().map(ConversationView::from).collect(),
                next_cursor: None,
            };
            let expected = serde_json::to_string(&view).unwrap();
            assert_eq!(String::from_utf8(search_json(conversation)).unwrap(), expected);
        }
    }

    #[test]
    fn a_page_is_written_like_its_view() {
        let conversations = conversations();
        for (count, cursor) in [(0, None), (1, Some("1.A.0")), (2, None), (conversations.len(), Some("2.B.1"))] {
            let view = ConversationsView {
                items: conversations[..count].iter().map(ConversationView::from).collect(),
                next_cursor: Some(cursor.map_or(serde_json::Value::Null, Into::into)),
            };
            let expected = serde_json::to_string(&view).unwrap();
            assert_eq!(String::from_utf8(page_json(&conversations[..count], cursor)).unwrap(), expected);
        }
    }
}
