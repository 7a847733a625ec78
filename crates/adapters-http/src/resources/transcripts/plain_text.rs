//! A transcript as plain text: one message per line, `[time] role (sender): text`. Further lines of a message are
//! indented.

use std::io::Write;

use parlance_domain::message::Message;

use crate::resources::transcripts::writer::TranscriptWriter;

pub(super) struct TextWriter;

impl TranscriptWriter for TextWriter {
    fn begin(&mut self, _: &mut Vec<u8>) {}

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let (role, sender) = (message.sender.role.as_str(), message.sender.external_id.as_str());
        let text = message.text.as_str().replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\n    ");
        // Writing to a Vec cannot fail.
        let _ = writeln!(out, "[{}] {role} ({sender}): {text}", message.sent_at);
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

#[cfg(test)]
mod tests {
    use super::{super::sample::render, *};

    #[test]
    fn a_message_is_one_line_and_further_lines_are_indented() {
        assert_eq!(
            render(TextWriter, &[(0, "one\r\ntwo\rthree\n"), (1_500, "four")]),
            "[2026-01-31T09:30:00.000Z] agent (agent <7>): one\n    two\n    three\n    \n[2026-01-31T09:30:01.500Z] agent (agent <7>): four\n"
        );
    }
}
