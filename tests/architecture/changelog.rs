//! Tests of CHANGELOG.md: its headings are well formed, and its newest release is the version of the workspace.

use crate::workspace::{assert_none, file};

const KINDS: [&str; 6] = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

/// The headings of the second level: `[Unreleased]` and the releases, the newest first.
fn headings(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("## ")).collect()
}

/// The version and the date of a heading such as `[0.1.0] - 2026-01-31`.
fn release(heading: &str) -> Option<([u32; 3], &str)> {
    let (version, date) = heading.strip_prefix('[')?.split_once("] - ")?;
    let numbers: Option<Vec<_>> = version.split('.').map(|number| number.parse().ok()).collect();
    let has_form =
        |(index, byte): (usize, u8)| if [4, 7].contains(&index) { byte == b'-' } else { byte.is_ascii_digit() };
    let is_date = date.len() == 10 && date.bytes().enumerate().all(has_form);
    Some((numbers?.try_into().ok()?, date)).filter(|_| is_date)
}

#[test]
fn the_changelog_starts_with_unreleased_changes_and_lists_the_newest_release_first() {
    let text = file("CHANGELOG.md").text;
    let headings = headings(&text);
    assert_eq!(headings.first(), Some(&"[Unreleased]"));
    let wrong: Vec<_> =
        headings[1..].iter().filter(|heading| release(heading).is_none()).map(ToString::to_string).collect();
    assert_none(&wrong, "write these headings as `## [VERSION] - YYYY-MM-DD`:");
    let releases: Vec<_> = headings[1..].iter().filter_map(|heading| release(heading)).collect();
    assert!(releases.is_sorted_by(|newer, older| newer.0 > older.0 && newer.1 >= older.1), "{releases:?}");
}

#[test]
fn the_newest_release_of_the_changelog_is_the_version_of_the_workspace() {
    // Every crate of the workspace has its version.
    let version = env!("CARGO_PKG_VERSION");
    let text = file("CHANGELOG.md").text;
    let newest = headings(&text)[1].split_once("] - ").unwrap().0.trim_start_matches('[').to_owned();
    assert_eq!(newest, version, "the version of the workspace has no section in CHANGELOG.md, or an older one");
}

#[test]
fn the_changes_of_a_release_are_grouped_by_the_kinds_of_keep_a_changelog() {
    let text = file("CHANGELOG.md").text;
    let kinds = text.lines().filter_map(|line| line.strip_prefix("### "));
    let wrong: Vec<_> = kinds.filter(|kind| !KINDS.contains(kind)).map(str::to_owned).collect();
    assert_none(&wrong, "use the kinds Added, Changed, Deprecated, Removed, Fixed and Security instead of:");
}

#[test]
fn each_heading_of_the_changelog_has_its_link() {
    let text = file("CHANGELOG.md").text;
    let names = headings(&text).into_iter().filter_map(|heading| heading.split(']').next());
    let missing = names.filter(|name| !text.lines().any(|line| line.starts_with(&format!("{name}]: https://"))));
    let missing: Vec<_> = missing.map(|name| format!("{name}]")).collect();
    assert_none(&missing, "add the links of these headings at the end of CHANGELOG.md:");
}
