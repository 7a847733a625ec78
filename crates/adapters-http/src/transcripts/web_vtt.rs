//! A transcript as WebVTT (W3C), to show beside a recording. The first message is at zero; each is shown until the
//! next begins, but for one second at least and thirty at most.

use std::io::Write;

use parlance_domain::{conversation::Message, time::Timestamp};

use super::TranscriptWriter;

const SHORTEST_MILLIS: i64 = 1_000;
const LONGEST_MILLIS: i64 = 30_000;

/// A message is written when it is known when the next begins.
#[derive(Default)]
pub(super) struct VttWriter {
    zero: Option<Timestamp>,
    pending: Option<Cue>,
}

struct Cue {
    start_millis: i64,
    payload: String,
}

impl TranscriptWriter for VttWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"WEBVTT\n");
    }

    fn message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let zero = *self.zero.get_or_insert(message.sent_at);
        let start_millis = (message.sent_at.as_micros() - zero.as_micros()) / 1_000;
        let (role, who) = (message.sender.role.as_str(), escape(message.sender.external_id.as_str()));
        let payload = format!("<v {role} {who}>{}", lines(message.text.as_str()));
        if let Some(cue) = self.pending.replace(Cue { start_millis, payload }) {
            cue.write(start_millis, out);
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(cue) = self.pending.take() {
            let end = cue.start_millis + LONGEST_MILLIS;
            cue.write(end, out);
        }
    }
}

impl Cue {
    fn write(&self, next_millis: i64, out: &mut Vec<u8>) {
        let start = self.start_millis;
        let end = next_millis.clamp(start + SHORTEST_MILLIS, start + LONGEST_MILLIS);
        // Writing to a Vec cannot fail.
        let _ = write!(out, "\n{} --> {}\n{}\n", clock(start), clock(end), self.payload);
    }
}

fn clock(millis: i64) -> String {
    let (seconds, millis) = (millis / 1_000, millis % 1_000);
    format!("{:02}:{:02}:{:02}.{millis:03}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// A text as the lines of a cue, none of which may be empty.
fn lines(text: &str) -> String {
    let lines = text.split(['\r', '\n']).filter(|line| !line.trim().is_empty());
    lines.map(escape).collect::<Vec<_>>().join("\n")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{super::sample::written, *};

    #[test]
    fn no_messages_are_a_header_alone() {
        assert_eq!(written(VttWriter::default(), &[]), "WEBVTT\n");
    }

    #[test]
    fn a_message_is_shown_until_the_next_begins() {
        assert_eq!(
            written(VttWriter::default(), &[(0, "hello"), (2_500, "a\n\nb")]),
            "WEBVTT\n\n00:00:00.000 --> 00:00:02.500\n<v agent agent &lt;7&gt;>hello\n\n\
             00:00:02.500 --> 00:00:32.500\n<v agent agent &lt;7&gt;>a\nb\n"
        );
    }

    #[test]
    fn a_message_is_shown_for_a_second_at_least_and_thirty_at_most() {
        let text = written(VttWriter::default(), &[(0, "a"), (0, "b"), (3_600_000, "c")]);
        assert!(text.contains("00:00:00.000 --> 00:00:01.000"));
        assert!(text.contains("00:00:00.000 --> 00:00:30.000"));
        assert!(text.contains("01:00:00.000 --> 01:00:30.000"));
    }

    #[test]
    fn no_kind_of_line_break_ends_a_cue_early() {
        let text = written(VttWriter::default(), &[(0, "a\r\rb\r\n\r\nc\n \nd")]);
        assert!(text.ends_with(">a\nb\nc\nd\n"), "{text:?}");
    }

    #[test]
    fn no_text_can_pass_for_a_cue() {
        let text = written(VttWriter::default(), &[(0, "00:00:00.000 --> 00:01:00.000 & <b>")]);
        assert!(text.ends_with(">00:00:00.000 --&gt; 00:01:00.000 &amp; &lt;b&gt;\n"));
    }
}
