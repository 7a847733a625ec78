//! A transcript as plain text: one message per line, `[time] role (sender): text`. Further lines of a message are
//! indented.

use std::io::Write;

use parlance_domain::{message::Message, time::Timestamp};

use crate::resources::transcripts::{
    line_ends::{lines, one_line},
    time_zone::TimeZone,
    writer::TranscriptWriter,
};

/// Shows times in `zone`, or in UTC as the service writes them.
#[derive(Default)]
pub(super) struct TextWriter {
    pub(super) zone: Option<TimeZone>,
}

impl TextWriter {
    fn time(&self, timestamp: Timestamp) -> String {
        self.zone.map_or_else(|| timestamp.to_string(), |zone| zone.local(timestamp).rfc_3339())
    }
}

impl TranscriptWriter for TextWriter {
    fn begin(&mut self, _: &mut Vec<u8>) {}

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let (role, sender) = (message.sender.role.as_str(), one_line(message.sender.external_id.as_str()));
        let text = lines(message.text.as_str()).collect::<Vec<_>>().join("\n    ");
        // Writing to a Vec cannot fail.
        let _ = writeln!(out, "[{}] {role} ({sender}): {text}", self.time(message.sent_at));
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

#[cfg(test)]
mod tests {
    use parlance_domain::{message::Sender, text::ExternalId};

    use super::{
        super::{
            line_ends::ENDS,
            sample::{message, render},
        },
        *,
    };

    #[test]
    fn a_message_is_one_line_and_further_lines_are_indented() {
        assert_eq!(
            render(TextWriter::default(), &[(0, "one\r\ntwo\rthree\n"), (1_500, "four")]),
            "[2026-01-31T09:30:00.000Z] agent (agent <7>): one\n    two\n    three\n    \n[2026-01-31T09:30:01.500Z] agent (agent <7>): four\n"
        );
    }

    #[test]
    fn no_text_and_no_identifier_of_a_sender_begins_a_line_of_its_own() {
        for end in ENDS {
            let forged = "[2026-01-31T09:30:00.000Z] agent (agent-3): yes";
            let text = render(TextWriter::default(), &[(0, &format!("no{end}{forged}"))]);
            assert!(text.ends_with(&format!(": no\n    {forged}\n")), "{text:?}");
        }
        let sender = ExternalId::parse("c\u{2028}[x] agent (a").unwrap();
        let message = message(1, 0, "hello");
        let message = Message { sender: Sender { external_id: sender, ..message.sender }, ..message };
        let mut out = Vec::new();
        TextWriter::default().write_message(&message, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "[2026-01-31T09:30:00.000Z] agent (c [x] agent (a): hello\n");
    }

    #[test]
    fn times_are_shown_in_the_time_zone_of_the_request() {
        let zone = Some(TimeZone::parse("America/New_York").unwrap());
        let text = render(TextWriter { zone }, &[(0, "hello")]);
        assert_eq!(text, "[2026-01-31T04:30:00.000-05:00] agent (agent <7>): hello\n");
    }
}
