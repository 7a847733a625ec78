//! Tests of `parlance doctor`: its findings and its exit codes.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::process::{TestEnvironment, overwrite_page};

/// Returns the line of this check in the report, or an empty text.
fn check_line<'report>(report: &'report str, check: &str) -> &'report str {
    report.lines().find(|line| line.get(6..).is_some_and(|rest| rest.starts_with(check))).unwrap_or_default()
}

#[test]
fn every_check_of_a_sound_database_is_reported_as_ok() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    let report = env.run_ok(&["doctor"]);
    for check in ["settings", "database", "schema", "permissions", "clock"] {
        assert!(check_line(&report, check).starts_with("ok"), "{check} in {report}");
    }
    assert_eq!(check_line(&report, "database"), "ok    database: SQLite, parlance.db answers");
}

#[test]
fn a_missing_database_is_reported_and_not_created() {
    let env = TestEnvironment::new();
    let report = env.run_ok(&["doctor"]);
    assert!(check_line(&report, "database").contains("`parlance migrate`"), "{report}");
    assert!(!env.path().join("parlance.db").exists());
}

#[test]
fn a_database_that_other_users_can_access_is_a_warning() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    let file = env.path().join("parlance.db");
    for (mode, word) in [(0o644, "warn"), (0o640, "warn"), (0o600, "ok")] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        assert!(check_line(&env.run_ok(&["doctor"]), "files").starts_with(word));
    }
}

#[test]
fn an_unreachable_database_is_a_failure() {
    let env = TestEnvironment::new();
    let output = env.run(&["--database-url", "postgres://u:hush@127.0.0.1:1/x", "doctor"]);
    let (report, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1));
    assert!(check_line(&report, "database").starts_with("FAIL") && !report.contains("hush"), "{report}");
    assert_eq!(stderr, "parlance: 1 of 12 checks failed\n");
}

#[test]
fn an_unreachable_redis_is_a_warning() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    let report = env.run_ok(&["--redis-url", "redis://127.0.0.1:1", "doctor"]);
    assert!(check_line(&report, "redis").starts_with("warn"), "{report}");
}

#[test]
fn only_a_deep_check_reports_the_content() {
    let env = TestEnvironment::new();
    env.create_credential();
    let report = env.run_ok(&["doctor", "--deep"]);
    assert!(check_line(&report, "content").starts_with("ok    content: "), "{report}");
    assert!(check_line(&env.run_ok(&["doctor"]), "content").is_empty());
}

#[test]
fn a_corrupt_page_fails_the_deep_check() {
    let env = TestEnvironment::new();
    env.create_credential();
    overwrite_page(&env.path().join("parlance.db"), "vocabularies");
    let output = env.run(&["doctor", "--deep"]);
    let report = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(check_line(&report, "content").starts_with("FAIL") && report.contains("restore a copy"), "{report}");
}

#[test]
fn a_listen_address_is_free_or_in_use_by_a_running_parlance_or_by_another_program() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    let server = env.serve(&[]);
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = other.local_addr().unwrap().to_string();
    for (address, word) in [("127.0.0.1:0", "is free"), (server.address(), "a running parlance"), (&other, "stop that")]
    {
        let report = env.run_ok(&["--listen", address, "doctor"]);
        assert!(check_line(&report, "listen").contains(word), "{report}");
    }
}

#[test]
fn the_feed_store_and_the_delivery_target_are_checked() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    let key = ["--vocabulary-delivery-secret", "0123456789abcdef", "--vocabulary-delivery-url"];
    let report = env.run_ok(&[&key[..], &["http://127.0.0.1:1/{tenant}", "doctor"]].concat());
    assert!(check_line(&report, "delivery").starts_with("warn"), "{report}");
    assert!(check_line(&report, "feeds").starts_with("ok"), "{report}");
    let absent = format!("file://{}", env.path().join("absent").display());
    let output = env.run(&["--vocabulary-delivery-url", &absent, "doctor"]);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(check_line(&report, "delivery").starts_with("FAIL"), "{report}");
}

#[test]
fn an_external_detector_that_is_away_is_a_failure_if_it_is_required_and_else_a_warning() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    for (required, word) in [("true", "FAIL"), ("false", "warn")] {
        let detector = ["--external-detector-url", "http://127.0.0.1:1", "--external-detector-required", required];
        let report = String::from_utf8(env.run(&[&detector[..], &["doctor"]].concat()).stdout).unwrap();
        assert!(check_line(&report, "detector").starts_with(word), "{report}");
    }
}

#[test]
fn a_master_key_that_other_users_can_read_is_a_failure() {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    assert!(check_line(&env.run_ok(&["doctor"]), "master key").starts_with("warn"));
    let key = env.path().join("parlance.db.key");
    fs::write(&key, [7; 32]).unwrap();
    for (mode, word) in [(0o600, "ok"), (0o644, "FAIL")] {
        fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
        let report = String::from_utf8(env.run(&["doctor"]).stdout).unwrap();
        assert!(check_line(&report, "master key").starts_with(word), "{report}");
    }
}

#[test]
fn the_ledger_of_erasures_is_checked() {
    let env = TestEnvironment::migrated();
    assert_eq!(check_line(&env.run_ok(&["doctor"]), "ledger"), "ok    ledger: can be read, objects: 0");
    fs::write(env.path().join("parlance.db.ledger"), "").unwrap();
    let report = String::from_utf8(env.run(&["doctor"]).stdout).unwrap();
    assert!(check_line(&report, "ledger").starts_with("FAIL"), "{report}");
    let report = env.run(&["--database-url", "postgres://u:hush@127.0.0.1:1/x", "doctor"]).stdout;
    assert!(check_line(&String::from_utf8(report).unwrap(), "ledger").starts_with("warn  ledger: none: "));
}

#[test]
fn an_open_erasure_of_a_tenant_is_a_warning_with_what_to_do() {
    let env = TestEnvironment::migrated();
    assert_eq!(check_line(&env.run_ok(&["doctor"]), "tenant erasures"), "ok    tenant erasures: none is open");
    env.tamper("INSERT INTO tenant_erasures (tenant_id, id, requested_at) VALUES ('acme', '01JZX9', 0)");
    let report = env.run_ok(&["doctor"]);
    let line = check_line(&report, "tenant erasures");
    assert!(line.starts_with("warn  tenant erasures: 1 is open since 1970-01-01T00:00:00.000Z"), "{report}");
    assert!(line.contains("repeat `parlance tenant erase --tenant acme`"), "{report}");
}
