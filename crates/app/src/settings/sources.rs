//! Where the value of a setting comes from.

use std::{collections::BTreeMap, path::Path};

use clap::Args;

use super::{WrongSetting, secret_files};

/// Declares the settings: the name of each with what its value is, its default, and its help.
macro_rules! settings {
    ($($name:ident $value:literal $default:literal $help:literal;)+) => {
        /// The settings as flags; each overrides the environment, the file and the default.
        #[derive(Debug, Clone, Default, Args)]
        #[command(next_help_heading = "Settings (flag, else PARLANCE_… in the environment, else the file, else the default)")]
        pub struct SettingFlags {
            $(
                #[arg(long, global = true, value_name = $value, help = $help)]
                $name: Option<String>,
            )+
        }

        /// Every setting with its default; nothing where there is none.
        const DEFAULTS: &[(&str, &str)] = &[$((stringify!($name), $default)),+];

        impl SettingFlags {
            fn value(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($name) => self.$name.clone(),)+
                    _ => None,
                }
            }
        }
    };
}

settings! {
    listen "ADDRESS" "127.0.0.1:8080" "The address to listen on [default: 127.0.0.1:8080]";
    tls_certificate_file "FILE" "" "The server's certificate, in PEM: with it the server speaks TLS";
    tls_key_file "FILE" "" "The private key of that certificate, in PEM";
    database_url "URL" "sqlite://parlance.db" "The database: sqlite://path or postgres://… [default: sqlite://parlance.db]";
    database_url_file "FILE" "" "A file that holds the address of the database, in place of database_url";
    master_key_file "FILE" "" "The file of the master key, 32 bytes of mode 0600 [default: beside the SQLite database; none on PostgreSQL]";
    redis_url "URL" "" "A Redis that shares the rate limit between replicas: redis://… or rediss://…";
    redis_url_file "FILE" "" "A file that holds the address of the Redis, in place of redis_url";
    header_prefix "WORD" "svc" "The word before -api-id and -api-secret in the credential headers [default: svc]";
    max_body_bytes "BYTES" "262144" "Most bytes of a request's body [default: 262144]";
    max_in_flight "NUMBER" "1024" "Most requests in flight: one more is sent away at once [default: 1024]";
    workers "NUMBER" "" "How many threads answer requests, one for each processor at most [default: as many, half of them beside PostgreSQL on the same machine]";
    header_timeout_seconds "SECONDS" "5" "How long the head of a request may take to arrive [default: 5]";
    body_timeout_seconds "SECONDS" "10" "How long the body of a request may take to arrive [default: 10]";
    request_timeout_ms "MILLISECONDS" "1950" "How long the server may take to answer a request that is there whole [default: 1950]";
    idle_timeout_seconds "SECONDS" "75" "How long a connection may wait for its next request [default: 75]";
    rate_limit_per_second "NUMBER" "100" "Requests a second that one credential may send in the long run [default: 100]";
    rate_limit_burst "NUMBER" "200" "Requests that one credential may send at once [default: 200]";
    failed_auth_per_minute "NUMBER" "60" "Failed authentications a minute that are heard from one address; 0: any number [default: 60]";
    trusted_proxies "NUMBER" "0" "How many proxies stand before the server and add to X-Forwarded-For [default: 0]";
    vocabulary_page_size "NUMBER" "20" "Entries of a page of a vocabulary where the caller does not say [default: 20]";
    vocabulary_delivery_url "URL" "" "Where vocabularies are brought: https://…/{tenant}, file:///directory or s3://bucket/prefix [default: nowhere]";
    vocabulary_delivery_secret "KEY" "" "The key that vocabularies sent by HTTP are signed with, 16 characters or more";
    vocabulary_delivery_secret_file "FILE" "" "A file that holds that key, in place of vocabulary_delivery_secret";
    redaction_refresh_seconds "SECONDS" "30" "How long a redaction switch may take to hold on other replicas [default: 30]";
    metrics_listen "ADDRESS" "" "The address to read metrics from, at /metrics [default: none]";
    feeds_url "URL" "file://feeds" "Where feeds are: file://directory, s3://bucket/prefix, gs://… or az://… [default: file://feeds]";
    feed_formats "FORMATS" "jsonl,csv,parquet" "Which formats of feeds are produced [default: jsonl,csv,parquet]";
    feed_compression "KIND" "gzip" "How text formats of feeds are compressed: none, gzip or zstd [default: gzip]";
    feed_export_at "HH:MM" "01:00" "When each day the server produces feeds, in UTC, or never [default: 01:00]";
    feed_signing_key "KEY" "" "The key that signs the addresses of files [default: a random one of the process]";
    feed_signing_key_file "FILE" "" "A file that holds that key, in place of feed_signing_key";
    log_format "FORM" "text" "The form of the log: text or json [default: text]";
    log_level "LEVEL" "info" "The least severity that is logged: error, warn, info or debug [default: info]";
    shutdown_timeout_seconds "SECONDS" "30" "How long requests in flight may take to finish when the server stops [default: 30]";
}

/// Values by the names of their settings, each with where it came from.
pub(super) type Given = BTreeMap<String, (String, String)>;

/// The values that were given, with where each came from.
#[derive(Debug)]
pub struct Sources {
    given: Given,
}

