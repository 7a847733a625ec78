//! The fields of an event as the library writes them as text, written without its detours where there is nothing to
//! escape. A line for each request was an eleventh of what the program did for it.

use std::fmt::{self, Debug};

use tracing::field::{Field, Visit};
use tracing_subscriber::{
    field::{RecordFields, VisitOutput},
    fmt::{
        FormatFields,
        format::{DefaultVisitor, Writer},
    },
};

/// Writes fields as text without colours, as [`DefaultFields`](tracing_subscriber::fmt::format::DefaultFields) does.
pub(super) struct PlainFields;

impl<'writer> FormatFields<'writer> for PlainFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut line = Line { writer, is_begun: false, written: Ok(()) };
        fields.record(&mut line);
        line.written
    }
}

struct Line<'writer> {
    writer: Writer<'writer>,
    is_begun: bool,
    written: fmt::Result,
}

impl Line<'_> {
    fn write(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let pad = if self.is_begun { " " } else { "" };
        self.follow(|writer| {
            writer.write_str(pad)?;
            writer.write_str(field.name())?;
            writer.write_str("=")?;
            value(writer)
        });
    }

    fn record_number(&mut self, field: &Field, value: &dyn Debug) {
        if is_ordinary(field) {
            self.write(field, |writer| write!(writer, "{value:?}"));
        } else {
            self.record_debug(field, value);
        }
    }

    /// Has the library write a field.
    fn leave_to_library(&mut self, record: impl FnOnce(&mut DefaultVisitor<'_>)) {
        let is_begun = self.is_begun;
        self.follow(|writer| {
            let mut visitor = DefaultVisitor::new(writer.by_ref(), !is_begun);
            record(&mut visitor);
            visitor.finish()
        });
    }

    fn follow(&mut self, write: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        if self.written.is_ok() {
            self.written = write(&mut self.writer);
            self.is_begun = true;
        }
    }
}

impl Visit for Line<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if is_plain(value) && is_ordinary(field) {
            self.write(field, |writer| ["\"", value, "\""].into_iter().try_for_each(|part| writer.write_str(part)));
        } else {
            self.leave_to_library(|visitor| visitor.record_str(field, value));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.record_number(field, &value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.record_number(field, &value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.leave_to_library(|visitor| visitor.record_error(field, value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.leave_to_library(|visitor| visitor.record_debug(field, value));
    }
}

/// Whether `Debug` gives the text as it is, between quotation marks.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
}

/// Whether the library writes a field of this name like any other.
fn is_ordinary(field: &Field) -> bool {
    let name = field.name();
    name != "message" && !name.starts_with("log.") && !name.starts_with("r#")
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use tracing_subscriber::fmt::format::DefaultFields;

    use super::*;

    #[derive(Clone, Default)]
    struct Out(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Out {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What events become with these fields.
    fn written<F>(fields: F, events: impl Fn()) -> String
    where
        F: for<'writer> FormatFields<'writer> + Send + Sync + 'static,
    {
        let out = Out::default();
        let kept = out.clone();
        let subscriber = tracing_subscriber::fmt()
            .fmt_fields(fields)
            .without_time()
            .with_ansi(false)
            .with_writer(move || out.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, events);
        let bytes = kept.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_field_is_written_as_the_library_writes_it() {
        let events = || {
            let broken = io::Error::other("\u{1b}[31mno\n");
            for text in
                ["", "plain text", "a \"quoted\" one", "back\\slash", "line\nend", "\u{1b}[1m", "naïve", "\u{7f}"]
            {
                tracing::info!(text, "an event");
                tracing::info!(message = text, text);
            }
            for number in [0.0, 1.0, -2.5, 0.001, 1e21, 1e-7, f64::NAN, f64::INFINITY] {
                tracing::warn!(number, also = 7_u64, "an event");
            }
            tracing::error!(large = u64::MAX, negative = -1, yes = true, error = &broken as &dyn std::error::Error);
            tracing::info!(first = "one", second = %"two\u{1b}", third = ?Some("three"), r#type = "four", "log.file" = "x");
            tracing::info!("nothing but a message with \u{1b}[0m");
        };
        assert_eq!(written(PlainFields, events), written(DefaultFields::new(), events));
    }
}
