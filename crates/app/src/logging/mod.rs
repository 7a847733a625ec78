//! Where log events go: the standard error stream, as text or as JSON lines.

mod fields;
mod lines;

use std::{io::IsTerminal, panic::PanicHookInfo};

use fields::TextFields;
use lines::Lines;
use tracing_subscriber::EnvFilter;

use crate::settings::{LogFormat, LogLevel};

/// What libraries say beside the service's own events. The HTTP library calls every request that is no HTTP an error,
/// which anyone who reaches the port could fill the log with.
const QUIET: &str = "actix_server=warn,actix_http=off,sea_orm_migration=warn,sqlx=warn";

/// Writes what is left of the log when it is dropped.
#[must_use = "what is logged last is lost where this is dropped first"]
pub(crate) struct Logging(Lines);

impl Drop for Logging {
    fn drop(&mut self) {
        self.0.flush();
    }
}

/// Sends the process's log events to the standard error stream. `RUST_LOG` overrides the level.
///
/// # Errors
/// Where no thread can be had that writes them.
pub(crate) fn start(format: LogFormat, level: LogLevel) -> std::io::Result<Logging> {
    let default = format!("{},{QUIET}", level.as_str());
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let colours = std::io::stderr().is_terminal();
    let lines = Lines::to(std::io::stderr());
    lines.keep_leaving()?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(lines.clone())
        .with_ansi(colours)
        .with_target(false);
    // Fails only where another subscriber is set already, as in tests that run several services.
    let _ = match format {
        LogFormat::Text => builder.fmt_fields(TextFields).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).with_span_list(false).try_init(),
    };
    std::panic::set_hook(Box::new(log_panic));
    Ok(Logging(lines))
}

/// Logs where a panic was, but not its message, which may hold a part of what was being worked on.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let location = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(location, "panicked");
}
