//! The entries of the ledger of erasures as JSON Lines. Every value is validated when it is read back.

use parlance_domain::{
    access::TenantId,
    hex,
    id::{ConversationId, MessageId},
    privacy::{ErasedPart, IdentifierDigest, LedgerEntry},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

/// An entry. It has a digest if a conversation was erased, and a message if only that was. A member of another name is
/// refused: it may restrict what was erased.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EntryJson {
    tenant: String,
    conversation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    erased_at: String,
}

impl EntryJson {
    fn new(entry: &LedgerEntry) -> Self {
        let (digest, message) = match &entry.erased {
            ErasedPart::Conversation(digest) => (Some(hex::encode(&digest.0)), None),
            ErasedPart::Message(message) => (None, Some(message.to_string())),
        };
        let (tenant, conversation) = (entry.tenant.to_string(), entry.conversation.to_string());
        Self { tenant, conversation, digest, message, erased_at: entry.at.to_string() }
    }

    fn restore(self) -> Option<LedgerEntry> {
        let erased = match (self.digest, self.message) {
            (Some(digest), None) => ErasedPart::Conversation(IdentifierDigest(hex::decode(&digest)?)),
            (None, Some(message)) => ErasedPart::Message(MessageId::parse(&message).ok()?),
            (None, None) | (Some(_), Some(_)) => return None,
        };
        Some(LedgerEntry {
            tenant: TenantId::parse(&self.tenant).ok()?,
            conversation: ConversationId::parse(&self.conversation).ok()?,
            erased,
            at: Timestamp::parse(&self.erased_at).ok()?,
        })
    }
}

/// Encodes entries, each as a line.
pub(crate) fn encode(entries: &[LedgerEntry]) -> Vec<u8> {
    let lines = entries.iter().filter_map(|entry| serde_json::to_string(&EntryJson::new(entry)).ok());
    lines.flat_map(|line| line.into_bytes().into_iter().chain([b'\n'])).collect()
}

/// Parses the lines of an object. The error is the number of the first line that is not an entry. A last line without
/// a line feed is cut off.
pub(crate) fn parse(content: &[u8]) -> Result<Vec<LedgerEntry>, usize> {
    let parse_line = |line: &[u8]| {
        let entry: EntryJson = serde_json::from_slice(line.strip_suffix(b"\n")?).ok()?;
        entry.restore()
    };
    let lines = content.split_inclusive(|byte| *byte == b'\n').enumerate();
    lines.map(|(index, line)| parse_line(line).ok_or(index + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> [LedgerEntry; 2] {
        let entry = LedgerEntry {
            tenant: TenantId::parse("acme").unwrap(),
            conversation: ConversationId::parse("C1").unwrap(),
            erased: ErasedPart::Conversation(IdentifierDigest([0xab; 32])),
            at: Timestamp::EPOCH,
        };
        let message = ErasedPart::Message(MessageId::parse("M1").unwrap());
        [entry.clone(), LedgerEntry { erased: message, ..entry }]
    }

    #[test]
    fn an_entry_is_a_line_of_json_without_content() {
        let text = String::from_utf8(encode(&entries())).unwrap();
        let digest = "ab".repeat(32);
        let expected = format!(
            "{{\"tenant\":\"acme\",\"conversation\":\"C1\",\"digest\":\"{digest}\",\"erasedAt\":\"{at}\"}}\n\
             {{\"tenant\":\"acme\",\"conversation\":\"C1\",\"message\":\"M1\",\"erasedAt\":\"{at}\"}}\n",
            at = Timestamp::EPOCH
        );
        assert_eq!(text, expected);
        assert_eq!(parse(text.as_bytes()), Ok(entries().to_vec()));
    }

    #[test]
    fn the_first_line_that_is_not_an_entry_is_named_by_its_number() {
        let good = String::from_utf8(encode(&entries())).unwrap();
        for bad in [
            "\n",
            "{}\n",
            "{\"tenant\":\"acme\",\"conversation\":\"C1\",\"erasedAt\":\"1970-01-01T00:00:00Z\"}\n",
            &good.replace("\"C1\"", "\"c1\""),
            &good.replace("abab", "ab"),
            &good.replace("{\"tenant\"", "{\"only\":1,\"tenant\""),
            good.lines().next().unwrap(),
        ] {
            assert_eq!(parse(format!("{good}{bad}").as_bytes()), Err(3), "{bad}");
        }
        assert_eq!(parse(b""), Ok(Vec::new()));
    }
}
