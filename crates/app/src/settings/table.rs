//! The table of settings. The flags, the environment variables, the names in the file, the help of each command and the
//! table in `docs/configuration.md` are generated from it.

use crate::suggestion::nearest;

/// What applies if a setting is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unset {
    /// A default value.
    Default(&'static str),
    /// No value. The text describes the effect.
    Means(&'static str),
}

/// One setting.
#[derive(Debug)]
pub(super) struct Setting {
    /// The title of its group.
    pub(super) group: &'static str,
    /// Its name in the file. The names of its flag and its variable are derived from it.
    pub(super) name: &'static str,
    /// The placeholder of its value in the help.
    pub(super) value: &'static str,
    /// What applies if it is not set.
    pub(super) unset: Unset,
    /// The accepted values, in Markdown. The program reads this text: single words in backticks are accepted words, which
    /// errors suggest and completions offer; ` to ` marks a range.
    pub(super) bounds: &'static str,
    /// Its meaning, in Markdown.
    pub(super) meaning: &'static str,
    /// The commands that read it, each including its subcommands.
    pub(super) commands: &'static [&'static str],
}

impl Setting {
    /// Whether the command of this path, such as `feed export`, reads it.
    pub(super) fn is_read_by(&self, path: &str) -> bool {
        self.commands.iter().any(|command| is_within(path, command))
    }

    /// Whether the command of this path, or one of its subcommands, reads it.
    pub(super) fn is_read_within(&self, path: &str) -> bool {
        self.is_read_by(path) || self.commands.iter().any(|command| is_within(command, path))
    }
}

fn is_within(path: &str, command: &str) -> bool {
    command.is_empty() || path.strip_prefix(command).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Returns the setting with this name.
pub(super) fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// Returns the setting that was probably meant by a misspelled name.
pub(super) fn suggest(name: &str) -> Option<&'static str> {
    nearest(name, SETTINGS.iter().map(|setting| setting.name))
}

/// The commands that read the settings of a server. `doctor` and `config` read all of them.
const SERVER: &[&str] = &["serve", "doctor", "config"];
/// The target of vocabularies is also searched for values.
const DELIVERY: &[&str] = &["serve", "doctor", "config", "tenant", "privacy scan"];
const LISTENER: &[&str] = &["serve", "doctor", "config", "health"];
const INTERFACE: &[&str] = &["serve", "doctor", "config", "openapi"];
/// The commands that read where the database is. `privacy scan` reads the bytes of its files, and needs no key.
const DATABASE_LOCATION: &[&str] = &[
    "serve",
    "doctor",
    "config",
    "migrate",
    "credential",
    "compliance",
    "audit",
    "backup",
    "restore",
    "vocabulary",
    "feed",
    "redact",
    "import",
    "tenant",
    "privacy compact",
    "privacy fail",
    "privacy apply-ledger",
    // The last, so that `DATABASE` has all others.
    "privacy scan",
];
const DATABASE: &[&str] = match DATABASE_LOCATION.split_last() {
    Some((_, others)) => others,
    None => &[],
};
/// The commands that store messages, and those that also mask stored messages.
const STORING: &[&str] = &["serve", "doctor", "config", "import"];
const MASKING: &[&str] = &["serve", "doctor", "config", "feed export", "import"];
const BODIES: &[&str] = &["serve", "doctor", "config", "openapi", "import"];
/// What applies the ledger removes the feeds of tenants that it names as erased.
const FEEDS: &[&str] =
    &["serve", "doctor", "config", "restore", "feed", "tenant", "privacy scan", "privacy apply-ledger"];
const LEDGER: &[&str] = &["serve", "doctor", "config", "restore", "tenant", "privacy scan", "privacy apply-ledger"];
const EXPORT: &[&str] = &["serve", "doctor", "config", "feed export"];
/// The commands that write files of feeds or vocabularies.
const OUTPUT: &[&str] = &["serve", "doctor", "config", "feed export", "tenant"];

macro_rules! settings {
    ($($group:literal { $(
        $name:ident $value:literal, $unset:ident $text:literal, $commands:ident, $bounds:literal, $meaning:literal;
    )+ })+) => {
        /// All settings, in the order of the help.
        pub(super) const SETTINGS: &[Setting] = &[$($(Setting {
            group: $group,
            name: stringify!($name),
            value: $value,
            unset: Unset::$unset($text),
            bounds: $bounds,
            meaning: $meaning,
            commands: $commands,
        }),+),+];
    };
}

