//! Tests of `parlance backup` while a server writes, and of `parlance restore`.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::process::{Server, TestEnvironment, conversation};

const PATH: &str = "/conversation/v1/conversations";

async fn create(server: &Server, credential: &Value, name: &str) -> u16 {
    server.request(credential, PATH, Some(&conversation(name))).send().await.unwrap().status().as_u16()
}

async fn exists(server: &Server, credential: &Value, name: &str) -> bool {
    let found = server.request(credential, &format!("{PATH}?externalId={name}"), None).send().await.unwrap();
    !found.json::<Value>().await.unwrap()["items"].as_array().unwrap().is_empty()
}

fn error_of(env: &TestEnvironment, arguments: &[&str]) -> String {
    let output = env.run(arguments);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[actix_web::test]
async fn a_copy_made_while_the_server_writes_holds_every_write_acknowledged_before() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let server = env.serve(&[]);
    assert_eq!(create(&server, &credential, "before").await, 200);
    let mut backup = env.command(&["backup", "copy.db"]).spawn().unwrap();
    let mut written = 0;
    while backup.try_wait().unwrap().is_none() {
        assert_eq!(create(&server, &credential, &format!("during-{written}")).await, 200);
        written += 1;
    }
    assert!(backup.wait().unwrap().success());

    let target = TestEnvironment::new();
    fs::rename(env.path().join("copy.db"), target.path().join("copy.db")).unwrap();
    let printed = target.run_ok(&["restore", "copy.db"]);
    assert!(printed.starts_with("The copy is verified and in place: parlance.db\nacme  1:"), "{printed}");
    assert!(printed.contains("Before a server can start: master_key_file: "), "{printed}");
    fs::copy(env.path().join("parlance.db.key"), target.path().join("parlance.db.key")).unwrap();
    let restored = target.serve(&[]);
    assert!(exists(&restored, &credential, "before").await);
}

#[test]
fn a_backup_overwrites_no_file() {
    let env = TestEnvironment::new();
    env.create_credential();
    fs::write(env.path().join("copy.db"), "precious").unwrap();
    assert_eq!(
        error_of(&env, &["backup", "copy.db"]),
        "parlance: backup: copy.db already exists: move it away first\n"
    );
    assert_eq!(fs::read_to_string(env.path().join("copy.db")).unwrap(), "precious");
}

#[test]
fn a_restore_overwrites_no_database() {
    let env = TestEnvironment::new();
    env.create_credential();
    env.run_ok(&["backup", "copy.db"]);
    let error = error_of(&env, &["restore", "copy.db"]);
    assert_eq!(error, "parlance: restore: parlance.db already exists: move it away first\n");
}

/// An environment with a copy of a database, and without the database.
fn copy_alone() -> TestEnvironment {
    let env = TestEnvironment::new();
    env.create_credential();
    env.run_ok(&["backup", "copy.db"]);
    fs::remove_file(env.path().join("parlance.db")).unwrap();
    env
}

#[test]
fn a_restore_removes_what_a_killed_restore_left() {
    let env = copy_alone();
    fs::write(env.path().join("parlance.db.unfinished"), "half a copy").unwrap();
    env.run_ok(&["restore", "copy.db"]);
    assert!(env.path().join("parlance.db").exists() && !env.path().join("parlance.db.unfinished").exists());
}

#[test]
fn a_restore_is_refused_while_another_one_runs() {
    let env = copy_alone();
    let running = fs::File::create(env.path().join("parlance.db.unfinished")).unwrap();
    running.lock().unwrap();
    let error = error_of(&env, &["restore", "copy.db"]);
    assert_eq!(
        error,
        "parlance: restore: parlance.db.unfinished is written by another restore: wait until it has ended\n"
    );
}

