//! Messages as JSON, straight into a body: what [`MessageView`](crate::messages::MessageView) derives, which the interface
//! is described by, at less cost, since a text is looked through for characters to escape a stretch at a time.

use parlance_domain::{
    conversation::{Message, Role},
    time::TimestampWriter,
};

use crate::json_text::write_text;

/// What a message takes beside its own words, and what surrounds them all.
const ROOM: usize = 224;

/// A page of messages, and the cursor of the next one, in a buffer that need not grow where texts have nothing to escape.
pub(crate) fn page(messages: &[Message], next_cursor: Option<&str>) -> Vec<u8> {
    let words = |message: &Message| message.text.as_str().len() + message.sender.external_id.as_str().len();
    let mut out = Vec::with_capacity(ROOM + messages.iter().map(|message| ROOM + words(message)).sum::<usize>());
    out.extend_from_slice(b"{\"items\":[");
    let mut writer = MessageWriter::default();
    for (place, message) in messages.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        writer.write(message, &mut out);
    }
    out.extend_from_slice(b"],\"nextCursor\":");
    match next_cursor {
        Some(cursor) => write_text(cursor, &mut out),
        None => out.extend_from_slice(b"null"),
    }
    out.push(b'}');
    out
}

/// Writes messages that follow each other: they mostly arrived on one day, and were sent on one.
#[derive(Default)]
pub(crate) struct MessageWriter {
    created: TimestampWriter,
    sent: TimestampWriter,
}

impl MessageWriter {
    /// Adds a message.
    pub(crate) fn write(&mut self, message: &Message, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"text\":");
        write_text(message.text.as_str(), out);
        out.extend_from_slice(match message.sender.role {
            Role::Agent => b",\"sender\":{\"role\":\"agent\",\"externalId\":".as_slice(),
            Role::Customer => b",\"sender\":{\"role\":\"customer\",\"externalId\":",
            Role::System => b",\"sender\":{\"role\":\"system\",\"externalId\":",
        });
        write_text(message.sender.external_id.as_str(), out);
        // Of capital letters and digits, none of which is escaped.
        out.extend_from_slice(b"},\"messageId\":\"");
        out.extend_from_slice(message.id.as_str().as_bytes());
        out.extend_from_slice(b"\",\"createdTimestamp\":\"");
        self.created.write(message.created_at, out);
        out.extend_from_slice(b"\",\"clientTimestamp\":\"");
        self.sent.write(message.sent_at, out);
        out.extend_from_slice(b"\"}");
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{conversation::Sender, text::ExternalId};

    use super::*;
    use crate::{
        json_text::odd_texts,
        messages::{MessageView, MessagesView},
        transcripts::sample,
    };

    fn message(role: Role, text: &str) -> Message {
        let sender = Sender { role, external_id: ExternalId::parse("a \"b\" \\").unwrap() };
        Message { sender, ..sample::message(7, 1, text) }
    }

    fn messages() -> Vec<Message> {
        let roles = [Role::Agent, Role::Customer, Role::System].into_iter().cycle();
        odd_texts().zip(roles).map(|(text, role)| message(role, &text)).collect()
    }

    #[test]
    fn a_message_is_written_as_it_is_described() {
        for message in messages() {
            let mut out = Vec::new();
            MessageWriter::default().write(&message, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&MessageView::from(&message)).unwrap());
        }
    }

    #[test]
    fn a_page_is_written_as_it_is_described() {
        let messages = messages();
        for (count, cursor) in [(0, None), (1, None), (2, Some("12.A")), (messages.len(), Some("1.B"))] {
            let described = MessagesView::new(&messages[..count], cursor.map(ToOwned::to_owned));
            let written = String::from_utf8(page(&messages[..count], cursor)).unwrap();
            assert_eq!(written, serde_json::to_string(&described).unwrap());
        }
    }
}
