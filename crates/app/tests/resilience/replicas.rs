//! Tests of two replicas over one PostgreSQL database and one Redis.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use support::redis::TestRedis;

use crate::{
    postgres_cluster::Cluster,
    replica::{CONVERSATIONS, TestEnvironment, message},
    writers::{Ledger, Writers},
};

const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";
const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";

#[actix_web::test]
async fn two_replicas_share_one_rate_limit() {
    let Some((cluster, redis)) = Cluster::start().zip(TestRedis::start()) else { return };
    let env =
        TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url()).with_setting("REDIS_URL", &redis.url());
    let env = env.with_setting("RATE_LIMIT_PER_SECOND", "1").with_setting("RATE_LIMIT_BURST", "10");
    let credential = env.create_credential("acme");
    let replicas = [env.serve(), env.serve()];
    let callers = replicas.each_ref().map(|replica| replica.caller(&credential));
    let (start, mut admitted) = (Instant::now(), 0);
    for caller in callers.iter().cycle().take(30) {
        admitted += u64::from(caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0 == 200);
    }
    let max_admitted = 10 + start.elapsed().as_secs() + 1;
    assert!((10..=max_admitted).contains(&admitted), "admitted {admitted} of 10 to {max_admitted} requests");
}

#[actix_web::test]
async fn changes_through_one_replica_apply_on_the_other() {
    let Some(cluster) = Cluster::start() else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let credential = env.create_credential("acme");
    let (first, second) = (env.serve(), env.serve());
    let (first, second) = (first.caller(&credential), second.caller(&credential));
    let path = first.create_conversation("call-1").await;
    assert_eq!(first.post(&path, &message("write to ada@example.org")).await.0, 200);
    let text = async || second.get(&path).await.1["items"][0]["text"].as_str().unwrap().to_owned();
    assert!(text().await.contains("ada@"));

    let entry = json!({"phrase": "IEEE", "soundsLike": []});
    assert_eq!((first.post(VOCABULARY, &entry).await.0, second.post(VOCABULARY, &entry).await.0), (201, 409));
    assert_eq!(first.send(Method::PATCH, ENTITY, Some(&json!({"active": true}))).await.0, 200);
    let switched = Instant::now();
    while text().await.contains("ada@") {
        assert!(switched.elapsed() < Duration::from_mins(1), "a switch must apply on every replica within a minute");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_with_a_killed_replica() {
    let Some(cluster) = Cluster::start() else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let (credential, ledger) = (env.create_credential("acme"), Ledger::default());
    let (mut first, second) = (env.serve(), env.serve());
    let callers = [first.caller(&credential), second.caller(&credential)];
    let paths = callers[0].create_conversations(4).await;
    let writers = Writers::start(&callers, &paths, &ledger);
    Writers::wait_for_more(&ledger, 60).await;
    first.kill();
    Writers::wait_for_more(&ledger, 60).await;
    let outcomes = writers.stop().await;
    assert!(outcomes.iter().all(|outcome| [None, Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
    ledger.assert_stored_once(&callers[1], &paths).await;
}
