//! Formats the fields of a log event as text: `name=value`. A value is quoted unless it is a number, a boolean or one
//! plain word, so that no value can end its line or imitate another field.

use std::fmt::{self, Debug, Write};

use tracing::field::{Field, Visit};
use tracing_subscriber::{
    field::RecordFields,
    fmt::{FormatFields, format::Writer},
};

/// Writes fields as text. The message comes first in an event, without a name and without quotes.
pub(super) struct TextFields;

impl<'writer> FormatFields<'writer> for TextFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut fields_writer = FieldWriter { writer, has_fields: false, result: Ok(()) };
        fields.record(&mut fields_writer);
        fields_writer.result
    }
}

struct FieldWriter<'writer> {
    writer: Writer<'writer>,
    has_fields: bool,
    result: fmt::Result,
}

impl FieldWriter<'_> {
    fn write(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let name = field.name();
        if self.result.is_err() || name.starts_with("log.") {
            return;
        }
        let pad = if self.has_fields { " " } else { "" };
        let (name, sign) = if name == MESSAGE { ("", "") } else { (name.trim_start_matches("r#"), "=") };
        self.has_fields = true;
        let head = [pad, name, sign].into_iter().try_for_each(|part| self.writer.write_str(part));
        self.result = head.and_then(|()| value(&mut self.writer));
    }

    /// Writes the `Debug` text of a value, which may contain any character.
    fn record_debug_text(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == MESSAGE {
            return self.write(field, |writer| write!(ControlEscaper(writer), "{value:?}"));
        }
        let text = format!("{value:?}");
        self.write(field, |writer| if is_word(&text) { writer.write_str(&text) } else { write_quoted(writer, &text) });
    }
}

const MESSAGE: &str = "message";

impl Visit for FieldWriter<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == MESSAGE {
            self.write(field, |writer| ControlEscaper(writer).write_str(value));
        } else {
            self.write(field, |writer| write_quoted(writer, value));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.write(field, |writer| write!(writer, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.write(field, |writer| write!(writer, "{value}"));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.write(field, |writer| write!(writer, "{value:?}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.write(field, |writer| write!(writer, "{value}"));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.record_debug_text(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_debug_text(field, value);
    }
}

/// Writes the text in quotes. Characters that would end the quotes or the line are escaped.
fn write_quoted(writer: &mut Writer<'_>, text: &str) -> fmt::Result {
    // Text without special characters is written whole, which is faster than one character at a time.
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'));
    if !is_plain {
        return write!(writer, "{text:?}");
    }
    ["\"", text, "\""].into_iter().try_for_each(|part| writer.write_str(part))
}

/// Whether a text is one word that no reader can take for more than one value.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\' | b'='))
}

/// Writes text and escapes its control characters.
struct ControlEscaper<'a, 'writer>(&'a mut Writer<'writer>);

impl Write for ControlEscaper<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split_inclusive(char::is_control) {
            match part.char_indices().next_back().filter(|(_, last)| last.is_control()) {
                Some((index, control)) => {
                    self.0.write_str(part.get(..index).unwrap_or_default())?;
                    write!(self.0, "{}", control.escape_default())?;
                }
                None => self.0.write_str(part)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns the log lines of the events.
    fn log_of(events: impl Fn()) -> String {
        let output = Output::default();
        let buffer = output.clone();
        let subscriber = tracing_subscriber::fmt()
            .fmt_fields(TextFields)
            .without_time()
            .with_level(false)
            .with_target(false)
            .with_ansi(false)
            .with_writer(move || output.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, events);
        let bytes = buffer.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn fields_follow_the_message_in_their_order() {
        let log = log_of(|| {
            let missing = None::<&str>;
            tracing::info!(
                text = "a b",
                number = 7_u64,
                below = -1,
                part = 0.5,
                yes = true,
                missing,
                r#type = "c",
                "hello"
            );
        });
        assert_eq!(log, "hello text=\"a b\" number=7 below=-1 part=0.5 yes=true type=\"c\"\n");
    }

    #[test]
    fn a_display_or_debug_value_that_is_not_one_word_is_quoted() {
        let log = log_of(|| {
            tracing::info!(word = %"127.0.0.1:80", words = %"two words", some = ?Some(1), text = ?Some("x"), "hello");
        });
        assert_eq!(log, "hello word=127.0.0.1:80 words=\"two words\" some=Some(1) text=\"Some(\\\"x\\\")\"\n");
    }

    /// Parses a line as a log reader does, and returns the names of its fields.
    fn names(line: &str) -> Vec<String> {
        let (mut names, mut word, mut is_quoted, mut is_escaped) = (Vec::new(), String::new(), false, false);
        for character in line.chars() {
            match character {
                _ if is_escaped => is_escaped = false,
                '\\' if is_quoted => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                '=' if !is_quoted => names.push(std::mem::take(&mut word)),
                ' ' if !is_quoted => word.clear(),
                _ if !is_quoted => word.push(character),
                _ => {}
            }
        }
        names
    }

    #[test]
    fn no_value_can_forge_a_line_a_field_or_a_colour() {
        for hostile in
            ["x\" forged=\"y", "x forged=1", "x\\\" forged=1", "x\nforged=1", "x\r\u{1b}[2Kforged=1", "\u{85}=", "="]
        {
            let broken = io::Error::other(hostile);
            let error = &broken as &dyn std::error::Error;
            let log =
                log_of(|| tracing::info!(text = hostile, shown = %hostile, debug = ?hostile, error, end = 1, "hello"));
            let line = log.strip_suffix('\n').unwrap();
            assert!(!line.contains(char::is_control), "{line:?}");
            assert_eq!(names(line), ["text", "shown", "debug", "error", "end"], "{line}");
        }
    }

    #[test]
    fn a_message_cannot_end_its_line() {
        assert_eq!(log_of(|| tracing::info!("one\ntwo\u{1b}[1m")), "one\\ntwo\\u{1b}[1m\n");
    }
}
