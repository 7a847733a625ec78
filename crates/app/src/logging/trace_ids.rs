//! Adds the id of the trace to the log lines of a traced request.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use crate::traces::current_trace_id;

/// The field of the trace. The line of a request sets it itself.
const FIELD: &str = "trace_id";

/// A format of events, whose lines end with the id of the trace, if there is one.
pub(super) struct WithTraceId<F> {
    format: F,
    /// The end of a line, before which the field is written.
    end: &'static str,
    /// What is written before and after the id.
    around: (&'static str, &'static str),
}

impl<F> WithTraceId<F> {
    /// Lines of text.
    pub(super) fn text(format: F) -> Self {
        Self { format, end: "\n", around: (" trace_id=\"", "\"") }
    }

    /// Lines of JSON objects.
    pub(super) fn json(format: F) -> Self {
        Self { format, end: "}\n", around: (",\"trace_id\":\"", "\"") }
    }
}

impl<S, N, F> FormatEvent<S, N> for WithTraceId<F>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'writer> FormatFields<'writer> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let is_set = event.metadata().fields().field(FIELD).is_some();
        let Some(trace_id) = current_trace_id().filter(|_| !is_set) else {
            return self.format.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.format.format_event(context, Writer::new(&mut line), event)?;
        let (before, after) = self.around;
        let start = line.strip_suffix(self.end).unwrap_or(&line);
        [start, before, &trace_id, after, self.end].into_iter().try_for_each(|part| writer.write_str(part))
    }
}
