//! `kill -9` under concurrent writers: what was acknowledged is there, and once.

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
    outside::{Cluster, free_port},
    replica::{Caller, PATIENCE, Place, Replica, message, pause},
    writers::{Ledger, WRITERS, Writers},
};

/// How often the server is killed.
fn kills() -> usize {
    std::env::var("PARLANCE_TEST_KILLS").map_or(3, |kills| kills.parse().unwrap())
}

/// Kills the server again and again, each time after another number of acknowledged writes.
async fn survives_kills(place: &Place) {
    let (credential, ledger) = (place.credential("acme"), Ledger::default());
    let mut server: Replica = place.serve();
    let paths = server.caller(&credential).open_many(4).await;
    for round in 0..kills() {
        let caller = server.caller(&credential);
        let writers = Writers::start(&[caller], &paths, &ledger);
        Writers::until_more(&ledger, 5 + round * 7 % 60).await;
        server.kill();
        let outcomes = writers.stop().await;
        assert!(outcomes.iter().all(|outcome| [None, Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
        server = place.serve();
        ledger.check(&server.caller(&credential), &paths).await;
    }
}

/// Sends a message with a key, again and again until it is acknowledged, and gives its id.
async fn insist(caller: &Caller, path: &str, text: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let sent = caller.try_with_key(Method::POST, path, Some(&message(text)), Some(text)).await;
        if let Some((200, body)) = sent {
            return body["id"].as_str().unwrap().to_owned();
        }
        assert!(Instant::now() < deadline, "{text} is never acknowledged: {sent:?}");
        pause().await;
    }
}

/// Writers that send everything with a key, and again where they got no answer, while the server is killed.
async fn retries_land_once(place: &Place) {
    let credential = place.credential("acme");
    let mut server = place.serve();
    let caller = server.caller(&credential);
    let paths = caller.open_many(WRITERS).await;
    let (mut writers, done) = (JoinSet::new(), Arc::new(AtomicUsize::new(0)));
    for (writer, path) in paths.iter().cloned().enumerate() {
        let (caller, done) = (caller.clone(), Arc::clone(&done));
        writers.spawn(async move {
            let mut acknowledged = Vec::new();
            for number in 0..kills() * 4 {
                let text = format!("parcel-{writer}-{number}");
                acknowledged.push((insist(&caller, &path, &text).await, text));
                done.fetch_add(1, Ordering::Relaxed);
            }
            acknowledged
        });
    }
    for round in 1..=kills() {
        while done.load(Ordering::Relaxed) < round * WRITERS {
            pause().await;
        }
        server.kill();
        server = place.serve();
    }
    let mut acknowledged = writers.join_all().await.concat();
    let member = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let mut kept = Vec::new();
    for path in &paths {
        let (_, list) = caller.get(path).await;
        kept.extend(
            list["items"].as_array().unwrap().iter().map(|item| (member(item, "messageId"), member(item, "text"))),
        );
    }
    acknowledged.sort();
    kept.sort();
    assert_eq!(kept, acknowledged);
}

#[actix_web::test]
async fn what_is_sent_again_with_its_key_lands_once_over_sqlite() {
    retries_land_once(&Place::new().with("LISTEN", &format!("127.0.0.1:{}", free_port()))).await;
}

#[actix_web::test]
async fn what_is_sent_again_with_its_key_lands_once_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::new().with("LISTEN", &format!("127.0.0.1:{}", free_port()));
    retries_land_once(&place.with("DATABASE_URL", &cluster.url())).await;
}

#[actix_web::test]
async fn nothing_acknowledged_is_lost_or_doubled_by_kills_over_sqlite() {
    survives_kills(&Place::new()).await;
}

#[actix_web::test]
async fn nothing_acknowledged_is_lost_or_doubled_by_kills_over_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    survives_kills(&Place::new().with("DATABASE_URL", &cluster.url())).await;
}
