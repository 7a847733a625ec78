//! The settings. Each has one name. Its value comes from a flag, the environment, a file or its default, in this order.

mod choices;
mod connections;
mod delivery;
mod detector;
mod feeds;
mod flags;
mod invalid_setting;
mod listing;
mod masking;
mod operations;
mod read_error;
mod reader;
mod redaction;
mod secret_files;
mod setting_values;
mod settings_file;
mod source;
mod sources;
mod table;
mod text;
mod timeouts;
mod tls_files;
mod traces;
mod urls;
mod values;

use std::{
    net::SocketAddr,
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use parlance_domain::{access::Quota, file_mode::FileMode, vocabulary::PageSize};

pub use connections::ConnectionSettings;
pub use delivery::DeliveryTarget;
pub use detector::DetectorSettings;
pub use feeds::{FeedSettings, FeedSigningKey};
pub use flags::{SettingFlags, reads_settings, with_flags, with_own_flags};
pub use invalid_setting::InvalidSetting;
pub(crate) use listing::{ListedSetting, ListedValue};
pub(crate) use read_error::describe_read_error;
pub use redaction::RedactionSettings;
pub(crate) use source::Source;
pub use sources::Sources;
pub(crate) use sources::not_a_setting;
pub use text::{settings_help, settings_table};
pub use timeouts::Timeouts;
pub use tls_files::TlsFiles;
pub use traces::{CollectorHeaders, TraceSettings};
pub use values::{LogFormat, LogLevel, PrivateUrl};

use reader::Reader;
use urls::{read_database_url, read_optional_redis_url};
use values::{
    read_address, read_body_bytes, read_failures, read_header_prefix, read_in_flight, read_log_format, read_log_level,
    read_optional_path, read_page_size, read_proxies, read_seconds, read_workers,
};

/// All settings of the program.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that the server listens on. Port 0 selects a free port.
    pub listen: SocketAddr,
    /// The database: `sqlite://path`, `sqlite::memory:` or `postgres://…`. May contain a password.
    pub database_url: PrivateUrl,
    /// The file of the master key. By default, on SQLite, it is beside the database.
    pub master_key_file: Option<PathBuf>,
    /// The Redis that shares the rate limit between replicas, if any. May contain a password.
    pub redis_url: Option<PrivateUrl>,
    /// The files of TLS, or `None` without TLS.
    pub tls: Option<TlsFiles>,
    /// The word before `-api-id` and `-api-secret` in the names of the credential headers.
    pub header_prefix: String,
    /// Maximum size of a request body in bytes.
    pub max_body_bytes: usize,
    /// The address at which callers reach the server, without a slash at its end; empty if it is not set.
    pub public_url: String,
    /// The rate limit of one credential.
    pub rate_limit: Quota,
    /// Maximum number of failed authentications of one client address per minute; `None` for no limit.
    pub failed_auth_per_minute: Option<NonZeroU32>,
    /// Number of proxies in front of the server that report client addresses.
    pub trusted_proxies: usize,
    /// Maximum number of requests in flight.
    pub max_in_flight: usize,
    /// Number of threads that answer requests, capped by the number of processors; `None` for the default.
    pub workers: Option<NonZeroUsize>,
    /// Timeouts of requests and connections.
    pub timeouts: Timeouts,
    /// Limits of connections.
    pub connections: ConnectionSettings,
    /// Number of entries on a page of a vocabulary if the request does not set it.
    pub vocabulary_page_size: PageSize,
    /// The target to which vocabularies are delivered, if any.
    pub vocabulary_delivery: Option<DeliveryTarget>,
    /// What is masked, and by what.
    pub redaction: RedactionSettings,
    /// The address that serves metrics, if any. Port 0 selects a free port.
    pub metrics_listen: Option<SocketAddr>,
    /// An additional address that answers health checks, if any. Port 0 selects a free port.
    pub health_listen: Option<SocketAddr>,
    /// The mode of files that are written for other programs: feeds and vocabularies.
    pub output_mode: FileMode,
    /// Time in which the scrub reads a SQLite database once to find damage; `None` turns the scrub off.
    pub scrub_interval: Option<Duration>,
    /// The location of feeds, and how they are produced.
    pub feeds: FeedSettings,
    /// The form of the log.
    pub log_format: LogFormat,
    /// Which events are logged.
    pub log_level: LogLevel,
    /// The collector of traces, if any, and which requests are traced.
    pub traces: Option<TraceSettings>,
    /// Time for which the server continues to serve after a stop signal, while it reports that it is not ready.
    pub shutdown_delay: Duration,
    /// Whether the log contains client addresses.
    pub log_client_address: bool,
    /// Time for requests in flight to finish when the server stops.
    pub shutdown_timeout: Duration,
}

