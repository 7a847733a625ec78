//! Tests of the dependencies: the domain uses no technology, adapters are independent, and only the app uses them all.

use crate::workspace::{Dependency, Source, assert_none, cargo, dependencies, file, files};

const DOMAIN: &str = "parlance-domain";
const REDACTION: &str = "parlance-redaction";
const SQL: &str = "parlance-adapters-sql";
const REDIS: &str = "parlance-adapters-redis";
const HTTP: &str = "parlance-adapters-http";
const TRANSCRIPTION: &str = "parlance-adapters-transcription";
const DETECTOR: &str = "parlance-adapters-detector";
const WEBHOOK: &str = "parlance-adapters-webhook";
const OBJECTS: &str = "parlance-adapters-objects";
const APP: &str = "parlance";
const TESTS: &str = "tests";

/// The workspace crates that each crate may depend on.
///
/// The domain depends on itself, to test its services with its own mocks. The app depends on `tests` for the support
/// code of its own tests. Cargo rejects a cycle of normal dependencies, so the program itself cannot depend on `tests`.
const WORKSPACE_CRATES: [(&str, &[&str]); 11] = [
    (REDACTION, &[]),
    (DOMAIN, &[DOMAIN, REDACTION]),
    (SQL, &[DOMAIN]),
    (REDIS, &[DOMAIN]),
    (HTTP, &[DOMAIN]),
    (TRANSCRIPTION, &[DOMAIN]),
    (OBJECTS, &[DOMAIN]),
    (DETECTOR, &[DOMAIN]),
    (WEBHOOK, &[DOMAIN]),
    (APP, &[DOMAIN, SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, DETECTOR, WEBHOOK, TESTS]),
    (TESTS, &[DOMAIN, SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, DETECTOR, WEBHOOK, APP]),
];

/// The workspace crates that may depend on each technology. A name that ends in `*` is a prefix of crate names.
const TECHNOLOGIES: [(&str, &[&str]); 42] = [
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
    ("rustls", &[WEBHOOK, APP]),
    ("utoipa*", &[HTTP]),
    ("csv", &[HTTP, OBJECTS]),
    ("object_store", &[OBJECTS, TESTS]),
    ("parquet", &[OBJECTS]),
    ("flate2", &[OBJECTS, HTTP, TESTS]),
    ("zstd", &[OBJECTS]),
    ("rusqlite", &[SQL, APP]),
    ("indicatif", &[APP]),
    ("hyper*", &[WEBHOOK]),
    ("reqwest", &[OBJECTS, APP, TESTS]),
    ("ureq", &[TRANSCRIPTION, DETECTOR, APP]),
    ("hmac", &[DOMAIN, HTTP, TRANSCRIPTION, APP]),
    ("tokio", &[SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, DETECTOR, WEBHOOK, APP, TESTS]),
    ("async-std", &[]),
    ("serde", &[HTTP, TRANSCRIPTION, OBJECTS, DETECTOR, WEBHOOK, APP, TESTS]),
    ("serde_json", &[SQL, HTTP, TRANSCRIPTION, OBJECTS, DETECTOR, WEBHOOK, APP, TESTS]),
    ("tracing", &[SQL, REDIS, HTTP, TRANSCRIPTION, OBJECTS, DETECTOR, WEBHOOK, APP, TESTS]),
    ("tracing-subscriber", &[APP]),
    ("tracing-opentelemetry", &[APP]),
    ("opentelemetry*", &[APP]),
    ("prost*", &[APP]),
    ("clap", &[APP]),
    ("clap_*", &[APP]),
    ("toml", &[APP, TESTS]),
    ("governor", &[APP]),
    ("prometheus-client", &[APP]),
    ("ulid", &[APP]),
    ("sha2", &[DOMAIN, SQL, HTTP, TRANSCRIPTION, OBJECTS, APP, TESTS]),
    ("rand*", &[]),
    ("getrandom", &[APP]),
    ("anyhow", &[APP]),
];

