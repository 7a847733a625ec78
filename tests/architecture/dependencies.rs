//! Arrows point inwards: the domain names no technology, adapters never name each other, the app alone knows everyone.

use crate::workspace::{Dependency, Source, assert_none, cargo, dependencies, file, files};

const DOMAIN: &str = "parlance-domain";
const REDACTION: &str = "parlance-redaction";
const SQL: &str = "parlance-adapters-sql";
const REDIS: &str = "parlance-adapters-redis";
const HTTP: &str = "parlance-adapters-http";
const TRANSCRIPTION: &str = "parlance-adapters-transcription";
const OBJECTS: &str = "parlance-adapters-objects";
const APP: &str = "parlance";
const TESTS: &str = "tests";

/// Which crates of the workspace a crate may name. The domain names itself to test its services on its own mocks. The app
/// names the tests for what they support its own with; that the program does not is kept by cargo, which refuses a circle.
const HOUSE: [(&str, &[&str]); 9] = [
    (REDACTION, &[]),
    (DOMAIN, &[DOMAIN, REDACTION]),
    (SQL, &[DOMAIN]),
    (REDIS, &[DOMAIN]),
    (HTTP, &[DOMAIN]),
    (TRANSCRIPTION, &[DOMAIN]),
    (OBJECTS, &[DOMAIN]),
    (APP, &[DOMAIN, SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, TESTS]),
    (TESTS, &[DOMAIN, SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, APP]),
];

/// Which crates may name a technology. One whose name ends in `*` stands for all that begin like it.
const TECHNOLOGIES: [(&str, &[&str]); 38] = [
    ("sea-orm", &[SQL, TESTS]),
    ("sea-orm-migration", &[SQL]),
    ("sea-query*", &[]),
    ("sqlx*", &[]),
    ("deadpool", &[SQL]),
    ("actix-web", &[HTTP, APP, TESTS]),
    ("actix-*", &[HTTP, APP]),
    ("redis", &[REDIS]),
    ("rustix", &[APP]),
    ("ring", &[APP]),
    ("rustls", &[APP]),
    ("utoipa*", &[HTTP]),
    ("csv", &[HTTP, OBJECTS]),
    ("object_store", &[OBJECTS, TESTS]),
    ("parquet", &[OBJECTS]),
    ("flate2", &[OBJECTS, HTTP, TESTS]),
    ("zstd", &[OBJECTS]),
    ("rusqlite", &[SQL, APP]),
    ("indicatif", &[APP]),
    ("hyper*", &[]),
    ("reqwest", &[OBJECTS, APP, TESTS]),
    ("ureq", &[TRANSCRIPTION]),
    ("hmac", &[HTTP, TRANSCRIPTION, APP]),
    ("tokio", &[SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, APP, TESTS]),
    ("async-std", &[]),
    ("serde", &[HTTP, TRANSCRIPTION, OBJECTS, APP, TESTS]),
    ("serde_json", &[SQL, HTTP, TRANSCRIPTION, OBJECTS, APP, TESTS]),
    ("tracing", &[SQL, REDIS, HTTP, APP, TESTS]),
    ("tracing-subscriber", &[APP]),
    ("clap", &[APP]),
    ("toml", &[APP, TESTS]),
    ("governor", &[APP]),
    ("prometheus-client", &[APP]),
    ("ulid", &[APP]),
    ("sha2", &[DOMAIN, SQL, HTTP, TRANSCRIPTION, OBJECTS, APP, TESTS]),
    ("rand*", &[]),
    ("getrandom", &[APP]),
    ("anyhow", &[APP]),
];

/// What is nowhere below the domain, not even behind one of its dependencies.
const NEVER_BELOW_THE_DOMAIN: [&str; 17] = [
    "sea-orm*",
    "sea-query*",
    "sqlx*",
    "rusqlite",
    "deadpool",
    "actix*",
    "tokio*",
    "async-std",
    "reqwest",
    "hyper*",
    "rand",
    "rand_*",
    "getrandom",
    "serde",
    "serde_*",
    "tracing*",
    "iana-time-zone",
];

