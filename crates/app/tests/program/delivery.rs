//! Tests of vocabulary delivery to a transcription component, across kills and outages of either side.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use support::{client::http_client, transcription_receiver::Receiver};

use crate::process::{Server, TestEnvironment};

pub(crate) const PATH: &str = "/configuration/v1/custom-vocabularies";

/// Maximum time that the specification allows between a change and its delivery.
pub(crate) const MAX_DELIVERY_TIME: Duration = Duration::from_mins(1);

/// Starts a server that delivers vocabularies to this URL. Returns the server and the address of its metrics.
pub(crate) fn serve_with_delivery(env: &TestEnvironment, url: &str) -> (Server, String) {
    let secret = "a key of sixteen bytes or more";
    let mut server = env.serve(&[
        "--vocabulary-delivery-url",
        url,
        "--vocabulary-delivery-secret",
        secret,
        "--metrics-listen",
        "127.0.0.1:0",
    ]);
    let metrics = server.wait_for_log("serving metrics")["address"].as_str().unwrap().to_owned();
    (server, metrics)
}

/// Adds a vocabulary entry.
pub(crate) async fn add_phrase(server: &Server, credential: &Value, phrase: &str) {
    let body = json!({"phrase": phrase, "soundsLike": []});
    let answer = server.request(credential, PATH, Some(&body)).send().await.unwrap();
    assert_eq!(answer.status(), 201);
}

