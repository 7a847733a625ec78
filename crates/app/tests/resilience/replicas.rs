//! Two replicas over one PostgreSQL and one Redis.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use support::redis::TestRedis;

use crate::{
    outside::Cluster,
    replica::{CONVERSATIONS, Place, message},
    writers::{Ledger, Writers},
};

const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";
const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";

#[actix_web::test]
async fn two_replicas_admit_one_rate_together() {
    let Some((cluster, redis)) = Cluster::start().zip(TestRedis::start()) else { return };
    let place = Place::new().with("DATABASE_URL", &cluster.url()).with("REDIS_URL", &redis.url());
    let place = place.with("RATE_LIMIT_PER_SECOND", "1").with("RATE_LIMIT_BURST", "10");
    let credential = place.credential("acme");
    let replicas = [place.serve(), place.serve()];
    let callers = replicas.each_ref().map(|replica| replica.caller(&credential));
    let (began, mut admitted) = (Instant::now(), 0);
    for caller in callers.iter().cycle().take(30) {
        admitted += u64::from(caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0 == 200);
    }
    let most = 10 + began.elapsed().as_secs() + 1;
    assert!((10..=most).contains(&admitted), "{admitted} of at most {most}");
}

#[actix_web::test]
async fn what_one_replica_is_told_holds_on_the_other() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::new().with("DATABASE_URL", &cluster.url());
    let credential = place.credential("acme");
    let (one, other) = (place.serve(), place.serve());
    let (one, other) = (one.caller(&credential), other.caller(&credential));
    let path = one.open("call-1").await;
    assert_eq!(one.post(&path, &message("write to ada@example.org")).await.0, 200);
    let text = async || other.get(&path).await.1["items"][0]["text"].as_str().unwrap().to_owned();
    assert!(text().await.contains("ada@"));

    let entry = json!({"phrase": "IEEE", "soundsLike": []});
    assert_eq!((one.post(VOCABULARY, &entry).await.0, other.post(VOCABULARY, &entry).await.0), (201, 409));
    assert_eq!(one.send(Method::PATCH, ENTITY, Some(&json!({"active": true}))).await.0, 200);
    let switched = Instant::now();
    while text().await.contains("ada@") {
        assert!(switched.elapsed() < Duration::from_mins(1), "a switch holds everywhere within a minute");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[actix_web::test]
async fn a_replica_that_is_killed_takes_nothing_with_it() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::new().with("DATABASE_URL", &cluster.url());
    let (credential, ledger) = (place.credential("acme"), Ledger::default());
    let (mut one, other) = (place.serve(), place.serve());
    let callers = [one.caller(&credential), other.caller(&credential)];
    let paths = callers[0].open_many(4).await;
    let writers = Writers::start(&callers, &paths, &ledger);
    Writers::until_more(&ledger, 60).await;
    one.kill();
    Writers::until_more(&ledger, 60).await;
    let outcomes = writers.stop().await;
    assert!(outcomes.iter().all(|outcome| [None, Some(200), Some(503)].contains(&outcome.status)), "{outcomes:?}");
    ledger.check(&callers[1], &paths).await;
}
