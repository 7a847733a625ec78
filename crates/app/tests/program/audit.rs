//! Tests of `parlance audit log` and `parlance audit verify`.

use serde_json::{Value, json};
use support::database::TestDatabase;

use crate::process::TestEnvironment;

fn log(env: &TestEnvironment) -> Value {
    serde_json::from_str(&env.run_ok(&["audit", "log", "--tenant", "acme", "--json"])).unwrap()
}

#[test]
fn every_change_of_a_credential_is_recorded() {
    let env = TestEnvironment::new();
    let id = env.create_credential()["apiId"].as_str().unwrap().to_owned();
    env.run_ok(&["credential", "rotate", &id]);
    env.run_ok(&["credential", "revoke", &id]);
    let log = env.run_ok(&["audit", "log", "--tenant", "acme"]);
    let actions: Vec<_> = log.lines().map(|line| line.split("  ").nth(2).unwrap()).collect();
    assert_eq!(actions, ["credential.created", "credential.rotated", "credential.revoked"]);
    assert!(log.lines().all(|line| line.contains(&id)), "{log}");
}

#[test]
fn a_record_names_the_user_who_ran_the_command() {
    let env = TestEnvironment::new();
    let id = env.create_credential()["apiId"].as_str().unwrap().to_owned();
    env.run_ok(&["credential", "revoke", &id]);
    let uid = current_uid();
    for record in log(&env).as_array().unwrap() {
        let details = record["details"].as_str().unwrap();
        assert!(details.contains(&format!("run by uid {uid}")), "{details}");
    }
}

/// Returns the user id of this process, which is the owner of a file that it creates.
fn current_uid() -> u32 {
    use std::os::unix::fs::MetadataExt;
    tempfile::NamedTempFile::new().unwrap().as_file().metadata().unwrap().uid()
}

#[test]
fn an_intact_chain_is_reported_with_its_last_record_as_head() {
    let env = TestEnvironment::new();
    env.create_credential();
    let log = log(&env);
    let (head, recorded_at) = (log[0]["head"].as_str().unwrap(), log[0]["at"].as_str().unwrap());
    let expected = format!(
        "acme  {head}  intact, records: 1\nintact up to {recorded_at}, no anchor given; tenants: 1, records: 1\n\
         heads are not signed: the first `parlance serve` creates the key and signs them\n"
    );
    assert_eq!(env.run_ok(&["audit", "verify"]), expected);
    assert_eq!(env.run_ok(&["audit", "verify", "--tenant", "acme", "--head", head]), expected);
}

#[test]
fn a_verification_is_printed_as_json() {
    let env = TestEnvironment::new();
    env.create_credential();
    let report: Value =
        serde_json::from_str(&env.run_ok(&["audit", "verify", "--json", "--to", "2020-01-01"])).unwrap();
    assert_eq!(
        (&report["result"], &report["records"], &report["recordsInPeriod"]),
        (&json!("intact"), &json!(1), &json!(0))
    );
    assert_eq!(report["tenants"][0]["head"], log(&env)[0]["head"]);
}

#[test]
fn records_of_a_period_are_printed_and_counted() {
    let env = TestEnvironment::new();
    env.create_credential();
    for (arguments, records) in [(["--from", "2020-01-01"], 1), (["--to", "2020-01-01"], 0)] {
        let printed = env.run_ok(&[&["audit", "log", "--tenant", "acme"][..], &arguments].concat());
        assert_eq!(printed.lines().count(), records, "{printed}");
        let counted = env.run_ok(&[&["audit", "verify"][..], &arguments].concat());
        assert!(counted.contains(&format!(", in the period: {records}\n")), "{counted}");
    }
}

#[test]
fn an_expected_head_that_is_not_in_the_chain_is_a_failure_that_names_the_record() {
    let env = TestEnvironment::new();
    env.create_credential();
    let expected_head = format!("1:{}", "0".repeat(64));
    let (code, error) = env.run_failing(&["audit", "verify", "--tenant", "acme", "--head", &expected_head]);
    let expected = "parlance: the audit log is not intact: acme, record 1: the record does not match the expected head";
    assert_eq!((code, error.as_str()), (1, expected));
}

#[test]
fn a_credential_changed_past_the_program_is_a_failure_that_names_it() {
    let env = TestEnvironment::new();
    let id = env.create_credential()["apiId"].as_str().unwrap().to_owned();
    env.tamper("UPDATE credentials SET permissions = 'feed:read'");
    let (code, error) = env.run_failing(&["audit", "verify"]);
    assert_eq!(code, 1);
    assert!(
        error.ends_with(&format!(
            "acme, credential {id}: its permissions, name or creation time differ from the record"
        )),
        "{error}"
    );
    let output = env.run(&["audit", "verify", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["result"]), (Some(1), &json!("broken")));
}

#[test]
fn verifying_an_empty_audit_log_is_reported_with_exit_code_3() {
    let env = TestEnvironment::migrated();
    let expected = (3, "parlance: there is nothing to verify: the audit log has no record".to_owned());
    assert_eq!(env.run_failing(&["audit", "verify"]), expected);
}

#[test]
fn text_in_a_record_cannot_imitate_another_record() {
    let env = TestEnvironment::migrated();
    let name = "a\u{202e}b\" and \"c\u{200b}";
    env.run_ok(&["credential", "create", "--tenant", "acme", "--name", name]);
    env.tamper("UPDATE audit_records SET subject = 'x' || char(10) || '2  2026-01-01T00:00:00Z'");
    let log = env.run_ok(&["audit", "log", "--tenant", "acme"]);
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.contains(r"x\u{a}2") && log.contains(r#"named "a\u{202e}b\" and \"c\u{200b}""#), "{log}");
}

#[test]
fn on_postgresql_without_a_key_the_server_starts_and_heads_are_reported_as_unsigned() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    env.create_credential();
    drop(env.serve(&[]));
    let printed = env.run_ok(&["audit", "verify"]);
    assert!(printed.ends_with("\nheads are not signed: set master_key_file\n"), "{printed}");
}
