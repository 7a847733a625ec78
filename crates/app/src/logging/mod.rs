//! The log: events go to the standard error stream, as text or as JSON lines. With the level `debug`, the end of each
//! span is an event too.

mod fields;
mod line_buffer;
mod trace_ids;

use std::{io::IsTerminal, panic::PanicHookInfo};

use fields::TextFields;
use line_buffer::LogBuffer;
use trace_ids::WithTraceId;
use tracing::Subscriber;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, filter_fn},
    fmt::{
        SubscriberBuilder,
        format::{DefaultFields, FmtSpan, Format},
    },
    layer::SubscriberExt,
    registry::LookupSpan,
    util::SubscriberInitExt,
};

use crate::{
    settings::{LogFormat, LogLevel},
    traces::{self, TraceExport},
};

/// Log levels of libraries. The HTTP library logs an error for each request that is not HTTP, so anyone who reaches the
/// port could fill the log.
const LIBRARY_LEVELS: &str = "actix_server=warn,actix_http=off,sea_orm_migration=warn,sqlx=warn";

/// Writes the buffered log lines when it is dropped.
#[must_use = "the last log lines are lost if this is dropped early"]
pub(crate) struct LogGuard(LogBuffer);

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.0.flush();
    }
}

/// Sends the log events of the process to the standard error stream, and the spans of traced requests to `traces`.
/// `RUST_LOG` overrides the level.
///
/// # Errors
/// If the thread that writes the log cannot be started.
pub(crate) fn start(format: LogFormat, level: LogLevel, traces: Option<&TraceExport>) -> std::io::Result<LogGuard> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| default_filter(level));
    let buffer = LogBuffer::new(std::io::stderr());
    buffer.spawn_flusher()?;
    // Fails only if another subscriber is set already, as in tests that run several services.
    let _ = match (traces, format) {
        (None, LogFormat::Text) => subscriber(filter, buffer.clone()).fmt_fields(TextFields).try_init().is_ok(),
        (None, LogFormat::Json) => subscriber(filter, buffer.clone()).json().flatten_event(true).try_init().is_ok(),
        (Some(traces), _) => {
            let registry = tracing_subscriber::registry().with(traces.layer());
            registry.with(layer(format, filter, buffer.clone())).try_init().is_ok()
        }
    };
    std::panic::set_hook(Box::new(log_panic));
    Ok(LogGuard(buffer))
}

fn default_filter(level: LogLevel) -> EnvFilter {
    EnvFilter::new(format!("{},{LIBRARY_LEVELS}", level.as_str()))
}

/// A subscriber in the text format of the library, which both formats of the log change.
fn subscriber(filter: EnvFilter, buffer: LogBuffer) -> SubscriberBuilder<DefaultFields, Format, EnvFilter, LogBuffer> {
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(buffer)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_span_events(FmtSpan::CLOSE)
}

/// The log as a layer beside that of traces, with the lines of [`subscriber`]. A span that begins a trace is not logged.
fn layer<S>(format: LogFormat, filter: EnvFilter, buffer: LogBuffer) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(buffer)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_span_events(FmtSpan::CLOSE);
    let filter = filter_fn(|metadata| !traces::is_only_for_traces(metadata)).and(filter);
    match format {
        LogFormat::Text => layer.fmt_fields(TextFields).map_event_format(WithTraceId::text).with_filter(filter).boxed(),
        LogFormat::Json => {
            layer.json().flatten_event(true).map_event_format(WithTraceId::json).with_filter(filter).boxed()
        }
    }
}

/// Logs the location of a panic. The message is left out, because it may contain data of a request.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let location = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(location, "panicked");
}

#[cfg(test)]
mod tests {
    use tracing::{Subscriber, level_filters::LevelFilter};

    use super::*;

    #[test]
    fn at_info_a_debug_span_is_refused_by_its_level_alone() {
        let subscriber = subscriber(default_filter(LogLevel::Info), LogBuffer::new(std::io::sink())).finish();
        assert_eq!(subscriber.max_level_hint(), Some(LevelFilter::INFO));
    }
}
