//! The entries of the ledger of erasures as JSON Lines. Every value is validated when it is read back.

use parlance_domain::{
    access::TenantId,
    hex,
    id::{ConversationId, MessageId},
    privacy::{AuthenticationCode, ErasedPart, IdentifierDigest, LedgerContent, LedgerEntry},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The value of `erased` in the entry of a whole tenant.
const WHOLE_TENANT: &str = "tenant";

/// An entry. It has a digest if a conversation was erased, and a message if only that was. If the whole tenant was erased, it
/// has the member `erased` with the value `tenant` instead of a conversation. A member of another name is refused: it may
/// restrict what was erased.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EntryJson {
    tenant: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    conversation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    erased: Option<String>,
    erased_at: String,
}

impl EntryJson {
    fn new(entry: &LedgerEntry) -> Self {
        let (conversation, digest, message) = match &entry.erased {
            ErasedPart::Conversation(conversation, digest) => (Some(conversation), Some(hex::encode(&digest.0)), None),
            ErasedPart::Message(conversation, message) => (Some(conversation), None, Some(message.to_string())),
            ErasedPart::Tenant => (None, None, None),
        };
        Self {
            tenant: entry.tenant.to_string(),
            conversation: conversation.map(ToString::to_string),
            digest,
            message,
            erased: conversation.is_none().then(|| WHOLE_TENANT.to_owned()),
            erased_at: entry.at.to_string(),
        }
    }

    fn restore(self) -> Option<LedgerEntry> {
        let conversation = self.conversation.map(|id| ConversationId::parse(&id).ok());
        let erased = match (conversation, self.digest, self.message, self.erased.as_deref()) {
            (Some(conversation), Some(digest), None, None) => {
                ErasedPart::Conversation(conversation?, IdentifierDigest(hex::decode(&digest)?))
            }
            (Some(conversation), None, Some(message), None) => {
                ErasedPart::Message(conversation?, MessageId::parse(&message).ok()?)
            }
            (None, None, None, Some(WHOLE_TENANT)) => ErasedPart::Tenant,
            _ => return None,
        };
        Some(LedgerEntry {
            tenant: TenantId::parse(&self.tenant).ok()?,
            erased,
            at: Timestamp::parse(&self.erased_at).ok()?,
        })
    }
}

/// The last line of an object. The digest shows whether the lines before it are those that were written, and the code who
/// wrote them. Objects of earlier releases have no code.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LastLineJson {
    entries: usize,
    sha256: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

impl LastLineJson {
    fn new(entries: usize, lines: &[u8], code: Option<&AuthenticationCode>) -> Self {
        Self { entries, sha256: hex::encode(&Sha256::digest(lines)), code: code.map(|code| hex::encode(code)) }
    }

    /// Finds damage unless these lines are those that were written.
    fn restore(self, entries: Vec<LedgerEntry>, lines: &[u8]) -> Result<LedgerContent, LedgerDamage> {
        let expected = Self::new(entries.len(), lines, None);
        let code = self.code.map(|code| hex::decode(&code).ok_or(LedgerDamage::Changed)).transpose()?;
        if self.entries == expected.entries && self.sha256 == expected.sha256 {
            return Ok(LedgerContent { entries, code });
        }
        Err(LedgerDamage::Changed)
    }
}

/// Why an object cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LedgerDamage {
    /// The line with this number, starting at 1, is neither an entry nor a last line.
    Line(usize),
    /// The last line is missing, or it does not match the lines before it.
    Changed,
}

/// Encodes entries, each as a line, and a last line with their number, their digest and the code.
pub(crate) fn encode(LedgerContent { entries, code }: &LedgerContent) -> Vec<u8> {
    let lines = entries.iter().filter_map(|entry| serde_json::to_string(&EntryJson::new(entry)).ok());
    let mut content: Vec<u8> = lines.flat_map(|line| line.into_bytes().into_iter().chain([b'\n'])).collect();
    let last = LastLineJson::new(entries.len(), &content, code.as_ref());
    content.extend(serde_json::to_string(&last).unwrap_or_default().into_bytes());
    content.push(b'\n');
    content
}

