//! The settings: each has one name, and comes from a flag, the environment, a file or its default, in this order.

mod feeds;
mod sources;

use std::{net::SocketAddr, num::NonZeroU32, time::Duration};

use parlance_domain::vocabulary::PageSize;

pub use feeds::{FeedSettings, FeedsUrl, SigningKey};
pub use sources::{SettingFlags, Sources};

/// Everything that is configurable.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that the server listens on. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database: `sqlite://path`, `sqlite::memory:` or `postgres://…`. May hold a password.
    pub database_url: DatabaseUrl,
    /// The word before `-api-id` and `-api-secret` in the names of the credential headers.
    pub header_prefix: String,
    /// Most bytes of a request's body.
    pub max_body_bytes: usize,
    /// How often one credential may call.
    pub rate_limit: RateLimit,
    /// Entries of a page of a vocabulary where the caller does not say.
    pub vocabulary_page_size: PageSize,
    /// Where feeds are, and how they are produced.
    pub feeds: FeedSettings,
    /// The form of the log.
    pub log_format: LogFormat,
    /// Which events are logged.
    pub log_level: LogLevel,
    /// How long requests in flight may take to finish when the server stops.
    pub shutdown_timeout: Duration,
}

/// How often one credential may call.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// Requests a second, in the long run.
    pub per_second: NonZeroU32,
    /// Requests at once.
    pub burst: NonZeroU32,
}

/// The address of a database. Shown, it is its kind only, for it may hold a password.
#[derive(Clone)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// An address as it was given.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The address itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The kind of database: what stands before the colon.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:***", self.kind())
    }
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line, for programs.
    Json,
}

/// Which events are logged: this severity and all above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// What failed.
    Error,
    /// What may need someone's attention.
    Warn,
    /// Every request, start and stop.
    Info,
    /// What helps to find a defect.
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

/// A setting that cannot be used: which, where it came from, and what it must be. It does not repeat the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} (from {source_name}): {rule}")]
pub struct WrongSetting {
    pub(crate) name: String,
    pub(crate) source_name: String,
    pub(crate) rule: String,
}

impl Settings {
    /// Reads every setting.
    ///
    /// # Errors
    /// Every setting that cannot be used.
    pub fn read(sources: &Sources) -> Result<Self, Vec<WrongSetting>> {
        let mut wrong = sources.unknown();
        let mut reader = Reader { sources, wrong: &mut wrong };
        let listen = reader.read("listen", read_address);
        let database_url = reader.read("database_url", read_database_url);
        let header_prefix = reader.read("header_prefix", read_header_prefix);
        let max_body_bytes = reader.read("max_body_bytes", read_body_bytes);
        let per_second = reader.read("rate_limit_per_second", read_positive);
        let burst = reader.read("rate_limit_burst", read_positive);
        let vocabulary_page_size = reader.read("vocabulary_page_size", read_page_size);
        let feeds = FeedSettings::read(&mut reader);
        let log_format = reader.read("log_format", read_log_format);
        let log_level = reader.read("log_level", read_log_level);
        let shutdown_timeout = reader.read("shutdown_timeout_seconds", read_seconds);
        let settings = || {
            Some(Self {
                listen: listen?,
                database_url: database_url?,
                header_prefix: header_prefix?,
                max_body_bytes: max_body_bytes?,
                rate_limit: RateLimit { per_second: per_second?, burst: burst? },
                vocabulary_page_size: vocabulary_page_size?,
                feeds: feeds?,
                log_format: log_format?,
                log_level: log_level?,
                shutdown_timeout: shutdown_timeout?,
            })
        };
        settings().filter(|_| wrong.is_empty()).ok_or(wrong)
    }
}

struct Reader<'sources> {
    sources: &'sources Sources,
    wrong: &'sources mut Vec<WrongSetting>,
}

impl Reader<'_> {
    fn read<T>(&mut self, name: &str, parse: fn(&str) -> Result<T, &'static str>) -> Option<T> {
        let (value, source_name) = self.sources.value(name);
        parse(&value)
            .map_err(|rule| self.wrong.push(WrongSetting { name: name.to_owned(), source_name, rule: rule.to_owned() }))
            .ok()
    }
}

fn read_address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080")
}

