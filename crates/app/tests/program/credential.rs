//! `parlance credential`, beside a server that runs.

use serde_json::{Value, json};

use crate::process::Home;

#[test]
fn a_created_credential_is_printed_as_json() {
    let home = Home::migrated();
    let printed = home.print(&[
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
fn a_credential_has_every_permission_where_none_is_named() {
    let created = Home::new().credential();
    assert_eq!(created["permissions"].as_array().map(Vec::len), Some(5));
}

#[test]
fn credentials_are_listed_without_their_secrets() {
    let home = Home::new();
    let created = home.credential();
    home.print(&["credential", "create", "--tenant", "globex", "--name", "other"]);
    let list: Value = serde_json::from_str(&home.print(&["credential", "list", "--json"])).unwrap();
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    let acme: Value = serde_json::from_str(&home.print(&["credential", "list", "--tenant", "acme", "--json"])).unwrap();
    assert_eq!((acme.as_array().map(Vec::len), &acme[0]["apiId"]), (Some(1), &created["apiId"]));
    let text = home.print(&["credential", "list"]);
    assert!(text.lines().count() == 2 && !text.contains(created["apiSecret"].as_str().unwrap()), "{text}");
}

#[actix_web::test]
async fn a_rotated_credential_is_known_to_a_running_server_at_once() {
    let home = Home::new();
    let old = home.credential();
    let server = home.serve(&[]);
    assert_eq!(server.status(&old).await, 200);
    let id = old["apiId"].as_str().unwrap();
    let new: Value = serde_json::from_str(&home.print(&["credential", "rotate", id, "--json"])).unwrap();
    assert_eq!(new["apiId"], old["apiId"]);
    assert_eq!(server.status(&new).await, 200);
}

#[actix_web::test]
async fn a_revoked_credential_is_refused() {
    let home = Home::new();
    let credential = home.credential();
    let id = credential["apiId"].as_str().unwrap();
    home.print(&["credential", "revoke", id]);
    assert_eq!(home.serve(&[]).status(&credential).await, 401);
    let again = home.run(&["credential", "rotate", id]);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(String::from_utf8(again.stderr).unwrap(), "parlance: there is no such credential in use\n");
}

#[test]
fn what_names_no_tenant_permission_or_credential_is_refused() {
    let home = Home::new();
    for arguments in [
        &["credential", "create", "--tenant", "../x", "--name", "n"][..],
        &["credential", "create", "--tenant", "acme", "--name", ""],
        &["credential", "create", "--tenant", "acme", "--name", "n", "--permission", "all"],
        &["credential", "create", "--tenant", "acme"],
        &["credential", "revoke", "nonsense"],
    ] {
        assert_eq!(home.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
