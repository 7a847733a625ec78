//! `parlance audit log|verify`: what is on record, and whether it is as it was written.

use serde_json::{Value, json};
use support::database::TestDatabase;

use crate::process::Home;

fn log(home: &Home) -> Value {
    serde_json::from_str(&home.print(&["audit", "log", "--tenant", "acme", "--json"])).unwrap()
}

#[test]
fn what_operators_and_tenants_change_is_on_record() {
    let home = Home::new();
    let id = home.credential()["apiId"].as_str().unwrap().to_owned();
    home.print(&["credential", "rotate", &id]);
    home.print(&["credential", "revoke", &id]);
    let log = home.print(&["audit", "log", "--tenant", "acme"]);
    let actions: Vec<_> = log.lines().map(|line| line.split("  ").nth(2).unwrap()).collect();
    assert_eq!(actions, ["credential.created", "credential.rotated", "credential.revoked"]);
    assert!(log.lines().all(|line| line.contains(&id)), "{log}");
}

#[test]
fn who_ran_the_command_is_on_record() {
    let home = Home::new();
    let id = home.credential()["apiId"].as_str().unwrap().to_owned();
    home.print(&["credential", "revoke", &id]);
    let uid = uid_of_this_user();
    for record in log(&home).as_array().unwrap() {
        let details = record["details"].as_str().unwrap();
        assert!(details.contains(&format!("run by uid {uid}")), "{details}");
    }
}

/// The number of the user who runs this test, by the owner of a file that it makes.
fn uid_of_this_user() -> u32 {
    use std::os::unix::fs::MetadataExt;
    tempfile::NamedTempFile::new().unwrap().as_file().metadata().unwrap().uid()
}

#[test]
fn a_chain_that_holds_prints_its_head_which_is_the_last_record() {
    let home = Home::new();
    home.credential();
    let log = log(&home);
    let (head, at) = (log[0]["head"].as_str().unwrap(), log[0]["at"].as_str().unwrap());
    let expected = format!(
        "acme  {head}  intact, records: 1\nintact up to {at}, no anchor given; tenants: 1, records: 1\n\
         heads are not signed: the first `parlance serve` makes the key and signs them\n"
    );
    assert_eq!(home.print(&["audit", "verify"]), expected);
    assert_eq!(home.print(&["audit", "verify", "--tenant", "acme", "--head", head]), expected);
}

#[test]
fn a_verification_is_printed_as_json() {
    let home = Home::new();
    home.credential();
    let found: Value = serde_json::from_str(&home.print(&["audit", "verify", "--json", "--to", "2020-01-01"])).unwrap();
    assert_eq!(
        (&found["result"], &found["records"], &found["recordsInPeriod"]),
        (&json!("intact"), &json!(1), &json!(0))
    );
    assert_eq!(found["tenants"][0]["head"], log(&home)[0]["head"]);
}

#[test]
fn records_of_a_time_are_printed_and_counted() {
    let home = Home::new();
    home.credential();
    for (arguments, records) in [(["--from", "2020-01-01"], 1), (["--to", "2020-01-01"], 0)] {
        let printed = home.print(&[&["audit", "log", "--tenant", "acme"][..], &arguments].concat());
        assert_eq!(printed.lines().count(), records, "{printed}");
        let counted = home.print(&[&["audit", "verify"][..], &arguments].concat());
        assert!(counted.contains(&format!(", in the time asked for: {records}\n")), "{counted}");
    }
}

#[test]
fn a_head_that_the_chain_does_not_hold_is_a_failure_that_names_the_place() {
    let home = Home::new();
    home.credential();
    let other = format!("1:{}", "0".repeat(64));
    let (code, said) = home.refusal(&["audit", "verify", "--tenant", "acme", "--head", &other]);
    let expected =
        "parlance: the audit log is not as it was written: acme, record 1: the record is not the one that was filed";
    assert_eq!((code, said.as_str()), (1, expected));
}

#[test]
fn what_was_changed_past_the_program_is_a_failure_that_names_it() {
    let home = Home::new();
    let id = home.credential()["apiId"].as_str().unwrap().to_owned();
    home.tamper("UPDATE credentials SET permissions = 'feed:read'");
    let (code, said) = home.refusal(&["audit", "verify"]);
    assert_eq!(code, 1);
    assert!(
        said.ends_with(&format!(
            "acme, credential {id}: its permissions, its name or its time are not those on record"
        )),
        "{said}"
    );
    let output = home.run(&["audit", "verify", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &found["result"]), (Some(1), &json!("broken")));
}

#[test]
fn where_there_is_nothing_to_verify_that_is_said() {
    let home = Home::migrated();
    let expected = (3, "parlance: there is nothing to verify: the audit log has no record".to_owned());
    assert_eq!(home.refusal(&["audit", "verify"]), expected);
}

#[test]
fn no_text_on_record_can_be_taken_for_another_record() {
    let home = Home::migrated();
    let name = "a\u{202e}b\" and \"c\u{200b}";
    home.print(&["credential", "create", "--tenant", "acme", "--name", name]);
    home.tamper("UPDATE audit_records SET subject = 'x' || char(10) || '2  2026-01-01T00:00:00Z'");
    let log = home.print(&["audit", "log", "--tenant", "acme"]);
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.contains(r"x\u{a}2") && log.contains(r#"named "a\u{202e}b\" and \"c\u{200b}""#), "{log}");
}

#[test]
fn without_a_key_on_postgresql_it_goes_on_and_says_so() {
    let Some(database) = TestDatabase::postgres() else { return };
    let home = Home::over(database.url());
    home.credential();
    drop(home.serve(&[]));
    let printed = home.print(&["audit", "verify"]);
    assert!(printed.ends_with("\nheads are not signed: set master_key_file\n"), "{printed}");
}
