//! Vocabularies on their way to a transcription component, through kills and outages of either side.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use support::{client::http, receiver::Receiver};

use crate::process::{Home, Server};

pub(crate) const PATH: &str = "/configuration/v1/custom-vocabularies";

/// Longest time that the specification allows from a change to its delivery.
pub(crate) const PROMISED: Duration = Duration::from_mins(1);

/// A server that brings vocabularies there, and says where its metrics are read.
pub(crate) fn serve(home: &Home, url: &str) -> (Server, String) {
    let secret = "a key of sixteen bytes or more";
    let mut server = home.serve(&[
        "--vocabulary-delivery-url",
        url,
        "--vocabulary-delivery-secret",
        secret,
        "--metrics-listen",
        "127.0.0.1:0",
    ]);
    let metrics = server.wait_for("metrics can be read")["address"].as_str().unwrap().to_owned();
    (server, metrics)
}

/// Adds an entry.
pub(crate) async fn add(server: &Server, credential: &Value, phrase: &str) {
    let body = json!({"phrase": phrase, "soundsLike": []});
    let answer = server.request(credential, PATH, Some(&body)).send().await.unwrap();
    assert_eq!(answer.status(), 201);
}

/// Asks for the status until it is as wanted, for as long as the specification allows; gives how long that took.
pub(crate) async fn wait_for(server: &Server, credential: &Value, wanted: impl Fn(&Value) -> bool) -> Duration {
    let begun = Instant::now();
    loop {
        let answer = server.request(credential, &format!("{PATH}/status"), None).send().await.unwrap();
        let status = answer.json().await.unwrap();
        if wanted(&status) {
            return begun.elapsed();
        }
        assert!(begun.elapsed() < PROMISED, "{status}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) fn is_delivered(version: u64) -> impl Fn(&Value) -> bool {
    move |status| status["state"] == "delivered" && status["deliveredVersion"] == version
}

/// The value of one series that counts.
pub(crate) async fn metric(address: &str, series: &str) -> u64 {
    let value = value(address, series).await;
    format!("{value}").parse().unwrap()
}

/// The value of one series.
pub(crate) async fn value(address: &str, series: &str) -> f64 {
    let text = http().get(format!("http://{address}/metrics")).send().await.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    assert!(line.is_some(), "no {series} in {text}");
    line.unwrap().parse().unwrap()
}

fn versions(receiver: &Receiver) -> Vec<u64> {
    let version = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap()["version"].as_u64().unwrap();
    receiver.received().iter().map(|received| version(&received.body)).collect()
}

#[actix_web::test]
async fn a_change_reaches_the_component_and_the_status_says_so() {
    let (home, receiver) = (Home::new(), Receiver::start());
    let credential = home.credential();
    let (server, metrics) = serve(&home, &receiver.url("/{tenant}"));
    add(&server, &credential, "IEEE").await;
    wait_for(&server, &credential, is_delivered(1)).await;
    let received = receiver.received();
    assert_eq!(received.iter().map(|received| received.line.as_str()).collect::<Vec<_>>(), ["PUT /acme"]);
    let document: Value = serde_json::from_slice(&received[0].body).unwrap();
    assert_eq!(document["custom-vocabularies"][0]["phrase"], "IEEE");
    assert_eq!(metric(&metrics, "parlance_vocabulary_deliveries_total{outcome=\"delivered\"}").await, 1);
    assert_eq!(metric(&metrics, "parlance_vocabulary_delivery_seconds_count").await, 1);
}

#[actix_web::test]
async fn a_deletion_reaches_the_component_too() {
    let (home, receiver) = (Home::new(), Receiver::start());
    let credential = home.credential();
    let (server, _) = serve(&home, &receiver.url("/"));
    add(&server, &credential, "IEEE").await;
    let list = server.request(&credential, PATH, None).send().await.unwrap().json::<Value>().await.unwrap();
    let entry = format!("{PATH}/{}", list["custom-vocabularies"][0]["id"].as_str().unwrap());
    assert_eq!(server.call(Method::DELETE, &credential, &entry, None).send().await.unwrap().status(), 204);
    wait_for(&server, &credential, is_delivered(2)).await;
    let last: Value = serde_json::from_slice(&receiver.received().pop().unwrap().body).unwrap();
    assert_eq!(last["custom-vocabularies"], json!([]));
}

#[actix_web::test]
async fn the_component_comes_back_after_the_server_was_killed_and_has_the_change_in_time() {
    let (home, mut receiver) = (Home::new(), Receiver::start());
    let credential = home.credential();
    receiver.go_away();
    let (mut server, _) = serve(&home, &receiver.url("/"));
    add(&server, &credential, "IEEE").await;
    let unreachable = |status: &Value| status["state"] == "pending" && status["lastError"]["kind"] == "unreachable";
    wait_for(&server, &credential, unreachable).await;
    server.signal("KILL");
    server.end();

    let (server, _) = serve(&home, &receiver.url("/"));
    assert_eq!(versions(&receiver), [] as [u64; 0]);
    receiver.come_back();
    wait_for(&server, &credential, is_delivered(1)).await;
    assert_eq!(versions(&receiver), [1]);
}

#[actix_web::test]
async fn a_component_that_refuses_is_told_in_the_status_and_tried_again() {
    let (home, receiver) = (Home::new(), Receiver::start());
    let credential = home.credential();
    receiver.answer(401, None);
    let (server, _) = serve(&home, &receiver.url("/"));
    add(&server, &credential, "IEEE").await;
    let message = "the transcription component refused the vocabulary";
    let refused = |status: &Value| status["lastError"]["message"] == message && status["nextAttempt"].is_string();
    wait_for(&server, &credential, refused).await;
    receiver.answer(200, None);
    wait_for(&server, &credential, is_delivered(1)).await;
}

#[actix_web::test]
async fn changes_while_the_component_is_away_arrive_as_one_and_never_an_older_after_a_newer() {
    let (home, mut receiver) = (Home::new(), Receiver::start());
    let credential = home.credential();
    let (server, _) = serve(&home, &receiver.url("/"));
    add(&server, &credential, "phrase 0").await;
    wait_for(&server, &credential, is_delivered(1)).await;
    receiver.go_away();
    for number in 1..10 {
        add(&server, &credential, &format!("phrase {number}")).await;
    }
    receiver.come_back();
    wait_for(&server, &credential, is_delivered(10)).await;
    let versions = versions(&receiver);
    assert!(versions.is_sorted() && versions.last() == Some(&10), "{versions:?}");
}

#[actix_web::test]
async fn a_directory_is_filled_again_when_it_is_back() {
    let home = Home::new();
    let (credential, folder) = (home.credential(), home.path().join("vocabularies"));
    fs::create_dir(&folder).unwrap();
    let (server, _) = serve(&home, &format!("file://{}", folder.display()));
    add(&server, &credential, "IEEE").await;
    wait_for(&server, &credential, is_delivered(1)).await;
    assert_eq!(document(&folder)["version"], 1);
    fs::remove_dir_all(&folder).unwrap();
    add(&server, &credential, "ACM").await;
    wait_for(&server, &credential, |status| status["lastError"]["kind"] == "unwritable").await;
    fs::create_dir(&folder).unwrap();
    wait_for(&server, &credential, is_delivered(2)).await;
    assert_eq!(document(&folder)["version"], 2);
}

fn document(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("acme.json")).unwrap()).unwrap()
}

#[actix_web::test]
async fn a_component_that_has_lost_everything_is_given_it_again_on_the_operators_word() {
    let (home, receiver) = (Home::new(), Receiver::start());
    let credential = home.credential();
    let (server, _) = serve(&home, &receiver.url("/"));
    add(&server, &credential, "IEEE").await;
    wait_for(&server, &credential, is_delivered(1)).await;
    let printed = home.print(&["vocabulary", "redeliver", "--tenant", "acme"]);
    assert_eq!(printed, "1 vocabulary is to be delivered again: a running server does so within a minute.\n");
    let begun = Instant::now();
    while receiver.received().len() < 2 {
        assert!(begun.elapsed() < PROMISED, "it is not delivered again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(versions(&receiver), [1, 1]);
    home.print(&["credential", "create", "--tenant", "globex", "--name", "other"]);
    assert!(home.print(&["vocabulary", "redeliver", "--tenant", "globex"]).starts_with("0 vocabularies are"));
}
