//! The table of settings. The flags, the names in the environment and in the file, the help of each command and the
//! table in `docs/configuration.md` come from here.

/// What holds where nobody gives a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unset {
    /// This value.
    Default(&'static str),
    /// No value, which means this.
    Means(&'static str),
}

/// One setting.
#[derive(Debug)]
pub(super) struct Setting {
    /// The title of the settings it stands among.
    pub(super) group: &'static str,
    /// Its name in the file. Its flag and its variable are made of it.
    pub(super) name: &'static str,
    /// A word for its value.
    pub(super) value: &'static str,
    /// What holds where it is not given.
    pub(super) unset: Unset,
    /// Which values are accepted, in Markdown; empty where any is.
    pub(super) bounds: &'static str,
    /// What it does, in Markdown.
    pub(super) meaning: &'static str,
    /// The commands that read it, each with the commands below it.
    pub(super) commands: &'static [&'static str],
}

impl Setting {
    /// Whether the command of this path, such as `feed export`, reads it.
    pub(super) fn is_read_by(&self, path: &str) -> bool {
        self.commands.iter().any(|command| is_within(path, command))
    }

    /// Whether the command of this path, or one below it, reads it.
    pub(super) fn is_read_within(&self, path: &str) -> bool {
        self.is_read_by(path) || self.commands.iter().any(|command| is_within(command, path))
    }
}

fn is_within(path: &str, command: &str) -> bool {
    command.is_empty() || path.strip_prefix(command).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The setting of this name.
pub(super) fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// The name of a setting that this may be a slip of.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    const LIKENESS: f64 = 0.6;
    let likeness = |setting: &Setting| strsim::normalized_damerau_levenshtein(name, setting.name);
    let nearest = SETTINGS.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)))?;
    (likeness(nearest) >= LIKENESS).then_some(nearest.name)
}

/// Which commands read what only a server needs. The doctor reads all that a server does.
const SERVER: &[&str] = &["serve", "doctor"];
const INTERFACE: &[&str] = &["serve", "doctor", "openapi"];
const DATABASE: &[&str] =
    &["serve", "doctor", "migrate", "credential", "compliance", "audit", "backup", "restore", "vocabulary", "feed"];
const FEEDS: &[&str] = &["serve", "doctor", "feed"];
const EXPORT: &[&str] = &["serve", "doctor", "feed export"];

