//! The log: events go to the standard error stream, as text or as JSON lines.

mod fields;
mod line_buffer;

use std::{io::IsTerminal, panic::PanicHookInfo};

use fields::TextFields;
use line_buffer::LogBuffer;
use tracing_subscriber::EnvFilter;

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
    let default = format!("{},{LIBRARY_LEVELS}", level.as_str());
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let use_colours = std::io::stderr().is_terminal();
    let buffer = LogBuffer::new(std::io::stderr());
    buffer.spawn_flusher()?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(buffer.clone())
        .with_ansi(use_colours)
        .with_target(false);
    // Fails only if another subscriber is set already, as in tests that run several services.
    let _ = match format {
        LogFormat::Text => builder.fmt_fields(TextFields).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).with_span_list(false).try_init(),
    };
    std::panic::set_hook(Box::new(log_panic));
    Ok(LogGuard(buffer))
}

/// Logs the location of a panic. The message is left out, because it may contain data of a request.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let location = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(location, "panicked");
}
