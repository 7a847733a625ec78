//! The file of the values to search for, one on each line.

use std::{fs::File, io::Read, path::Path};

use anyhow::{Context, bail, ensure};

use super::written_forms::MIN_BYTES;

/// Longest value in bytes.
const MAX_VALUE_BYTES: usize = 1024;

/// Maximum number of values.
const MAX_VALUES: usize = 100_000;

/// Maximum size of the file in bytes.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// What some programs write before a text to mark it as UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads the text of the file, without its byte order mark.
pub(super) fn read_list(path: &Path) -> anyhow::Result<String> {
    let name = path.display();
    let mut text = String::new();
    let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
    file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).with_context(|| format!("{name} cannot be read"))?;
    ensure!(text.len() as u64 <= MAX_FILE_BYTES, "{name} has more than 16 MiB: use several files");
    Ok(text.strip_prefix(BYTE_ORDER_MARK).map(ToOwned::to_owned).unwrap_or(text))
}

/// The values of the file, each with the number of its line. Empty lines are left out. An error never contains a value.
pub(super) fn numbered_values(text: &str) -> anyhow::Result<Vec<(usize, &str)>> {
    let values: Vec<_> = (1..).zip(text.lines()).filter(|(_, value)| !value.is_empty()).collect();
    for (number, value) in &values {
        if value.len() < MIN_BYTES {
            bail!("line {number} has fewer than {MIN_BYTES} bytes: so short a value occurs by chance");
        }
        ensure!(
            value.len() <= MAX_VALUE_BYTES,
            "line {number} has more than {MAX_VALUE_BYTES} bytes: use a part of it"
        );
    }
    ensure!(!values.is_empty(), "the file has no value: write one on each line");
    ensure!(values.len() <= MAX_VALUES, "the file has more than {MAX_VALUES} values: use several files");
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_by_their_lines() {
        assert_eq!(numbered_values("first value\r\n\nthird value").unwrap(), [(1, "first value"), (3, "third value")]);
    }

    #[test]
    fn an_error_names_the_line_and_not_the_value() {
        let error = numbered_values("first value\nshort\n").unwrap_err().to_string();
        assert_eq!(error, "line 2 has fewer than 6 bytes: so short a value occurs by chance");
        let error = numbered_values(&"v".repeat(1025)).unwrap_err().to_string();
        assert_eq!(error, "line 1 has more than 1024 bytes: use a part of it");
        assert!(numbered_values("\n\n").unwrap_err().to_string().contains("has no value"));
    }
}
