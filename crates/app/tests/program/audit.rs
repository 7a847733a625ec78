//! `parlance audit`: what is on record, and whether it is as it was written.

use serde_json::Value;

use crate::process::Home;

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
fn a_chain_that_holds_prints_its_head_which_is_the_last_record() {
    let home = Home::new();
    home.credential();
    let log: Value = serde_json::from_str(&home.print(&["audit", "log", "--tenant", "acme", "--json"])).unwrap();
    let head = log[0]["head"].as_str().unwrap();
    assert_eq!(home.print(&["audit", "verify"]), format!("acme  {head}\n"));
    assert_eq!(home.print(&["audit", "verify", "--tenant", "acme", "--head", head]), format!("acme  {head}\n"));
}

#[test]
fn a_head_that_the_chain_does_not_hold_is_a_failure_that_names_the_place() {
    let home = Home::new();
    home.credential();
    let other = format!("1:{}", "0".repeat(64));
    let output = home.run(&["audit", "verify", "--tenant", "acme", "--head", &other]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), said.as_str()),
        (
            Some(1),
            "parlance: the audit log is not as it was written: acme, record 1: the record is not the one that was filed\n"
        )
    );
}
