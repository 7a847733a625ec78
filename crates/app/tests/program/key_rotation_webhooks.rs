//! Tests of the secrets of webhooks across a rotation of the master key.

use parlance_domain::{
    time::Timestamp,
    webhook::{WebhookDeliveryId, WebhookSecret, sign},
};
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    database::TestDatabase,
    webhook_receiver::{ReceiverBehaviour, WebhookReceiver},
};

use crate::{
    audit_keys::{KEY, write_key},
    key_rotation::{Caller, ROTATE, create_credential, replace_key_file},
    process::{Server, TestEnvironment},
};

const WEBHOOKS: &str = "/configuration/v1/webhooks";

/// A webhook with its receiver and its secrets, the current one first.
struct Endpoint {
    receiver: WebhookReceiver,
    id: String,
    secrets: Vec<String>,
}

fn secret(answer: &(u16, Value)) -> String {
    answer.1["secret"].as_str().unwrap().to_owned()
}

impl Endpoint {
    async fn create(caller: &Caller<'_>) -> Self {
        let receiver = WebhookReceiver::start(ReceiverBehaviour::Status(204)).await;
        let body = json!({"url": receiver.url(), "types": ["message.created"]});
        let created = caller.send(Method::POST, WEBHOOKS, Some(&body)).await;
        Self { receiver, id: created.1["id"].as_str().unwrap().to_owned(), secrets: vec![secret(&created)] }
    }

    async fn post(&self, caller: &Caller<'_>, operation: &str) -> (u16, Value) {
        caller.send(Method::POST, &format!("{WEBHOOKS}/{}/{operation}", self.id), None).await
    }

    async fn rotate_secret(&mut self, caller: &Caller<'_>) {
        self.secrets.insert(0, secret(&self.post(caller, "rotate-secret").await));
    }

    /// Sends a test, and checks that its request has the signatures of exactly these secrets.
    async fn assert_signed(&self, caller: &Caller<'_>, secrets: &[String]) {
        let count = self.receiver.received().len() + 1;
        let (status, answer) = self.post(caller, "test").await;
        assert!((200..300).contains(&status), "{answer}");
        let request = self.receiver.wait_for(count).await.pop().unwrap();
        let seconds: i64 = request.headers["webhook-timestamp"].parse().unwrap();
        let id = WebhookDeliveryId::parse(&request.headers["webhook-id"]).unwrap();
        let secrets: Vec<_> = secrets.iter().map(|text| WebhookSecret::parse(text).unwrap()).collect();
        let signature = sign(&secrets, &id, Timestamp::EPOCH.plus_seconds(seconds), request.body.as_bytes());
        assert_eq!(request.headers["webhook-signature"], signature);
    }
}

/// Stops a server, so that the next one gets its leases at once.
fn stop(mut server: Server) {
    server.signal("TERM");
    server.wait_for_exit();
}

fn prepared(env: TestEnvironment) -> (TestEnvironment, Value) {
    let env = env.with_variables([("PARLANCE_WEBHOOK_ALLOW", "127.0.0.0/8")]);
    write_key(&env, &[7; 32], 0o600);
    env.run_ok(&["migrate"]);
    let credential = create_credential(&env);
    (env, credential)
}

async fn assert_a_rotation_keeps_secrets(env: TestEnvironment) {
    let (env, credential) = prepared(env);
    let server = env.serve(&[]);
    let caller = Caller(&server, &credential);
    let mut endpoint = Endpoint::create(&caller).await;
    endpoint.rotate_secret(&caller).await;
    stop(server);
    for byte in [8, 9] {
        replace_key_file(&env, byte);
        let printed = env.run_ok(&ROTATE);
        assert!(printed.ends_with("\nWebhooks: 1; with newly encrypted secrets: 1\n"), "{printed}");
    }
    let server = env.serve(&[]);
    endpoint.assert_signed(&Caller(&server, &credential), &endpoint.secrets).await;
}

#[actix_web::test]
async fn after_a_rotation_on_sqlite_webhooks_get_requests_with_the_signatures_of_their_secrets() {
    assert_a_rotation_keeps_secrets(TestEnvironment::new()).await;
}

