//! Settings whose value can come from a separate file, so that a secret is neither in the environment nor in the
//! settings file.

use std::fs;

use zeroize::Zeroizing;

use super::{
    invalid_setting::InvalidSetting,
    read_error::describe_read_error,
    setting_values::SettingValues,
    source::Source,
    table::{SETTINGS, setting},
};

/// Each setting that can come from a separate file, with the setting that names the file.
fn secrets() -> impl Iterator<Item = (&'static str, &'static str)> {
    SETTINGS.iter().filter_map(|file| Some((setting(file.name.strip_suffix("_file")?)?.name, file.name)))
}

/// Reads each named file and sets the value to its content, without white space at both ends. Adds to `invalid` each
/// file that cannot be read as text, and each file whose value is set as well.
pub(super) fn read(values: &mut SettingValues, invalid: &mut Vec<InvalidSetting>) {
    for (name, file_name) in secrets() {
        let Some((path, source)) = values.get(file_name).filter(|(path, _)| !path.is_empty()).cloned() else {
            continue;
        };
        let mut refuse = |rule: String| {
            invalid.push(InvalidSetting { name: file_name.to_owned(), source_name: source.to_string(), rule });
        };
        if let Some((_, other)) = values.get(name) {
            refuse(format!("cannot be set together with {name} (from {other}): remove one of the two"));
            continue;
        }
        match fs::read_to_string(&path).map(Zeroizing::new) {
            Ok(text) => {
                let source = Source::SecretFile { setting: file_name, path: path.into() };
                values.insert(name.to_owned(), (text.trim().to_owned(), source));
            }
            Err(cause) => refuse(describe_read_error(cause.kind())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn setting_values(values: &[(&str, &str)]) -> SettingValues {
        let pair =
            |(name, value): &(&str, &str)| ((*name).to_owned(), ((*value).to_owned(), Source::Flag("--x".to_owned())));
        values.iter().map(pair).collect()
    }

    fn errors(values: &mut SettingValues) -> Vec<String> {
        let mut invalid = Vec::new();
        read(values, &mut invalid);
        invalid.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_value_is_the_content_of_the_file_without_surrounding_white_space() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"postgres://u:hush@db/p\n").unwrap();
        let mut setting_values = setting_values(&[("database_url_file", file.path().to_str().unwrap())]);
        assert!(errors(&mut setting_values).is_empty());
        assert_eq!(setting_values["database_url"].0, "postgres://u:hush@db/p");
    }

    #[test]
    fn a_missing_file_is_reported() {
        let mut setting_values = setting_values(&[("redis_url_file", "/nonexistent/redis")]);
        assert_eq!(errors(&mut setting_values), ["redis_url_file (from --x): there is no such file: correct its path"]);
    }

    #[test]
    fn a_value_together_with_its_file_is_reported() {
        let mut setting_values = setting_values(&[("database_url_file", "/x"), ("database_url", "sqlite://a")]);
        assert_eq!(
            errors(&mut setting_values),
            [
                "database_url_file (from --x): cannot be set together with database_url (from --x): remove one of the two"
            ]
        );
    }
}
