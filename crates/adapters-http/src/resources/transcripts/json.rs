//! A transcript as JSON: `{"items": [message, …]}`.

use parlance_domain::message::Message;

use crate::resources::{
    messages::{include::Include, json::MessageWriter},
    transcripts::writer::TranscriptWriter,
};

#[derive(Default)]
pub(super) struct JsonWriter {
    has_items: bool,
    messages: MessageWriter,
}

impl JsonWriter {
    pub(super) fn new(include: Include) -> Self {
        Self { has_items: false, messages: MessageWriter::new(include) }
    }
}

impl TranscriptWriter for JsonWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"items\":[");
    }

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.has_items, true) {
            out.push(b',');
        }
        self.messages.write(message, out);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"]}");
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sample::render, *};

    #[test]
    fn no_messages_are_an_empty_list() {
        assert_eq!(render(JsonWriter::default(), &[]), r#"{"items":[]}"#);
    }

    #[test]
    fn messages_are_the_items_of_a_list() {
        let text = render(JsonWriter::default(), &[(0, "a \"b\""), (1, "c")]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["items"][0]["text"], "a \"b\"");
        assert_eq!(value["items"][1]["clientTimestamp"], "2026-01-31T09:30:00.001Z");
    }
}
