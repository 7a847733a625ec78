//! Tests of the version that the program reports.

use crate::process::TestEnvironment;

/// The text of `--version` without the name of the program, split into the version and the commit with its date.
fn long_version() -> (String, String) {
    let text = TestEnvironment::new().run_ok(&["--version"]);
    let (version, build) = text.trim().strip_prefix("parlance ").unwrap().split_once(' ').unwrap();
    (version.to_owned(), build.trim_matches(['(', ')']).to_owned())
}

#[test]
fn the_short_version_is_the_version_of_the_workspace() {
    let text = TestEnvironment::new().run_ok(&["-V"]);
    assert_eq!(text, format!("parlance {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_long_version_has_the_commit_and_its_date() {
    let (version, build) = long_version();
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    let (commit, date) = build.split_once(' ').unwrap();
    let is_commit = commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_date = date.len() == 10 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    // A source archive has no repository.
    assert!((is_commit && is_date) || build == "unknown commit", "{build}");
}

#[test]
fn the_start_of_a_server_is_logged_with_its_version_and_commit() {
    let mut server = TestEnvironment::new().serve(&[]);
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();
    let line = log.lines().find(|line| line.contains("\"listening\"")).unwrap();
    let event: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(event["version"], env!("CARGO_PKG_VERSION"));
    assert!(long_version().1.starts_with(event["commit"].as_str().unwrap()), "{event}");
}
