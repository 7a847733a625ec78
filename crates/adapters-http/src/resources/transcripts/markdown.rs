//! A transcript as Markdown (`CommonMark`), for people.

use std::io::Write;

use parlance_domain::{
    conversation::{Conversation, Metadata},
    message::Message,
};

use crate::resources::transcripts::{
    line_ends::lines,
    speakers::{participant_text, role_title, speaker},
    time_zone::{DayHeadings, TimeZone},
    writer::TranscriptWriter,
};

/// The characters that Markdown, tables and mathematics give a meaning anywhere in a line.
const SPECIAL: &str = "\\`*_{}[]<>#|~&$";

pub(super) struct MarkdownWriter {
    conversation: Conversation,
    zone: TimeZone,
    days: DayHeadings,
}

impl MarkdownWriter {
    pub(super) fn new(conversation: Conversation, zone: TimeZone) -> Self {
        Self { conversation, zone, days: DayHeadings::default() }
    }
}

impl TranscriptWriter for MarkdownWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let conversation = &self.conversation;
        // Writing to a Vec cannot fail.
        let _ = writeln!(out, "# Conversation {}\n", escape_line(conversation.external_id.as_str()));
        let _ = writeln!(out, "- Started: {}", self.zone.local(conversation.started_at).date_time());
        let _ = writeln!(out, "- Time zone: {}", escape_line(self.zone.name()));
        if let Some(agent) = &conversation.agent {
            let _ = writeln!(out, "- Agent: {}", escape_line(&participant_text(agent)));
        }
        let _ = writeln!(out, "- Customer: {}", escape_line(&participant_text(&conversation.customer)));
        for (key, value) in conversation.metadata.iter().flat_map(Metadata::pairs) {
            let _ = writeln!(out, "- {}: {}", escape_line(key), escape_line(value));
        }
    }

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let local = self.zone.local(message.sent_at);
        if let Some(day) = self.days.next(local) {
            let _ = writeln!(out, "\n## {day}");
        }
        let name = escape_line(speaker(&self.conversation, &message.sender));
        let role = role_title(message.sender.role);
        let _ = writeln!(out, "\n**{} {name}** ({role})", local.time_of_day());
        let _ = writeln!(out, "\n{}", escape_lines(message.text.as_str()));
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

/// The text as one line.
fn escape_line(text: &str) -> String {
    let words: Vec<_> = lines(text).map(str::trim).filter(|part| !part.is_empty()).collect();
    escape_start(&words.join(" "))
}

/// The text as a paragraph with a hard break after each line. An empty line becomes a line with a no-break space, because
/// an empty line would end the paragraph.
fn escape_lines(text: &str) -> String {
    let lines = lines(text.trim_end()).map(|line| {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        let spaces = "&nbsp;".repeat(indent.chars().count());
        if rest.is_empty() { "&nbsp;".to_owned() } else { format!("{spaces}{}", escape_start(rest.trim_end())) }
    });
    lines.collect::<Vec<_>>().join("\\\n")
}

/// Escapes a line, also the characters that mean something at its start: bullets, numbers and underlines of headings.
fn escape_start(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    let mut out = String::with_capacity(line.len() + 8);
    out.push_str(number);
    let opens_item = if digits == 0 { rest.starts_with(['+', '-', '=', ':']) } else { rest.starts_with(['.', ')']) };
    if opens_item {
        out.push('\\');
    }
    for letter in rest.chars() {
        if SPECIAL.contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{
        super::{line_ends::ENDS, sample},
        *,
    };

    fn rendered(messages: &[(i64, &str)]) -> String {
        let zone = TimeZone::parse("Europe/Berlin").unwrap();
        sample::render(MarkdownWriter::new(sample::conversation(), zone), messages)
    }

    #[test]
    fn the_conversation_comes_first_and_each_day_has_a_heading() {
        assert_eq!(
            rendered(&[(0, "hello"), (50_000_000, "next day")]),
            "# Conversation call\\_1\n\n- Started: 2026-01-31 10:30:00 (UTC+01:00)\n- Time zone: Europe/Berlin\n\
             - Agent: Ada \\*Lovelace\\* (agent \\<7\\>)\n- Customer: customer-7\n- channel: phone\n\n\
             ## Saturday, 31 January 2026 (UTC+01:00)\n\n**10:30:00 Ada \\*Lovelace\\*** (Agent)\n\nhello\n\n\
             ## Sunday, 1 February 2026 (UTC+01:00)\n\n**00:23:20 Ada \\*Lovelace\\*** (Agent)\n\nnext day\n"
        );
    }

    #[test]
    fn every_line_end_of_a_text_is_a_hard_break() {
        for end in ENDS {
            let document = rendered(&[(0, &format!("a{end}# b"))]);
            assert!(document.ends_with("\n\na\\\n\\# b\n"), "{document:?}");
            assert_eq!(escape_line(&format!("a{end}# b")), "a \\# b");
        }
    }

    #[test]
    fn a_text_has_no_markup_of_its_own() {
        for (text, paragraph) in [
            ("# a\n- b\n1. c\n2) d\n===", "\\# a\\\n\\- b\\\n1\\. c\\\n2\\) d\\\n\\==="),
            ("<b>*x*_y_`z`[l](u)", "\\<b\\>\\*x\\*\\_y\\_\\`z\\`\\[l\\](u)"),
            ("a\r\n\r    code\n\n", "a\\\n&nbsp;\\\n&nbsp;&nbsp;&nbsp;&nbsp;code"),
            ("**10:00:00 Boss** \\", "\\*\\*10:00:00 Boss\\*\\* \\\\"),
        ] {
            let document = rendered(&[(0, text)]);
            assert!(document.ends_with(&format!("\n\n{paragraph}\n")), "{document}");
        }
    }
}
