//! The help of each command: its own settings, and no others.

use std::collections::BTreeSet;

use crate::process::Home;

/// The variables of settings that a text names.
fn variables(text: &str) -> BTreeSet<String> {
    let names = text.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_');
    names.filter(|name| name.starts_with("PARLANCE_")).map(str::to_owned).collect()
}

fn help(command: &[&str]) -> BTreeSet<String> {
    let home = Home::new();
    let text = home.print(&[command, &["--help"]].concat());
    variables(&text)
}

fn named(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| format!("PARLANCE_{name}")).collect()
}

#[test]
fn the_help_of_a_command_shows_the_settings_that_it_reads() {
    let database = ["CONFIG", "DATABASE_URL", "DATABASE_URL_FILE", "MASTER_KEY_FILE"];
    assert_eq!(help(&["migrate"]), named(&database));
    assert_eq!(help(&["credential", "create"]), named(&database));
    assert_eq!(help(&["feed", "list"]), named(&[&database[..], &["FEEDS_URL"]].concat()));
    let export = ["FEEDS_URL", "FEED_FORMATS", "FEED_COMPRESSION", "OUTPUT_MODE"];
    assert_eq!(help(&["feed", "export"]), named(&[&database[..], &export].concat()));
    assert_eq!(help(&["openapi"]), named(&["CONFIG", "HEADER_PREFIX", "MAX_BODY_BYTES"]));
}

#[test]
fn the_help_of_redact_shows_no_setting() {
    assert_eq!(help(&["redact"]), BTreeSet::new());
}

#[test]
fn the_help_of_serve_and_the_list_of_settings_show_every_setting() {
    let listed = variables(&Home::new().print(&["help", "settings"]));
    assert!(listed.len() > 30 && listed.contains("PARLANCE_LISTEN"), "{listed:?}");
    assert_eq!(help(&["serve"]), listed);
    assert_eq!(variables(&Home::new().print(&["settings"])), listed);
}

#[test]
fn the_help_says_flag_variable_default_and_meaning_of_a_setting() {
    let text = Home::new().print(&["serve", "--help"]);
    let at = text.find("--max-body-bytes <BYTES>").unwrap();
    let entry: String = text[at..].lines().take(4).collect::<Vec<_>>().join(" ");
    for part in ["The most bytes of a request's body", "1 to 67108864", "PARLANCE_MAX_BODY_BYTES", "[default: 262144]"]
    {
        assert!(entry.contains(part), "{entry}");
    }
}

#[test]
fn a_flag_before_a_command_that_does_not_read_it_is_refused() {
    let output = Home::new().run(&["--listen", "127.0.0.1:0", "migrate"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "parlance: listen (from --listen): is not read by `parlance migrate`: leave it out\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_command_is_not_stopped_by_a_wrong_setting_that_it_does_not_read() {
    let home = Home::new().with([("PARLANCE_LOG_LEVEL", "loud")]);
    home.print(&["migrate"]);
}
