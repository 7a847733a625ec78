//! Tests of `parlance credential`, with and without a running server.

use serde_json::{Value, json};

use crate::process::TestEnvironment;

#[test]
fn a_created_credential_is_printed_as_json() {
    let env = TestEnvironment::migrated();
    let printed = env.run_ok(&[
        "credential",
        "create",
        "--tenant",
        "acme",
        "--name",
        "reports",
        "--permission",
        "feed:read",
        "--permission",
        "conversation:read",
        "--json",
    ]);
    let created: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        (&created["tenant"], &created["permissions"]),
        (&json!("acme"), &json!(["conversation:read", "feed:read"]))
    );
    assert_eq!(created.as_object().unwrap().len(), 4);
    assert!(created["apiId"].as_str().unwrap().starts_with("acme."));
    assert_eq!(created["apiSecret"].as_str().map(str::len), Some(64));
}

#[test]
fn a_credential_has_every_permission_if_none_is_named() {
    let created = TestEnvironment::new().create_credential();
    assert_eq!(created["permissions"].as_array().map(Vec::len), Some(5));
}

#[test]
fn credentials_are_listed_without_their_secrets() {
    let env = TestEnvironment::new();
    let created = env.create_credential();
    env.run_ok(&["credential", "create", "--tenant", "globex", "--name", "other"]);
    let list: Value = serde_json::from_str(&env.run_ok(&["credential", "list", "--json"])).unwrap();
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    let acme: Value = serde_json::from_str(&env.run_ok(&["credential", "list", "--tenant", "acme", "--json"])).unwrap();
    assert_eq!((acme.as_array().map(Vec::len), &acme[0]["apiId"]), (Some(1), &created["apiId"]));
    let text = env.run_ok(&["credential", "list"]);
    assert!(text.lines().count() == 2 && !text.contains(created["apiSecret"].as_str().unwrap()), "{text}");
}

#[actix_web::test]
async fn a_running_server_accepts_a_rotated_secret_at_once() {
    let env = TestEnvironment::new();
    let old = env.create_credential();
    let server = env.serve(&[]);
    assert_eq!(server.search_status(&old).await, 200);
    let id = old["apiId"].as_str().unwrap();
    let new: Value = serde_json::from_str(&env.run_ok(&["credential", "rotate", id, "--json"])).unwrap();
    assert_eq!(new["apiId"], old["apiId"]);
    assert_eq!(server.search_status(&new).await, 200);
}

#[actix_web::test]
async fn a_revoked_credential_is_refused() {
    let env = TestEnvironment::new();
    let credential = env.create_credential();
    let id = credential["apiId"].as_str().unwrap();
    env.run_ok(&["credential", "revoke", id]);
    assert_eq!(env.serve(&[]).search_status(&credential).await, 401);
    let again = env.run(&["credential", "rotate", id]);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(String::from_utf8(again.stderr).unwrap(), "parlance: there is no such credential in use\n");
}

#[test]
fn an_invalid_tenant_name_permission_or_api_id_is_refused() {
    let env = TestEnvironment::new();
    for arguments in [
        &["credential", "create", "--tenant", "../x", "--name", "n"][..],
        &["credential", "create", "--tenant", "acme", "--name", ""],
        &["credential", "create", "--tenant", "acme", "--name", "n", "--permission", "all"],
        &["credential", "create", "--tenant", "acme"],
        &["credential", "revoke", "nonsense"],
    ] {
        assert_eq!(env.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
