//! A transcript as a vCon (draft-ietf-vcon-vcon-core-03, unsigned form): each message is a dialog of type `text`, each
//! sender is a party.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
};

use parlance_domain::{
    conversation::{Conversation, Metadata, Participant},
    hex,
    message::{Message, Role, Sender},
    time::Timestamp,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::resources::transcripts::{
    speakers::{display_name, known_name},
    time_zone::TimeZone,
    writer::TranscriptWriter,
};

/// The version of the syntax that the draft defines.
const SYNTAX: &str = "0.4.0";

/// Writes the dialogs first and the parties last, because all senders are known only then. JSON gives the order of
/// members no meaning.
pub(super) struct VconWriter {
    conversation: Conversation,
    zone: TimeZone,
    parties: Vec<Party>,
    indices: HashMap<(&'static str, String), usize>,
    has_dialogs: bool,
    changed_at: Timestamp,
    digest: Sha256,
}

#[derive(Serialize)]
struct Party {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The draft wants a name to come with how it was validated.
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<&'static str>,
    /// The caller's identifier of the sender.
    uuid: String,
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
struct Dialog<'message> {
    #[serde(rename = "type")]
    kind: &'static str,
    start: String,
    parties: usize,
    mediatype: &'static str,
    encoding: &'static str,
    body: &'message str,
    message_id: &'message str,
}

#[derive(Serialize)]
struct Attachment<'conversation> {
    purpose: &'static str,
    start: String,
    party: usize,
    dialog: usize,
    mediatype: &'static str,
    encoding: &'static str,
    body: ConversationBody<'conversation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConversationBody<'conversation> {
    id: &'conversation str,
    external_id: &'conversation str,
    metadata: Option<&'conversation BTreeMap<String, String>>,
}

/// A conversation as a vCon (draft-ietf-vcon-vcon-core), with a dialog for each message.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct Vcon {
    #[serde(rename = "vcon")]
    syntax: String,
    uuid: String,
    created_at: String,
    subject: String,
    parties: Vec<serde_json::Value>,
    dialog: Vec<serde_json::Value>,
    attachments: Vec<serde_json::Value>,
}

impl VconWriter {
    pub(super) fn new(conversation: Conversation, zone: TimeZone) -> Self {
        let changed_at = conversation.started_at;
        let mut writer = Self {
            conversation,
            zone,
            parties: Vec::new(),
            indices: HashMap::new(),
            has_dialogs: false,
            changed_at,
            digest: Sha256::new(),
        };
        writer.add_participants();
        writer
    }

    fn add_participants(&mut self) {
        let conversation = &self.conversation;
        let agent = conversation.agent.iter().map(|agent| (Role::Agent, agent));
        let participants: Vec<_> = agent.chain([(Role::Customer, &conversation.customer)]).collect();
        for (role, Participant { external_id, .. }) in &participants {
            self.indices.insert((role.as_str(), external_id.as_str().to_owned()), self.indices.len());
        }
        self.parties = participants
            .into_iter()
            .map(|(role, participant)| Party::new(role, participant.external_id.as_str(), display_name(participant)))
            .collect();
    }

    /// The index of the party of a sender. An unknown sender becomes a party.
    fn party(&mut self, sender: &Sender) -> usize {
        let key = (sender.role.as_str(), sender.external_id.as_str().to_owned());
        let next = self.parties.len();
        let index = *self.indices.entry(key).or_insert(next);
        if index == next {
            let name = known_name(&self.conversation, sender);
            self.parties.push(Party::new(sender.role, sender.external_id.as_str(), name));
        }
        index
    }

    /// The conversation as an attachment, which needs a dialog that it belongs to.
    fn attachments(&self) -> Vec<Attachment<'_>> {
        let conversation = &self.conversation;
        let customer = (Role::Customer.as_str(), conversation.customer.external_id.as_str().to_owned());
        let attachment = self.has_dialogs.then(|| Attachment {
            purpose: "conversation",
            start: self.zone.local(conversation.started_at).rfc_3339(),
            party: self.indices.get(&customer).copied().unwrap_or_default(),
            dialog: 0,
            mediatype: "application/json",
            encoding: "json",
            body: ConversationBody {
                id: conversation.id.as_str(),
                external_id: conversation.external_id.as_str(),
                metadata: conversation.metadata.as_ref().map(Metadata::pairs),
            },
        });
        attachment.into_iter().collect()
    }

    /// Writes a value, which becomes part of the identity of the vCon.
    fn write_json(&mut self, value: &impl Serialize, out: &mut Vec<u8>) {
        let start = out.len();
        // A Vec accepts every write, and no value has a map with keys other than strings.
        let _ = serde_json::to_writer(&mut *out, value);
        self.digest.update(out.get(start..).unwrap_or_default());
    }
}