impl Settings {
    /// Reads all settings.
    ///
    /// # Errors
    /// All invalid settings.
    pub fn read(sources: &Sources) -> Result<Self, Vec<InvalidSetting>> {
        let mut invalid = sources.invalid_settings();
        let mut reader = Reader { sources, invalid: &mut invalid };
        let listen = reader.read("listen", read_address);
        let database_url = reader.read("database_url", read_database_url);
        let master_key_file = reader.read("master_key_file", read_optional_path);
        let redis_url = reader.read("redis_url", read_optional_redis_url);
        let tls = reader.tls();
        let header_prefix = reader.read("header_prefix", read_header_prefix);
        let max_body_bytes = reader.read("max_body_bytes", read_body_bytes);
        let public_url = reader.read("public_url", operations::read_public_url);
        let rate_limit = reader.quota();
        let failed_auth_per_minute = reader.read("failed_auth_per_minute", read_failures);
        let trusted_proxies = reader.read("trusted_proxies", read_proxies);
        let max_in_flight = reader.read("max_in_flight", read_in_flight);
        let workers = reader.read("workers", read_workers);
        let timeouts = reader.timeouts();
        let connections = ConnectionSettings::read(&mut reader);
        let vocabulary_page_size = reader.read("vocabulary_page_size", read_page_size);
        let vocabulary_delivery = reader.read_delivery();
        let redaction = RedactionSettings::read(&mut reader);
        let metrics_listen = reader.read("metrics_listen", operations::read_optional_address);
        let health_listen = reader.read("health_listen", operations::read_optional_address);
        let output_mode = reader.read("output_mode", operations::read_output_mode);
        let scrub_interval = reader.read("scrub_interval_hours", operations::read_scrub_interval);
        let feeds = FeedSettings::read(&mut reader);
        let log_format = reader.read("log_format", read_log_format);
        let log_level = reader.read("log_level", read_log_level);
        let traces = reader.read_traces();
        let shutdown_delay = reader.read("shutdown_delay_seconds", read_seconds);
        let log_client_address = reader.read("log_client_address", operations::read_bool);
        let shutdown_timeout = reader.read("shutdown_timeout_seconds", read_seconds);
        let settings = || {
            Some(Self {
                listen: listen?,
                database_url: database_url?,
                master_key_file: master_key_file?,
                redis_url: redis_url?,
                tls,
                header_prefix: header_prefix?,
                max_body_bytes: max_body_bytes?,
                public_url: public_url?,
                rate_limit: rate_limit?,
                failed_auth_per_minute: failed_auth_per_minute?,
                trusted_proxies: trusted_proxies?,
                max_in_flight: max_in_flight?,
                workers: workers?,
                timeouts: timeouts?,
                connections: connections?,
                vocabulary_page_size: vocabulary_page_size?,
                vocabulary_delivery: vocabulary_delivery?,
                redaction: redaction?,
                metrics_listen: metrics_listen?,
                health_listen: health_listen?,
                output_mode: output_mode?,
                scrub_interval: scrub_interval?,
                feeds: feeds?,
                log_format: log_format?,
                log_level: log_level?,
                traces: traces?,
                shutdown_delay: shutdown_delay?,
                log_client_address: log_client_address?,
                shutdown_timeout: shutdown_timeout?,
            })
        };
        settings().filter(|_| invalid.is_empty()).ok_or_else(|| InvalidSetting::without_consequences(invalid))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn read(environment: &[(&str, &str)]) -> Result<Settings, Vec<InvalidSetting>> {
        let environment: HashMap<_, _> =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Settings::read(&Sources::new(&SettingFlags::default(), |name| environment.get(name).cloned(), None).unwrap())
    }

    fn error_text(name: &str, value: &str) -> String {
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
    fn an_invalid_setting_is_named_with_its_source_and_without_its_value() {
        assert_eq!(
            error_text("PARLANCE_LISTEN", "nowhere"),
            "listen (from PARLANCE_LISTEN): must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080"
        );
        assert!(!error_text("PARLANCE_DATABASE_URL", "mysql://root:secret@db").contains("secret"));
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
            ("PARLANCE_WORKERS", "0"),
            ("PARLANCE_WORKERS", "1025"),
        ] {
            assert!(read(&[(name, value)]).is_err(), "{name}={value}");
        }
    }

    /// The bounds of a setting whose documented values begin with "A to B".
    fn documented_range(bounds: &str) -> Option<(u64, u64)> {
        let (first, rest) = bounds.split_once(" to ")?;
        let last = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
        Some((first.parse().ok()?, last.parse().ok()?))
    }

    #[test]
    fn the_documented_bounds_of_a_number_are_those_that_it_is_checked_against() {
        let ranges = table::SETTINGS.iter().filter_map(|setting| Some((setting, documented_range(setting.bounds)?)));
        let ranges: Vec<_> = ranges.collect();
        assert!(ranges.len() > 20, "the search finds no documented bounds: has their form changed?");
        for (setting, (first, last)) in ranges {
            let variable = format!("PARLANCE_{}", setting.name.to_ascii_uppercase());
            let rule = |value: &str| {
                let invalid = read(&[(&variable, value)]).err().unwrap_or_default();
                invalid.into_iter().find(|invalid| invalid.name == setting.name).map(|invalid| invalid.rule)
            };
            assert_eq!((rule(&first.to_string()), rule(&last.to_string())), (None, None), "{}", setting.name);
            let below = first.checked_sub(1).map_or_else(|| "-1".to_owned(), |below| below.to_string());
            for refused in [below, (last + 1).to_string()] {
                let rule = rule(&refused).unwrap_or_else(|| panic!("{}={refused} is accepted", setting.name));
                assert!(rule.contains(&format!("to {last}")), "{}: {rule}", setting.name);
            }
        }
    }

    #[test]
    fn every_invalid_setting_is_reported() {
        assert_eq!(read(&[("PARLANCE_LISTEN", "x"), ("PARLANCE_LOG_FORMAT", "y")]).unwrap_err().len(), 2);
    }

    #[test]
    fn tls_needs_both_of_its_files() {
        assert_eq!(
            error_text("PARLANCE_TLS_CERTIFICATE_FILE", "server.pem"),
            "tls_key_file (from the default): is missing: TLS needs a certificate and its key"
        );
        assert!(read(&[]).unwrap().tls.is_none());
    }

    #[test]
    fn a_header_prefix_must_be_usable_in_a_header_name() {
        assert_eq!(read(&[("PARLANCE_HEADER_PREFIX", "Acme-2")]).unwrap().header_prefix, "acme-2");
        assert!(read(&[("PARLANCE_HEADER_PREFIX", "a b")]).is_err());
    }
}
