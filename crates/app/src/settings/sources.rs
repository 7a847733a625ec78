//! Where the value of a setting comes from.

use std::{collections::BTreeMap, io::ErrorKind, path::Path};

use zeroize::Zeroize;

use super::{
    WrongSetting,
    flags::SettingFlags,
    secret_files,
    table::{SETTINGS, Unset, nearest, setting},
    text,
};

/// Values by the names of their settings, each with where it came from.
pub(super) type Given = BTreeMap<String, (String, String)>;

/// The values that were given, with where each came from.
#[derive(Debug)]
pub struct Sources {
    given: Given,
    wrong: Vec<WrongSetting>,
}

/// Some values are secrets.
impl Drop for Sources {
    fn drop(&mut self) {
        self.given.values_mut().for_each(|(value, _)| value.zeroize());
    }
}

impl Sources {
    /// Gathers what a server reads: flags, the environment through `variable`, and the file at `path` where one is named.
    ///
    /// # Errors
    /// Where the file cannot be read or is not TOML.
    pub fn new(
        flags: &SettingFlags,
        variable: impl Fn(&str) -> Option<String>,
        path: Option<&Path>,
    ) -> Result<Self, WrongSetting> {
        Self::of_command("serve", flags, variable, path)
    }

    /// Gathers what the command of this path, such as `feed export`, reads. A setting that it does not read keeps its
    /// default, so that a wrong value of it stops only the commands that need it.
    ///
    /// # Errors
    /// Where the file cannot be read or is not TOML.
    pub fn of_command(
        command: &str,
        flags: &SettingFlags,
        variable: impl Fn(&str) -> Option<String>,
        path: Option<&Path>,
    ) -> Result<Self, WrongSetting> {
        let file = path.map(read_file).transpose()?.unwrap_or_default();
        let (mut given, unknown): (Given, Given) = file.into_iter().partition(|(name, _)| setting(name).is_some());
        for name in SETTINGS.iter().map(|setting| setting.name) {
            if let Some(value) = variable(&text::variable(name)) {
                given.insert(name.to_owned(), (value, text::variable(name)));
            }
            if let Some(value) = flags.values.get(name) {
                given.insert(name.to_owned(), (value.clone(), text::flag(name)));
            }
        }
        given.retain(|name, _| setting(name).is_some_and(|setting| setting.is_read_by(command)));
        secret_files::read(&mut given)?;
        let mut wrong = flags.unread(command);
        wrong.extend(unknown.into_iter().map(|(name, (_, source_name))| unknown_name(name, source_name)));
        Ok(Self { given, wrong })
    }

    /// Which of these names of environment variables look like settings and are none, each with the variable that it may
    /// be a slip of. What Kubernetes sets for a service called `parlance` is not meant.
    #[must_use]
    pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<(String, Option<String>)> {
        let unknown = |name: String| {
            let word = name.strip_prefix("PARLANCE_")?.to_ascii_lowercase();
            let of_kubernetes = word == "port" || word.starts_with("port_") || word.starts_with("service_");
            let known = setting(&word).is_some() || of_kubernetes || word == "config" || word.starts_with("test_");
            (!known).then(|| (name, nearest(&word).map(text::variable)))
        };
        names.filter_map(unknown).collect()
    }

    /// A setting's value, and where it came from.
    pub(super) fn value(&self, name: &str) -> (String, String) {
        let default = || match setting(name).map(|setting| setting.unset) {
            Some(Unset::Default(value)) => value,
            Some(Unset::Means(_)) | None => "",
        };
        self.given.get(name).cloned().unwrap_or_else(|| (default().to_owned(), "the default".to_owned()))
    }

    /// What was given that the command does not read, or that is no setting.
    pub(super) fn wrong(&self) -> Vec<WrongSetting> {
        self.wrong.clone()
    }
}

fn unknown_name(name: String, source_name: String) -> WrongSetting {
    let rule = match nearest(&name) {
        Some(nearest) => format!("is not a setting: did you mean {nearest}?"),
        None => "is not a setting: `parlance help settings` lists them".to_owned(),
    };
    WrongSetting { name, source_name, rule }
}