/// Polls the delivery status until it matches, for at most [`MAX_DELIVERY_TIME`]. Returns the elapsed time.
pub(crate) async fn wait_for_status(
    server: &Server,
    credential: &Value,
    is_match: impl Fn(&Value) -> bool,
) -> Duration {
    let start = Instant::now();
    loop {
        let answer = server.request(credential, &format!("{PATH}/status"), None).send().await.unwrap();
        let status = answer.json().await.unwrap();
        if is_match(&status) {
            return start.elapsed();
        }
        assert!(start.elapsed() < MAX_DELIVERY_TIME, "{status}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) fn is_delivered(version: u64) -> impl Fn(&Value) -> bool {
    move |status| status["state"] == "delivered" && status["deliveredVersion"] == version
}

/// Returns the value of a counter.
pub(crate) async fn counter_value(address: &str, series: &str) -> u64 {
    let value = series_value(address, series).await;
    format!("{value}").parse().unwrap()
}

/// Returns the value of a series.
pub(crate) async fn series_value(address: &str, series: &str) -> f64 {
    let text = http_client().get(format!("http://{address}/metrics")).send().await.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    assert!(line.is_some(), "no {series} in {text}");
    line.unwrap().parse().unwrap()
}

fn versions(receiver: &Receiver) -> Vec<u64> {
    let version = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap()["version"].as_u64().unwrap();
    receiver.received().iter().map(|received| version(&received.body)).collect()
}

#[actix_web::test]
async fn a_change_reaches_the_component_and_the_status_reports_it() {
    let (env, receiver) = (TestEnvironment::new(), Receiver::start());
    let credential = env.create_credential();
    let (server, metrics) = serve_with_delivery(&env, &receiver.url("/{tenant}"));
    add_phrase(&server, &credential, "IEEE").await;
    wait_for_status(&server, &credential, is_delivered(1)).await;
    let received = receiver.received();
    assert_eq!(received.iter().map(|received| received.line.as_str()).collect::<Vec<_>>(), ["PUT /acme"]);
    let document: Value = serde_json::from_slice(&received[0].body).unwrap();
    assert_eq!(document["custom-vocabularies"][0]["phrase"], "IEEE");
    assert_eq!(counter_value(&metrics, "parlance_vocabulary_deliveries_total{outcome=\"delivered\"}").await, 1);
    assert_eq!(counter_value(&metrics, "parlance_vocabulary_delivery_seconds_count").await, 1);
}

#[actix_web::test]
async fn a_deletion_reaches_the_component_too() {
    let (env, receiver) = (TestEnvironment::new(), Receiver::start());
    let credential = env.create_credential();
    let (server, _) = serve_with_delivery(&env, &receiver.url("/"));
    add_phrase(&server, &credential, "IEEE").await;
    let list = server.request(&credential, PATH, None).send().await.unwrap().json::<Value>().await.unwrap();
    let entry = format!("{PATH}/{}", list["custom-vocabularies"][0]["id"].as_str().unwrap());
    assert_eq!(
        server.request_with_method(Method::DELETE, &credential, &entry, None).send().await.unwrap().status(),
        204
    );
    wait_for_status(&server, &credential, is_delivered(2)).await;
    let last: Value = serde_json::from_slice(&receiver.received().pop().unwrap().body).unwrap();
    assert_eq!(last["custom-vocabularies"], json!([]));
}

#[actix_web::test]
async fn a_change_is_delivered_in_time_after_a_kill_of_the_server_and_an_outage_of_the_component() {
    let (env, mut receiver) = (TestEnvironment::new(), Receiver::start());
    let credential = env.create_credential();
    receiver.stop();
    let (mut server, _) = serve_with_delivery(&env, &receiver.url("/"));
    add_phrase(&server, &credential, "IEEE").await;
    let unreachable = |status: &Value| status["state"] == "pending" && status["lastError"]["kind"] == "unreachable";
    wait_for_status(&server, &credential, unreachable).await;
    server.signal("KILL");
    server.wait_for_exit();

    let (server, _) = serve_with_delivery(&env, &receiver.url("/"));
    assert_eq!(versions(&receiver), [] as [u64; 0]);
    receiver.restart();
    wait_for_status(&server, &credential, is_delivered(1)).await;
    assert_eq!(versions(&receiver), [1]);
}

#[actix_web::test]
async fn a_refusal_by_the_component_is_in_the_status_and_the_delivery_is_retried() {
    let (env, receiver) = (TestEnvironment::new(), Receiver::start());
    let credential = env.create_credential();
    receiver.set_response(401, None);
    let (server, _) = serve_with_delivery(&env, &receiver.url("/"));
    add_phrase(&server, &credential, "IEEE").await;
    let message = "the transcription component refused the vocabulary";
    let refused = |status: &Value| status["lastError"]["message"] == message && status["nextAttempt"].is_string();
    wait_for_status(&server, &credential, refused).await;
    receiver.set_response(200, None);
    wait_for_status(&server, &credential, is_delivered(1)).await;
}

#[actix_web::test]
async fn changes_during_an_outage_of_the_component_arrive_in_order_up_to_the_latest() {
    let (env, mut receiver) = (TestEnvironment::new(), Receiver::start());
    let credential = env.create_credential();
    let (server, _) = serve_with_delivery(&env, &receiver.url("/"));
    add_phrase(&server, &credential, "phrase 0").await;
    wait_for_status(&server, &credential, is_delivered(1)).await;
    receiver.stop();
    for number in 1..10 {
        add_phrase(&server, &credential, &format!("phrase {number}")).await;
    }
    receiver.restart();
    wait_for_status(&server, &credential, is_delivered(10)).await;
    let versions = versions(&receiver);
    assert!(versions.is_sorted() && versions.last() == Some(&10), "{versions:?}");
}

#[actix_web::test]
async fn delivery_to_a_directory_resumes_once_the_directory_exists_again() {
    let env = TestEnvironment::new();
    let (credential, directory) = (env.create_credential(), env.path().join("vocabularies"));
    fs::create_dir(&directory).unwrap();
    let (server, _) = serve_with_delivery(&env, &format!("file://{}", directory.display()));
    add_phrase(&server, &credential, "IEEE").await;
    wait_for_status(&server, &credential, is_delivered(1)).await;
    assert_eq!(document(&directory)["version"], 1);
    fs::remove_dir_all(&directory).unwrap();
    add_phrase(&server, &credential, "ACM").await;
    wait_for_status(&server, &credential, |status| status["lastError"]["kind"] == "unwritable").await;
    fs::create_dir(&directory).unwrap();
    wait_for_status(&server, &credential, is_delivered(2)).await;
    assert_eq!(document(&directory)["version"], 2);
}

fn document(directory: &Path) -> Value {
    serde_json::from_slice(&fs::read(directory.join("acme.json")).unwrap()).unwrap()
}

#[actix_web::test]
async fn the_command_redeliver_sends_a_delivered_vocabulary_again() {
    let (env, receiver) = (TestEnvironment::new(), Receiver::start());
    let credential = env.create_credential();
    let (server, _) = serve_with_delivery(&env, &receiver.url("/"));
    add_phrase(&server, &credential, "IEEE").await;
    wait_for_status(&server, &credential, is_delivered(1)).await;
    let printed = env.run_ok(&["vocabulary", "redeliver", "--tenant", "acme"]);
    assert_eq!(printed, "1 vocabulary is queued for redelivery: a running server starts within a minute.\n");
    let start = Instant::now();
    while receiver.received().len() < 2 {
        assert!(start.elapsed() < MAX_DELIVERY_TIME, "the vocabulary is not delivered again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(versions(&receiver), [1, 1]);
    env.run_ok(&["credential", "create", "--tenant", "globex", "--name", "other"]);
    assert!(env.run_ok(&["vocabulary", "redeliver", "--tenant", "globex"]).starts_with("0 vocabularies are"));
}
