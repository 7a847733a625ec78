//! Tests of `parlance audit anchor`, also with a database that was rolled back.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::process::TestEnvironment;

/// Creates a database with one signed record, and an anchor of two records. The database is older than the anchor.
fn rolled_back_database() -> TestEnvironment {
    let env = TestEnvironment::new();
    let id = env.create_credential()["apiId"].as_str().unwrap().to_owned();
    drop(env.serve(&[]));
    env.run_ok(&["backup", "older.db"]);
    env.run_ok(&["credential", "rotate", &id]);
    env.run_ok(&["audit", "anchor", "--output", "anchors.jsonl"]);
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
    }
    fs::rename(env.path().join("older.db"), env.path().join("parlance.db")).unwrap();
    env
}

#[test]
fn an_anchor_holds_the_signed_head_of_each_tenant_and_is_private_to_its_owner() {
    let env = TestEnvironment::new();
    env.create_credential();
    drop(env.serve(&[]));
    env.run_ok(&["credential", "create", "--tenant", "globex", "--name", "other"]);
    env.run_ok(&["audit", "anchor", "--output", "anchors.jsonl"]);
    let path = env.path().join("anchors.jsonl");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| &line["tenant"]).collect::<Vec<_>>(), ["acme", "globex"]);
    for name in ["time", "tenant", "sequence", "hash", "signature", "key"] {
        assert!(lines[0].get(name).is_some(), "{text}");
    }
    let printed = env.run_ok(&["audit", "verify", "--anchor", "anchors.jsonl"]);
    assert!(printed.contains(", matches the anchor; tenants: 2, records: 2"), "{printed}");
}

#[test]
fn only_an_anchor_reveals_a_rolled_back_database() {
    let env = rolled_back_database();
    assert!(env.run_ok(&["audit", "verify"]).contains("no anchor given"));
    let (code, error) = env.run_failing(&["audit", "verify", "--anchor", "anchors.jsonl"]);
    assert_eq!((code, error.ends_with("acme, record 2: the record is missing")), (1, true), "{error}");
}

#[test]
fn an_anchor_reveals_a_tenant_that_was_deleted_entirely() {
    let env = rolled_back_database();
    env.tamper("DELETE FROM audit_heads; DELETE FROM audit_records; DELETE FROM credentials");
    let (code, error) = env.run_failing(&["audit", "verify", "--anchor", "anchors.jsonl"]);
    assert_eq!((code, error.ends_with("acme, record 2: the record is missing")), (1, true), "{error}");
}

#[test]
fn an_altered_anchor_is_refused_with_its_line_number() {
    let env = rolled_back_database();
    let path = env.path().join("anchors.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"sequence\":2", "\"sequence\":1")).unwrap();
    let expected = "parlance: --anchor: line 1 is not signed by the key of master_key_file";
    assert_eq!(env.run_failing(&["audit", "verify", "--anchor", "anchors.jsonl"]), (1, expected.to_owned()));
    fs::write(&path, "{}\n").unwrap();
    let expected = "parlance: --anchor: line 1 is not an anchor";
    assert_eq!(env.run_failing(&["audit", "verify", "--anchor", "anchors.jsonl"]), (1, expected.to_owned()));
}

#[test]
fn a_broken_chain_is_not_anchored() {
    let env = TestEnvironment::new();
    env.create_credential();
    drop(env.serve(&[]));
    env.tamper("UPDATE audit_records SET details = 'x'");
    assert!(env.run_failing(&["audit", "anchor", "--output", "anchors.jsonl"]).1.contains("the record was altered"));
    assert!(!env.path().join("anchors.jsonl").exists());
}

#[test]
fn an_anchor_without_a_key_is_refused() {
    let env = TestEnvironment::new();
    env.create_credential();
    let (code, error) = env.run_failing(&["audit", "anchor", "--output", "anchors.jsonl"]);
    assert!(code == 1 && error.contains("the heads are not signed"), "{error}");
}

#[actix_web::test]
async fn an_anchor_can_be_stored_in_a_bucket() {
    let Some((bucket, _)) = support::s3::create_bucket().await else { return };
    let server = support::s3::server_url().unwrap();
    let env = TestEnvironment::new().with_variables([
        ("AWS_ENDPOINT", server),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]);
    env.create_credential();
    drop(env.serve(&[]));
    let address = format!("s3://{bucket}/audit/anchors.jsonl");
    let expected = (1, "parlance: --anchor: the object does not exist".to_owned());
    assert_eq!(env.run_failing(&["audit", "verify", "--anchor", &address]), expected);
    env.run_ok(&["audit", "anchor", "--output", &address]);
    let printed = env.run_ok(&["audit", "verify", "--anchor", &address]);
    assert!(printed.contains(", matches the anchor; tenants: 1, records: 1"), "{printed}");
}
