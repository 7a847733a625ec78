//! The table of settings as text: help of a flag, output of `parlance help settings`, and table of
//! `docs/configuration.md`.

use std::fmt::Write;

use super::table::{SETTINGS, Setting, Unset};

const INTRODUCTION: &str = "\
Each setting has one name. Its value comes from a flag, else from an environment variable, else from the TOML file
that --config or PARLANCE_CONFIG names, else from the default. `parlance help COMMAND` shows the settings of a command.
";

/// The flag name of a setting.
pub(super) fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// The environment variable of a setting.
pub(super) fn variable(name: &str) -> String {
    format!("PARLANCE_{}", name.to_ascii_uppercase())
}

/// The heading of a group of flags.
pub(super) fn heading(group: &str) -> String {
    format!("Settings ({group})")
}

/// The help text of a flag.
pub(super) fn help(setting: &Setting) -> String {
    let Setting { name, unset, .. } = setting;
    let unset = match unset {
        Unset::Default(value) => format!("[default: {value}]"),
        Unset::Means(meaning) => format!("[left out: {meaning}]"),
    };
    format!("{}\n[env: {}] {unset}", sentence(setting), variable(name))
}

/// The meaning and the bounds as a sentence with a capital letter.
fn sentence(setting: &Setting) -> String {
    let text = without_links(&format!("{} ({})", setting.meaning, setting.bounds));
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Every setting, for `parlance help settings`.
#[must_use]
pub fn settings_help() -> String {
    let mut text = INTRODUCTION.to_owned();
    for group in SETTINGS.chunk_by(|one, other| one.group == other.group) {
        let title = group.first().map_or("", |setting| setting.group);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{title}:");
        for setting in group {
            let (name, value) = (setting.name, setting.value);
            let help = help(setting).replace('\n', "\n      ");
            let _ = writeln!(text, "  {name}  ({} <{value}>)\n      {help}", flag(name));
        }
    }
    text
}

/// The table of `docs/configuration.md`.
#[must_use]
pub fn settings_table() -> String {
    let mut table = "| name | flag | environment | default | bounds | means |\n|---|---|---|---|---|---|\n".to_owned();
    for setting in SETTINGS {
        let Setting { name, bounds, meaning, .. } = setting;
        let unset = match setting.unset {
            Unset::Default(value) => format!("`{value}`"),
            Unset::Means(meaning) => meaning.to_owned(),
        };
        // Writing to a String cannot fail.
        let _ =
            writeln!(table, "| `{name}` | `{}` | `{}` | {unset} | {bounds} | {meaning} |", flag(name), variable(name));
    }
    table
}

/// Replaces the links of a Markdown text by the names of their pages.
fn without_links(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((word, after)) = after.split_once("](") else { break };
        let target = after.split(')').next().unwrap_or_default();
        // A link to a section of this page becomes a link to the page.
        result.push_str(before);
        result.push_str("docs/");
        result.push_str(if target.starts_with('#') { "configuration.md" } else { word });
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_becomes_the_name_of_its_page() {
        assert_eq!(
            without_links("a; see [TLS](#tls), [feeds.md](feeds.md#x)."),
            "a; see docs/configuration.md, docs/feeds.md."
        );
        assert_eq!(without_links("no [link"), "no [link");
    }

    #[test]
    fn the_configuration_page_contains_the_table() {
        let page = include_str!("../../../../docs/configuration.md");
        assert!(page.contains(&settings_table()), "docs/configuration.md is out of date: run `just docs`");
    }
}
