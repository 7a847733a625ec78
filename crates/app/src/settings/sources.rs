//! The sources of settings: flags, the environment, a file and defaults.

use std::path::Path;

use zeroize::Zeroize;

use super::{
    flags::SettingFlags,
    invalid_setting::InvalidSetting,
    read_error::describe_read_error,
    secret_files,
    setting_values::SettingValues,
    table::{SETTINGS, Unset, setting, suggest},
    text,
};

/// The values that are set, each with its source.
#[derive(Debug)]
pub struct Sources {
    values: SettingValues,
    invalid: Vec<InvalidSetting>,
}

/// Overwrites the values, because some are secrets.
impl Drop for Sources {
    fn drop(&mut self) {
        self.values.values_mut().for_each(|(value, _)| value.zeroize());
    }
}

impl Sources {
    /// Collects the settings of a server: from flags, from the environment through `variable`, and from the file at
    /// `path`.
    ///
    /// # Errors
    /// If the file cannot be read or is not TOML.
    pub fn new(
        flags: &SettingFlags,
        variable: impl Fn(&str) -> Option<String>,
        path: Option<&Path>,
    ) -> Result<Self, InvalidSetting> {
        Self::for_command("serve", flags, variable, path)
    }

    /// Collects the settings that the command of this path, such as `feed export`, reads. Any other setting keeps its
    /// default, so that an invalid value stops only the commands that read it.
    ///
    /// # Errors
    /// If the file cannot be read or is not TOML.
    pub fn for_command(
        command: &str,
        flags: &SettingFlags,
        variable: impl Fn(&str) -> Option<String>,
        path: Option<&Path>,
    ) -> Result<Self, InvalidSetting> {
        let file = path.map(read_file).transpose()?.unwrap_or_default();
        let (mut values, unknown): (SettingValues, SettingValues) =
            file.into_iter().partition(|(name, _)| setting(name).is_some());
        for name in SETTINGS.iter().map(|setting| setting.name) {
            if let Some(value) = variable(&text::variable(name)) {
                values.insert(name.to_owned(), (value, text::variable(name)));
            }
            if let Some(value) = flags.values.get(name) {
                values.insert(name.to_owned(), (value.clone(), text::flag(name)));
            }
        }
        values.retain(|name, _| setting(name).is_some_and(|setting| setting.is_read_by(command)));
        secret_files::read(&mut values)?;
        let mut invalid = flags.unread_flag_errors(command);
        invalid.extend(unknown.into_iter().map(|(name, (_, source_name))| unknown_name(name, source_name)));
        Ok(Self { values, invalid })
    }

    /// Returns the names of environment variables that look like settings and are not, each with the variable that was
    /// probably meant. The variables that Kubernetes sets for a service called `parlance` are left out.
    #[must_use]
    pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<(String, Option<String>)> {
        let unknown_variable = |name: String| {
            let word = name.strip_prefix("PARLANCE_")?.to_ascii_lowercase();
            let is_kubernetes = word == "port" || word.starts_with("port_") || word.starts_with("service_");
            let is_known = setting(&word).is_some() || is_kubernetes || word == "config" || word.starts_with("test_");
            (!is_known).then(|| (name, suggest(&word).map(text::variable)))
        };
        names.filter_map(unknown_variable).collect()
    }

    /// The value of a setting and the name of its source.
    pub(super) fn value(&self, name: &str) -> (String, String) {
        let default = || match setting(name).map(|setting| setting.unset) {
            Some(Unset::Default(value)) => value,
            Some(Unset::Means(_)) | None => "",
        };
        self.values.get(name).cloned().unwrap_or_else(|| (default().to_owned(), "the default".to_owned()))
    }

    /// Flags that the command does not read, and names in the file that are not settings.
    pub(super) fn invalid_settings(&self) -> Vec<InvalidSetting> {
        self.invalid.clone()
    }
}