macro_rules! settings {
    ($($group:literal { $(
        $name:ident $value:literal, $unset:ident $text:literal, $commands:ident, $bounds:literal, $meaning:literal;
    )+ })+) => {
        /// Every setting, in the order in which they are shown.
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
        listen "ADDRESS", Default "127.0.0.1:8080", SERVER,
            "an IP address and a port; no host names", "the address to listen on; port 0 takes a free port";
        tls_certificate_file "FILE", Means "no TLS", SERVER,
            "PEM; with `tls_key_file` or not at all", "the server's certificate and its chain; see [TLS](#tls)";
        tls_key_file "FILE", Means "no TLS", SERVER,
            "PEM", "the private key of the certificate";
        public_url "URL", Means "addresses of files are paths", SERVER,
            "`https://` or `http://` with a host; a port and a path may follow", "the address that callers reach the server at, for the addresses of files; see [feeds.md](feeds.md#listing-and-collecting)";
        trusted_proxies "NUMBER", Default "0", SERVER,
            "0 to 10", "how many proxies stand before the server and add their client's address to `X-Forwarded-For`";
        workers "NUMBER", Means "the number of processors; half of them, at least one, with PostgreSQL on the same machine", SERVER,
            "1 to 1024; at most the number of processors is used", "how many threads answer requests; see [Starting](#starting)";
        health_listen "ADDRESS", Means "health is answered at `listen` alone", SERVER,
            "an IP address and a port", "an address that answers `/health/` as well, with a thread and connections of its own; see [Health](#health)";
        max_connections "NUMBER", Default "4096", SERVER,
            "1 to 1000000; fewer where the process may open fewer files", "the most connections; see [Limits](#limits)";
        max_connections_per_address "NUMBER", Default "1024", SERVER,
            "0 to 1000000; 0 is no limit, as is any number with `trusted_proxies`", "the most connections of one client address";
        max_connections_per_credential "NUMBER", Default "1024", SERVER,
            "1 to 1000000", "the most connections of one credential";
        shutdown_delay_seconds "SECONDS", Default "0", SERVER,
            "0 to 3600", "how long the server goes on serving after a signal to stop, while `/health/ready` is 503";
        shutdown_timeout_seconds "SECONDS", Default "30", SERVER,
            "0 to 3600", "how long requests in flight may take to finish when the server stops";
    }
    "Database and Redis" {
        database_url "URL", Default "sqlite://parlance.db", DATABASE,
            "`sqlite://path` or `postgres://…`; see [Databases](#databases)", "where everything is stored";
        database_url_file "FILE", Means "none", DATABASE,
            "not beside `database_url`", "a file that holds `database_url`";
        master_key_file "FILE", Means "on SQLite `FILE.key` beside the database, made by the first `serve`; none on PostgreSQL", DATABASE,
            "32 bytes; mode 0600 or 0400, or 0640 of root for a service that is not root", "the file of the key that all keys of the service are derived from; see [audit.md](audit.md#the-master-key)";
        redis_url "URL", Means "each replica counts rates for itself", SERVER,
            "`redis://…` or `rediss://…`", "a Redis that shares the rate limit between replicas; see [Limits](#limits)";
        redis_url_file "FILE", Means "none", SERVER,
            "not beside `redis_url`", "a file that holds `redis_url`";
        scrub_interval_hours "HOURS", Default "24", SERVER,
            "1 to 8760, or `never`", "in what time all of a SQLite database is read once to find damage; see [operating.md](operating.md#the-scrub)";
        output_mode "MODE", Default "0640", EXPORT,
            "`0600`, `0640` or `0660`", "the mode of files for other programs: feeds and vocabularies in a directory; see [operating.md](operating.md#modes-of-files)";
    }
    "Requests" {
        header_prefix "WORD", Default "svc", INTERFACE,
            "ASCII letters, digits and dashes; at least one character", "the word before `-api-id` and `-api-secret` in the credential headers; case does not matter";
        max_body_bytes "BYTES", Default "262144", INTERFACE,
            "1 to 67108864", "the most bytes of a request's body; a longer body is 413";
        max_in_flight "NUMBER", Default "1024", SERVER,
            "1 to 1000000", "the most requests in flight; one more gets a 503 at once";
        header_timeout_seconds "SECONDS", Default "5", SERVER,
            "1 to 3600", "how long each head of a request may take to arrive, and a TLS handshake; a slower head is 408";
        body_timeout_seconds "SECONDS", Default "10", SERVER,
            "1 to 3600", "how long a body may take to arrive; a slower one is 400";
        request_timeout_ms "MILLISECONDS", Default "1950", SERVER,
            "100 to 3600000", "how long a request may take until its answer begins, without the time in which its body arrives; a slower one is 503";
        idle_timeout_seconds "SECONDS", Default "75", SERVER,
            "1 to 3600", "how long a connection may wait for its next request";
        write_timeout_seconds "SECONDS", Default "10", SERVER,
            "1 to 3600", "how long a client may read an answer more slowly than `min_write_bytes_per_second`";
        min_write_bytes_per_second "BYTES", Default "1024", SERVER,
            "0 to 1048576", "how many bytes a second a client must read of an answer that waits for it";
        max_streams "NUMBER", Default "256", SERVER,
            "1 to 1000000", "the most streams and answers over 64 KiB under way, of all credentials together";
        max_streams_per_credential "NUMBER", Default "64", SERVER,
            "1 to 1000000", "the most streams and answers over 64 KiB under way, of one credential";
        rate_limit_per_second "NUMBER", Default "100", SERVER,
            "1 to 4294967295", "requests a second of one credential, in the long run";
        rate_limit_burst "NUMBER", Default "200", SERVER,
            "1 to 4294967295", "requests of one credential at once";
        failed_auth_per_minute "NUMBER", Default "60", SERVER,
            "0 to 1000000; 0 is no limit", "failed authentications of one client address that are answered 401; one more is 429";
    }
    "Vocabularies and redaction" {
        vocabulary_page_size "NUMBER", Default "20", SERVER,
            "1 to 100", "entries on a page of a vocabulary where the request does not say";
        vocabulary_delivery_url "URL", Means "nowhere", SERVER,
            "`https://host/path`, `http://…`, `file:///directory`, or `s3://`, `gs://`, `az://` with a bucket", "where vocabularies are sent; see [delivery.md](delivery.md)";
        vocabulary_delivery_secret "KEY", Means "none", SERVER,
            "16 characters or more; required over HTTP", "the key that signs vocabularies sent by HTTP";
        vocabulary_delivery_secret_file "FILE", Means "none", SERVER,
            "not beside `vocabulary_delivery_secret`", "a file that holds `vocabulary_delivery_secret`";
        redaction_refresh_seconds "SECONDS", Default "30", SERVER,
            "1 to 30", "how long a redaction switch may take to apply on other replicas";
    }
    "Feeds" {
        feeds_url "URL", Default "file://feeds", FEEDS,
            "`file://directory`, `s3://bucket/prefix`, `gs://…` or `az://…`; see [feeds.md](feeds.md#layout)", "where feeds are kept";
        feed_formats "FORMATS", Default "jsonl,csv,parquet", EXPORT,
            "one or more of `jsonl`, `csv`, `parquet`", "which formats are produced";
        feed_compression "KIND", Default "gzip", EXPORT,
            "`none`, `gzip` or `zstd`", "how the text formats are compressed";
        feed_export_at "HH:MM", Default "01:00", SERVER,
            "`00:00` to `23:59` in UTC, or `never`", "when the server produces feeds each day";
        feed_signing_key "KEY", Means "a random key of the process", SERVER,
            "at least 32 characters; the same on all replicas", "the key that signs the addresses of files";
        feed_signing_key_file "FILE", Means "none", SERVER,
            "not beside `feed_signing_key`", "a file that holds `feed_signing_key`";
    }
    "Log and metrics" {
        log_format "FORM", Default "text", SERVER,
            "`text` or `json`", "the form of the log";
        log_client_address "SWITCH", Default "true", SERVER,
            "`true` or `false`", "whether the log has the addresses of clients";
        log_level "LEVEL", Default "info", SERVER,
            "`error`, `warn`, `info` or `debug`", "the least severity that is logged";
        metrics_listen "ADDRESS", Means "nowhere", SERVER,
            "an IP address and a port", "the address that serves `/metrics`; see [metrics.md](metrics.md)";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_what_it_and_those_above_it_are_listed_for() {
        let formats = setting("feed_formats").unwrap();
        assert!(formats.is_read_by("feed export") && formats.is_read_by("serve"));
        assert!(!formats.is_read_by("feed list") && !formats.is_read_by("feed") && !formats.is_read_by("feed exports"));
        assert!(formats.is_read_within("feed") && formats.is_read_within("") && !formats.is_read_within("redact"));
    }

    #[test]
    fn a_slip_has_its_nearest_setting_and_any_word_has_none() {
        assert_eq!(nearest("lissen"), Some("listen"));
        assert_eq!(nearest("database"), Some("database_url"));
        assert_eq!(nearest("colour"), None);
    }
}