settings! {
    "Listening" {
        listen "ADDRESS", Default "127.0.0.1:8080", LISTENER,
            "an IP address and a port; no host names", "the address to listen on; port 0 takes a free port";
        tls_certificate_file "FILE", Means "no TLS", LISTENER,
            "PEM; together with `tls_key_file`", "the certificate of the server and its chain; see [TLS](#tls)";
        tls_key_file "FILE", Means "no TLS", LISTENER,
            "PEM; together with `tls_certificate_file`", "the private key of the certificate";
        public_url "URL", Means "file addresses are paths", SERVER,
            "`https://` or `http://` with a host; a port and a path are optional", "the address at which callers reach the server, for file addresses; see [feeds.md](feeds.md#listing-and-collecting)";
        cors_origins "ORIGINS", Means "pages of other origins cannot read answers", SERVER,
            "`https://host` or `http://host` with an optional port, separated by commas", "the origins whose pages may read answers and streams; see [events.md](events.md#streams-in-a-browser)";
        trusted_proxies "NUMBER", Default "0", SERVER,
            "0 to 10", "the number of proxies in front of the server, each of which adds the address of its client to `X-Forwarded-For`";
        workers "NUMBER", Means "the number of processors; half of them, at least one, with PostgreSQL on the same machine", SERVER,
            "1 to 1024; at most the number of processors is used", "the number of threads that answer requests; see [Starting](#starting)";
        health_listen "ADDRESS", Means "only `listen` answers health checks", LISTENER,
            "an IP address and a port", "an additional address that answers `/health/`, with its own thread and connections; see [Health](#health)";
        max_connections "NUMBER", Default "4096", SERVER,
            "1 to 1000000; fewer if the process may open fewer files", "the maximum number of connections; see [Limits](#limits)";
        max_connections_per_address "NUMBER", Default "1024", SERVER,
            "0 to 1000000; 0 is no limit; with `trusted_proxies` there is never a limit", "the maximum number of connections of one client address";
        max_connections_per_credential "NUMBER", Default "1024", SERVER,
            "1 to 1000000", "the maximum number of connections of one credential";
        shutdown_delay_seconds "SECONDS", Default "0", SERVER,
            "0 to 3600", "how long the server continues to serve after a stop signal, while `/health/ready` answers 503";
        shutdown_timeout_seconds "SECONDS", Default "30", SERVER,
            "0 to 3600", "how long requests in flight may take to finish when the server stops";
    }
    "Database and Redis" {
        database_url "URL", Default "sqlite://parlance.db", DATABASE_LOCATION,
            "`sqlite://path` or `postgres://…`; see [Databases](#databases)", "the database that stores all data";
        database_url_file "FILE", Means "none", DATABASE_LOCATION,
            "not together with `database_url`", "a file that contains `database_url`";
        master_key_file "FILE", Means "on SQLite `FILE.key` beside the database, created by the first `serve`; none on PostgreSQL", DATABASE,
            "32 bytes; mode 0600 or 0400; 0640 if root owns the file and the service runs as another user", "the file of the key from which all keys of the service are derived; see [audit.md](audit.md#the-master-key)";
        redis_url "URL", Means "each replica counts rates for itself", SERVER,
            "`redis://…` or `rediss://…`", "a Redis that shares the rate limit between replicas; see [Limits](#limits)";
        redis_url_file "FILE", Means "none", SERVER,
            "not together with `redis_url`", "a file that contains `redis_url`";
        scrub_interval_hours "HOURS", Default "24", SERVER,
            "1 to 8760, or `never`", "the time in which the scrub reads a whole SQLite database once to find damage; see [operating.md](operating.md#the-scrub)";
        output_mode "MODE", Default "0640", OUTPUT,
            "`0600`, `0640` or `0660`", "the mode of files for other programs: feeds and vocabularies in a directory; see [operating.md](operating.md#modes-of-files)";
    }
    "Requests" {
        header_prefix "WORD", Default "svc", INTERFACE,
            "ASCII letters, digits and dashes; at least one character", "the word before `-api-id` and `-api-secret` in the credential headers; case does not matter";
        max_body_bytes "BYTES", Default "262144", BODIES,
            "1 to 67108864", "the maximum bytes of a request body; a larger body is answered 413";
        max_in_flight "NUMBER", Default "1024", SERVER,
            "1 to 1000000", "the maximum number of requests in flight; any further request is answered 503 at once";
        header_timeout_seconds "SECONDS", Default "5", SERVER,
            "1 to 3600", "how long each request head and each TLS handshake may take to arrive; a slower head is answered 408";
        body_timeout_seconds "SECONDS", Default "10", SERVER,
            "1 to 3600", "how long a request body may take to arrive; a slower body is answered 400";
        request_timeout_ms "MILLISECONDS", Default "1950", SERVER,
            "100 to 3600000", "how long a request may take until its answer begins, not counting the arrival of its body; a slower request is answered 503";
        idle_timeout_seconds "SECONDS", Default "75", SERVER,
            "1 to 3600", "how long a connection may wait for its next request";
        write_timeout_seconds "SECONDS", Default "10", SERVER,
            "1 to 3600", "how long a client may read an answer more slowly than `min_write_bytes_per_second`";
        min_write_bytes_per_second "BYTES", Default "1024", SERVER,
            "0 to 1048576", "how many bytes per second a client must read of a pending answer";
        max_streams "NUMBER", Default "256", SERVER,
            "1 to 1000000", "the maximum number of concurrent streams and answers over 64 KiB, of all credentials together";
        max_streams_per_credential "NUMBER", Default "64", SERVER,
            "1 to 1000000", "the maximum number of concurrent streams and answers over 64 KiB, of one credential";
        rate_limit_per_second "NUMBER", Default "100", SERVER,
            "1 to 4294967295", "the sustained number of requests per second of one credential";
        rate_limit_burst "NUMBER", Default "200", SERVER,
            "1 to 4294967295", "the maximum number of requests in a burst of one credential";
        failed_auth_per_minute "NUMBER", Default "60", SERVER,
            "0 to 1000000; 0 is no limit", "failed authentications per minute of one client address that are answered 401; any further one is answered 429";
    }
    "Vocabularies and redaction" {
        vocabulary_page_size "NUMBER", Default "20", SERVER,
            "1 to 100", "the number of entries on a page of a vocabulary if the request does not set it";
        vocabulary_delivery_url "URL", Means "vocabularies are not delivered", DELIVERY,
            "`https://host/path`, `http://…`, `file:///directory`, or `s3://`, `gs://`, `az://` with a bucket", "the target to which vocabularies are delivered; see [delivery.md](delivery.md)";
        vocabulary_delivery_secret "KEY", Means "none", DELIVERY,
            "at least 16 characters; required for HTTP", "the key that signs vocabularies sent by HTTP";
        vocabulary_delivery_secret_file "FILE", Means "none", DELIVERY,
            "not together with `vocabulary_delivery_secret`", "a file that contains `vocabulary_delivery_secret`";
        redaction_refresh_seconds "SECONDS", Default "30", SERVER,
            "1 to 30", "how long a change of a redaction switch may take to apply on other replicas";
        mask_fields "FIELDS", Default "names,metadata", MASKING,
            "`names`, `metadata`, both separated by a comma, or empty for none", "the fields of conversations in which card data is masked; see [redaction-fields.md](redaction-fields.md)";
        sensitive_identifiers "POLICY", Default "allow", STORING,
            "`allow` or `refuse`", "whether identifiers that contain card data are stored and counted, or refused with 422; see [redaction-fields.md](redaction-fields.md)";
        external_detector_url "URL", Means "the engine alone finds sensitive data", MASKING,
            "`https://` with a host, or `http://` with a loopback host; a port and a path are optional", "a Presidio Analyzer that finds further sensitive data; see [external-detector.md](external-detector.md)";
        external_detector_required "SWITCH", Default "true", STORING,
            "`true` or `false`", "whether a message is answered 503 while the detector is away, or masked by the engine alone until it is read";
        external_detector_entities "LABELS", Default "PERSON_NAME,STREET_ADDRESS", MASKING,
            "one or more entities that an analyzer finds; see [external-detector.md](external-detector.md#entities)", "the entities that the detector is asked for";
        external_detector_language "CODE", Default "en", MASKING,
            "lower-case letters and dashes, 2 to 8 of them", "the language of the texts, as the analyzer names it";
        external_detector_min_score "SCORE", Default "0.5", MASKING,
            "0 to 1", "the lowest score of a finding that is masked";
        external_detector_timeout_ms "MILLISECONDS", Default "1000", MASKING,
            "50 to 60000", "how long a call of the detector may take, and how long a text may wait for its call";
        external_detector_max_concurrent "NUMBER", Default "8", MASKING,
            "1 to 256", "the maximum number of calls at the same time";
    }
    "Webhooks" {
        webhook_allow "NETWORKS", Default "", SERVER,
            "networks such as 10.0.0.0/8, separated by commas; empty for none", "the networks that webhooks may reach besides public addresses, also by `http`; see [webhooks.md](webhooks.md#which-addresses-are-reached)";
        webhook_ca_file "FILE", Means "the authorities of the system alone", SERVER,
            "certificates in PEM", "further authorities whose certificates webhooks may have";
    }
    "Feeds" {
        feeds_url "URL", Default "file://feeds", FEEDS,
            "`file://directory`, `s3://bucket/prefix`, `gs://…` or `az://…`; see [feeds.md](feeds.md#layout)", "the store of feeds";
        feed_formats "FORMATS", Default "jsonl,csv,parquet", EXPORT,
            "one or more of `jsonl`, `csv`, `parquet`", "the formats that are produced";
        feed_compression "KIND", Default "gzip", EXPORT,
            "`none`, `gzip` or `zstd`", "the compression of the text formats";
        feed_export_at "HH:MM", Default "01:00", SERVER,
            "`00:00` to `23:59` in UTC, or `never`", "the time at which the server produces feeds each day";
        feed_intervals "LENGTH", Default "daily", EXPORT,
            "`daily` or `hourly`", "whether new days of feeds are written as a whole or by their hours; see [feeds.md](feeds.md#hours)";
        feed_signing_key "KEY", Means "a random key of the process", SERVER,
            "at least 32 characters; the same on all replicas", "the key that signs file addresses";
        feed_signing_key_file "FILE", Means "none", SERVER,
            "not together with `feed_signing_key`", "a file that contains `feed_signing_key`";
    }
    "Erasure" {
        ledger_url "URL", Means "on SQLite the directory `FILE.ledger` beside the database; none on PostgreSQL", LEDGER,
            "`file://directory`, `s3://bucket/prefix`, `gs://…` or `az://…`, not within `feeds_url`", "the ledger of erasures, by which a restored database forgets again; see [privacy.md](privacy.md#backups)";
    }
    "Events" {
        event_retention_days "DAYS", Default "7", SERVER,
            "1 to 90", "the days for which events can be read at least; see [events.md](events.md#retention)";
    }
    "Log, metrics and traces" {
        log_format "FORM", Default "text", SERVER,
            "`text` or `json`", "the form of the log";
        log_client_address "SWITCH", Default "true", SERVER,
            "`true` or `false`", "whether the log contains client addresses";
        log_level "LEVEL", Default "info", SERVER,
            "`error`, `warn`, `info` or `debug`", "the lowest severity that is logged";
        metrics_listen "ADDRESS", Means "metrics are not served", SERVER,
            "an IP address and a port", "the address that serves `/metrics`; see [metrics.md](metrics.md)";
        otlp_endpoint "URL", Means "no traces", SERVER,
            "`http://` or `https://` with a host; a port and a path are optional", "the collector that receives traces by OTLP over HTTP, at this address and `/v1/traces`; see [Traces](#traces)";
        otlp_headers "HEADERS", Means "none", SERVER,
            "`name=value,name=value`; values in percent-encoding", "headers of each request to the collector";
        otlp_headers_file "FILE", Means "none", SERVER,
            "not together with `otlp_headers`", "a file that contains `otlp_headers`";
        otlp_sampling "SHARE", Default "0.01", SERVER,
            "0 to 1", "the share of deliveries, and of requests without a `traceparent`, that are traced";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_its_own_settings_and_those_of_its_parent_commands() {
        let formats = setting("feed_formats").unwrap();
        assert!(formats.is_read_by("feed export") && formats.is_read_by("serve"));
        assert!(!formats.is_read_by("feed list") && !formats.is_read_by("feed") && !formats.is_read_by("feed exports"));
        assert!(formats.is_read_within("feed") && formats.is_read_within("") && !formats.is_read_within("redact"));
    }

    #[test]
    fn a_misspelled_name_has_a_suggestion_and_an_unrelated_word_has_none() {
        assert_eq!(suggest("lissen"), Some("listen"));
        assert_eq!(suggest("database"), Some("database_url"));
        assert_eq!(suggest("colour"), None);
    }
}