fn stands_for(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

fn shown(dependency: &Dependency) -> String {
    format!("{} names {}", dependency.by, dependency.on)
}

#[test]
fn every_crate_has_its_place_in_the_house() {
    let declared = dependencies();
    let strangers = declared.iter().filter(|dependency| !HOUSE.iter().any(|(name, _)| *name == dependency.by));
    let strangers: Vec<_> = strangers.map(|dependency| dependency.by.clone()).collect();
    assert_none(&strangers, "say in HOUSE, above this test, which crates of the workspace these may name:");
}

#[test]
fn crates_of_the_workspace_name_only_those_further_inwards() {
    let is_of_the_house = |name: &str| HOUSE.iter().any(|(house, _)| *house == name);
    let may = |by: &str, on: &str| HOUSE.iter().any(|(name, allowed)| *name == by && allowed.contains(&on));
    let declared = dependencies();
    let wrong = declared.iter().filter(|edge| is_of_the_house(&edge.on) && !may(&edge.by, &edge.on));
    let wrong: Vec<_> = wrong.map(shown).collect();
    assert_none(&wrong, "arrows point inwards: put what is needed into a port of the domain, and wire it in the app:");
}

#[test]
fn a_technology_is_named_by_its_own_adapter_only() {
    let declared = dependencies();
    let wrong = declared.iter().filter(|edge| {
        let rule = TECHNOLOGIES.iter().find(|(technology, _)| stands_for(technology, &edge.on));
        rule.is_some_and(|(_, allowed)| !allowed.contains(&edge.by.as_str()))
    });
    let wrong: Vec<_> = wrong.map(shown).collect();
    assert_none(
        &wrong,
        "one technology belongs to one adapter: reach it through a port, or argue a row in TECHNOLOGIES:",
    );
}

#[test]
fn nothing_below_the_domain_is_a_technology() {
    let tree = cargo(&["tree", "--package", DOMAIN, "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let wrong: Vec<_> = names
        .filter(|name| NEVER_BELOW_THE_DOMAIN.iter().any(|technology| stands_for(technology, name)))
        .map(str::to_owned)
        .collect();
    assert!(tree.starts_with(DOMAIN), "cargo tree is not about the domain: {tree}");
    assert_none(&wrong, "the domain stays pure: declare a port, and let an adapter depend on these:");
}

#[test]
fn the_domain_knows_the_calendar_and_no_clock() {
    let declared = dependencies();
    let chrono = declared.iter().find(|edge| edge.by == DOMAIN && edge.on == "chrono");
    let chrono = chrono.expect("the domain has its calendar from chrono: if not any longer, this test can go");
    let features = chrono.features.iter().map(String::as_str);
    let clocks: Vec<_> = features.filter(|feature| ["clock", "now", "default"].contains(feature)).collect();
    assert!(!chrono.default_features && clocks.is_empty(), "take the time from the port `Clock`, not from chrono");
}

/// The lines of a manifest that declare a dependency.
fn dependency_lines(manifest: &Source) -> Vec<String> {
    let mut lines = Vec::new();
    let mut in_a_table = false;
    for line in manifest.text.lines().map(str::trim) {
        if line.starts_with('[') {
            in_a_table = line.trim_end_matches(']').ends_with("dependencies");
        } else if in_a_table && !line.is_empty() && !line.starts_with('#') {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// Whether a comment follows what is declared: a `#` that no quotation marks enclose, and words after it.
fn has_a_reason(line: &str) -> bool {
    let mut comments = line.match_indices('#').map(|(place, _)| line.split_at(place));
    let comment = comments.find(|(declared, _)| declared.matches('"').count() % 2 == 0);
    comment.is_some_and(|(_, reason)| reason.contains(char::is_alphabetic))
}

#[test]
fn every_dependency_has_its_reason_beside_it() {
    let manifests = [vec![file("Cargo.toml")], files("crates", "toml"), files("tests", "toml")];
    let manifests = manifests.iter().flatten().filter(|manifest| manifest.path.ends_with("Cargo.toml"));
    let mut wrong = Vec::new();
    for manifest in manifests {
        // The workspace's table gives the places of its own crates: those need no reason to be there.
        let is_own_crate = |line: &String| manifest.path == "Cargo.toml" && line.contains("path = \"crates/");
        let without = dependency_lines(manifest).into_iter().filter(|line| !is_own_crate(line) && !has_a_reason(line));
        wrong.extend(without.map(|line| format!("{}: {line}", manifest.path)));
    }
    assert_none(&wrong, "say at the end of the line, after #, what this crate has the dependency for:");
}