#[test]
fn a_damaged_copy_is_not_restored() {
    let env = TestEnvironment::new();
    env.create_credential();
    env.run_ok(&["backup", "copy.db"]);
    let mut bytes = fs::read(env.path().join("copy.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4_096].fill(0xff);
    fs::remove_file(env.path().join("parlance.db")).unwrap();
    fs::remove_file(env.path().join("copy.db.sha256")).unwrap();
    for (name, content) in [("copy.db", &bytes[..]), ("text.db", b"no database"), ("short.db", &bytes[..5_000])] {
        fs::write(env.path().join(name), content).unwrap();
        let error = error_of(&env, &["restore", name]);
        assert!(error.contains("is not a sound database") || error.contains("is not a database"), "{error}");
        assert!(!env.path().join("parlance.db").exists());
    }
}

/// A database with one credential and its copy, without a checksum, in another directory.
fn with_plain_copy(sql: &str) -> TestEnvironment {
    let (source, target) = (TestEnvironment::new(), TestEnvironment::new());
    source.create_credential();
    source.tamper(sql);
    fs::copy(source.path().join("parlance.db"), target.path().join("copy.db")).unwrap();
    target
}

#[test]
fn a_copy_whose_last_byte_is_cut_off_is_not_restored() {
    let env = with_plain_copy("");
    let bytes = fs::read(env.path().join("copy.db")).unwrap();
    for (name, content) in [("cut.db", &bytes[..bytes.len() - 1]), ("long.db", &[&bytes[..], b"x"].concat())] {
        fs::write(env.path().join(name), content).unwrap();
        let error = error_of(&env, &["restore", name]);
        assert!(
            error.contains(&format!("it has {} bytes, and its pages have {}", content.len(), bytes.len())),
            "{error}"
        );
    }
    assert!(!env.path().join("parlance.db").exists());
    env.run_ok(&["restore", "copy.db"]);
}

#[test]
fn a_copy_with_a_row_that_cannot_be_decoded_is_neither_made_nor_restored() {
    let damage = "UPDATE credentials SET permissions = 'everything'";
    let env = with_plain_copy(damage);
    let error = error_of(&env, &["restore", "copy.db"]);
    assert!(error.contains("copy.db is not a sound database: credentials cannot be decoded"), "{error}");
    assert!(!error.contains("everything"), "{error}");
    assert_eq!(fs::read_dir(env.path()).unwrap().count(), 1);

    let env = TestEnvironment::new();
    env.create_credential();
    env.tamper(damage);
    let error = error_of(&env, &["backup", "copy.db"]);
    assert!(error.contains("copy.db is not a sound database: credentials cannot be decoded"), "{error}");
    let files = fs::read_dir(env.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(files.into_iter().all(|name| name.starts_with("parlance.db")));
}

#[actix_web::test]
async fn a_copy_whose_text_was_changed_does_not_have_its_checksum() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let server = env.serve(&[]);
    assert_eq!(create(&server, &credential, "call-original").await, 200);
    drop(server);
    env.run_ok(&["backup", "copy.db"]);
    let line = fs::read_to_string(env.path().join("copy.db.sha256")).unwrap();
    assert!(line.ends_with("  copy.db\n") && line.len() == 64 + "  copy.db\n".len(), "{line}");
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
    }
    replace_in_file(&env, "copy.db", b"call-original", b"call-tampered");
    let error = error_of(&env, &["restore", "copy.db"]);
    assert!(error.contains("copy.db has not the SHA-256 digest in copy.db.sha256"), "{error}");
    assert!(!env.path().join("parlance.db").exists());

    fs::remove_file(env.path().join("copy.db.sha256")).unwrap();
    let printed = env.run_ok(&["restore", "copy.db"]);
    assert!(printed.contains("There is no copy.db.sha256: "), "{printed}");
}

/// Replaces every occurrence of some bytes by as many others.
fn replace_in_file(env: &TestEnvironment, name: &str, from: &[u8], to: &[u8]) {
    let mut bytes = fs::read(env.path().join(name)).unwrap();
    let places: Vec<_> = (0..=bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    fs::write(env.path().join(name), bytes).unwrap();
}

/// A copy of a database with a signed audit log, as the only file beside the key.
fn with_signed_copy() -> TestEnvironment {
    let env = TestEnvironment::new();
    env.create_credential();
    drop(env.serve(&[]));
    env.run_ok(&["backup", "copy.db"]);
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
    }
    env
}

#[test]
fn a_restore_with_another_key_than_that_of_the_audit_log_fails_and_names_the_key() {
    let env = with_signed_copy();
    fs::write(env.path().join("parlance.db.key"), [7; 32]).unwrap();
    let error = error_of(&env, &["restore", "copy.db"]);
    assert!(error.contains("signed by the key ") && error.contains("not by the key in master_key_file"), "{error}");
}

#[test]
fn a_restore_without_the_key_of_the_audit_log_succeeds_with_a_notice() {
    let env = with_signed_copy();
    fs::remove_file(env.path().join("parlance.db.key")).unwrap();
    let printed = env.run_ok(&["restore", "copy.db"]);
    assert!(printed.contains("Before a server can start: master_key_file: "), "{printed}");
}

#[test]
fn an_unusable_key_file_fails_a_restore_before_the_copy_is_in_place() {
    let env = with_signed_copy();
    fs::write(env.path().join("short.key"), [7; 31]).unwrap();
    fs::set_permissions(env.path().join("short.key"), fs::Permissions::from_mode(0o600)).unwrap();
    let error = error_of(&env, &["--master-key-file", "short.key", "restore", "copy.db"]);
    assert!(error.starts_with("parlance: master_key_file: short.key has 31 bytes"), "{error}");
    env.run_ok(&["restore", "copy.db"]);
}

#[test]
fn a_restored_copy_with_a_broken_audit_log_stays_and_the_error_names_its_path() {
    let env = TestEnvironment::new();
    env.create_credential();
    env.tamper("UPDATE audit_records SET details = 'x'");
    env.run_ok(&["backup", "copy.db"]);
    fs::rename(env.path().join("parlance.db"), env.path().join("old.db")).unwrap();
    let error = error_of(&env, &["restore", "copy.db"]);
    let expected =
        "parlance: the copy is at parlance.db, move it away before another restore: the audit log is not intact";
    assert!(error.starts_with(expected) && env.path().join("parlance.db").exists(), "{error}");
}

#[test]
fn a_backup_of_postgresql_is_refused_in_favour_of_pg_dump() {
    let env = TestEnvironment::new();
    let error = error_of(&env, &["--database-url", "postgres://u:hush@db/x", "backup", "copy.db"]);
    assert!(error.contains("pg_dump") && !error.contains("hush"), "{error}");
}
