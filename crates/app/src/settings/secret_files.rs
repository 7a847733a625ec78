//! Settings whose value may stand in a file of its own, so that a secret is neither in the environment nor in the
//! settings file.

use std::fs;

use zeroize::Zeroizing;

use super::{
    WrongSetting,
    sources::{Given, unreadable},
    table::{SETTINGS, setting},
};

/// Each setting that may, with the setting that names its file.
fn secrets() -> impl Iterator<Item = (&'static str, &'static str)> {
    SETTINGS.iter().filter_map(|file| Some((setting(file.name.strip_suffix("_file")?)?.name, file.name)))
}

/// Replaces each named file by what it holds, blanks at its ends left out.
///
/// # Errors
/// Where a file cannot be read as text, or a value is given beside it.
pub(super) fn read(given: &mut Given) -> Result<(), WrongSetting> {
    for (name, file_name) in secrets() {
        let Some((path, source_name)) = given.get(file_name).filter(|(path, _)| !path.is_empty()).cloned() else {
            continue;
        };
        let wrong = |rule: String| WrongSetting { name: file_name.to_owned(), source_name: source_name.clone(), rule };
        if let Some((_, other)) = given.get(name) {
            return Err(wrong(format!("is given beside {name} (from {other}): leave one of the two out")));
        }
        let text = fs::read_to_string(&path).map_err(|error| wrong(unreadable(error.kind())))?;
        let text = Zeroizing::new(text);
        given.insert(name.to_owned(), (text.trim().to_owned(), format!("the file of {file_name}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn given(values: &[(&str, &str)]) -> Given {
        let entry = |(name, value): &(&str, &str)| ((*name).to_owned(), ((*value).to_owned(), "--x".to_owned()));
        values.iter().map(entry).collect()
    }

    #[test]
    fn a_file_gives_the_value_without_the_blanks_around_it() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"postgres://u:hush@db/p\n").unwrap();
        let mut given = given(&[("database_url_file", file.path().to_str().unwrap())]);
        read(&mut given).unwrap();
        assert_eq!(given["database_url"].0, "postgres://u:hush@db/p");
    }

    #[test]
    fn a_file_that_is_missing_is_told() {
        let mut given = given(&[("redis_url_file", "/nonexistent/redis")]);
        assert_eq!(
            read(&mut given).unwrap_err().to_string(),
            "redis_url_file (from --x): there is no such file: correct its path"
        );
    }

    #[test]
    fn a_value_beside_its_file_is_told() {
        let mut given = given(&[("database_url_file", "/x"), ("database_url", "sqlite://a")]);
        let told = read(&mut given).unwrap_err().to_string();
        assert_eq!(
            told,
            "database_url_file (from --x): is given beside database_url (from --x): leave one of the two out"
        );
    }
}
