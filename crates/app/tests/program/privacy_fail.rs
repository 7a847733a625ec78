//! Tests of `parlance privacy fail`: the way out for an open request whose stored row is invalid.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    key_rotation::{Caller, create_credential},
    process::TestEnvironment,
};

const REQUESTS: &str = "/privacy/v1/requests";
const ID: &str = "01JZX900000000000000000000";
const LOGGED: &str = "a privacy request cannot be carried out, because its row is invalid: run `parlance doctor`";

const FAIL: [&str; 6] = ["privacy", "fail", "--tenant", "acme", "--request", ID];

/// An environment with an open erasure of the customer `ada`, whose row has an unknown kind.
fn with_invalid_request() -> (TestEnvironment, Value) {
    let env = TestEnvironment::new();
    env.run_ok(&["migrate"]);
    let credential = create_credential(&env);
    env.tamper(&format!(
        "INSERT INTO privacy_requests (tenant_id, id, kind, dry_run, subject, reference, status, requested_at)
            VALUES ('acme', '{ID}', 'unknown', 0, zeroblob(32), 'CHG-7', 'running', 1);
        INSERT INTO privacy_subjects (tenant_id, request_id, customer_external_id, is_fence)
            VALUES ('acme', '{ID}', 'ada', 1);"
    ));
    (env, credential)
}

#[actix_web::test]
async fn an_invalid_request_is_logged_once_named_by_the_doctor_and_ended_by_the_command() {
    let (env, credential) = with_invalid_request();
    let mut server = env.serve(&[]);
    assert_eq!(server.wait_for_log(LOGGED)["id"], ID);
    {
        let caller = Caller(&server, &credential);
        assert_eq!(caller.upsert("call-1", "ada").await.0, 409);
        let body = json!({"type": "erasure", "subject": {"customerExternalId": "grace"}, "reference": "CHG-8"});
        let (_, other) = caller.send(Method::POST, REQUESTS, Some(&body)).await;
        let other = format!("{REQUESTS}/{}", other["id"].as_str().unwrap());
        caller.wait_for(&other, "status", "completed").await;
        let report = env.run_ok(&["doctor"]);
        let named = format!("invalid: 1: `--tenant acme --request {ID}` (privacy_requests.kind of row {ID} ");
        assert!(report.contains(&named), "{report}");
        assert!(env.run_ok(&FAIL).starts_with("The request has failed, with the reason invalid_data. "));
        assert_eq!(caller.upsert("call-1", "ada").await.0, 200);
    }
    assert!(env.run_ok(&["doctor"]).contains("ok    privacy requests: the rows of all open ones are valid\n"));
    assert!(env.run_ok(&["audit", "log", "--tenant", "acme"]).contains("privacy.failed"));
    server.signal("TERM");
    let (_, log) = server.wait_for_exit();
    assert_eq!(log.matches(LOGGED).count(), 1, "{log}");
}

#[test]
fn the_command_refuses_a_request_that_is_unknown_or_has_ended_and_says_so() {
    let (env, _) = with_invalid_request();
    drop(env.serve(&[]));
    let (code, error) = env.run_failing(&["privacy", "fail", "--tenant", "globex", "--request", ID]);
    assert_eq!((code, error.as_str()), (1, "parlance: the tenant has no request with this id"));
    env.run_ok(&FAIL);
    let (code, error) = env.run_failing(&FAIL);
    assert_eq!((code, error.as_str()), (1, "parlance: the request has ended already, and its stored row is invalid"));
}
