//! A transcript as WebVTT (W3C), for display beside a recording. The first message starts at zero. A cue ends when the
//! next message starts, but lasts at least one second and at most thirty.

use std::io::Write;

use parlance_domain::{
    message::Message,
    time::{SECONDS_PER_HOUR, Timestamp},
};

use crate::{
    resources::transcripts::{
        line_ends::{lines, one_line},
        writer::TranscriptWriter,
    },
    response::markup::escape_content,
};

const MIN_CUE_MILLIS: i64 = 1_000;
const MAX_CUE_MILLIS: i64 = 30_000;

/// Writes each message when the start of the next one is known.
#[derive(Default)]
pub(super) struct VttWriter {
    first_sent_at: Option<Timestamp>,
    pending: Option<VttCue>,
}

struct VttCue {
    start_millis: i64,
    payload: String,
}

impl TranscriptWriter for VttWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"WEBVTT\n");
    }

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let first_sent_at = *self.first_sent_at.get_or_insert(message.sent_at);
        let start_millis = (message.sent_at.as_micros() - first_sent_at.as_micros()) / 1_000;
        let (role, sender) = (message.sender.role.as_str(), one_line(message.sender.external_id.as_str()));
        let sender = escape_content(&sender);
        let payload = format!("<v {role} {sender}>{}", cue_lines(message.text.as_str()));
        if let Some(cue) = self.pending.replace(VttCue { start_millis, payload }) {
            cue.write(start_millis, out);
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(cue) = self.pending.take() {
            let end = cue.start_millis + MAX_CUE_MILLIS;
            cue.write(end, out);
        }
    }
}

impl VttCue {
    fn write(&self, next_millis: i64, out: &mut Vec<u8>) {
        let start = self.start_millis;
        let end = next_millis.clamp(start + MIN_CUE_MILLIS, start + MAX_CUE_MILLIS);
        // Writing to a Vec cannot fail.
        let _ = write!(out, "\n{} --> {}\n{}\n", format_timestamp(start), format_timestamp(end), self.payload);
    }
}

fn format_timestamp(millis: i64) -> String {
    let (seconds, millis) = (millis / 1_000, millis % 1_000);
    format!("{:02}:{:02}:{:02}.{millis:03}", seconds / SECONDS_PER_HOUR, seconds / 60 % 60, seconds % 60)
}

/// The lines of a cue. Empty lines of the text are left out, because an empty line ends a cue.
fn cue_lines(text: &str) -> String {
    let lines = lines(text).filter(|line| !line.trim().is_empty());
    lines.map(escape_content).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{
        super::{line_ends::ENDS, sample::render},
        *,
    };

    #[test]
    fn a_transcript_without_messages_is_only_the_header() {
        assert_eq!(render(VttWriter::default(), &[]), "WEBVTT\n");
    }

    #[test]
    fn a_cue_ends_when_the_next_message_starts() {
        assert_eq!(
            render(VttWriter::default(), &[(0, "hello"), (2_500, "a\n\nb")]),
            "WEBVTT\n\n00:00:00.000 --> 00:00:02.500\n<v agent agent &lt;7&gt;>hello\n\n\
             00:00:02.500 --> 00:00:32.500\n<v agent agent &lt;7&gt;>a\nb\n"
        );
    }

    #[test]
    fn a_cue_lasts_at_least_one_second_and_at_most_thirty() {
        let text = render(VttWriter::default(), &[(0, "a"), (0, "b"), (3_600_000, "c")]);
        assert!(text.contains("00:00:00.000 --> 00:00:01.000"));
        assert!(text.contains("00:00:00.000 --> 00:00:30.000"));
        assert!(text.contains("01:00:00.000 --> 01:00:30.000"));
    }

    #[test]
    fn no_kind_of_line_break_ends_a_cue_early() {
        let text = render(VttWriter::default(), &[(0, "a\r\rb\r\n\r\nc\n \nd")]);
        assert!(text.ends_with(">a\nb\nc\nd\n"), "{text:?}");
        for end in ENDS {
            let text = render(VttWriter::default(), &[(0, &format!("a{end}{end}b"))]);
            assert!(text.ends_with(">a\nb\n"), "{text:?}");
        }
    }

    #[test]
    fn a_text_cannot_start_another_cue() {
        let text = render(VttWriter::default(), &[(0, "00:00:00.000 --> 00:01:00.000 & <b>")]);
        assert!(text.ends_with(">00:00:00.000 --&gt; 00:01:00.000 &amp; &lt;b&gt;\n"));
    }
}
