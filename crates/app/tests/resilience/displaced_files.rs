//! Tests in which the file of the embedded database is replaced or moved away under a running server. The responses are
//! 503, and `/health/ready` and the log report the cause.

use std::fs;

use serde_json::Value;

use crate::replica::{CONVERSATIONS, Caller, TestEnvironment, conversation, message};

const DISPLACED: &str = "was moved, replaced or removed while the server had it open";

/// Returns a message that makes the engine read earlier messages, because its digits may be the rest of a number.
fn rest_of_a_number() -> Value {
    message("1111 and 42")
}

/// Checks that writes and readiness respond with 503, and that readiness names the database files.
async fn assert_unavailable(caller: &Caller, path: &str) {
    for (path, body) in
        [(path, rest_of_a_number()), (path, message("good morning")), (CONVERSATIONS, conversation("b"))]
    {
        assert_eq!(caller.post(path, &body).await.0, 503, "{body}");
    }
    let (status, body) = caller.get("/health/ready").await;
    let details: Vec<_> =
        body["error"]["details"].as_array().unwrap().iter().map(|detail| &detail["pointer"]).collect();
    assert_eq!((status, details), (503, vec![&Value::from("part:database_files")]));
}

#[actix_web::test]
async fn a_database_file_that_is_replaced_is_a_503_and_is_reported() {
    let (env, other) = (TestEnvironment::new(), TestEnvironment::new());
    let credential = env.create_credential("acme");
    other.run_ok(&["migrate"]);
    let server = env.serve();
    let caller = server.caller(&credential);
    let path = caller.create_conversation("a").await;
    fs::rename(other.path().join("parlance.db"), env.path().join("parlance.db")).unwrap();
    assert_unavailable(&caller, &path).await;
    assert!(server.log().contains(DISPLACED), "{}", server.log());
}

#[actix_web::test]
async fn a_database_file_that_is_moved_away_and_back_is_served_with_every_acknowledged_write() {
    let env = TestEnvironment::new();
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let path = caller.create_conversation("a").await;
    assert_eq!(caller.post(&path, &message("before")).await.0, 200);
    let (file, moved) = (env.path().join("parlance.db"), env.path().join("elsewhere.db"));
    fs::rename(&file, &moved).unwrap();
    assert_unavailable(&caller, &path).await;
    fs::rename(&moved, &file).unwrap();
    assert_eq!(caller.get("/health/ready").await.0, 200);
    assert_eq!(caller.post(&path, &message("after")).await.0, 200);
    drop(server);
    let (_, list) = env.serve().caller(&credential).get(&path).await;
    let texts: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect();
    assert!(texts.contains(&"before") && texts.contains(&"after"), "{texts:?}");
}
