//! Tests of a database whose ledger of erasures was lost, or has objects that no server with its key wrote.

use std::{fs, path::PathBuf};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    audit_keys::write_key,
    delivery::counter_value,
    key_rotation::{Caller, create_credential},
    ledger::remove_database,
    process::TestEnvironment,
};

const PATH: &str = "/conversation/v1/conversations";

const APPLY: [&str; 2] = ["privacy", "apply-ledger"];

const ACCEPT: &str = "--accept-unauthenticated";

/// An environment with two erased conversations, and a backup from between the erasures. Returns the path of the second.
async fn restored() -> (TestEnvironment, Value, String) {
    let env = TestEnvironment::new();
    write_key(&env, &[7; 32], 0o600);
    env.run_ok(&["migrate"]);
    let credential = create_credential(&env);
    let server = env.serve(&[]);
    let caller = Caller(&server, &credential);
    let mut paths = Vec::new();
    for external_id in ["call-0", "call-1"] {
        let (_, created) = caller.upsert(external_id, "ada").await;
        paths.push(format!("{PATH}/{}", created["id"].as_str().unwrap()));
    }
    assert_eq!(caller.send(Method::DELETE, &paths[0], None).await.0, 204);
    env.run_ok(&["backup", "copy.db"]);
    assert_eq!(caller.send(Method::DELETE, &paths[1], None).await.0, 204);
    drop(server);
    remove_database(&env);
    let erased = paths.remove(1);
    (env, credential, erased)
}

fn ledger(env: &TestEnvironment) -> PathBuf {
    env.path().join("parlance.db.ledger")
}

/// The newest object of the ledger.
fn newest_object(env: &TestEnvironment) -> PathBuf {
    fs::read_dir(ledger(env)).unwrap().map(|entry| entry.unwrap().path()).max().unwrap()
}

fn doctor_line(env: &TestEnvironment) -> String {
    let report = String::from_utf8(env.run(&["doctor"]).stdout).unwrap();
    report.lines().find(|line| line.get(6..).is_some_and(|line| line.starts_with("ledger: "))).unwrap().to_owned()
}

#[actix_web::test]
async fn a_restore_without_the_ledger_warns_and_so_do_doctor_and_the_server_until_it_is_back() {
    let (env, credential, erased) = restored().await;
    let kept = env.path().join("kept");
    fs::rename(ledger(&env), &kept).unwrap();
    let printed = env.run_ok(&["restore", "copy.db"]);
    let lacks = "lacks objects that the database has written to it: 1: ";
    assert!(printed.contains(&format!("Warning: the ledger {lacks}")), "{printed}");
    assert!(
        printed.contains("set ledger_url to the ledger or put its folder back before a server starts"),
        "{printed}"
    );
    assert!(doctor_line(&env).starts_with(&format!("warn  ledger: {lacks}")), "{}", doctor_line(&env));
    {
        let mut server = env.serve(&["--metrics-listen", "127.0.0.1:0"]);
        let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
        assert_eq!(counter_value(&metrics, "parlance_ledger_missing_objects").await, 1);
        assert_eq!(Caller(&server, &credential).send(Method::GET, &erased, None).await.0, 200);
        server.signal("TERM");
        let (_, log) = server.wait_for_exit();
        assert!(log.contains("what was erased after its backup is given out"), "{log}");
    }
    for object in fs::read_dir(&kept).unwrap() {
        let object = object.unwrap();
        fs::rename(object.path(), ledger(&env).join(object.file_name())).unwrap();
    }
    let server = env.serve(&[]);
    assert_eq!(Caller(&server, &credential).send(Method::GET, &erased, None).await.0, 404);
    assert_eq!(doctor_line(&env), "ok    ledger: can be read, objects: 3");
}

/// Rewrites the newest object as somebody without the key can, and checks that nothing applies it unless it is accepted.
async fn assert_refused(forge: impl Fn(&mut Value, &PathBuf), reason: &str) {
    let (env, credential, erased) = restored().await;
    let object = newest_object(&env);
    let content = fs::read_to_string(&object).unwrap();
    let (lines, last) = content.trim_end().rsplit_once('\n').unwrap();
    let mut last = serde_json::from_str(last).unwrap();
    forge(&mut last, &object);
    fs::write(newest_object(&env), format!("{lines}\n{last}\n")).unwrap();
    let (code, error) = env.run_failing(&["restore", "copy.db"]);
    assert!(code == 1 && error.contains(reason) && error.contains(ACCEPT), "{error}");
    for command in [&["serve", "--log-level", "error"][..], &APPLY] {
        let (code, error) = env.run_failing(command);
        assert!(code == 1 && error.starts_with("parlance: ledger_url: ") && error.contains(reason), "{error}");
    }
    assert!(doctor_line(&env).starts_with("FAIL  ledger: ledger_url: "), "{}", doctor_line(&env));
    let printed = env.run_ok(&[&APPLY[..], &[ACCEPT]].concat());
    assert!(printed.contains("accepted without a valid code: 1\n"), "{printed}");
    assert!(printed.contains("applied from the ledger: 1\n"), "{printed}");
    let server = env.serve(&[]);
    assert_eq!(Caller(&server, &credential).send(Method::GET, &erased, None).await.0, 404);
    assert!(doctor_line(&env).starts_with("warn  ledger: can be read, objects: 2, but "), "{}", doctor_line(&env));
}

#[actix_web::test]
async fn an_object_without_a_code_is_applied_only_if_the_operator_accepts_it() {
    let strip = |last: &mut Value, _: &PathBuf| drop(last.as_object_mut().unwrap().remove("code"));
    assert_refused(strip, "has no authentication code").await;
}

#[actix_web::test]
async fn an_object_with_a_code_of_another_key_is_applied_only_if_the_operator_accepts_it() {
    let replace = |last: &mut Value, _: &PathBuf| last["code"] = json!("ab".repeat(32));
    assert_refused(replace, "does not match").await;
}

#[actix_web::test]
async fn an_object_that_took_the_name_of_another_one_is_applied_only_if_the_operator_accepts_it() {
    let rename = |_: &mut Value, object: &PathBuf| fs::rename(object, object.with_file_name("ZZZ.jsonl")).unwrap();
    assert_refused(rename, "the authentication code of ZZZ.jsonl does not match").await;
}
