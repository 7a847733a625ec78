//! A transcript as text to read: one message a line, `[time] role (who): text`; further lines of a message are
//! indented.

use std::io::Write;

use parlance_domain::conversation::Message;

use super::TranscriptWriter;

pub(super) struct TextWriter;

impl TranscriptWriter for TextWriter {
    fn begin(&mut self, _: &mut Vec<u8>) {}

    fn message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let (role, who) = (message.sender.role.as_str(), message.sender.external_id.as_str());
        let text = message.text.as_str().replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\n    ");
        // Writing to a Vec cannot fail.
        let _ = writeln!(out, "[{}] {role} ({who}): {text}", message.sent_at);
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

#[cfg(test)]
mod tests {
    use super::{super::sample::written, *};

    #[test]
    fn a_message_is_a_line_and_its_further_lines_are_indented() {
        assert_eq!(
            written(TextWriter, &[(0, "one\r\ntwo\rthree\n"), (1_500, "four")]),
            "[2026-01-31T09:30:00.000Z] agent (agent <7>): one\n    two\n    three\n    \n[2026-01-31T09:30:01.500Z] agent (agent <7>): four\n"
        );
    }
}