fn unknown_name(name: String, source_name: String) -> InvalidSetting {
    let rule = match suggest(&name) {
        Some(suggestion) => format!("is not a setting: did you mean {suggestion}?"),
        None => "is not a setting: `parlance help settings` lists them".to_owned(),
    };
    InvalidSetting { name, source_name, rule }
}

fn read_file(path: &Path) -> Result<SettingValues, InvalidSetting> {
    let source_name = path.display().to_string();
    let invalid =
        |name: &str, rule: String| InvalidSetting { name: name.to_owned(), source_name: source_name.clone(), rule };
    let text = std::fs::read_to_string(path).map_err(|error| invalid("config", describe_read_error(error.kind())))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| InvalidSetting {
        name: "config".to_owned(),
        source_name: format!("{source_name}{}", line_and_column(&text, error.span().map_or(0, |span| span.start))),
        rule: format!("is not TOML: {}", error.message().replace('\n', ", ")),
    })?;
    let to_text = |(name, value): (String, toml::Value)| match value {
        toml::Value::String(text) => Ok((name, (text, source_name.clone()))),
        toml::Value::Integer(number) => Ok((name, (number.to_string(), source_name.clone()))),
        toml::Value::Boolean(switch) => Ok((name, (switch.to_string(), source_name.clone()))),
        toml::Value::Float(_) | toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
            Err(invalid(&name, "must be a text, a whole number, or true or false".to_owned()))
        }
    };
    table.into_iter().map(to_text).collect()
}

/// The line and column of a byte in the text of a file.
fn line_and_column(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!(", line {}, column {column}", before.matches('\n').count() + 1)
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
    fn a_flag_overrides_the_environment_the_file_and_the_default() {
        let file = file("listen = '1.1.1.1:1'\nlog_format = 'json'\nrate_limit_burst = 7\n");
        let mut flags = SettingFlags::default();
        flags.values.insert("listen".to_owned(), "3.3.3.3:3".to_owned());
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
    fn an_unknown_name_in_the_file_is_reported() {
        let file = file("lissen = 'x'\n");
        let sources = Sources::new(&SettingFlags::default(), |_| None, Some(file.path())).unwrap();
        let rules: Vec<_> = sources.invalid_settings().iter().map(|setting| setting.rule.clone()).collect();
        assert_eq!(rules, ["is not a setting: did you mean listen?"]);
    }

    #[test]
    fn an_unknown_variable_that_looks_like_a_setting_is_found() {
        let names = ["PARLANCE_LISTEN", "PARLANCE_LISTENS", "PARLANCE_CONFIG", "PARLANCE_PORT_8080_TCP", "HOME"];
        let unknown = Sources::unknown_variables(names.into_iter().map(ToOwned::to_owned));
        assert_eq!(unknown, [("PARLANCE_LISTENS".to_owned(), Some("PARLANCE_LISTEN".to_owned()))]);
    }

    #[test]
    fn a_file_that_is_missing_or_not_toml_is_reported() {
        let none = |_: &str| None;
        assert!(Sources::new(&SettingFlags::default(), none, Some(Path::new("/nonexistent"))).is_err());
        let broken = file("listen = 'a'\nlisten = [1,\n");
        let error = Sources::new(&SettingFlags::default(), none, Some(broken.path())).unwrap_err();
        assert!(error.source_name.contains(", line 2, column "), "{error}");
        assert!(error.rule.starts_with("is not TOML: ") && !error.rule.contains('\n'), "{error}");
    }

    #[test]
    fn a_command_ignores_settings_that_it_does_not_read() {
        let invalid_listen = |name: &str| (name == "PARLANCE_LISTEN").then(|| "nowhere".to_owned());
        let sources = Sources::for_command("migrate", &SettingFlags::default(), invalid_listen, None).unwrap();
        assert_eq!(sources.value("listen"), ("127.0.0.1:8080".to_owned(), "the default".to_owned()));
        assert!(sources.invalid_settings().is_empty());
    }
}
