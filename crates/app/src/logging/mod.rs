//! The log: events go to the standard error stream, as text or as JSON lines. With the level `debug`, the end of each
//! span is an event too.

mod fields;
mod line_buffer;

use std::{io::IsTerminal, panic::PanicHookInfo};

use fields::TextFields;
use line_buffer::LogBuffer;
use tracing_subscriber::{
    EnvFilter,
    fmt::{
        SubscriberBuilder,
        format::{DefaultFields, FmtSpan, Format},
    },
};

use crate::settings::{LogFormat, LogLevel};

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

/// Sends the log events of the process to the standard error stream. `RUST_LOG` overrides the level.
///
/// # Errors
/// If the thread that writes the log cannot be started.
pub(crate) fn start(format: LogFormat, level: LogLevel) -> std::io::Result<LogGuard> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| default_filter(level));
    let buffer = LogBuffer::new(std::io::stderr());
    buffer.spawn_flusher()?;
    let builder = subscriber(filter, buffer.clone());
    // Fails only if another subscriber is set already, as in tests that run several services.
    let _ = match format {
        LogFormat::Text => builder.fmt_fields(TextFields).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
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
