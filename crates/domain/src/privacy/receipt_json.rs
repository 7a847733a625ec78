//! The canonical JSON of a receipt (RFC 8785): sorted keys, no white space, whole numbers only.

use super::receipt::ErasureReceipt;
use crate::{hex, json_text::write_string};

impl ErasureReceipt {
    /// The fields, in their order.
    pub(super) const FIELDS: &'static [&'static str] = &[
        "audit",
        "completed_at",
        "counts",
        "kind",
        "not_covered",
        "previous",
        "reference",
        "request",
        "requested_at",
        "subject",
        "tenant",
        "version",
    ];

    /// The canonical JSON.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        let mut out = JsonWriter::default();
        out.open('{');
        out.key("audit").open('{');
        out.key("hash").text(&hex::encode(&self.audit.hash));
        out.key("sequence").number(self.audit.sequence);
        out.close('}');
        out.key("completed_at").text(&self.completed_at.to_string());
        out.key("counts").list(&self.counts, |out, entry| {
            out.key("count").number(entry.count);
            out.key("place").text(entry.place.as_str());
        });
        out.key("kind").text(self.kind.as_str());
        out.key("not_covered").list(&self.not_covered, |out, entry| {
            out.key("code").text(entry.code.as_str());
            out.key("reason").text(entry.reason.as_str());
        });
        out.key("previous").text(&hex::encode(&self.previous));
        out.key("reference").text(self.reference.as_str());
        out.key("request").text(self.request.as_str());
        out.key("requested_at").text(&self.requested_at.to_string());
        match &self.subject {
            Some(subject) => out.key("subject").text(&hex::encode(&subject.0)),
            None => out.key("subject").raw("null"),
        }
        out.key("tenant").text(self.tenant.as_str());
        out.key("version").number(Self::VERSION);
        out.close('}');
        out.into_string()
    }
}

/// Writes JSON without white space. A comma precedes each value that needs one.
#[derive(Default)]
pub(super) struct JsonWriter {
    bytes: Vec<u8>,
}

impl JsonWriter {
    pub(super) fn open(&mut self, bracket: char) {
        self.raw(bracket.encode_utf8(&mut [0; 4]));
    }

    pub(super) fn close(&mut self, bracket: char) {
        self.open(bracket);
    }

    pub(super) fn key(&mut self, name: &str) -> &mut Self {
        self.comma();
        write_string(name, &mut self.bytes);
        self.raw(":");
        self
    }

    pub(super) fn text(&mut self, text: &str) {
        write_string(text, &mut self.bytes);
    }

    fn number(&mut self, number: u64) {
        self.raw(&number.to_string());
    }

    fn list<Entry>(&mut self, entries: &[Entry], write: impl Fn(&mut Self, &Entry)) {
        self.open('[');
        for entry in entries {
            self.comma();
            self.open('{');
            write(self, entry);
            self.close('}');
        }
        self.close(']');
    }

    pub(super) fn raw(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn comma(&mut self) {
        if !matches!(self.bytes.last(), None | Some(b'{' | b'[')) {
            self.bytes.push(b',');
        }
    }

    /// The text. The writer is given texts alone, so it is UTF-8.
    pub(super) fn into_string(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::receipt::tests::sample_receipt;

    #[test]
    fn the_canonical_json_is_written_to_the_byte_as_documented() {
        let (ab, cd, zeros) = ("ab".repeat(32), "cd".repeat(32), "0".repeat(64));
        let expected = format!(
            r#"{{"audit":{{"hash":"{cd}","sequence":41}},"completed_at":"1970-01-01T00:01:30.000Z","counts":[{{"count":12,"place":"messages"}},{{"count":3,"place":"conversations"}}],"kind":"customer","not_covered":[{{"code":"server_logs","reason":"Logs are not covered."}}],"previous":"{zeros}","reference":"CHG-\"7\" Zoë","request":"01JZX9","requested_at":"1970-01-01T00:00:00.000Z","subject":"{ab}","tenant":"acme","version":1}}"#
        );
        assert_eq!(sample_receipt().canonical_json(), expected);
    }

    #[test]
    fn empty_lists_and_a_missing_subject_are_written() {
        let receipt = ErasureReceipt { counts: Vec::new(), not_covered: Vec::new(), subject: None, ..sample_receipt() };
        let json = receipt.canonical_json();
        for part in [r#""counts":[],"#, r#""not_covered":[],"#, r#""subject":null,"#] {
            assert!(json.contains(part), "{json}");
        }
    }

    #[test]
    fn the_fields_are_sorted() {
        assert!(ErasureReceipt::FIELDS.is_sorted());
    }
}
