//! The settings file.

use std::{collections::BTreeMap, path::Path};

use toml::{Spanned, Value};
use zeroize::Zeroizing;

use super::{
    invalid_setting::InvalidSetting, read_error::describe_read_error, setting_values::SettingValues, source::Source,
};

/// The content of the settings file.
#[derive(Debug, Default)]
pub(super) struct SettingsFile {
    /// The values that are texts, numbers or booleans, whatever their names.
    pub(super) values: SettingValues,
    /// The errors for values of another type.
    pub(super) invalid: Vec<InvalidSetting>,
}

/// Reads the file.
///
/// # Errors
/// If the file cannot be read or is not TOML.
pub(super) fn read(path: &Path) -> Result<SettingsFile, InvalidSetting> {
    let invalid = |source_name, rule| InvalidSetting { name: "config".to_owned(), source_name, rule };
    let at = path.display();
    let text = std::fs::read_to_string(path).map(Zeroizing::new);
    let text = text.map_err(|error| invalid(at.to_string(), describe_read_error(error.kind())))?;
    let table: BTreeMap<String, Spanned<Value>> = toml::from_str(&text).map_err(|error| {
        let (line, column) = line_and_column(&text, error.span().map_or(0, |span| span.start));
        invalid(format!("{at}:{line}:{column}"), format!("is not TOML: {}", error.message().replace('\n', ", ")))
    })?;
    let mut file = SettingsFile::default();
    for (name, value) in table {
        let (line, _) = line_and_column(&text, value.span().start);
        file.add(name, value.into_inner(), Source::SettingsFile { path: path.to_owned(), line });
    }
    Ok(file)
}

impl SettingsFile {
    fn add(&mut self, name: String, value: Value, source: Source) {
        let value = match value {
            Value::String(text) => text,
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(switch) => switch.to_string(),
            Value::Datetime(_) => return self.refuse(name, &source, "must be a text, a number, or true or false"),
            Value::Array(_) => {
                let rule = "must not be a list: write several values as one text with commas, such as \"jsonl,csv\"";
                return self.refuse(name, &source, rule);
            }
            Value::Table(_) => {
                let rule = "is a table, and the file has no tables: write each setting as name = value";
                return self.refuse(name, &source, rule);
            }
        };
        self.values.insert(name, (value, source));
    }

    fn refuse(&mut self, name: String, source: &Source, rule: &str) {
        self.invalid.push(InvalidSetting { name, source_name: source.to_string(), rule: rule.to_owned() });
    }
}

/// The line and column of a byte in the text of a file, both from 1.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}
