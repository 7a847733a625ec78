//! `parlance config show`.

use std::fmt::Write;

use clap::Args;
use serde_json::{Value, json};

use crate::{
    commands::print,
    settings::{InvalidSetting, ListedSetting, ListedValue, Settings, Source, Sources},
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Print only the settings that a flag, a variable or a file sets
    #[arg(long)]
    changed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints all settings. An invalid setting is marked, and the exit code stays 0.
pub(super) fn run(options: &Options, sources: &Sources) -> anyhow::Result<()> {
    let invalid = Settings::read(sources).err().unwrap_or_default();
    let mut settings = sources.list(&invalid);
    if options.changed {
        settings.retain(|setting| setting.source != Source::Default || setting.broken_rule.is_some());
    }
    if options.json {
        let settings: Vec<_> = settings.iter().map(setting_json).collect();
        let invalid: Vec<_> = invalid.iter().map(invalid_json).collect();
        return print(&format!("{}\n", json!({"settings": settings, "invalid": invalid})));
    }
    let names: Vec<_> = settings.iter().map(|setting| setting.name).collect();
    // A name in the file that is no setting has an error and no line of its own.
    let unlisted: Vec<_> = invalid.iter().filter(|invalid| !names.contains(&invalid.name.as_str())).collect();
    let width = names.iter().copied().chain(unlisted.iter().map(|invalid| invalid.name.as_str())).map(str::len).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for setting in &settings {
        add_setting(&mut text, setting, width);
    }
    for InvalidSetting { name, source_name, rule } in unlisted {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:<width$}  INVALID: {rule}  ({source_name})");
    }
    print(&text)
}

fn add_setting(text: &mut String, setting: &ListedSetting, width: usize) {
    let value = match &setting.value {
        ListedValue::Text(value) => one_line(value),
        ListedValue::Unset(_) => "-".to_owned(),
    };
    let rule = setting.broken_rule.as_ref().map(|rule| format!("  INVALID: {rule}")).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{:<width$}  {value}{rule}  ({})", setting.name, source(&setting.source));
}

/// Escapes the control characters of a value, so that it stays on its line.
fn one_line(value: &str) -> String {
    value
        .chars()
        .map(|letter| if letter.is_control() { letter.escape_default().to_string() } else { letter.into() })
        .collect()
}

fn source(source: &Source) -> String {
    match source {
        Source::Flag(name) => format!("flag {name}"),
        Source::Variable(name) => format!("environment {name}"),
        Source::SettingsFile { .. } => format!("file {source}"),
        Source::SecretFile { path, .. } => format!("secret file {}", path.display()),
        Source::Default => "default".to_owned(),
    }
}

fn setting_json(setting: &ListedSetting) -> Value {
    let (value, meaning) = match &setting.value {
        ListedValue::Text(value) => (Some(value), None),
        ListedValue::Unset(meaning) => (None, Some(meaning)),
    };
    json!({
        "name": setting.name,
        "value": value,
        "unsetMeans": meaning,
        "secret": setting.is_secret,
        "source": source_json(&setting.source),
        "invalid": setting.broken_rule,
    })
}

fn source_json(source: &Source) -> Value {
    match source {
        Source::Flag(name) => json!({"kind": "flag", "name": name}),
        Source::Variable(name) => json!({"kind": "environment", "name": name}),
        Source::SettingsFile { path, line } => {
            json!({"kind": "file", "path": path.display().to_string(), "line": line})
        }
        Source::SecretFile { setting, path } => {
            json!({"kind": "secretFile", "name": setting, "path": path.display().to_string()})
        }
        Source::Default => json!({"kind": "default"}),
    }
}

fn invalid_json(invalid: &InvalidSetting) -> Value {
    json!({"name": invalid.name, "source": invalid.source_name, "rule": invalid.rule})
}
