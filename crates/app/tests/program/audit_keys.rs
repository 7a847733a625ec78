//! The master key: how it comes to be, what is wrong with it, and what it signs.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::json;
use support::database::TestDatabase;

use crate::process::Home;

const KEY: &str = "parlance.db.key";

fn mode(home: &Home, name: &str) -> u32 {
    fs::metadata(home.path().join(name)).unwrap().permissions().mode() & 0o7777
}

fn write_key(home: &Home, bytes: &[u8], mode: u32) {
    let path = home.path().join(KEY);
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_first_server_makes_the_key_and_signs_the_heads_there_are() {
    let home = Home::new();
    home.credential();
    assert!(!home.path().join(KEY).exists());
    drop(home.serve(&[]));
    assert_eq!((fs::read(home.path().join(KEY)).unwrap().len(), mode(&home, KEY)), (32, 0o600));
    let printed = home.print(&["audit", "verify"]);
    assert!(!printed.contains("not signed"), "{printed}");
}

#[actix_web::test]
async fn what_commands_and_callers_change_is_signed_from_then_on() {
    let home = Home::new();
    let credential = home.credential();
    let server = home.serve(&[]);
    let (path, on) = ("/configuration/v1/redaction/redaction-entity/EMAIL", json!({"active": true}));
    let switched = server.call(reqwest::Method::PATCH, &credential, path, Some(&on)).send().await.unwrap();
    assert_eq!(switched.status(), 200);
    home.print(&["credential", "rotate", credential["apiId"].as_str().unwrap()]);
    let printed = home.print(&["audit", "verify"]);
    assert!(printed.contains("intact, records: 3") && !printed.contains("signed"), "{printed}");
}

#[test]
fn a_head_that_was_forged_is_not_signed_by_a_start_nor_by_a_change() {
    let home = Home::new();
    let id = home.credential()["apiId"].as_str().unwrap().to_owned();
    drop(home.serve(&[]));
    home.tamper("UPDATE audit_heads SET signature = NULL, signed_by = NULL");
    drop(home.serve(&[]));
    home.print(&["credential", "rotate", &id]);
    let (code, said) = home.refusal(&["audit", "verify"]);
    assert_eq!((code, said.ends_with("acme, the head of the chain is not signed")), (1, true), "{said}");
}

#[test]
fn heads_that_are_not_signed_are_signed_by_command_once_all_are_intact() {
    let home = Home::new();
    home.credential();
    assert!(home.refusal(&["audit", "sign"]).1.contains("there is no key to sign with"));
    write_key(&home, &[7; 32], 0o600);
    assert_eq!(home.print(&["audit", "sign"]), "The audit log is verified; heads that are signed now: 1\n");
    assert!(!home.print(&["audit", "verify"]).contains("signed"));
    home.tamper("UPDATE audit_heads SET signature = NULL, signed_by = NULL; UPDATE audit_records SET details = 'x'");
    assert!(home.refusal(&["audit", "sign"]).1.contains("record 1: the record was altered"));
}

#[test]
fn a_key_that_cannot_be_one_is_named() {
    let home = Home::new();
    home.credential();
    for (bytes, mode, wrong) in
        [(&[7; 31][..], 0o600, "has 31 bytes, and must have 32"), (&[7; 32], 0o644, "has mode 0644")]
    {
        write_key(&home, bytes, mode);
        for command in [&["serve", "--log-level", "error"][..], &["audit", "verify"], &["credential", "list"]] {
            let (code, said) = home.refusal(command);
            assert_eq!(code, 1);
            assert!(said.starts_with("parlance: master_key_file: parlance.db.key ") && said.contains(wrong), "{said}");
        }
    }
}

#[test]
fn a_signed_database_is_not_used_without_its_key_nor_with_another() {
    let home = Home::new();
    let id = home.credential()["apiId"].as_str().unwrap().to_owned();
    drop(home.serve(&[]));
    let commands =
        [&["serve", "--log-level", "error"][..], &["credential", "rotate", &id], &["audit", "anchor", "--output", "a"]];
    let key = fs::read(home.path().join(KEY)).unwrap();
    fs::remove_file(home.path().join(KEY)).unwrap();
    for command in commands {
        let (code, said) = home.refusal(command);
        assert!(code == 1 && said.contains("there is none: put the key back at parlance.db.key"), "{said}");
    }
    assert!(!home.path().join(KEY).exists());
    assert!(home.print(&["audit", "verify"]).contains("are not checked: put the key back at parlance.db.key"));
    write_key(&home, &[7; 32], 0o600);
    for command in commands {
        let (code, said) = home.refusal(command);
        assert!(code == 1 && said.contains("and the key there is "), "{said}");
    }
    write_key(&home, &key, 0o600);
    home.print(&["credential", "rotate", &id]);
    assert!(!home.print(&["audit", "verify"]).contains("signed"));
}

#[test]
fn a_key_for_postgresql_is_made_by_the_operator() {
    let Some(database) = TestDatabase::postgres() else { return };
    let home = Home::over(database.url());
    let path = home.path().join(KEY);
    let home = home.with([("PARLANCE_MASTER_KEY_FILE", path.to_str().unwrap())]);
    let (code, said) = home.refusal(&["serve", "--log-level", "error"]);
    assert!(code == 1 && said.contains("is not there: make it") && !path.exists(), "{said}");
    write_key(&home, &[7; 32], 0o600);
    home.credential();
    drop(home.serve(&[]));
    assert!(!home.print(&["audit", "verify"]).contains("signed"));
}

#[test]
fn a_database_in_memory_needs_no_key() {
    let home = Home::over("sqlite::memory:");
    drop(home.serve(&["--sandbox"]));
    assert_eq!(
        fs::read_dir(home.path()).unwrap().filter(|entry| entry.as_ref().unwrap().file_name() != "feeds").count(),
        0
    );
}
