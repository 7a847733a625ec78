//! A needed part goes away and comes back: 503 in between, never a hang, and nothing acknowledged is lost.

use std::{
    slice,
    time::{Duration, Instant},
};

use support::redis::TestRedis;

use crate::{
    outside::{Cluster, signal},
    replica::{CONVERSATIONS, Caller, PATIENCE, Place, pause},
    writers::{Ledger, Outcome, Writers},
};

/// Within two seconds a caller is told that the database is away; a quarter more is for a machine that is busy.
pub(crate) const TOLD_WITHIN: Duration = Duration::from_millis(2_500);

/// Asks until the answer's status is this.
pub(crate) async fn until(caller: &Caller, path: &str, status: u16) {
    let deadline = Instant::now() + PATIENCE;
    while caller.get(path).await.0 != status {
        assert!(Instant::now() < deadline, "{path} never answers {status}");
        pause().await;
    }
}

fn check(outcomes: &[Outcome]) {
    let other = outcomes.iter().find(|outcome| ![Some(200), Some(503)].contains(&outcome.status));
    assert!(other.is_none(), "{other:?}");
    let slow = outcomes.iter().find(|outcome| outcome.took > TOLD_WITHIN);
    assert!(slow.is_none(), "{slow:?}");
}

/// Takes PostgreSQL away under load by one order, and gives it back by the other.
async fn survives(away: &str, back: &str) {
    let Some(mut cluster) = Cluster::start() else { return };
    let place = Place::new().with("DATABASE_URL", &cluster.url());
    let (credential, ledger) = (place.credential("acme"), Ledger::default());
    let server = place.serve();
    let caller = server.caller(&credential);
    let paths = caller.open_many(4).await;
    let writers = Writers::start(slice::from_ref(&caller), &paths, &ledger);
    Writers::until_more(&ledger, 50).await;
    cluster.order(away);
    until(&caller, "/health/ready", 503).await;
    until(&caller, &paths[0], 503).await;
    assert_eq!(caller.get("/health/live").await.0, 200);
    cluster.order(back);
    until(&caller, "/health/ready", 200).await;
    Writers::until_more(&ledger, 50).await;
    let outcomes = writers.stop().await;
    check(&outcomes);
    assert!(outcomes.iter().any(|outcome| outcome.status == Some(503)));
    ledger.check(&caller, &paths).await;
}

#[actix_web::test]
async fn a_database_that_is_paused_is_503_until_it_goes_on() {
    survives("pause", "resume").await;
}

#[actix_web::test]
async fn a_database_that_is_stopped_is_503_until_it_is_started() {
    survives("stop", "start").await;
}

/// Waits until readiness says this of Redis, and gives all that it says of parts.
async fn redis_is(caller: &Caller, word: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (status, body) = caller.get("/health/ready").await;
        assert_eq!(status, 200, "the service can do without Redis: {body}");
        let others = body["parts"].as_object().unwrap().iter().filter(|(part, _)| *part != "redis");
        assert!(others.clone().count() > 0 && others.clone().all(|(_, said)| said == "up"), "{body}");
        if body["parts"]["redis"] == word {
            return;
        }
        assert!(Instant::now() < deadline, "redis is never {word}: {body}");
    }
}

#[actix_web::test]
async fn without_redis_a_replica_counts_for_itself_until_redis_is_back() {
    let Some(mut redis) = TestRedis::start() else { return };
    let place = Place::new().with("REDIS_URL", &redis.url());
    let place = place.with("RATE_LIMIT_PER_SECOND", "1").with("RATE_LIMIT_BURST", "3");
    let credentials = ["one", "two", "three", "four"].map(|tenant| place.credential(tenant));
    let server = place.serve();
    let path = format!("{CONVERSATIONS}?externalId=a");
    let admitted = async |credential| {
        let caller = server.caller(credential);
        let mut admitted = 0;
        for _ in 0..5 {
            let began = Instant::now();
            admitted += usize::from(caller.get(&path).await.0 == 200);
            assert!(began.elapsed() < TOLD_WITHIN, "a request waits for Redis");
        }
        admitted
    };
    let caller = server.caller(&credentials[0]);
    redis_is(&caller, "up").await;
    assert!((3..5).contains(&admitted(&credentials[0]).await));
    signal(redis.process(), "STOP");
    redis_is(&caller, "down").await;
    assert!((3..5).contains(&admitted(&credentials[1]).await), "it still limits");
    signal(redis.process(), "CONT");
    redis_is(&caller, "up").await;
    assert!((3..5).contains(&admitted(&credentials[2]).await));
    redis.restart();
    redis_is(&caller, "up").await;
    assert!((3..5).contains(&admitted(&credentials[3]).await));
}
