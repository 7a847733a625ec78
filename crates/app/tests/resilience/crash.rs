//! Tests of `kill -9` under concurrent writers: every acknowledged message is stored once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use reqwest::Method;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::{
    postgres_cluster::{Cluster, free_port},
    replica::{Caller, Replica, TEST_TIMEOUT, TestEnvironment, message, poll_delay},
    writers::{Ledger, WRITER_COUNT, Writers},
};

/// Returns the number of kills of the server in a test.
fn kills() -> usize {
    std::env::var("PARLANCE_TEST_KILLS").map_or(3, |kills| kills.parse().unwrap())
}

/// Kills the server repeatedly, after varying numbers of acknowledged writes.
async fn assert_kills_are_survived(env: &TestEnvironment) {
    let (credential, ledger) = (env.create_credential("acme"), Ledger::default());
    let mut server: Replica = env.serve();
    let paths = server.caller(&credential).create_conversations(4).await;
    for round in 0..kills() {
        let caller = server.caller(&credential);
        let writers = Writers::start(&[caller], &paths, &ledger);
        Writers::wait_for_more(&ledger, 5 + round * 7 % 60).await;
        server.kill();
        let outcomes = writers.stop().await;
        assert!(outcomes.iter().all(|outcome| [None, Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
        server = env.serve();
        ledger.assert_stored_once(&server.caller(&credential), &paths).await;
    }
}

/// Sends a message with a key, repeatedly until it is acknowledged, and returns its id.
async fn send_until_acknowledged(caller: &Caller, path: &str, text: &str) -> String {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let sent = caller.try_send_with_key(Method::POST, path, Some(&message(text)), Some(text)).await;
        if let Some((200, body)) = sent {
            return body["id"].as_str().unwrap().to_owned();
        }
        assert!(Instant::now() < deadline, "{text} is never acknowledged: {sent:?}");
        poll_delay().await;
    }
}

/// Kills the server while writers send every message with a key, repeatedly until it is acknowledged. Checks that each
/// message is stored once.
async fn assert_retries_are_stored_once(env: &TestEnvironment) {
    let credential = env.create_credential("acme");
    let mut server = env.serve();
    let caller = server.caller(&credential);
    let paths = caller.create_conversations(WRITER_COUNT).await;
    let (mut writers, done) = (JoinSet::new(), Arc::new(AtomicUsize::new(0)));
    for (writer, path) in paths.iter().cloned().enumerate() {
        let (caller, done) = (caller.clone(), Arc::clone(&done));
        writers.spawn(async move {
            let mut acknowledged = Vec::new();
            for number in 0..kills() * 4 {
                let text = format!("parcel-{writer}-{number}");
                acknowledged.push((send_until_acknowledged(&caller, &path, &text).await, text));
                done.fetch_add(1, Ordering::Relaxed);
            }
            acknowledged
        });
    }
    for round in 1..=kills() {
        while done.load(Ordering::Relaxed) < round * WRITER_COUNT {
            poll_delay().await;
        }
        server.kill();
        server = env.serve();
    }
    let mut acknowledged = writers.join_all().await.concat();
    let member = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let mut stored = Vec::new();
    for path in &paths {
        let (_, list) = caller.get(path).await;
        stored.extend(
            list["items"].as_array().unwrap().iter().map(|item| (member(item, "messageId"), member(item, "text"))),
        );
    }
    acknowledged.sort();
    stored.sort();
    assert_eq!(stored, acknowledged);
}

#[actix_web::test]
async fn a_write_that_is_repeated_with_its_key_is_stored_once_over_sqlite() {
    assert_retries_are_stored_once(
        &TestEnvironment::new().with_setting("LISTEN", &format!("127.0.0.1:{}", free_port())),
    )
    .await;
}

#[actix_web::test]
async fn a_write_that_is_repeated_with_its_key_is_stored_once_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    let env = TestEnvironment::new().with_setting("LISTEN", &format!("127.0.0.1:{}", free_port()));
    assert_retries_are_stored_once(&env.with_setting("DATABASE_URL", &cluster.url())).await;
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_or_doubled_by_kills_over_sqlite() {
    assert_kills_are_survived(&TestEnvironment::new()).await;
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_or_doubled_by_kills_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    assert_kills_are_survived(&TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url())).await;
}
