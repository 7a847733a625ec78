//! Tests of `parlance privacy compact`: the tables of PostgreSQL are rewritten, and second receipts are issued.

use reqwest::Method;
use serde_json::{Value, json};
use support::database::{Roles, TestDatabase};

use crate::{
    audit_keys::{KEY, write_key},
    process::{Server, TestEnvironment},
};

const COMPACT: [&str; 2] = ["privacy", "compact"];

const REQUESTS: &str = "/privacy/v1/requests";

async fn get(server: &Server, credential: &Value, path: &str) -> (u16, Value) {
    let response = server.request_with_method(Method::GET, credential, path, None).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

/// Erases the customer `ada`, and returns the path of the receipt.
pub(crate) async fn erase_customer(server: &Server, credential: &Value) -> String {
    let body = json!({"type": "erasure", "subject": {"customerExternalId": "ada"}, "reference": "CHG-7"});
    let created: Value = server.request(credential, REQUESTS, Some(&body)).send().await.unwrap().json().await.unwrap();
    let path = format!("{REQUESTS}/{}", created["id"].as_str().unwrap());
    loop {
        let (_, request) = get(server, credential, &path).await;
        if request["status"] == "completed" {
            return format!("{path}/receipt");
        }
        tokio::task::yield_now().await;
    }
}

#[test]
fn nothing_is_to_be_done_on_sqlite() {
    let env = TestEnvironment::migrated();
    let printed = env.run_ok(&COMPACT);
    assert!(printed.starts_with("Nothing is to be done: SQLite overwrites deleted data"), "{printed}");
}

#[actix_web::test]
async fn a_compaction_of_postgresql_is_reported_and_confirmed_by_a_second_receipt() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let key = env.path().join(KEY);
    let env = env.with_variables([("PARLANCE_MASTER_KEY_FILE", key.to_str().unwrap())]);
    write_key(&env, &[7; 32], 0o600);
    env.run_ok(&["migrate"]);
    let permissions = ["--permission", "privacy:operate"];
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    let printed = env.run_ok(&[&create[..], &permissions].concat());
    let credential: Value = serde_json::from_str(&printed).unwrap();
    let server = env.serve(&[]);
    let path = erase_customer(&server, &credential).await;
    let printed = env.run_ok(&COMPACT);
    for part in ["rewritten: conversations in ", "rewritten: pg_statistic in ", "tables: ", "second receipts: 1\n"] {
        assert!(printed.contains(part), "{printed}");
    }
    let (_, second) = get(&server, &credential, &path).await;
    assert_eq!(get(&server, &credential, &format!("{path}?issue=2")).await, (200, second.clone()));
    let (_, first) = get(&server, &credential, &format!("{path}?issue=1")).await;
    let names_bytes = |receipt: &Value| receipt["receipt"]["not_covered"].to_string().contains("postgresql_bytes");
    assert!(names_bytes(&first) && !names_bytes(&second), "{second}");
    let log = env.run_ok(&["audit", "log", "--tenant", "acme"]);
    assert!(log.contains("privacy.compacted") && log.contains("the database was rewritten; run by uid"), "{log}");
    assert!(env.run_ok(&COMPACT).contains("second receipts: 0\n"));
}

#[actix_web::test]
async fn a_role_without_the_rights_is_told_which_role_to_use() {
    let Some(database) = TestDatabase::postgres() else { return };
    TestEnvironment::with_database_url(database.url()).run_ok(&["migrate"]);
    let roles = Roles::create(&database).await;
    let (code, error) = TestEnvironment::with_database_url(&roles.server_url()).run_failing(&COMPACT);
    assert_eq!(code, 1);
    assert!(error.contains("run `parlance privacy compact` as a superuser, or as a role that owns both"), "{error}");
}
