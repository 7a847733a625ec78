//! Tests of the ledger of erasures: a database that is restored, by whatever means, forgets again.

use std::{fs, path::PathBuf};

use reqwest::Method;
use serde_json::Value;

use crate::process::{Server, TestEnvironment, conversation};

const PATH: &str = "/conversation/v1/conversations";

/// An environment with a credential that may erase.
fn environment() -> (TestEnvironment, Value) {
    let env = TestEnvironment::migrated();
    let permissions = ["privacy:operate", "conversation:read", "conversation:write"];
    let permissions = permissions.iter().flat_map(|permission| ["--permission", permission]);
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    let printed = env.run_ok(&create.into_iter().chain(permissions).collect::<Vec<_>>());
    let credential = serde_json::from_str(&printed).unwrap();
    (env, credential)
}

async fn upsert(server: &Server, credential: &Value) -> (u16, Value) {
    let response = server.request(credential, PATH, Some(&conversation("call-1"))).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

async fn status(server: &Server, credential: &Value, method: Method, id: &str) -> u16 {
    let request = server.request_with_method(method, credential, &format!("{PATH}/{id}"), None);
    request.send().await.unwrap().status().as_u16()
}

/// Creates a conversation, copies the database, and erases the conversation. Returns its id.
async fn create_copy_and_erase(env: &TestEnvironment, credential: &Value) -> String {
    let server = env.serve(&[]);
    let (_, created) = upsert(&server, credential).await;
    let id = created["id"].as_str().unwrap().to_owned();
    env.run_ok(&["backup", "copy.db"]);
    assert_eq!(status(&server, credential, Method::DELETE, &id).await, 204);
    id
}

pub(crate) fn remove_database(env: &TestEnvironment) {
    fs::remove_file(env.path().join("parlance.db")).unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
    }
}

async fn assert_erased(server: &Server, credential: &Value, id: &str) {
    assert_eq!(status(server, credential, Method::GET, id).await, 404);
    let (status, refused) = upsert(server, credential).await;
    assert!(status == 409 && refused.to_string().contains("erased"), "{status} {refused}");
}

/// The files of the ledger.
fn objects(env: &TestEnvironment) -> Vec<PathBuf> {
    let entries = fs::read_dir(env.path().join("parlance.db.ledger")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The error of a server that does not start.
fn start_error(env: &TestEnvironment) -> String {
    let output = env.run(&["serve"]);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[actix_web::test]
async fn a_restored_copy_forgets_what_was_erased_after_it_was_made() {
    let (env, credential) = environment();
    let id = create_copy_and_erase(&env, &credential).await;
    remove_database(&env);
    let printed = env.run_ok(&["restore", "copy.db"]);
    assert!(printed.contains("Erasures that the database lacked, applied from the ledger: 1\n"), "{printed}");
    assert!(env.run_ok(&["audit", "log", "--tenant", "acme"]).contains("from the ledger; erased at "));
    assert_erased(&env.serve(&[]), &credential, &id).await;
}

#[actix_web::test]
async fn a_database_that_was_copied_back_past_the_program_forgets_when_the_server_starts() {
    let (env, credential) = environment();
    let id = create_copy_and_erase(&env, &credential).await;
    remove_database(&env);
    fs::copy(env.path().join("copy.db"), env.path().join("parlance.db")).unwrap();
    assert_erased(&env.serve(&[]), &credential, &id).await;
}

#[actix_web::test]
async fn an_erasure_while_the_ledger_is_away_is_written_by_the_next_start() {
    let (env, credential) = environment();
    let mut server = env.serve(&[]);
    let (_, created) = upsert(&server, &credential).await;
    fs::write(env.path().join("parlance.db.ledger"), "").unwrap();
    let id = created["id"].as_str().unwrap();
    assert_eq!(status(&server, &credential, Method::DELETE, id).await, 204);
    server.wait_for_log("erasures are not in the ledger yet; retrying every 15 seconds");
    drop(server);
    fs::remove_file(env.path().join("parlance.db.ledger")).unwrap();
    let _server = env.serve(&[]);
    let files = objects(&env);
    assert_eq!(files.len(), 1);
    let content = fs::read_to_string(&files[0]).unwrap();
    let line: Value = serde_json::from_str(content.lines().next().unwrap()).unwrap();
    assert_eq!((&line["tenant"], &line["conversation"]), (&"acme".into(), &created["id"]));
}

#[actix_web::test]
async fn a_ledger_that_was_lost_is_written_again_by_the_next_start() {
    let (env, credential) = environment();
    let server = env.serve(&[]);
    let (_, created) = upsert(&server, &credential).await;
    assert_eq!(status(&server, &credential, Method::DELETE, created["id"].as_str().unwrap()).await, 204);
    drop(server);
    fs::remove_dir_all(env.path().join("parlance.db.ledger")).unwrap();
    let _server = env.serve(&[]);
    let content = fs::read_to_string(&objects(&env)[0]).unwrap();
    assert!(content.contains(created["id"].as_str().unwrap()), "{content}");
}

#[test]
fn a_server_with_an_unreadable_ledger_does_not_start() {
    let (env, _) = environment();
    fs::write(env.path().join("parlance.db.ledger"), "").unwrap();
    let error = start_error(&env);
    assert!(error.contains("ledger_url: the ledger of erasures cannot be read: correct the address"), "{error}");
}

#[test]
fn a_malformed_line_of_the_ledger_stops_the_start_by_object_and_number() {
    let (env, _) = environment();
    fs::create_dir(env.path().join("parlance.db.ledger")).unwrap();
    fs::write(env.path().join("parlance.db.ledger/ABC.jsonl"), "{\"tenant\":\"hush\"}\n").unwrap();
    let error = start_error(&env);
    assert!(error.contains("ledger_url: line 1 of ABC.jsonl is not an entry of the ledger"), "{error}");
    assert!(!error.contains("hush"), "{error}");
}

#[test]
fn an_unreadable_ledger_fails_a_restore_before_the_copy_is_in_place() {
    let (env, _) = environment();
    env.run_ok(&["backup", "copy.db"]);
    remove_database(&env);
    fs::write(env.path().join("parlance.db.ledger"), "").unwrap();
    let (_, error) = env.run_failing(&["restore", "copy.db"]);
    assert!(error.starts_with("parlance: ledger_url: "), "{error}");
    assert!(!env.path().join("parlance.db").exists());
}

#[test]
fn a_ledger_within_the_feeds_is_an_invalid_setting() {
    let (env, _) = environment();
    let (code, error) = env.run_failing(&["config", "check", "--ledger-url", "file://feeds/ledger"]);
    assert_eq!(
        (code, error.as_str()),
        (2, "parlance: ledger_url: is within the store of feeds: choose another directory or bucket")
    );
}
