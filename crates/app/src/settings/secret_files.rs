//! Settings whose value can come from a separate file, so that a secret is neither in the environment nor in the
//! settings file.

use std::fs;

use zeroize::Zeroizing;

use super::{
    invalid_setting::InvalidSetting,
    read_error::describe_read_error,
    setting_values::SettingValues,
    table::{SETTINGS, setting},
};

/// Each setting that can come from a separate file, with the setting that names the file.
fn secrets() -> impl Iterator<Item = (&'static str, &'static str)> {
    SETTINGS.iter().filter_map(|file| Some((setting(file.name.strip_suffix("_file")?)?.name, file.name)))
}

/// Reads each named file and sets the value to its content, without white space at both ends.
///
/// # Errors
/// If a file cannot be read as text, or the value is set as well.
pub(super) fn read(values: &mut SettingValues) -> Result<(), InvalidSetting> {
    for (name, file_name) in secrets() {
        let Some((path, source_name)) = values.get(file_name).filter(|(path, _)| !path.is_empty()).cloned() else {
            continue;
        };
        let error =
            |rule: String| InvalidSetting { name: file_name.to_owned(), source_name: source_name.clone(), rule };
        if let Some((_, other)) = values.get(name) {
            return Err(error(format!("cannot be set together with {name} (from {other}): remove one of the two")));
        }
        let text = fs::read_to_string(&path).map_err(|cause| error(describe_read_error(cause.kind())))?;
        let text = Zeroizing::new(text);
        values.insert(name.to_owned(), (text.trim().to_owned(), format!("the file of {file_name}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn setting_values(values: &[(&str, &str)]) -> SettingValues {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), ((*value).to_owned(), "--x".to_owned()));
        values.iter().map(pair).collect()
    }

    #[test]
    fn the_value_is_the_content_of_the_file_without_surrounding_white_space() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"postgres://u:hush@db/p\n").unwrap();
        let mut setting_values = setting_values(&[("database_url_file", file.path().to_str().unwrap())]);
        read(&mut setting_values).unwrap();
        assert_eq!(setting_values["database_url"].0, "postgres://u:hush@db/p");
    }

    #[test]
    fn a_missing_file_is_reported() {
        let mut setting_values = setting_values(&[("redis_url_file", "/nonexistent/redis")]);
        assert_eq!(
            read(&mut setting_values).unwrap_err().to_string(),
            "redis_url_file (from --x): there is no such file: correct its path"
        );
    }

    #[test]
    fn a_value_together_with_its_file_is_reported() {
        let mut setting_values = setting_values(&[("database_url_file", "/x"), ("database_url", "sqlite://a")]);
        let error = read(&mut setting_values).unwrap_err().to_string();
        assert_eq!(
            error,
            "database_url_file (from --x): cannot be set together with database_url (from --x): remove one of the two"
        );
    }
}
