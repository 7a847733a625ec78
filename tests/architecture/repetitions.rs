//! Tests that each limit, encoder and list of columns is written once.

use crate::workspace::{Source, assert_none, files};

/// The sources of all crates and tests, except this file, which names what it looks for.
fn sources_but(allowed: &[&str]) -> Vec<Source> {
    let mut sources = files("crates", "rs");
    sources.extend(files("tests", "rs"));
    sources.retain(|source| source.path != "tests/architecture/repetitions.rs" && !allowed.contains(&&*source.path));
    sources
}

/// The lines of `sources` for which `condition` is true, each with its place.
fn lines_where(sources: &[Source], condition: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = sources.iter().flat_map(|source| {
        let lines = source.text.lines().enumerate();
        lines.map(|(index, line)| (line, format!("{}:{}", source.path, index + 1)))
    });
    lines.filter(|(line, _)| condition(line)).map(|(_, place)| place).collect()
}

#[test]
fn poisoned_locks_are_handled_in_one_file() {
    let sources = sources_but(&["crates/domain/src/sync.rs"]);
    let wrong = lines_where(&sources, |line| line.contains("PoisonError"));
    assert_none(&wrong, "call parlance_domain::sync instead at:");
}

#[test]
fn bytes_are_encoded_as_hexadecimal_digits_in_one_file() {
    let wrong = lines_where(&sources_but(&["crates/domain/src/hex.rs"]), |line| {
        line.contains(":02x}") || line.contains(":032x}") || line.contains("'c', 'd', 'e', 'f'")
    });
    assert_none(&wrong, "call parlance_domain::hex instead at:");
}

#[test]
fn json_strings_are_escaped_in_one_file() {
    let sources = sources_but(&["crates/domain/src/json_text.rs"]);
    let escapers =
        sources.iter().filter(|source| ["== b'\"'", r"== b'\\'"].iter().all(|byte| source.text.contains(byte)));
    let escapers: Vec<_> = escapers.map(|source| source.path.clone()).collect();
    assert_none(&escapers, "call parlance_domain::json_text instead in:");
}

#[test]
fn the_length_of_a_day_is_written_in_one_file() {
    let crates = sources_but(&["crates/domain/src/time/mod.rs"]);
    let is_frozen = |source: &Source| source.path.contains("/migrations/") || source.path.contains("/tests/");
    let crates: Vec<_> = crates.into_iter().filter(|source| !is_frozen(source)).collect();
    let wrong = lines_where(&crates, |line| ["86_400", "86400"].iter().any(|number| line.contains(number)));
    assert_none(&wrong, "use SECONDS_PER_DAY or MICROS_PER_DAY of parlance_domain::time at:");
}

#[test]
fn no_attribute_of_the_interface_repeats_a_limit_or_the_pattern_of_an_identifier() {
    const KEYWORDS: [&str; 5] = ["max_length = ", "max_items = ", "maximum = ", "max_properties = ", "min_items = "];
    let repeats = |line: &str| {
        let values = KEYWORDS.iter().filter_map(|keyword| line.split(keyword).nth(1));
        let is_literal = |value: &str| value.starts_with(|first: char| first.is_ascii_digit());
        values.into_iter().any(is_literal) || line.contains("[A-Z0-9]+")
    };
    let wrong = lines_where(&files("crates/adapters-http/src", "rs"), repeats);
    assert_none(&wrong, "name a format of openapi/named_formats.rs, which takes the limit from the domain, at:");
}

#[test]
fn no_error_text_of_the_interface_repeats_a_limit() {
    let repeats = |line: &str| {
        let range = line.split("\"must be ").nth(1).and_then(|text| text.split_once(" to "));
        range.is_some_and(|(_, end)| end.starts_with(|first: char| first.is_ascii_digit()))
    };
    let wrong = lines_where(&files("crates/adapters-http/src", "rs"), repeats);
    assert_none(&wrong, "return the Violation of the domain, or format its constant, at:");
}

#[test]
fn each_list_of_columns_is_written_once() {
    let mut sources = files("crates/adapters-sql/src", "rs");
    sources.retain(|source| !source.path.contains("/migrations/"));
    let lists = [
        "id, sent_at, sender_role",
        "sent_at, id, sender_role",
        "external_id, agent_external_id",
        "vocabulary_version, pending_since",
    ];
    let count = |list: &&str| sources.iter().map(|source| source.text.matches(list).count()).sum::<usize>();
    let repeated: Vec<_> = lists.iter().filter(|list| count(list) > 1).map(|list| (*list).to_owned()).collect();
    assert_none(&repeated, "write these columns in one macro or constant, next to the statements on the table:");
}
