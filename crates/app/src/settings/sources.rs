//! The sources of settings: flags, the environment, a file and defaults.

use std::path::Path;

use zeroize::Zeroize;

use super::{
    flags::SettingFlags,
    invalid_setting::InvalidSetting,
    secret_files,
    setting_values::SettingValues,
    settings_file::{self, SettingsFile},
    source::Source,
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
    /// default, so that an invalid value stops only the commands that read it. An empty variable is the same as none.
    ///
    /// # Errors
    /// If the file cannot be read or is not TOML.
    pub fn for_command(
        command: &str,
        flags: &SettingFlags,
        variable: impl Fn(&str) -> Option<String>,
        path: Option<&Path>,
    ) -> Result<Self, InvalidSetting> {
        let SettingsFile { values: file, mut invalid } = path.map(settings_file::read).transpose()?.unwrap_or_default();
        let (mut values, unknown): (SettingValues, SettingValues) =
            file.into_iter().partition(|(name, _)| setting(name).is_some());
        for name in SETTINGS.iter().map(|setting| setting.name) {
            if let Some(value) = variable(&text::variable(name)).filter(|value| !value.is_empty()) {
                values.insert(name.to_owned(), (value, Source::Variable(text::variable(name))));
            }
            if let Some(value) = flags.values.get(name) {
                values.insert(name.to_owned(), (value.clone(), Source::Flag(text::flag(name))));
            }
        }
        values.retain(|name, _| setting(name).is_some_and(|setting| setting.is_read_by(command)));
        secret_files::read(&mut values, &mut invalid);
        invalid.extend(flags.unread_flag_errors(command));
        invalid.extend(unknown.into_iter().map(|(name, (_, source))| unknown_name(name, &source)));
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
        let value = self.values.get(name).map_or_else(|| default().to_owned(), |(value, _)| value.clone());
        (value, self.source(name).to_string())
    }

    /// The source of the value of a setting.
    pub(crate) fn source(&self, name: &str) -> &Source {
        self.values.get(name).map_or(&Source::Default, |(_, source)| source)
    }

    /// The settings that a source sets to an empty text.
    pub(crate) fn empty_settings(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter(|(_, (value, _))| value.is_empty()).map(|(name, _)| name.as_str())
    }

    /// The settings that no source sets to a usable value: values in the file that have another type, files of secrets
    /// that cannot be used, flags that the command does not read, and names in the file that are not settings.
    pub(super) fn invalid_settings(&self) -> Vec<InvalidSetting> {
        self.invalid.clone()
    }
}

fn unknown_name(name: String, source: &Source) -> InvalidSetting {
    let rule = not_a_setting(suggest(&name));
    InvalidSetting { name, source_name: source.to_string(), rule }
}

/// What is wrong with a name that is no setting, with the name that was probably meant.
pub(crate) fn not_a_setting(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(suggestion) => format!("is not a setting: did you mean {suggestion}?"),
        None => "is not a setting: `parlance help settings` lists them".to_owned(),
    }
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
    fn a_value_of_the_file_has_the_line_that_sets_it_as_its_source() {
        let file = file("# a server\n\nlisten = '1.1.1.1:1'\nworkers = 2\n");
        let sources = Sources::new(&SettingFlags::default(), |_| None, Some(file.path())).unwrap();
        let line = |line| Source::SettingsFile { path: file.path().to_owned(), line };
        assert_eq!((sources.source("listen"), sources.source("workers")), (&line(3), &line(4)));
        assert_eq!(sources.source("log_format"), &Source::Default);
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
        assert!(error.source_name.contains(":2:"), "{error}");
        assert!(error.rule.starts_with("is not TOML: ") && !error.rule.contains('\n'), "{error}");
    }

    #[test]
    fn an_empty_variable_is_the_same_as_none() {
        let file = file("log_level = 'debug'\n");
        let sources = Sources::new(&SettingFlags::default(), |_| Some(String::new()), Some(file.path())).unwrap();
        assert_eq!((sources.value("log_level").0.as_str(), sources.value("log_format").0.as_str()), ("debug", "text"));
    }

    #[test]
    fn a_command_ignores_settings_that_it_does_not_read() {
        let invalid_listen = |name: &str| (name == "PARLANCE_LISTEN").then(|| "nowhere".to_owned());
        let sources = Sources::for_command("migrate", &SettingFlags::default(), invalid_listen, None).unwrap();
        assert_eq!(sources.value("listen"), ("127.0.0.1:8080".to_owned(), "the default".to_owned()));
        assert!(sources.invalid_settings().is_empty());
    }
}
