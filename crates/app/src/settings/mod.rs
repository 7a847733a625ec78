//! The settings. Each has one name. Its value comes from a flag, the environment, a file or its default, in this order.

mod choices;
mod connections;
mod delivery;
mod detector;
mod events;
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
#[cfg(test)]
mod tests;
mod text;
mod timeouts;
mod tls_files;
mod traces;
mod urls;
mod values;
mod webhooks;

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
pub use events::EventSettings;
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
pub use webhooks::WebhookSettings;

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
    /// The origins whose pages may read answers.
    pub cors_origins: Vec<String>,
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
    /// Which receivers webhooks may reach.
    pub webhooks: WebhookSettings,
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
    /// The ledger of erasures, if it is set: as `feeds.url`. By default, on SQLite, it is beside the database.
    pub ledger_url: Option<PrivateUrl>,
    /// How events are kept and read.
    pub events: EventSettings,
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
        let cors_origins = reader.read("cors_origins", operations::read_origins);
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
        let webhooks = WebhookSettings::read(&mut reader);
        let metrics_listen = reader.read("metrics_listen", operations::read_optional_address);
        let health_listen = reader.read("health_listen", operations::read_optional_address);
        let output_mode = reader.read("output_mode", operations::read_output_mode);
        let scrub_interval = reader.read("scrub_interval_hours", operations::read_scrub_interval);
        let feeds = FeedSettings::read(&mut reader);
        let ledger_url = reader.read("ledger_url", feeds::read_optional_store_url);
        let events = EventSettings::read(&mut reader);
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
                cors_origins: cors_origins?,
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
                webhooks: webhooks?,
                metrics_listen: metrics_listen?,
                health_listen: health_listen?,
                output_mode: output_mode?,
                scrub_interval: scrub_interval?,
                feeds: feeds?,
                ledger_url: ledger_url?,
                events: events?,
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
