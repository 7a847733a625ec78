//! Where the value of a setting comes from.

use std::{collections::BTreeMap, path::Path};

use clap::Args;

use super::WrongSetting;

/// The settings as flags; each overrides the environment, the file and the default.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings (flag, else PARLANCE_… in the environment, else the file, else the default)")]
pub struct SettingFlags {
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,
    #[arg(
        long,
        global = true,
        value_name = "URL",
        help = "The database: sqlite://path or postgres://… [default: sqlite://parlance.db]"
    )]
    database_url: Option<String>,
    /// The word before -api-id and -api-secret in the credential headers [default: svc]
    #[arg(long, global = true, value_name = "WORD")]
    header_prefix: Option<String>,
    /// Most bytes of a request's body [default: 262144]
    #[arg(long, global = true, value_name = "BYTES")]
    max_body_bytes: Option<String>,
    /// Requests a second that one credential may send in the long run [default: 100]
    #[arg(long, global = true, value_name = "NUMBER")]
    rate_limit_per_second: Option<String>,
    /// Requests that one credential may send at once [default: 200]
    #[arg(long, global = true, value_name = "NUMBER")]
    rate_limit_burst: Option<String>,
    /// Entries of a page of a vocabulary where the caller does not say [default: 20]
    #[arg(long, global = true, value_name = "NUMBER")]
    vocabulary_page_size: Option<String>,
    #[arg(
        long,
        global = true,
        value_name = "URL",
        help = "Where feeds are: file://directory, s3://bucket/prefix, gs://… or az://… [default: file://feeds]"
    )]
    feeds_url: Option<String>,
    /// Which formats of feeds are produced [default: jsonl,csv,parquet]
    #[arg(long, global = true, value_name = "FORMATS")]
    feed_formats: Option<String>,
    /// How text formats of feeds are compressed: none, gzip or zstd [default: gzip]
    #[arg(long, global = true, value_name = "KIND")]
    feed_compression: Option<String>,
    /// When each day the server produces feeds, in UTC, or never [default: 01:00]
    #[arg(long, global = true, value_name = "HH:MM")]
    feed_export_at: Option<String>,
    /// The key that signs the addresses of files [default: a random one of the process]
    #[arg(long, global = true, value_name = "KEY", hide = true)]
    feed_signing_key: Option<String>,
    /// The form of the log: text or json [default: text]
    #[arg(long, global = true, value_name = "FORM")]
    log_format: Option<String>,
    /// The least severity that is logged: error, warn, info or debug [default: info]
    #[arg(long, global = true, value_name = "LEVEL")]
    log_level: Option<String>,
    /// How long requests in flight may take to finish when the server stops [default: 30]
    #[arg(long, global = true, value_name = "SECONDS")]
    shutdown_timeout_seconds: Option<String>,
}

/// Every setting with its default.
const DEFAULTS: [(&str, &str); 15] = [
    ("listen", "127.0.0.1:8080"),
    ("database_url", "sqlite://parlance.db"),
    ("header_prefix", "svc"),
    ("max_body_bytes", "262144"),
    ("rate_limit_per_second", "100"),
    ("rate_limit_burst", "200"),
    ("vocabulary_page_size", "20"),
    ("feeds_url", "file://feeds"),
    ("feed_formats", "jsonl,csv,parquet"),
    ("feed_compression", "gzip"),
    ("feed_export_at", "01:00"),
    ("feed_signing_key", ""),
    ("log_format", "text"),
    ("log_level", "info"),
    ("shutdown_timeout_seconds", "30"),
];

impl SettingFlags {
    fn value(&self, name: &str) -> Option<String> {
        let flag = match name {
            "listen" => &self.listen,
            "database_url" => &self.database_url,
            "header_prefix" => &self.header_prefix,
            "max_body_bytes" => &self.max_body_bytes,
            "rate_limit_per_second" => &self.rate_limit_per_second,
            "rate_limit_burst" => &self.rate_limit_burst,
            "vocabulary_page_size" => &self.vocabulary_page_size,
            "feeds_url" => &self.feeds_url,
            "feed_formats" => &self.feed_formats,
            "feed_compression" => &self.feed_compression,
            "feed_export_at" => &self.feed_export_at,
            "feed_signing_key" => &self.feed_signing_key,
            "log_format" => &self.log_format,
            "log_level" => &self.log_level,
            "shutdown_timeout_seconds" => &self.shutdown_timeout_seconds,
            _ => &None,
        };
        flag.clone()
    }
}

/// The values that were given, with where each came from.
#[derive(Debug)]
pub struct Sources {
    given: BTreeMap<String, (String, String)>,
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
        for (name, _) in DEFAULTS {
            let variable_name = format!("PARLANCE_{}", name.to_ascii_uppercase());
            if let Some(value) = variable(&variable_name) {
                given.insert(name.to_owned(), (value, variable_name));
            }
            if let Some(value) = flags.value(name) {
                given.insert(name.to_owned(), (value, format!("--{}", name.replace('_', "-"))));
            }
        }
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

fn read_file(path: &Path) -> Result<BTreeMap<String, (String, String)>, WrongSetting> {
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

    #[test]
    fn every_default_has_a_flag() {
        let all = SettingFlags {
            listen: Some(String::new()),
            database_url: Some(String::new()),
            header_prefix: Some(String::new()),
            max_body_bytes: Some(String::new()),
            rate_limit_per_second: Some(String::new()),
            rate_limit_burst: Some(String::new()),
            vocabulary_page_size: Some(String::new()),
            feeds_url: Some(String::new()),
            feed_formats: Some(String::new()),
            feed_compression: Some(String::new()),
            feed_export_at: Some(String::new()),
            feed_signing_key: Some(String::new()),
            log_format: Some(String::new()),
            log_level: Some(String::new()),
            shutdown_timeout_seconds: Some(String::new()),
        };
        assert!(DEFAULTS.iter().all(|(name, _)| all.value(name).is_some()));
    }
}