#[actix_web::test]
async fn after_a_rotation_on_postgresql_webhooks_get_requests_with_the_signatures_of_their_secrets() {
    let Some(database) = TestDatabase::postgres() else { return };
    let env = TestEnvironment::with_database_url(database.url());
    let key = env.path().join(KEY);
    assert_a_rotation_keeps_secrets(env.with_variables([("PARLANCE_MASTER_KEY_FILE", key.to_str().unwrap())])).await;
}

/// The encrypted secret of a webhook.
fn stored_secret(env: &TestEnvironment, id: &str) -> Vec<u8> {
    let connection = rusqlite::Connection::open(env.path().join("parlance.db")).unwrap();
    connection.query_row("SELECT secret FROM webhooks WHERE id = ?1", [id], |row| row.get(0)).unwrap()
}

fn replace_stored_secret(env: &TestEnvironment, id: &str, secret: &[u8]) {
    let connection = rusqlite::Connection::open(env.path().join("parlance.db")).unwrap();
    let changed = connection.execute("UPDATE webhooks SET secret = ?2 WHERE id = ?1", (id, secret)).unwrap();
    assert_eq!(changed, 1);
}

#[actix_web::test]
async fn a_rotation_that_was_killed_between_two_webhooks_goes_on_when_it_is_repeated() {
    let (env, credential) = prepared(TestEnvironment::new());
    let server = env.serve(&[]);
    let caller = Caller(&server, &credential);
    let endpoints = [Endpoint::create(&caller).await, Endpoint::create(&caller).await];
    stop(server);
    let under_old_key = stored_secret(&env, &endpoints[1].id);
    replace_key_file(&env, 8);
    env.run_ok(&ROTATE);
    replace_stored_secret(&env, &endpoints[1].id, &under_old_key);
    let printed = env.run_ok(&ROTATE);
    assert!(printed.ends_with("\nWebhooks: 2; with newly encrypted secrets: 1\n"), "{printed}");
    let server = env.serve(&[]);
    for endpoint in &endpoints {
        endpoint.assert_signed(&Caller(&server, &credential), &endpoint.secrets).await;
    }
}

#[actix_web::test]
async fn after_the_loss_of_the_key_a_webhook_is_named_and_a_new_secret_signs_alone() {
    let (env, credential) = prepared(TestEnvironment::new());
    let server = env.serve(&[]);
    let mut endpoint = Endpoint::create(&Caller(&server, &credential)).await;
    stop(server);
    replace_key_file(&env, 8);
    let printed = env.run_ok(&["audit", "sign", "--replace-key", "--previous-key-lost"]);
    assert!(
        printed.contains("\nWebhooks that need a new secret, because none of the keys opens theirs: 1: "),
        "{printed}"
    );
    let report = env.run_ok(&["doctor"]);
    let named = format!(
        "warn  webhooks: the master key does not open the secrets of 1 of 1, which therefore get nothing: acme/{}: ",
        endpoint.id
    );
    assert!(report.contains(&named), "{report}");
    let server = env.serve(&[]);
    let caller = Caller(&server, &credential);
    endpoint.rotate_secret(&caller).await;
    endpoint.assert_signed(&caller, &endpoint.secrets[..1]).await;
    assert!(env.run_ok(&["doctor"]).contains("ok    webhooks: the master key opens the secrets of all, webhooks: 1\n"));
}

#[actix_web::test]
async fn a_previous_key_that_was_left_out_by_mistake_saves_the_secrets_later() {
    let (env, credential) = prepared(TestEnvironment::new());
    let server = env.serve(&[]);
    let endpoint = Endpoint::create(&Caller(&server, &credential)).await;
    stop(server);
    replace_key_file(&env, 8);
    env.run_ok(&["audit", "sign", "--replace-key", "--previous-key-lost"]);
    stop(env.serve(&[]));
    let printed = env.run_ok(&ROTATE);
    assert!(printed.ends_with("\nWebhooks: 1; with newly encrypted secrets: 1\n"), "{printed}");
    let server = env.serve(&[]);
    endpoint.assert_signed(&Caller(&server, &credential), &endpoint.secrets).await;
}
