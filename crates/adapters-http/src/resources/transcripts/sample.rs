//! Sample messages, and their transcript, for the tests of writers.

use parlance_domain::{
    conversation::{Conversation, Metadata, Participant},
    id::{ConversationId, MessageId},
    message::{Message, Redactions, Role, Sender},
    redaction::EntitySet,
    text::{DisplayName, ExternalId, MessageText},
    time::Timestamp,
};

use crate::resources::transcripts::writer::TranscriptWriter;

/// The output of a writer for messages with these texts, sent these milliseconds after 2026-01-31T09:30:00Z.
pub(super) fn render(mut writer: impl TranscriptWriter, messages: &[(i64, &str)]) -> String {
    let mut out = Vec::new();
    writer.begin(&mut out);
    for (number, (millis, text)) in messages.iter().enumerate() {
        writer.write_message(&message(number as u128, *millis, text), &mut out);
    }
    writer.end(&mut out);
    String::from_utf8(out).unwrap()
}

pub(crate) fn message(number: u128, millis: i64, text: &str) -> Message {
    let start = Timestamp::parse("2026-01-31T09:30:00Z").unwrap().as_micros();
    let sent_at = Timestamp::from_micros(start + millis * 1_000).unwrap();
    Message {
        id: MessageId::from_bits(number),
        conversation: ConversationId::from_bits(1),
        sender: Sender { role: Role::Agent, external_id: ExternalId::parse("agent <7>").unwrap() },
        text: MessageText::parse(text).unwrap(),
        masked_with: EntitySet::empty(),
        redactions: Redactions::NONE,
        sent_at,
        created_at: sent_at,
    }
}

/// A conversation of the sender of the sample messages.
pub(super) fn conversation() -> Conversation {
    let participant = |external_id: &str, name: Option<&str>| Participant {
        external_id: ExternalId::parse(external_id).unwrap(),
        name: name.map(|name| DisplayName::parse(name.to_owned()).unwrap()),
    };
    Conversation {
        id: ConversationId::from_bits(1),
        external_id: ExternalId::parse("call_1").unwrap(),
        agent: Some(participant("agent <7>", Some("Ada *Lovelace*"))),
        customer: participant("customer-7", None),
        metadata: Some(Metadata::parse([("channel".into(), "phone".into())].into()).unwrap()),
        started_at: Timestamp::parse("2026-01-31T09:30:00Z").unwrap(),
    }
}