fn read_database_url(text: &str) -> Result<DatabaseUrl, &'static str> {
    let known = ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if known || text == "sqlite::memory:" {
        return Ok(DatabaseUrl::new(text));
    }
    Err("must be the address of a database: sqlite://path, sqlite::memory: or postgres://user:password@host/name")
}

fn read_header_prefix(text: &str) -> Result<String, &'static str> {
    let valid = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if valid { Ok(text.to_ascii_lowercase()) } else { Err("must be one or more letters, digits and dashes") }
}

fn read_body_bytes(text: &str) -> Result<usize, &'static str> {
    const MOST: usize = 64 * 1024 * 1024;
    let bytes = text.parse().ok().filter(|bytes| (1..=MOST).contains(bytes));
    bytes.ok_or("must be a whole number of bytes from 1 to 67108864")
}

fn read_positive(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse().map_err(|_| "must be a whole number from 1 to 4294967295")
}

fn read_page_size(text: &str) -> Result<PageSize, &'static str> {
    let size = text.parse().ok().and_then(|entries| PageSize::new(entries).ok());
    size.ok_or("must be a whole number of entries from 1 to 100")
}

fn read_log_format(text: &str) -> Result<LogFormat, &'static str> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("must be text or json"),
    }
}

fn read_log_level(text: &str) -> Result<LogLevel, &'static str> {
    let levels = [LogLevel::Error, LogLevel::Warn, LogLevel::Info, LogLevel::Debug];
    levels.into_iter().find(|level| level.as_str() == text).ok_or("must be error, warn, info or debug")
}

fn read_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|seconds| *seconds <= 3_600);
    seconds.map(Duration::from_secs).ok_or("must be a whole number of seconds from 0 to 3600")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn read(environment: &[(&str, &str)]) -> Result<Settings, Vec<WrongSetting>> {
        let environment: HashMap<_, _> =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Settings::read(&Sources::new(&SettingFlags::default(), |name| environment.get(name).cloned(), None).unwrap())
    }

    fn rule(name: &str, value: &str) -> String {
        read(&[(name, value)]).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn everything_has_a_default() {
        let settings = read(&[]).unwrap();
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(settings.database_url.reveal(), "sqlite://parlance.db");
        assert_eq!((settings.header_prefix.as_str(), settings.max_body_bytes), ("svc", 262_144));
        assert_eq!(settings.vocabulary_page_size, PageSize::default());
        assert_eq!((settings.rate_limit.per_second.get(), settings.rate_limit.burst.get()), (100, 200));
    }

    #[test]
    fn a_wrong_setting_is_named_with_its_source_and_not_repeated() {
        assert_eq!(
            rule("PARLANCE_LISTEN", "nowhere"),
            "listen (from PARLANCE_LISTEN): must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080"
        );
        assert!(!rule("PARLANCE_DATABASE_URL", "mysql://root:secret@db").contains("secret"));
    }

    #[test]
    fn numbers_have_bounds() {
        for (name, value) in [
            ("PARLANCE_RATE_LIMIT_PER_SECOND", "0"),
            ("PARLANCE_RATE_LIMIT_BURST", "-1"),
            ("PARLANCE_MAX_BODY_BYTES", "0"),
            ("PARLANCE_MAX_BODY_BYTES", "67108865"),
            ("PARLANCE_VOCABULARY_PAGE_SIZE", "0"),
            ("PARLANCE_VOCABULARY_PAGE_SIZE", "101"),
            ("PARLANCE_SHUTDOWN_TIMEOUT_SECONDS", "3601"),
        ] {
            assert!(read(&[(name, value)]).is_err(), "{name}={value}");
        }
    }

    #[test]
    fn every_wrong_setting_is_told() {
        assert_eq!(read(&[("PARLANCE_LISTEN", "x"), ("PARLANCE_LOG_FORMAT", "y")]).unwrap_err().len(), 2);
    }

    #[test]
    fn a_header_prefix_makes_a_header_name() {
        assert_eq!(read(&[("PARLANCE_HEADER_PREFIX", "Acme-2")]).unwrap().header_prefix, "acme-2");
        assert!(read(&[("PARLANCE_HEADER_PREFIX", "a b")]).is_err());
    }

    #[test]
    fn the_address_of_a_database_is_not_shown() {
        assert_eq!(format!("{:?}", DatabaseUrl::new("postgres://u:secret@h/d")), "postgres:***");
    }
}
