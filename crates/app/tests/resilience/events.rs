//! Tests that whoever polls events receives each change once and in order, while servers are killed.

use std::{collections::HashSet, time::Instant};

use serde_json::Value;

use crate::{
    postgres_cluster::Cluster,
    replica::{Caller, Replica, TEST_TIMEOUT, TestEnvironment, poll_delay},
    writers::{Ledger, Writers},
};

const EVENTS: &str = "/conversation/v1/events";

/// The number of kills of a server in a test.
fn kills() -> usize {
    std::env::var("PARLANCE_TEST_KILLS").map_or(3, |kills| kills.parse().unwrap())
}

/// A consumer that follows all events of a tenant by polling, and continues after its last cursor whatever happens.
#[derive(Default)]
struct Consumer {
    cursor: Option<String>,
    ids: Vec<String>,
    messages: Vec<String>,
}

impl Consumer {
    /// Polls until a page is empty. Returns false if the server is away.
    async fn catch_up(&mut self, caller: &Caller) -> bool {
        loop {
            let after = self.cursor.as_ref().map(|cursor| format!("&after={cursor}")).unwrap_or_default();
            let polled = caller.try_send(reqwest::Method::GET, &format!("{EVENTS}?limit=50{after}"), None).await;
            let Some((status, page)) = polled else { return false };
            if status == 503 {
                return false;
            }
            assert_eq!(status, 200, "{page}");
            let events = page["events"].as_array().unwrap();
            for event in events {
                self.record(event);
            }
            self.cursor = Some(page["nextCursor"].as_str().unwrap().to_owned());
            if events.is_empty() {
                return true;
            }
        }
    }

    fn record(&mut self, event: &Value) {
        self.ids.push(event["id"].as_str().unwrap().to_owned());
        if event["type"] == "message.created" {
            self.messages.push(event["data"]["messageId"].as_str().unwrap().to_owned());
        }
    }
}

/// Kills a server repeatedly while writers write and a consumer polls, and checks what the consumer received. With
/// `replicas`, the second replica goes on.
async fn assert_no_event_is_lost(env: &TestEnvironment, replicas: usize) {
    let (credential, ledger) = (env.create_credential("acme"), Ledger::default());
    let mut servers: Vec<Replica> = (0..replicas).map(|_| env.serve()).collect();
    let paths = servers[0].caller(&credential).create_conversations(4).await;
    let mut consumer = Consumer::default();
    for round in 0..kills() {
        let callers: Vec<_> = servers.iter().map(|server| server.caller(&credential)).collect();
        let writers = Writers::start(&callers, &paths, &ledger);
        let target = ledger.len() + 20 + round * 7 % 60;
        let deadline = Instant::now() + TEST_TIMEOUT;
        while ledger.len() < target {
            assert!(Instant::now() < deadline, "only {} of {target} messages are acknowledged", ledger.len());
            consumer.catch_up(&callers[round % replicas]).await;
        }
        servers[0].kill();
        consumer.catch_up(callers.last().unwrap()).await;
        writers.stop().await;
        servers[0] = env.serve();
    }
    let caller = servers[0].caller(&credential);
    while !consumer.catch_up(&caller).await {
        poll_delay().await;
    }
    let mut from_start = Consumer::default();
    while !from_start.catch_up(&caller).await {
        poll_delay().await;
    }
    assert_eq!(consumer.ids, from_start.ids, "the order of the log changed, or an event was lost or doubled");
    let received: HashSet<_> = consumer.messages.iter().cloned().collect();
    assert_eq!(received.len(), consumer.messages.len(), "a message was received twice");
    assert!(ledger.ids().iter().all(|id| received.contains(id)), "an acknowledged message was not received");
}

#[actix_web::test]
async fn who_polls_misses_no_event_through_kills_over_sqlite() {
    assert_no_event_is_lost(&TestEnvironment::new(), 1).await;
}

#[actix_web::test]
async fn who_polls_misses_no_event_through_kills_of_a_replica_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    assert_no_event_is_lost(&TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url()), 2).await;
}
