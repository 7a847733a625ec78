//! `parlance audit anchor`, and a database that was rolled back.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::process::Home;

/// A database with one signed record, and an anchor of two that came after it: the copy is older than the anchor.
fn rolled_back() -> Home {
    let home = Home::new();
    let id = home.credential()["apiId"].as_str().unwrap().to_owned();
    drop(home.serve(&[]));
    home.print(&["backup", "older.db"]);
    home.print(&["credential", "rotate", &id]);
    home.print(&["audit", "anchor", "--output", "anchors.jsonl"]);
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(home.path().join(format!("parlance.db{suffix}")));
    }
    fs::rename(home.path().join("older.db"), home.path().join("parlance.db")).unwrap();
    home
}

#[test]
fn an_anchor_holds_the_signed_head_of_each_tenant_for_its_owner_only() {
    let home = Home::new();
    home.credential();
    drop(home.serve(&[]));
    home.print(&["credential", "create", "--tenant", "globex", "--name", "other"]);
    home.print(&["audit", "anchor", "--output", "anchors.jsonl"]);
    let path = home.path().join("anchors.jsonl");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| &line["tenant"]).collect::<Vec<_>>(), ["acme", "globex"]);
    for name in ["time", "tenant", "sequence", "hash", "signature", "key"] {
        assert!(lines[0].get(name).is_some(), "{text}");
    }
    let printed = home.print(&["audit", "verify", "--anchor", "anchors.jsonl"]);
    assert!(printed.contains(", as in the anchor; tenants: 2, records: 2"), "{printed}");
}

#[test]
fn a_database_that_was_rolled_back_is_found_by_its_anchor_only() {
    let home = rolled_back();
    assert!(home.print(&["audit", "verify"]).contains("no anchor given"));
    let (code, said) = home.refusal(&["audit", "verify", "--anchor", "anchors.jsonl"]);
    assert_eq!((code, said.ends_with("acme, record 2: the record is missing")), (1, true), "{said}");
}

#[test]
fn a_tenant_that_was_taken_away_whole_is_found_by_its_anchor() {
    let home = rolled_back();
    home.tamper("DELETE FROM audit_heads; DELETE FROM audit_records; DELETE FROM credentials");
    let (code, said) = home.refusal(&["audit", "verify", "--anchor", "anchors.jsonl"]);
    assert_eq!((code, said.ends_with("acme, record 2: the record is missing")), (1, true), "{said}");
}

#[test]
fn an_anchor_that_was_changed_is_refused_by_its_line() {
    let home = rolled_back();
    let path = home.path().join("anchors.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"sequence\":2", "\"sequence\":1")).unwrap();
    let expected = "parlance: --anchor: line 1 is not signed by the key of master_key_file";
    assert_eq!(home.refusal(&["audit", "verify", "--anchor", "anchors.jsonl"]), (1, expected.to_owned()));
    fs::write(&path, "{}\n").unwrap();
    let expected = "parlance: --anchor: line 1 is not an anchor";
    assert_eq!(home.refusal(&["audit", "verify", "--anchor", "anchors.jsonl"]), (1, expected.to_owned()));
}

#[test]
fn a_chain_that_is_broken_is_not_anchored() {
    let home = Home::new();
    home.credential();
    drop(home.serve(&[]));
    home.tamper("UPDATE audit_records SET details = 'x'");
    assert!(home.refusal(&["audit", "anchor", "--output", "anchors.jsonl"]).1.contains("the record was altered"));
    assert!(!home.path().join("anchors.jsonl").exists());
}

#[test]
fn without_a_key_there_is_no_anchor() {
    let home = Home::new();
    home.credential();
    let (code, said) = home.refusal(&["audit", "anchor", "--output", "anchors.jsonl"]);
    assert!(code == 1 && said.contains("the heads are not signed"), "{said}");
}

#[actix_web::test]
async fn an_anchor_can_be_kept_in_a_bucket() {
    let Some((bucket, _)) = support::s3::bucket().await else { return };
    let server = support::s3::server().unwrap();
    let home = Home::new().with([
        ("AWS_ENDPOINT", server),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]);
    home.credential();
    drop(home.serve(&[]));
    let address = format!("s3://{bucket}/audit/anchors.jsonl");
    let expected = (1, "parlance: --anchor: the object is not there".to_owned());
    assert_eq!(home.refusal(&["audit", "verify", "--anchor", &address]), expected);
    home.print(&["audit", "anchor", "--output", &address]);
    let printed = home.print(&["audit", "verify", "--anchor", &address]);
    assert!(printed.contains(", as in the anchor; tenants: 1, records: 1"), "{printed}");
}
