//! Tests of `--help`: the help of a command lists exactly the settings that the command reads.

use std::collections::BTreeSet;

use crate::process::TestEnvironment;

/// Returns the environment variables of settings that a text names.
fn setting_variables(text: &str) -> BTreeSet<String> {
    let names = text.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_');
    names.filter(|name| name.starts_with("PARLANCE_")).map(str::to_owned).collect()
}

fn help_variables(command: &[&str]) -> BTreeSet<String> {
    let env = TestEnvironment::new();
    let text = env.run_ok(&[command, &["--help"]].concat());
    setting_variables(&text)
}

fn with_prefix(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| format!("PARLANCE_{name}")).collect()
}

#[test]
fn the_help_of_a_command_shows_the_settings_that_it_reads() {
    let database = ["CONFIG", "DATABASE_URL", "DATABASE_URL_FILE", "MASTER_KEY_FILE"];
    assert_eq!(help_variables(&["migrate"]), with_prefix(&database));
    assert_eq!(help_variables(&["credential", "create"]), with_prefix(&database));
    assert_eq!(help_variables(&["feed", "list"]), with_prefix(&[&database[..], &["FEEDS_URL"]].concat()));
    let export = ["FEEDS_URL", "FEED_FORMATS", "FEED_COMPRESSION", "FEED_INTERVALS", "OUTPUT_MODE", "MASK_FIELDS"];
    let detector = ["URL", "ENTITIES", "LANGUAGE", "MIN_SCORE", "TIMEOUT_MS", "MAX_CONCURRENT"];
    let detector = detector.map(|name| format!("PARLANCE_EXTERNAL_DETECTOR_{name}"));
    let mut exported = with_prefix(&[&database[..], &export].concat());
    exported.extend(detector);
    assert_eq!(help_variables(&["feed", "export"]), exported);
    let delivery = ["URL", "SECRET", "SECRET_FILE"].map(|name| format!("PARLANCE_VOCABULARY_DELIVERY_{name}"));
    let mut scanned = with_prefix(&["CONFIG", "DATABASE_URL", "DATABASE_URL_FILE", "FEEDS_URL", "LEDGER_URL"]);
    scanned.extend(delivery);
    assert_eq!(help_variables(&["privacy", "scan"]), scanned);
    assert_eq!(help_variables(&["privacy", "compact"]), with_prefix(&database));
    assert_eq!(help_variables(&["privacy", "fail"]), with_prefix(&database));
    let applied = with_prefix(&[&database[..], &["FEEDS_URL", "LEDGER_URL"]].concat());
    assert_eq!(help_variables(&["privacy", "apply-ledger"]), applied);
    assert!(help_variables(&["privacy", "verify"]).is_empty());
    assert_eq!(help_variables(&["openapi"]), with_prefix(&["CONFIG", "HEADER_PREFIX", "MAX_BODY_BYTES"]));
}

#[test]
fn the_help_of_redact_shows_only_the_settings_of_the_database() {
    let expected =
        ["CONFIG", "DATABASE_URL", "DATABASE_URL_FILE", "MASTER_KEY_FILE"].map(|name| format!("PARLANCE_{name}"));
    assert_eq!(help_variables(&["redact"]), BTreeSet::from(expected));
}

#[test]
fn the_help_of_serve_and_the_list_of_settings_show_every_setting() {
    let listed = setting_variables(&TestEnvironment::new().run_ok(&["help", "settings"]));
    assert!(listed.len() > 30 && listed.contains("PARLANCE_LISTEN"), "{listed:?}");
    assert_eq!(help_variables(&["serve"]), listed);
    assert_eq!(setting_variables(&TestEnvironment::new().run_ok(&["settings"])), listed);
}

#[test]
fn the_help_shows_the_flag_variable_default_and_meaning_of_a_setting() {
    let text = TestEnvironment::new().run_ok(&["serve", "--help"]);
    let start = text.find("--max-body-bytes <BYTES>").unwrap();
    let entry: String = text[start..].lines().take(4).collect::<Vec<_>>().join(" ");
    for part in ["The maximum bytes of a request body", "1 to 67108864", "PARLANCE_MAX_BODY_BYTES", "[default: 262144]"]
    {
        assert!(entry.contains(part), "{entry}");
    }
}

#[test]
fn a_flag_before_a_command_that_does_not_read_it_is_refused() {
    let output = TestEnvironment::new().run(&["--listen", "127.0.0.1:0", "migrate"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "parlance: listen (from --listen): is not read by `parlance migrate`: leave it out\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_command_ignores_an_invalid_setting_that_it_does_not_read() {
    let env = TestEnvironment::new().with_variables([("PARLANCE_LOG_LEVEL", "loud")]);
    env.run_ok(&["migrate"]);
}
