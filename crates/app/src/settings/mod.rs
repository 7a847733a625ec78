//! The settings: each has one name, and comes from a flag, the environment, a file or its default, in this order.

mod connections;
mod delivery;
mod feeds;
mod flags;
mod operations;
mod reader;
mod secret_files;
mod sources;
mod table;
mod text;
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
pub use feeds::{FeedSettings, SigningKey};
pub use flags::{SettingFlags, reads_settings, with_flags};
pub use sources::Sources;
pub(crate) use sources::unreadable;
pub use text::{settings_help, settings_table};
pub use values::{LogFormat, LogLevel, PrivateUrl};

use reader::Reader;
use values::{
    read_address, read_body_bytes, read_database_url, read_failures, read_header_prefix, read_in_flight,
    read_log_format, read_log_level, read_optional_path, read_optional_redis_url, read_page_size, read_proxies,
    read_seconds, read_workers,
};

/// Everything that is configurable.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that the server listens on. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database: `sqlite://path`, `sqlite::memory:` or `postgres://…`. May hold a password.
    pub database_url: PrivateUrl,
    /// The file of the master key, where one is named; on SQLite there is one beside the database otherwise.
    pub master_key_file: Option<PathBuf>,
    /// The Redis that shares the count of requests between replicas, where there is one. May hold a password.
    pub redis_url: Option<PrivateUrl>,
    /// What the server speaks TLS with, where it does.
    pub tls: Option<TlsFiles>,
    /// The word before `-api-id` and `-api-secret` in the names of the credential headers.
    pub header_prefix: String,
    /// Most bytes of a request's body.
    pub max_body_bytes: usize,
    /// The address that callers reach the server at, without a slash at its end; empty where it is not told.
    pub public_url: String,
    /// How often one credential may call.
    pub rate_limit: Quota,
    /// How many authentications of one client address may fail in a minute; none: any number.
    pub failed_auth_per_minute: Option<NonZeroU32>,
    /// How many proxies stand before the server and tell it the addresses of clients.
    pub trusted_proxies: usize,
    /// Most requests in flight.
    pub max_in_flight: usize,
    /// How many threads answer requests, one for each processor that the process may use at most; none: as many.
    pub workers: Option<NonZeroUsize>,
    /// How long the server waits for its callers, and they for it.
    pub timeouts: Timeouts,
    /// What connections may cost, and how many there may be.
    pub connections: ConnectionSettings,
    /// Entries of a page of a vocabulary where the caller does not say.
    pub vocabulary_page_size: PageSize,
    /// Where vocabularies are brought to, if anywhere.
    pub vocabulary_delivery: Option<DeliveryTarget>,
    /// How long, in seconds, a tenant's redaction switches are trusted without reading them again.
    pub redaction_refresh_seconds: u32,
    /// The address that metrics are read from, if any. Port 0 takes a free one.
    pub metrics_listen: Option<SocketAddr>,
    /// The address that health is answered at as well, if any. Port 0 takes a free one.
    pub health_listen: Option<SocketAddr>,
    /// The mode of files that are written for other programs: feeds and vocabularies.
    pub output_mode: FileMode,
    /// In what time all that is stored on SQLite is read once to find damage; none where it is not.
    pub scrub_interval: Option<Duration>,
    /// Where feeds are, and how they are produced.
    pub feeds: FeedSettings,
    /// The form of the log.
    pub log_format: LogFormat,
    /// Which events are logged.
    pub log_level: LogLevel,
    /// How long the server goes on when it is told to stop, while it says that it is not ready.
    pub shutdown_delay: Duration,
    /// Whether the log has the addresses of clients.
    pub log_client_address: bool,
    /// How long requests in flight may take to finish when the server stops.
    pub shutdown_timeout: Duration,
}

/// The files of TLS, both in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those that vouch for it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// How long the server waits for its callers, and they for it.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the head of a request to arrive whole.
    pub header: Duration,
    /// For its body to arrive whole.
    pub body: Duration,
    /// For its answer.
    pub request: Duration,
    /// For the next request on a connection.
    pub idle: Duration,
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
        let mut wrong = sources.wrong();
        let mut reader = Reader { sources, wrong: &mut wrong };
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
        let redaction_refresh_seconds = reader.read("redaction_refresh_seconds", operations::read_refresh);
        let metrics_listen = reader.read("metrics_listen", operations::read_optional_address);
        let health_listen = reader.read("health_listen", operations::read_optional_address);
        let output_mode = reader.read("output_mode", operations::read_output_mode);
        let scrub_interval = reader.read("scrub_interval_hours", operations::read_scrub_interval);
        let feeds = FeedSettings::read(&mut reader);
        let log_format = reader.read("log_format", read_log_format);
        let log_level = reader.read("log_level", read_log_level);
        let shutdown_delay = reader.read("shutdown_delay_seconds", read_seconds);
        let log_client_address = reader.read("log_client_address", operations::read_switch);
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
                redaction_refresh_seconds: redaction_refresh_seconds?,
                metrics_listen: metrics_listen?,
                health_listen: health_listen?,
                output_mode: output_mode?,
                scrub_interval: scrub_interval?,
                feeds: feeds?,
                log_format: log_format?,
                log_level: log_level?,
                shutdown_delay: shutdown_delay?,
                log_client_address: log_client_address?,
                shutdown_timeout: shutdown_timeout?,
            })
        };
        settings().filter(|_| wrong.is_empty()).ok_or(wrong)
    }
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
            ("PARLANCE_WORKERS", "0"),
            ("PARLANCE_WORKERS", "1025"),
        ] {
            assert!(read(&[(name, value)]).is_err(), "{name}={value}");
        }
    }

    #[test]
    fn every_wrong_setting_is_told() {
        assert_eq!(read(&[("PARLANCE_LISTEN", "x"), ("PARLANCE_LOG_FORMAT", "y")]).unwrap_err().len(), 2);
    }

    #[test]
    fn tls_needs_both_of_its_files() {
        assert_eq!(
            rule("PARLANCE_TLS_CERTIFICATE_FILE", "server.pem"),
            "tls_key_file (from the default): is missing: TLS needs a certificate and its key"
        );
        assert!(read(&[]).unwrap().tls.is_none());
    }

    #[test]
    fn a_header_prefix_makes_a_header_name() {
        assert_eq!(read(&[("PARLANCE_HEADER_PREFIX", "Acme-2")]).unwrap().header_prefix, "acme-2");
        assert!(read(&[("PARLANCE_HEADER_PREFIX", "a b")]).is_err());
    }
}
