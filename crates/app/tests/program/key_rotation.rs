//! Tests of a rotation of the master key: holds, the ledger, requests and erased identifiers of before still match.

use std::{
    fs,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use support::database::TestDatabase;

use crate::{
    audit_keys::{KEY, write_key},
    process::{Server, TestEnvironment},
};

const CONVERSATIONS: &str = "/conversation/v1/conversations";
const REQUESTS: &str = "/privacy/v1/requests";
const HOLDS: &str = "/privacy/v1/holds";

pub(crate) const OLD_KEY: &str = "old.key";

pub(crate) const ROTATE: [&str; 5] = ["audit", "sign", "--replace-key", "--previous-key", OLD_KEY];

/// How long a test waits for the state of a request, on a busy machine.
const MAX_WAIT: Duration = Duration::from_mins(1);

pub(crate) fn create_credential(env: &TestEnvironment) -> Value {
    let permissions = ["conversation:read", "conversation:write", "privacy:operate", "webhook:write"];
    let permissions = permissions.into_iter().flat_map(|permission| ["--permission", permission]);
    let create = ["credential", "create", "--tenant", "acme", "--name", "test", "--json"];
    serde_json::from_str(&env.run_ok(&create.into_iter().chain(permissions).collect::<Vec<_>>())).unwrap()
}

/// A caller of a server.
pub(crate) struct Caller<'a>(pub(crate) &'a Server, pub(crate) &'a Value);

impl Caller<'_> {
    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
        let response = self.0.request_with_method(method, self.1, path, body).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap_or_default())
    }

    pub(crate) async fn upsert(&self, external_id: &str, customer: &str) -> (u16, Value) {
        let at = "2026-01-31T09:30:00Z";
        let body = json!({"externalId": external_id, "customer": {"externalId": customer}, "timestamp": at});
        self.send(Method::POST, CONVERSATIONS, Some(&body)).await
    }

    /// Stores a conversation, and returns its path.
    async fn store(&self, external_id: &str, customer: &str) -> String {
        let (status, body) = self.upsert(external_id, customer).await;
        assert_eq!(status, 200, "{body}");
        format!("{CONVERSATIONS}/{}", body["id"].as_str().unwrap())
    }

    async fn request_erasure(&self, customer: &str) -> (u16, Value) {
        let body = json!({"type": "erasure", "subject": {"customerExternalId": customer}, "reference": "CHG-7"});
        self.send(Method::POST, REQUESTS, Some(&body)).await
    }

    /// Reads a request until its status is this one, or it waits for this.
    pub(crate) async fn wait_for(&self, path: &str, field: &str, value: &str) -> Value {
        let start = Instant::now();
        loop {
            let (_, request) = self.send(Method::GET, path, None).await;
            if request[field] == value {
                return request;
            }
            assert!(start.elapsed() < MAX_WAIT, "{request}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Checks that a request is refused with 409 by this rule.
    fn assert_refused((status, body): (u16, Value), rule: &str) {
        assert_eq!((status, &body["error"]["details"][0]["rule"]), (409, &json!(rule)), "{body}");
    }
}

/// Replaces the master key, whose copy is `old.key` afterwards.
pub(crate) fn replace_key_file(env: &TestEnvironment, byte: u8) {
    fs::rename(env.path().join(KEY), env.path().join(OLD_KEY)).unwrap();
    write_key(env, &[byte; 32], 0o600);
}

/// What was stored before the rotation.
struct Before {
    protected: String,
    conversation_hold: String,
    open_request: String,
}

async fn store_all(caller: &Caller<'_>) -> Before {
    let erased = caller.store("call-1", "linus").await;
    assert_eq!(caller.send(Method::DELETE, &erased, None).await.0, 204);
    let protected = caller.store("call-2", "grace").await;
    let hold = json!({"customerExternalId": "grace", "reference": "Case 7"});
    assert_eq!(caller.send(Method::POST, HOLDS, Some(&hold)).await.0, 201);
    // An erasure waits for this hold, because the customer sent a message in the conversation.
    let other = caller.store("call-3", "barbara").await;
    let sender = json!({"role": "customer", "externalId": "ada"});
    let message = json!({"text": "hello", "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    assert_eq!(caller.send(Method::POST, &format!("{other}/messages"), Some(&message)).await.0, 200);
    let id = other.rsplit('/').next().unwrap();
    let hold = json!({"conversationId": id, "reference": "Case 8"});
    let (_, placed) = caller.send(Method::POST, HOLDS, Some(&hold)).await;
    let (_, request) = caller.request_erasure("ada").await;
    let open_request = format!("{REQUESTS}/{}", request["id"].as_str().unwrap());
    caller.wait_for(&open_request, "waitingFor", "hold").await;
    Before { protected, conversation_hold: format!("{HOLDS}/{}", placed["id"].as_str().unwrap()), open_request }
}

async fn assert_matches(caller: &Caller<'_>, before: &Before) {
    Caller::assert_refused(caller.upsert("call-1", "linus").await, "erased");
    Caller::assert_refused(caller.send(Method::DELETE, &before.protected, None).await, "held");
    Caller::assert_refused(caller.request_erasure("grace").await, "held");
    Caller::assert_refused(caller.upsert("call-4", "ada").await, "erased");
    assert_eq!(caller.send(Method::DELETE, &before.conversation_hold, None).await.0, 204);
    let completed = caller.wait_for(&before.open_request, "status", "completed").await;
    assert_eq!(completed["counts"]["messagesElsewhere"], json!(1));
    let (_, later) = caller.request_erasure("ada").await;
    let later = format!("{REQUESTS}/{}", later["id"].as_str().unwrap());
    caller.wait_for(&later, "status", "completed").await;
    let receipt = async |path: &str| caller.send(Method::GET, &format!("{path}/receipt"), None).await.1;
    let (first, second) = (receipt(&before.open_request).await, receipt(&later).await);
    assert!(first["receipt"]["subject"].is_string() && first["receipt"]["subject"] == second["receipt"]["subject"]);
}

async fn assert_a_rotation_keeps_all(env: &TestEnvironment) {
    write_key(env, &[7; 32], 0o600);
    env.run_ok(&["migrate"]);
    let credential = create_credential(env);
    let server = env.serve(&[]);
    let before = store_all(&Caller(&server, &credential)).await;
    drop(server);
    // The second rotation finds a stored key.
    for byte in [8, 9] {
        replace_key_file(env, byte);
        let printed = env.run_ok(&ROTATE);
        assert!(printed.starts_with("The audit log is verified; newly signed heads: "), "{printed}");
    }
    let server = env.serve(&[]);
    assert_matches(&Caller(&server, &credential), &before).await;
}

#[actix_web::test]
async fn after_a_rotation_on_sqlite_holds_requests_and_erasures_match_as_before() {
    assert_a_rotation_keeps_all(&TestEnvironment::new()).await;
}

#[actix_web::test]
async fn after_a_rotation_on_postgresql_holds_requests_and_erasures_match_as_before() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let key = env.path().join(KEY);
    assert_a_rotation_keeps_all(&env.with_variables([("PARLANCE_MASTER_KEY_FILE", key.to_str().unwrap())])).await;
}

/// An environment with the erased identifier `call-1`, and a backup from before its erasure.
async fn erased() -> (TestEnvironment, Value) {
    let env = TestEnvironment::new();
    write_key(&env, &[7; 32], 0o600);
    env.run_ok(&["migrate"]);
    let credential = create_credential(&env);
    let server = env.serve(&[]);
    let caller = Caller(&server, &credential);
    let conversation = caller.store("call-1", "linus").await;
    env.run_ok(&["backup", "copy.db"]);
    assert_eq!(caller.send(Method::DELETE, &conversation, None).await.0, 204);
    drop(server);
    (env, credential)
}

#[actix_web::test]
async fn a_backup_from_before_a_rotation_forgets_again_and_is_rotated_again() {
    let (env, credential) = erased().await;
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(env.path().join(format!("parlance.db{suffix}")));
    }
    fs::rename(env.path().join(OLD_KEY), env.path().join(KEY)).unwrap();
    assert!(env.run_ok(&["restore", "copy.db"]).contains("applied from the ledger: 1\n"));
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    let server = env.serve(&[]);
    Caller::assert_refused(Caller(&server, &credential).upsert("call-1", "linus").await, "erased");
}

#[actix_web::test]
async fn without_the_previous_key_the_command_says_that_erased_identifiers_are_accepted_again() {
    let (env, credential) = erased().await;
    replace_key_file(&env, 8);
    let printed = env.run_ok(&["audit", "sign", "--replace-key"]);
    assert!(printed.contains("identifiers that were erased before are accepted again\n"), "{printed}");
    let server = env.serve(&[]);
    assert_eq!(Caller(&server, &credential).upsert("call-1", "linus").await.0, 200);
}

#[actix_web::test]
async fn a_rotation_without_the_previous_key_is_undone_by_putting_that_key_back() {
    let (env, credential) = erased().await;
    replace_key_file(&env, 8);
    env.run_ok(&["audit", "sign", "--replace-key"]);
    let (code, error) = env.run_failing(&ROTATE);
    assert!(code == 1 && error.contains("--previous-key: no key is replaced"), "{error}");
    fs::rename(env.path().join(OLD_KEY), env.path().join(KEY)).unwrap();
    env.run_ok(&["audit", "sign", "--replace-key"]);
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    let server = env.serve(&[]);
    Caller::assert_refused(Caller(&server, &credential).upsert("call-1", "linus").await, "erased");
}

#[actix_web::test]
async fn a_later_rotation_gives_up_the_stored_key_only_if_the_command_says_that_it_is_lost() {
    let (env, credential) = erased().await;
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    replace_key_file(&env, 9);
    let (code, error) = env.run_failing(&["audit", "sign", "--replace-key"]);
    assert!(code == 1 && error.contains("add --previous-key-lost if there is none"), "{error}");
    env.run_ok(&ROTATE);
    {
        let server = env.serve(&[]);
        Caller::assert_refused(Caller(&server, &credential).upsert("call-1", "linus").await, "erased");
    }
    replace_key_file(&env, 10);
    let printed = env.run_ok(&["audit", "sign", "--replace-key", "--previous-key-lost"]);
    assert!(printed.contains("identifiers that were erased before are accepted again\n"), "{printed}");
}

#[actix_web::test]
async fn a_key_that_is_not_the_replaced_one_is_refused_and_changes_nothing() {
    let (env, credential) = erased().await;
    replace_key_file(&env, 8);
    let replaced = fs::read(env.path().join(OLD_KEY)).unwrap();
    fs::write(env.path().join(OLD_KEY), [9; 32]).unwrap();
    let (code, error) = env.run_failing(&ROTATE);
    assert!(
        code == 1 && error.ends_with("--previous-key: the key in old.key is not the one that is replaced"),
        "{error}"
    );
    fs::write(env.path().join(OLD_KEY), replaced).unwrap();
    for _ in 0..2 {
        env.run_ok(&ROTATE);
    }
    let printed = env.run_ok(&["audit", "sign", "--replace-key"]);
    assert!(!printed.contains("accepted again"), "{printed}");
    let server = env.serve(&[]);
    Caller::assert_refused(Caller(&server, &credential).upsert("call-1", "linus").await, "erased");
}

/// The signature of the one head of the audit log, and the key that made it.
fn signature(connection: &rusqlite::Connection) -> (Vec<u8>, Vec<u8>) {
    let select = "SELECT signature, signed_by FROM audit_heads";
    connection.query_row(select, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

#[actix_web::test]
async fn a_rotation_that_was_killed_before_its_signatures_is_not_served_with_the_old_key_and_goes_on() {
    let (env, credential) = erased().await;
    let database = env.path().join("parlance.db");
    let before = signature(&rusqlite::Connection::open(&database).unwrap());
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.execute("UPDATE audit_heads SET signature = ?1, signed_by = ?2", before).unwrap();
    drop(connection);
    fs::rename(env.path().join(OLD_KEY), env.path().join(KEY)).unwrap();
    let (code, error) = env.run_failing(&["serve", "--log-level", "error"]);
    assert!(code == 1 && error.contains("the key of the digests of identifiers is encrypted under another"), "{error}");
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    let server = env.serve(&[]);
    Caller::assert_refused(Caller(&server, &credential).upsert("call-1", "linus").await, "erased");
}