fn read_file(path: &Path) -> Result<Given, WrongSetting> {
    let source_name = path.display().to_string();
    let wrong =
        |name: &str, rule: String| WrongSetting { name: name.to_owned(), source_name: source_name.clone(), rule };
    let text = std::fs::read_to_string(path).map_err(|error| wrong("config", unreadable(error.kind())))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| WrongSetting {
        name: "config".to_owned(),
        source_name: format!("{source_name}{}", place(&text, error.span().map_or(0, |span| span.start))),
        rule: format!("is not TOML: {}", error.message().replace('\n', ", ")),
    })?;
    let plain = |(name, value): (String, toml::Value)| match value {
        toml::Value::String(text) => Ok((name, (text, source_name.clone()))),
        toml::Value::Integer(number) => Ok((name, (number.to_string(), source_name.clone()))),
        toml::Value::Boolean(switch) => Ok((name, (switch.to_string(), source_name.clone()))),
        toml::Value::Float(_) | toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
            Err(wrong(&name, "must be a text, a whole number, or true or false".to_owned()))
        }
    };
    table.into_iter().map(plain).collect()
}

/// Where in the text of a file this byte stands.
fn place(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!(", line {}, column {column}", before.matches('\n').count() + 1)
}

/// Why a file cannot be read, and what to do.
pub(crate) fn unreadable(kind: ErrorKind) -> String {
    const KNOWN: [(ErrorKind, &str); 4] = [
        (ErrorKind::NotFound, "there is no such file: correct its path"),
        (ErrorKind::PermissionDenied, "this user may not read the file: change its permissions"),
        (ErrorKind::IsADirectory, "is a folder: name a file in it"),
        (ErrorKind::InvalidData, "is not text in UTF-8: save it as UTF-8"),
    ];
    let known = KNOWN.iter().find(|(known, _)| *known == kind);
    known.map_or_else(|| format!("cannot be read: {kind}"), |(_, words)| (*words).to_owned())
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
    fn a_name_in_the_file_that_is_no_setting_is_told() {
        let file = file("lissen = 'x'\n");
        let sources = Sources::new(&SettingFlags::default(), |_| None, Some(file.path())).unwrap();
        let told: Vec<_> = sources.wrong().iter().map(|wrong| wrong.rule.clone()).collect();
        assert_eq!(told, ["is not a setting: did you mean listen?"]);
    }

    #[test]
    fn a_variable_that_looks_like_a_setting_and_is_none_is_noticed() {
        let names = ["PARLANCE_LISTEN", "PARLANCE_LISTENS", "PARLANCE_CONFIG", "PARLANCE_PORT_8080_TCP", "HOME"];
        let unknown = Sources::unknown_variables(names.into_iter().map(ToOwned::to_owned));
        assert_eq!(unknown, [("PARLANCE_LISTENS".to_owned(), Some("PARLANCE_LISTEN".to_owned()))]);
    }

    #[test]
    fn a_file_that_is_missing_or_no_toml_is_told() {
        let none = |_: &str| None;
        assert!(Sources::new(&SettingFlags::default(), none, Some(Path::new("/nonexistent"))).is_err());
        let broken = file("listen = 'a'\nlisten = [1,\n");
        let error = Sources::new(&SettingFlags::default(), none, Some(broken.path())).unwrap_err();
        assert!(error.source_name.contains(", line 2, column "), "{error}");
        assert!(error.rule.starts_with("is not TOML: ") && !error.rule.contains('\n'), "{error}");
    }

    #[test]
    fn a_command_takes_nothing_that_it_does_not_read() {
        let wrong_listen = |name: &str| (name == "PARLANCE_LISTEN").then(|| "nowhere".to_owned());
        let sources = Sources::of_command("migrate", &SettingFlags::default(), wrong_listen, None).unwrap();
        assert_eq!(sources.value("listen"), ("127.0.0.1:8080".to_owned(), "the default".to_owned()));
        assert!(sources.wrong().is_empty());
    }
}