/// Crates that the domain may not depend on, directly or indirectly.
const FORBIDDEN_IN_DOMAIN: [&str; 17] = [
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

fn matches_pattern(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

fn describe(dependency: &Dependency) -> String {
    format!("{} depends on {}", dependency.package, dependency.name)
}

#[test]
fn every_crate_is_listed_with_its_allowed_dependencies() {
    let declared = dependencies();
    let unlisted =
        declared.iter().filter(|dependency| !WORKSPACE_CRATES.iter().any(|(name, _)| *name == dependency.package));
    let unlisted: Vec<_> = unlisted.map(|dependency| dependency.package.clone()).collect();
    assert_none(&unlisted, "list the workspace crates that these may depend on in WORKSPACE_CRATES, above this test:");
}

#[test]
fn workspace_crates_depend_only_on_inner_crates() {
    let is_workspace_crate = |name: &str| WORKSPACE_CRATES.iter().any(|(workspace_crate, _)| *workspace_crate == name);
    let is_allowed =
        |by: &str, on: &str| WORKSPACE_CRATES.iter().any(|(name, allowed)| *name == by && allowed.contains(&on));
    let declared = dependencies();
    let wrong = declared.iter().filter(|edge| is_workspace_crate(&edge.name) && !is_allowed(&edge.package, &edge.name));
    let wrong: Vec<_> = wrong.map(describe).collect();
    assert_none(&wrong, "dependencies point inwards: add a port to the domain, and connect the adapter in the app:");
}

#[test]
fn only_the_listed_crates_depend_on_a_technology() {
    let declared = dependencies();
    let wrong = declared.iter().filter(|edge| {
        let rule = TECHNOLOGIES.iter().find(|(technology, _)| matches_pattern(technology, &edge.name));
        rule.is_some_and(|(_, allowed)| !allowed.contains(&edge.package.as_str()))
    });
    let wrong: Vec<_> = wrong.map(describe).collect();
    assert_none(&wrong, "a technology belongs to one adapter: use it through a port, or add a row to TECHNOLOGIES:");
}

#[test]
fn the_domain_depends_on_no_technology() {
    let tree = cargo(&["tree", "--package", DOMAIN, "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let wrong: Vec<_> = names
        .filter(|name| FORBIDDEN_IN_DOMAIN.iter().any(|technology| matches_pattern(technology, name)))
        .map(str::to_owned)
        .collect();
    assert!(tree.starts_with(DOMAIN), "the output of cargo tree does not start with the domain: {tree}");
    assert_none(&wrong, "the domain is pure: declare a port, and let an adapter depend on these:");
}

#[test]
fn the_domain_uses_the_calendar_of_chrono_and_not_its_clock() {
    let declared = dependencies();
    let chrono = declared.iter().find(|edge| edge.package == DOMAIN && edge.name == "chrono");
    let chrono = chrono.expect("the domain depends on chrono for its calendar: if it no longer does, delete this test");
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

/// Whether a comment with words follows the declaration: a `#` outside quotation marks, with letters after it.
fn has_a_reason(line: &str) -> bool {
    let mut comments = line.match_indices('#').map(|(index, _)| line.split_at(index));
    let comment = comments.find(|(declared, _)| declared.matches('"').count() % 2 == 0);
    comment.is_some_and(|(_, reason)| reason.contains(char::is_alphabetic))
}

#[test]
fn every_dependency_has_a_reason() {
    let manifests = [vec![file("Cargo.toml")], files("crates", "toml"), files("tests", "toml")];
    let manifests = manifests.iter().flatten().filter(|manifest| manifest.path.ends_with("Cargo.toml"));
    let mut wrong = Vec::new();
    for manifest in manifests {
        // The workspace table lists the paths of the workspace crates. These lines need no reason.
        let is_workspace_path = |line: &String| manifest.path == "Cargo.toml" && line.contains("path = \"crates/");
        let without =
            dependency_lines(manifest).into_iter().filter(|line| !is_workspace_path(line) && !has_a_reason(line));
        wrong.extend(without.map(|line| format!("{}: {line}", manifest.path)));
    }
    assert_none(&wrong, "add a comment at the end of the line that says why this crate has the dependency:");
}