/// Parses the lines of an object.
///
/// # Errors
/// The first damage. A last line without a line feed is cut off.
pub(crate) fn parse(content: &[u8]) -> Result<LedgerContent, LedgerDamage> {
    let mut entries = Vec::new();
    let mut bytes = 0;
    for line in content.split_inclusive(|byte| *byte == b'\n') {
        let damage = LedgerDamage::Line(entries.len() + 1);
        let text = line.strip_suffix(b"\n").ok_or(damage)?;
        if let Ok(last) = serde_json::from_slice::<LastLineJson>(text) {
            let (lines, rest) = content.split_at(bytes);
            return if rest.len() == line.len() { last.restore(entries, lines) } else { Err(LedgerDamage::Changed) };
        }
        let entry: EntryJson = serde_json::from_slice(text).map_err(|_| damage)?;
        entries.push(entry.restore().ok_or(damage)?);
        bytes += line.len();
    }
    Err(LedgerDamage::Changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(entries: &[LedgerEntry]) -> LedgerContent {
        LedgerContent { entries: entries.to_vec(), code: Some([0xcd; 32]) }
    }

    fn text() -> String {
        String::from_utf8(encode(&content(&entries()))).unwrap()
    }

    fn entries() -> [LedgerEntry; 2] {
        let conversation = ConversationId::parse("C1").unwrap();
        let entry = LedgerEntry {
            tenant: TenantId::parse("acme").unwrap(),
            erased: ErasedPart::Conversation(conversation.clone(), IdentifierDigest([0xab; 32])),
            at: Timestamp::EPOCH,
        };
        let message = ErasedPart::Message(conversation, MessageId::parse("M1").unwrap());
        [entry.clone(), LedgerEntry { erased: message, ..entry }]
    }

    #[test]
    fn an_entry_of_a_whole_tenant_says_so() {
        let entry = LedgerEntry::of_tenant(&TenantId::parse("acme").unwrap(), Timestamp::EPOCH);
        let text = String::from_utf8(encode(&content(std::slice::from_ref(&entry)))).unwrap();
        let line = format!("{{\"tenant\":\"acme\",\"erased\":\"tenant\",\"erasedAt\":\"{}\"}}", Timestamp::EPOCH);
        assert_eq!(text.lines().next(), Some(line.as_str()));
        assert_eq!(parse(text.as_bytes()), Ok(content(&[entry])));
        for wrong in ["\"erased\":\"all\"", "\"message\":\"M1\"", "\"conversation\":\"C1\",\"erased\":\"tenant\""] {
            let line = line.replace("\"erased\":\"tenant\"", wrong);
            assert_eq!(parse(format!("{line}\n").as_bytes()), Err(LedgerDamage::Line(1)), "{line}");
        }
    }

    #[test]
    fn an_entry_is_a_line_of_json_without_content() {
        let text = text();
        let (lines, last) = text.trim_end().rsplit_once('\n').unwrap();
        let digest = "ab".repeat(32);
        let expected = format!(
            "{{\"tenant\":\"acme\",\"conversation\":\"C1\",\"digest\":\"{digest}\",\"erasedAt\":\"{at}\"}}\n\
             {{\"tenant\":\"acme\",\"conversation\":\"C1\",\"message\":\"M1\",\"erasedAt\":\"{at}\"}}\n",
            at = Timestamp::EPOCH
        );
        assert_eq!(format!("{lines}\n"), expected);
        let (sha256, code) = (hex::encode(&Sha256::digest(&expected)), "cd".repeat(32));
        assert_eq!(last, format!("{{\"entries\":2,\"sha256\":\"{sha256}\",\"code\":\"{code}\"}}"));
        assert_eq!(parse(text.as_bytes()), Ok(content(&entries())));
    }

    #[test]
    fn the_first_line_that_is_not_an_entry_is_named_by_its_number() {
        let text = text();
        let (good, _) = text.trim_end().rsplit_once('\n').unwrap();
        for bad in [
            "\n",
            "{}\n",
            "{\"tenant\":\"acme\",\"conversation\":\"C1\",\"erasedAt\":\"1970-01-01T00:00:00Z\"}\n",
            &good.replace("\"C1\"", "\"c1\""),
            &good.replace("abab", "ab"),
            &good.replace("{\"tenant\"", "{\"only\":1,\"tenant\""),
            good.lines().next().unwrap(),
        ] {
            assert_eq!(parse(format!("{good}\n{bad}").as_bytes()), Err(LedgerDamage::Line(3)), "{bad}");
        }
    }

    #[test]
    fn an_object_whose_lines_were_changed_or_removed_is_refused() {
        let text = text();
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        for changed in [
            String::new(),
            lines[..2].concat(),
            lines[1..].concat(),
            [lines[1], lines[0], lines[2]].concat(),
            text.replacen("C1", "C2", 1),
            text.replace("\"entries\":2", "\"entries\":1"),
            text.replace("cdcd", "cd"),
            format!("{text}{}", lines[0]),
            format!("{text}{}", lines[2]),
        ] {
            assert_eq!(parse(changed.as_bytes()), Err(LedgerDamage::Changed), "{changed}");
        }
        assert_eq!(parse(&encode(&content(&[]))), Ok(content(&[])));
    }

    #[test]
    fn an_object_of_an_earlier_release_has_no_code() {
        let earlier = text().replace(&format!(",\"code\":\"{}\"", "cd".repeat(32)), "");
        assert_eq!(parse(earlier.as_bytes()), Ok(LedgerContent { code: None, ..content(&entries()) }));
    }
}
