//! Tests of the master key: its creation, its validation, and the chain heads that it signs.

use std::{fs, os::unix::fs::PermissionsExt};

use support::database::TestDatabase;

use crate::process::TestEnvironment;

pub(crate) const KEY: &str = "parlance.db.key";

fn mode(env: &TestEnvironment, name: &str) -> u32 {
    fs::metadata(env.path().join(name)).unwrap().permissions().mode() & 0o7777
}

pub(crate) fn write_key(env: &TestEnvironment, bytes: &[u8], mode: u32) {
    let path = env.path().join(KEY);
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_first_server_creates_the_key_and_signs_the_existing_heads() {
    let env = TestEnvironment::new();
    env.create_credential();
    assert!(!env.path().join(KEY).exists());
    drop(env.serve(&[]));
    assert_eq!((fs::read(env.path().join(KEY)).unwrap().len(), mode(&env, KEY)), (32, 0o600));
    let printed = env.run_ok(&["audit", "verify"]);
    assert!(!printed.contains("not signed"), "{printed}");
}

#[actix_web::test]
async fn changes_by_commands_and_callers_are_signed_once_a_key_exists() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let server = env.serve(&[]);
    server.switch_email_on(&credential).await;
    env.run_ok(&["credential", "rotate", credential["apiId"].as_str().unwrap()]);
    let printed = env.run_ok(&["audit", "verify"]);
    assert!(printed.contains("intact, records: 3") && !printed.contains("signed"), "{printed}");
}

#[test]
fn neither_a_start_nor_a_change_signs_a_forged_head() {
    let env = TestEnvironment::new();
    let id = env.create_credential()["apiId"].as_str().unwrap().to_owned();
    drop(env.serve(&[]));
    env.tamper("UPDATE audit_heads SET signature = NULL, signed_by = NULL");
    drop(env.serve(&[]));
    env.run_ok(&["credential", "rotate", &id]);
    let (code, error) = env.run_failing(&["audit", "verify"]);
    assert_eq!((code, error.ends_with("acme, the head of the chain is not signed")), (1, true), "{error}");
}

#[test]
fn audit_sign_signs_unsigned_heads_only_if_all_chains_are_intact() {
    let env = TestEnvironment::new();
    env.create_credential();
    assert!(env.run_failing(&["audit", "sign"]).1.contains("there is no key to sign with"));
    write_key(&env, &[7; 32], 0o600);
    assert_eq!(env.run_ok(&["audit", "sign"]), "The audit log is verified; newly signed heads: 1\n");
    assert!(!env.run_ok(&["audit", "verify"]).contains("signed"));
    env.tamper("UPDATE audit_heads SET signature = NULL, signed_by = NULL; UPDATE audit_records SET details = 'x'");
    assert!(env.run_failing(&["audit", "sign"]).1.contains("record 1: the record was altered"));
}

#[test]
fn audit_sign_replaces_another_key_only_if_it_is_told_to() {
    let env = TestEnvironment::new();
    env.create_credential();
    drop(env.serve(&[]));
    write_key(&env, &[7; 32], 0o600);
    let (code, error) = env.run_failing(&["audit", "sign"]);
    assert!(code == 1 && error.contains("put that key back, or replace it with --replace-key"), "{error}");
    assert!(env.run_failing(&["audit", "verify"]).1.contains("not by the key in master_key_file"));
    assert!(env.run_ok(&["audit", "sign", "--replace-key"]).ends_with("newly signed heads: 1\n"));
    assert!(!env.run_ok(&["audit", "verify"]).contains("signed"));
}

#[test]
fn an_invalid_key_file_is_refused_by_name_and_reason() {
    let env = TestEnvironment::new();
    env.create_credential();
    for (bytes, mode, reason) in
        [(&[7; 31][..], 0o600, "has 31 bytes, and must have 32"), (&[7; 32], 0o644, "has mode 0644")]
    {
        write_key(&env, bytes, mode);
        for command in [&["serve", "--log-level", "error"][..], &["audit", "verify"], &["credential", "list"]] {
            let (code, error) = env.run_failing(command);
            assert_eq!(code, 1);
            assert!(
                error.starts_with("parlance: master_key_file: parlance.db.key ") && error.contains(reason),
                "{error}"
            );
        }
    }
}

#[test]
fn a_signed_database_is_unusable_without_its_key_or_with_another() {
    let env = TestEnvironment::new();
    let id = env.create_credential()["apiId"].as_str().unwrap().to_owned();
    drop(env.serve(&[]));
    let commands =
        [&["serve", "--log-level", "error"][..], &["credential", "rotate", &id], &["audit", "anchor", "--output", "a"]];
    let key = fs::read(env.path().join(KEY)).unwrap();
    fs::remove_file(env.path().join(KEY)).unwrap();
    for command in commands {
        let (code, error) = env.run_failing(command);
        assert!(code == 1 && error.contains("no key was found: put the key back at parlance.db.key"), "{error}");
    }
    assert!(!env.path().join(KEY).exists());
    assert!(env.run_ok(&["audit", "verify"]).contains("are not checked: put the key back at parlance.db.key"));
    write_key(&env, &[7; 32], 0o600);
    for command in commands {
        let (code, error) = env.run_failing(command);
        assert!(code == 1 && error.contains("but the key found is "), "{error}");
    }
    write_key(&env, &key, 0o600);
    env.run_ok(&["credential", "rotate", &id]);
    assert!(!env.run_ok(&["audit", "verify"]).contains("signed"));
}

#[test]
fn the_operator_creates_the_key_for_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let path = env.path().join(KEY);
    let env = env.with_variables([("PARLANCE_MASTER_KEY_FILE", path.to_str().unwrap())]);
    let (code, error) = env.run_failing(&["serve", "--log-level", "error"]);
    assert!(code == 1 && error.contains("does not exist: create it") && !path.exists(), "{error}");
    write_key(&env, &[7; 32], 0o600);
    env.create_credential();
    drop(env.serve(&[]));
    assert!(!env.run_ok(&["audit", "verify"]).contains("signed"));
}

#[test]
fn an_in_memory_database_needs_no_key() {
    let env = TestEnvironment::with_database_url("sqlite::memory:");
    drop(env.serve(&["--sandbox"]));
    assert_eq!(
        fs::read_dir(env.path()).unwrap().filter(|entry| entry.as_ref().unwrap().file_name() != "feeds").count(),
        0
    );
}

#[test]
fn a_database_whose_key_of_digests_does_not_open_is_not_served_and_the_error_says_what_to_do() {
    let env = TestEnvironment::new();
    env.create_credential();
    write_key(&env, &[7; 32], 0o600);
    env.run_ok(&["audit", "sign"]);
    env.tamper("INSERT INTO digest_keys (purpose, sealed_key) VALUES ('identifiers', x'00')");
    let (code, error) = env.run_failing(&["serve", "--log-level", "error"]);
    let reason = "parlance: master_key_file: the key of the digests of identifiers is encrypted under another master key, or \
                  altered: put the key back at parlance.db.key; if a rotation was interrupted, ";
    assert!(code == 1 && error.starts_with(reason) && error.contains("--previous-key FILE"), "{error}");
    let report = String::from_utf8(env.run(&["doctor"]).stdout).unwrap();
    assert!(report.contains("FAIL  master key: master_key_file: the key of the digests"), "{report}");
}
