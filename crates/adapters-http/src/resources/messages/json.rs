//! Messages as JSON, written directly into a body. The JSON equals that of
//! [`MessageView`](crate::resources::messages::dto::MessageView), which the OpenAPI description documents. Direct writing
//! costs less, because the check for characters to escape reads a chunk of the text at a time.

use parlance_domain::{
    json_text::write_string,
    message::{Message, Role},
    time::TimestampWriter,
};

use crate::resources::messages::include::{Include, redaction_views};

/// The bytes of a message besides its texts, and the bytes around all messages.
const OVERHEAD_BYTES: usize = 224;

/// The body with a page of messages and the cursor of the next page. The buffer grows only if a text needs escaping, or if
/// the messages have optional members.
pub(crate) fn page_json(messages: &[Message], next_cursor: Option<&str>, include: Include) -> Vec<u8> {
    let text_bytes = |message: &Message| message.text.as_str().len() + message.sender.external_id.as_str().len();
    let mut out = Vec::with_capacity(
        OVERHEAD_BYTES + messages.iter().map(|message| OVERHEAD_BYTES + text_bytes(message)).sum::<usize>(),
    );
    out.extend_from_slice(b"{\"items\":[");
    let mut writer = MessageWriter::new(include);
    for (index, message) in messages.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        writer.write(message, &mut out);
    }
    out.extend_from_slice(b"],\"nextCursor\":");
    match next_cursor {
        Some(cursor) => write_string(cursor, &mut out),
        None => out.extend_from_slice(b"null"),
    }
    out.push(b'}');
    out
}

/// The body with one message.
pub(crate) fn message_json(message: &Message, include: Include) -> Vec<u8> {
    let mut out = Vec::with_capacity(OVERHEAD_BYTES + message.text.as_str().len());
    MessageWriter::new(include).write(message, &mut out);
    out
}

/// Writes consecutive messages. Most of them arrived on the same day and were sent on the same day, so the two
/// timestamp writers reuse the text of the date.
#[derive(Default)]
pub(crate) struct MessageWriter {
    created_at: TimestampWriter,
    sent_at: TimestampWriter,
    include: Include,
}

impl MessageWriter {
    /// A writer that writes these optional members.
    pub(crate) fn new(include: Include) -> Self {
        Self { include, ..Self::default() }
    }

    /// Appends a message.
    pub(crate) fn write(&mut self, message: &Message, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"text\":");
        write_string(message.text.as_str(), out);
        out.extend_from_slice(match message.sender.role {
            Role::Agent => b",\"sender\":{\"role\":\"agent\",\"externalId\":".as_slice(),
            Role::Customer => b",\"sender\":{\"role\":\"customer\",\"externalId\":",
            Role::System => b",\"sender\":{\"role\":\"system\",\"externalId\":",
        });
        write_string(message.sender.external_id.as_str(), out);
        // An id has only capital letters and digits, which need no escaping.
        out.extend_from_slice(b"},\"messageId\":\"");
        out.extend_from_slice(message.id.as_str().as_bytes());
        out.extend_from_slice(b"\",\"createdTimestamp\":\"");
        self.created_at.write(message.created_at, out);
        out.extend_from_slice(b"\",\"clientTimestamp\":\"");
        self.sent_at.write(message.sent_at, out);
        out.push(b'"');
        if self.include == Include::Redactions {
            out.extend_from_slice(b",\"redactions\":");
            // A vector accepts every write, and the views have no map.
            let _ = serde_json::to_writer(&mut *out, &redaction_views(message));
        }
        out.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        message::{Redactions, Sender},
        text::ExternalId,
    };

    use super::*;
    use crate::{
        resources::{
            messages::dto::{MessageView, MessagesView},
            transcripts::sample,
        },
        response::json_text::escaping_samples,
    };

    fn message(role: Role, text: &str) -> Message {
        let sender = Sender { role, external_id: ExternalId::parse("a \"b\" \\").unwrap() };
        Message { sender, ..sample::message(7, 1, text) }
    }

    fn messages() -> Vec<Message> {
        let roles = [Role::Agent, Role::Customer, Role::System].into_iter().cycle();
        escaping_samples().zip(roles).map(|(text, role)| message(role, &text)).collect()
    }

    #[test]
    fn a_message_is_written_like_its_view() {
        for message in messages() {
            let mut out = Vec::new();
            MessageWriter::default().write(&message, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&MessageView::from(&message)).unwrap());
        }
    }

    #[test]
    fn masked_ranges_are_written_like_their_view_if_they_are_included() {
        let ranges = Redactions::parse(Some("0-3:CVV 4-8:PIN")).unwrap();
        for redactions in [Redactions::NONE, ranges] {
            let message = Message { redactions, ..sample::message(7, 1, "*** ****") };
            let mut out = Vec::new();
            MessageWriter::new(Include::Redactions).write(&message, &mut out);
            let view = MessageView::from(&message).with_redactions(&message);
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&view).unwrap());
        }
    }

    #[test]
    fn a_page_is_written_like_its_view() {
        let messages = messages();
        for (count, cursor) in [(0, None), (1, None), (2, Some("12.A")), (messages.len(), Some("1.B"))] {
            let view = MessagesView::new(&messages[..count], cursor.map(ToOwned::to_owned));
            let written = String::from_utf8(page_json(&messages[..count], cursor, Include::Nothing)).unwrap();
            assert_eq!(written, serde_json::to_string(&view).unwrap());
        }
    }
}