impl Party {
    fn new(role: Role, external_id: &str, name: Option<&str>) -> Self {
        let kind = match role {
            Role::Agent | Role::Customer => "person",
            Role::System => "bot",
        };
        let (name, validation) = (name.map(str::to_owned), name.map(|_| "none"));
        Self { name, validation, uuid: external_id.to_owned(), kind }
    }
}

impl TranscriptWriter for VconWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        // Writing to a Vec cannot fail.
        let _ = write!(out, "{{\"vcon\":\"{SYNTAX}\",\"subject\":");
        let subject = self.conversation.external_id.clone();
        self.write_json(&subject.as_str(), out);
        out.extend_from_slice(b",\"dialog\":[");
    }

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.has_dialogs, true) {
            out.push(b',');
        }
        self.changed_at = self.changed_at.max(message.created_at);
        let parties = self.party(&message.sender);
        let dialog = Dialog {
            kind: "text",
            start: self.zone.local(message.sent_at).rfc_3339(),
            parties,
            mediatype: "text/plain",
            encoding: "none",
            body: message.text.as_str(),
            message_id: message.id.as_str(),
        };
        self.write_json(&dialog, out);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"],\"parties\":");
        let parties = std::mem::take(&mut self.parties);
        self.write_json(&parties, out);
        out.extend_from_slice(b",\"attachments\":");
        let mut attachments = Vec::new();
        let _ = serde_json::to_writer(&mut attachments, &self.attachments());
        self.digest.update(&attachments);
        out.append(&mut attachments);
        let created_at = self.zone.local(self.changed_at).rfc_3339();
        let uuid = uuid_of(self.digest.clone().finalize().into());
        let _ = write!(out, ",\"created_at\":\"{created_at}\",\"uuid\":\"{uuid}\"}}");
    }
}

/// A UUID of version 8 (RFC 9562, section 5.8) from a digest, so that equal content has an equal UUID.
fn uuid_of(digest: [u8; 32]) -> String {
    let mut bits = digest.iter().take(16).fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    bits = bits & !(0xF << 76) | 0x8 << 76;
    bits = bits & !(0b11 << 62) | 0b10 << 62;
    let hex = hex::encode(&bits.to_be_bytes());
    let part = |from, to| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{super::sample, *};

    fn rendered(messages: &[(i64, &str)]) -> Value {
        let text = sample::render(VconWriter::new(sample::conversation(), TimeZone::UTC), messages);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn each_message_is_a_dialog_of_its_party() {
        let vcon = rendered(&[(0, "hello \"you\""), (1_500, "bye")]);
        assert_eq!(vcon["dialog"][0]["body"], "hello \"you\"");
        assert_eq!(vcon["dialog"][1]["start"], "2026-01-31T09:30:01.500Z");
        assert_eq!(vcon["dialog"][1]["parties"], 0);
        assert_eq!(vcon["parties"][0]["name"], "Ada *Lovelace*");
        assert_eq!(vcon["parties"][1]["uuid"], "customer-7");
        assert_eq!(vcon["attachments"][0]["body"]["metadata"]["channel"], "phone");
    }

    #[test]
    fn a_conversation_without_messages_has_no_attachment() {
        let vcon = rendered(&[]);
        assert_eq!((vcon["dialog"].as_array().unwrap().len(), vcon["attachments"].as_array().unwrap().len()), (0, 0));
        assert_eq!(vcon["created_at"], "2026-01-31T09:30:00.000Z");
    }

    #[test]
    fn equal_content_has_an_equal_identifier_of_version_8() {
        let (one, same, other) = (rendered(&[(0, "a")]), rendered(&[(0, "a")]), rendered(&[(0, "b")]));
        assert_eq!(one["uuid"], same["uuid"]);
        assert_ne!(one["uuid"], other["uuid"]);
        let uuid = one["uuid"].as_str().unwrap();
        assert!(uuid.len() == 36 && uuid.as_bytes()[14] == b'8' && b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
    }
}