impl Sources {
    /// Gathers flags, the environment through `variable`, and the file at `path` where one is named.
    ///
    /// # Errors
    /// Where the file cannot be read or is not TOML.
    pub fn new(
        flags: &SettingFlags,
        variable: impl Fn(&str) -> Option<String>,
        path: Option<&Path>,
    ) -> Result<Self, WrongSetting> {
        let mut given = path.map(read_file).transpose()?.unwrap_or_default();
        for (name, _) in DEFAULTS.iter().copied() {
            let variable_name = format!("PARLANCE_{}", name.to_ascii_uppercase());
            if let Some(value) = variable(&variable_name) {
                given.insert(name.to_owned(), (value, variable_name));
            }
            if let Some(value) = flags.value(name) {
                given.insert(name.to_owned(), (value, format!("--{}", name.replace('_', "-"))));
            }
        }
        secret_files::read(&mut given)?;
        Ok(Self { given })
    }

    /// Which of these names of environment variables look like settings and are none. What Kubernetes sets for a
    /// service called `parlance` is not meant.
    #[must_use]
    pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
        let unknown = |name: &String| {
            let Some(word) = name.strip_prefix("PARLANCE_") else { return false };
            let setting = DEFAULTS.iter().any(|(known, _)| known.eq_ignore_ascii_case(word));
            let of_kubernetes = word == "PORT" || word.starts_with("PORT_") || word.starts_with("SERVICE_");
            !setting && !of_kubernetes && word != "CONFIG" && !word.starts_with("TEST_")
        };
        names.filter(unknown).collect()
    }

    /// A setting's value, and where it came from.
    pub(super) fn value(&self, name: &str) -> (String, String) {
        let default = || DEFAULTS.iter().find(|(known, _)| *known == name).map_or("", |(_, default)| default);
        self.given.get(name).cloned().unwrap_or_else(|| (default().to_owned(), "the default".to_owned()))
    }

    /// What was given that is no setting.
    pub(super) fn unknown(&self) -> Vec<WrongSetting> {
        let known = |name: &str| DEFAULTS.iter().any(|(known, _)| *known == name);
        let unknown = self.given.iter().filter(|(name, _)| !known(name));
        unknown
            .map(|(name, (_, source_name))| WrongSetting {
                name: name.clone(),
                source_name: source_name.clone(),
                rule: "is not a setting: `parlance help serve` lists them".to_owned(),
            })
            .collect()
    }
}

fn read_file(path: &Path) -> Result<Given, WrongSetting> {
    let source_name = path.display().to_string();
    let wrong =
        |name: &str, rule: String| WrongSetting { name: name.to_owned(), source_name: source_name.clone(), rule };
    let text =
        std::fs::read_to_string(path).map_err(|error| wrong("config", format!("cannot be read: {}", error.kind())))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text.get(..span.start).unwrap_or_default().lines().count().max(1));
        wrong("config", format!("is not TOML: see line {line}"))
    })?;
    let plain = |(name, value): (String, toml::Value)| match value {
        toml::Value::String(text) => Ok((name, (text, source_name.clone()))),
        toml::Value::Integer(number) => Ok((name, (number.to_string(), source_name.clone()))),
        toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Array(_)
        | toml::Value::Table(_) => Err(wrong(&name, "must be a text or a whole number".to_owned())),
    };
    table.into_iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(content: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content.as_bytes()).unwrap();
        file
    }

    #[test]
    fn a_flag_outweighs_the_environment_the_file_and_the_default() {
        let file = file("listen = '1.1.1.1:1'\nlog_format = 'json'\nrate_limit_burst = 7\n");
        let flags = SettingFlags { listen: Some("3.3.3.3:3".to_owned()), ..SettingFlags::default() };
        let variable = |name: &str| match name {
            "PARLANCE_LISTEN" => Some("2.2.2.2:2".to_owned()),
            "PARLANCE_LOG_FORMAT" => Some("text".to_owned()),
            _ => None,
        };
        let sources = Sources::new(&flags, variable, Some(file.path())).unwrap();
        assert_eq!(sources.value("listen"), ("3.3.3.3:3".to_owned(), "--listen".to_owned()));
        assert_eq!(sources.value("log_format"), ("text".to_owned(), "PARLANCE_LOG_FORMAT".to_owned()));
        assert_eq!(sources.value("rate_limit_burst").0, "7");
        assert_eq!(sources.value("header_prefix"), ("svc".to_owned(), "the default".to_owned()));
    }

    #[test]
    fn a_name_in_the_file_that_is_no_setting_is_told() {
        let file = file("lissen = 'x'\n");
        let sources = Sources::new(&SettingFlags::default(), |_| None, Some(file.path())).unwrap();
        assert_eq!(sources.unknown().first().map(|wrong| wrong.name.as_str()), Some("lissen"));
    }

    #[test]
    fn a_variable_that_looks_like_a_setting_and_is_none_is_noticed() {
        let names = ["PARLANCE_LISTEN", "PARLANCE_LISTENS", "PARLANCE_CONFIG", "PARLANCE_PORT_8080_TCP", "HOME"];
        let unknown = Sources::unknown_variables(names.into_iter().map(ToOwned::to_owned));
        assert_eq!(unknown, ["PARLANCE_LISTENS"]);
    }

    #[test]
    fn a_file_that_is_missing_or_no_toml_is_told() {
        let none = |_: &str| None;
        assert!(Sources::new(&SettingFlags::default(), none, Some(Path::new("/nonexistent"))).is_err());
        let broken = file("listen = 'a'\nlisten\n");
        let error = Sources::new(&SettingFlags::default(), none, Some(broken.path())).unwrap_err();
        assert!(error.to_string().ends_with("is not TOML: see line 2"), "{error}");
    }
}
