//! The catalogue as a Markdown page.

use super::row::{Activity, Control, Group, Mask};
use crate::entity::Entity;
use std::fmt::Write;

/// The catalogue as a Markdown page with one table row per entity.
#[must_use]
pub fn catalogue_page() -> String {
    let mut page = String::from(
        "# Redaction entities\n\n| Label | Name | Group | Default | Control | Mask | How it is found | Example |\n|---|---|---|---|---|---|---|---|\n",
    );
    for entity in Entity::ALL {
        let row = entity.row();
        let group = match row.group {
            Group::CardData => "card data",
            Group::PersonalData => "personal data",
        };
        let active = match row.default_active {
            Activity::On => "on",
            Activity::Off => "off",
        };
        let control = match row.control {
            Control::SelfServe => "self-serve",
            Control::Compliance => "compliance",
        };
        let mask = match row.mask {
            Mask::All => "every letter and digit",
            Mask::KeepLast4 => "all but the last four digits",
            Mask::KeepDomain => "all but the domain",
            Mask::Fixed8 => "eight asterisks for any length",
        };
        let example =
            row.examples.first().map_or(String::new(), |(from, to)| format!("{} → {}", code_cell(from), code_cell(to)));
        let (label, name, detector) = (row.label, prose_cell(row.name), prose_cell(row.detector));
        // A write to a `String` never fails.
        let _ =
            writeln!(page, "| `{label}` | {name} | {group} | {active} | {control} | {mask} | {detector} | {example} |");
    }
    page
}

/// Prose with its Markdown characters escaped, for a table cell.
fn prose_cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '[' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Text as inline code, for a table cell. Pipes are escaped also in code, since Markdown splits a row at its pipes
/// first.
fn code_cell(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let text = text.replace('|', "\\|").replace('\n', " ");
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_has_eight_cells() {
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(
            catalogue_page()
                .lines()
                .skip(2)
                .all(|line| cells(line) == 9 && line.starts_with('|') && line.ends_with('|'))
        );
    }

    #[test]
    fn every_detector_text_is_a_phrase_without_a_full_stop() {
        for entity in Entity::ALL {
            let detector = entity.row().detector;
            assert!(
                detector.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
                    && !detector.ends_with('.'),
                "{detector}"
            );
        }
    }

    #[test]
    fn markdown_characters_are_escaped_in_prose_and_code() {
        assert_eq!(prose_cell("a|b *c* <d>"), "a\\|b \\*c\\* \\<d>");
        assert_eq!(code_cell("a|b"), "`a\\|b`");
        assert_eq!(code_cell("`a`"), "`` `a` ``");
    }
}
