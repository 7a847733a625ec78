//! The catalogue as a page for people.

use super::{Activity, Control, Group, Mask};
use crate::entity::Entity;
use std::fmt::Write;

/// The catalogue as a Markdown page: one table row an entity.
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
            Mask::Fixed8 => "eight asterisks, whatever the length",
        };
        let example = row.examples.first().map_or(String::new(), |(from, to)| format!("{} → {}", code(from), code(to)));
        let (label, name, how) = (row.label, cell(row.name), cell(row.detector));
        // A `String` takes every write.
        let _ = writeln!(page, "| `{label}` | {name} | {group} | {active} | {control} | {mask} | {how} | {example} |");
    }
    page
}

/// Prose within a cell.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '*' | '_' | '`' | '<' | '[' | '\\' => cell.extend(['\\', c]),
            '\n' => cell.push(' '),
            _ => cell.push(c),
        }
    }
    cell
}

/// Text as it is within a cell. A table is cut at its pipes before anything else, so they are escaped even here.
fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let text = text.replace('|', "\\|").replace('\n', " ");
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_has_the_same_cells() {
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(
            catalogue_page()
                .lines()
                .skip(2)
                .all(|line| cells(line) == 9 && line.starts_with('|') && line.ends_with('|'))
        );
    }

    #[test]
    fn every_row_says_in_a_phrase_how_it_is_found() {
        for entity in Entity::ALL {
            let how = entity.row().detector;
            assert!(
                how.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) && !how.ends_with('.'),
                "{how}"
            );
        }
    }

    #[test]
    fn marks_of_the_page_are_escaped_in_prose_and_code() {
        assert_eq!(cell("a|b *c* <d>"), "a\\|b \\*c\\* \\<d>");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("`a`"), "`` `a` ``");
    }
}
