//! The types of settings, and the functions that parse them.

use std::{
    net::SocketAddr,
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use parlance_domain::vocabulary::PageSize;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The URL of a database, a store or a service. It may contain a password: its `Debug` text is only its scheme, and its
/// memory is overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivateUrl(Zeroizing<String>);

impl ZeroizeOnDrop for PrivateUrl {}

impl PrivateUrl {
    /// Wraps a URL.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self(Zeroizing::new(url.into()))
    }

    /// The whole URL.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The scheme: the text before the first colon.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }
}

impl std::fmt::Debug for PrivateUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:***", self.scheme())
    }
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text, for people.
    Text,
    /// One JSON object per line, for programs.
    Json,
}

/// The lowest severity that is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// Failures.
    Error,
    /// Events that may need attention.
    Warn,
    /// Each request, start and stop.
    Info,
    /// Details that help to find a defect.
    Debug,
}

impl LogLevel {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}

pub(super) fn read_address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080")
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of all parsers; every text is a path")]
pub(super) fn read_optional_path(text: &str) -> Result<Option<PathBuf>, &'static str> {
    Ok((!text.is_empty()).then(|| text.into()))
}

pub(super) fn read_header_prefix(text: &str) -> Result<String, &'static str> {
    let is_valid = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_valid { Ok(text.to_ascii_lowercase()) } else { Err("must be one or more letters, digits and dashes") }
}

pub(super) fn read_body_bytes(text: &str) -> Result<usize, &'static str> {
    const MAX: usize = 64 * 1024 * 1024;
    let bytes = text.parse().ok().filter(|bytes| (1..=MAX).contains(bytes));
    bytes.ok_or("must be a whole number of bytes from 1 to 67108864")
}

pub(super) fn read_positive(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse().map_err(|_| "must be a whole number from 1 to 4294967295")
}

pub(super) fn read_page_size(text: &str) -> Result<PageSize, &'static str> {
    let size = text.parse().ok().and_then(|entries| PageSize::new(entries).ok());
    size.ok_or("must be a whole number of entries from 1 to 100")
}

pub(super) fn read_log_format(text: &str) -> Result<LogFormat, &'static str> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("must be text or json"),
    }
}

pub(super) fn read_log_level(text: &str) -> Result<LogLevel, &'static str> {
    let levels = [LogLevel::Error, LogLevel::Warn, LogLevel::Info, LogLevel::Debug];
    levels.into_iter().find(|level| level.as_str() == text).ok_or("must be error, warn, info or debug")
}

pub(super) fn read_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|seconds| *seconds <= 3_600);
    seconds.map(Duration::from_secs).ok_or("must be a whole number of seconds from 0 to 3600")
}

pub(super) fn read_timeout(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|seconds| (1..=3_600).contains(seconds));
    seconds.map(Duration::from_secs).ok_or("must be a whole number of seconds from 1 to 3600")
}

pub(super) fn read_milliseconds(text: &str) -> Result<Duration, &'static str> {
    let milliseconds = text.parse().ok().filter(|milliseconds| (100..=3_600_000).contains(milliseconds));
    milliseconds.map(Duration::from_millis).ok_or("must be a whole number of milliseconds from 100 to 3600000")
}

pub(super) fn read_in_flight(text: &str) -> Result<usize, &'static str> {
    let requests = text.parse().ok().filter(|requests| (1..=1_000_000).contains(requests));
    requests.ok_or("must be a whole number of requests from 1 to 1000000")
}

pub(super) fn read_workers(text: &str) -> Result<Option<NonZeroUsize>, &'static str> {
    let workers = text.parse().ok().filter(|workers: &NonZeroUsize| workers.get() <= 1024);
    if text.is_empty() { Ok(None) } else { workers.map(Some).ok_or("must be a whole number of threads from 1 to 1024") }
}

pub(super) fn read_failures(text: &str) -> Result<Option<NonZeroU32>, &'static str> {
    let failures = text.parse().ok().filter(|failures| *failures <= 1_000_000);
    failures.map(NonZeroU32::new).ok_or("must be a whole number from 1 to 1000000, or 0 for no limit")
}

pub(super) fn read_proxies(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|proxies| *proxies <= 10).ok_or("must be a whole number of proxies from 0 to 10")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_prefix_must_be_usable_in_a_header_name() {
        assert_eq!(read_header_prefix("Acme-2").as_deref(), Ok("acme-2"));
        assert!(read_header_prefix("a b").is_err() && read_header_prefix("").is_err());
    }

    #[test]
    fn the_debug_text_of_a_url_is_only_its_scheme() {
        assert_eq!(format!("{:?}", PrivateUrl::new("postgres://u:secret@h/d")), "postgres:***");
    }
}
