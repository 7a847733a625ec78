//! The table of settings as text: for the help of a flag, for `parlance help settings`, and for `docs/configuration.md`.

use std::fmt::Write;

use super::table::{SETTINGS, Setting, Unset};

const INTRODUCTION: &str = "\
Each setting has one name. Its value comes from a flag, else from a variable of the environment, else from the TOML file
that --config or PARLANCE_CONFIG names, else from the default. `parlance help COMMAND` shows the settings of a command.
";

/// The flag of a setting.
pub(super) fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// The variable of a setting.
pub(super) fn variable(name: &str) -> String {
    format!("PARLANCE_{}", name.to_ascii_uppercase())
}

/// The heading above the flags of a group.
pub(super) fn heading(group: &str) -> String {
    format!("Settings ({group})")
}

/// What the help of a flag says.
pub(super) fn help(setting: &Setting) -> String {
    let Setting { name, unset, .. } = setting;
    let unset = match unset {
        Unset::Default(value) => format!("[default: {value}]"),
        Unset::Means(meaning) => format!("[left out: {meaning}]"),
    };
    format!("{}\n[env: {}] {unset}", sentence(setting), variable(name))
}

/// The meaning and the bounds, with a capital letter.
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

/// A text of Markdown with its links as their words.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((word, after)) = after.split_once("](") else { break };
        let target = after.split(')').next().unwrap_or_default();
        // A section of a page has no name outside of it.
        plain.push_str(before);
        plain.push_str("docs/");
        plain.push_str(if target.starts_with('#') { "configuration.md" } else { word });
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_its_page() {
        assert_eq!(
            without_links("a; see [TLS](#tls), [feeds.md](feeds.md#x)."),
            "a; see docs/configuration.md, docs/feeds.md."
        );
        assert_eq!(without_links("no [link"), "no [link");
    }

    #[test]
    fn the_page_of_settings_holds_the_table() {
        let page = include_str!("../../../../docs/configuration.md");
        assert!(page.contains(&settings_table()), "docs/configuration.md is out of date: run `just docs`");
    }
}
