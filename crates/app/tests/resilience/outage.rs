//! Tests of outages of PostgreSQL and Redis. Without PostgreSQL the responses are 503 in time. No acknowledged write is
//! lost.

use std::{
    slice,
    time::{Duration, Instant},
};

use support::redis::TestRedis;

use crate::{
    postgres_cluster::{Cluster, send_signal},
    replica::{CONVERSATIONS, Caller, TEST_TIMEOUT, TestEnvironment, poll_delay},
    writers::{Ledger, WriteOutcome, Writers},
};

/// Maximum time of a response while the database is unavailable: two seconds, and a quarter more for a busy machine.
pub(crate) const MAX_OUTAGE_RESPONSE_TIME: Duration = Duration::from_millis(2_500);

/// Polls a path until the response has this status.
pub(crate) async fn wait_for_status(caller: &Caller, path: &str, status: u16) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    while caller.get(path).await.0 != status {
        assert!(Instant::now() < deadline, "{path} never responds with {status}");
        poll_delay().await;
    }
}

/// Checks that every response was a 200 or a 503 and came in time.
fn assert_outcomes_are_expected(outcomes: &[WriteOutcome]) {
    let other = outcomes.iter().find(|outcome| ![Some(200), Some(503)].contains(&outcome.status));
    assert!(other.is_none(), "{other:?}");
    let slow = outcomes.iter().find(|outcome| outcome.latency > MAX_OUTAGE_RESPONSE_TIME);
    assert!(slow.is_none(), "{slow:?}");
}

/// Makes PostgreSQL unavailable under load by one command, and available again by the other command.
async fn assert_outage_is_survived(interrupt: &str, restore: &str) {
    let Some(mut cluster) = Cluster::start() else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let (credential, ledger) = (env.create_credential("acme"), Ledger::default());
    let server = env.serve();
    let caller = server.caller(&credential);
    let paths = caller.create_conversations(4).await;
    let writers = Writers::start(slice::from_ref(&caller), &paths, &ledger);
    Writers::wait_for_more(&ledger, 50).await;
    cluster.run(interrupt);
    wait_for_status(&caller, "/health/ready", 503).await;
    wait_for_status(&caller, &paths[0], 503).await;
    assert_eq!(caller.get("/health/live").await.0, 200);
    cluster.run(restore);
    wait_for_status(&caller, "/health/ready", 200).await;
    Writers::wait_for_more(&ledger, 50).await;
    let outcomes = writers.stop().await;
    assert_outcomes_are_expected(&outcomes);
    assert!(outcomes.iter().any(|outcome| outcome.status == Some(503)));
    ledger.assert_stored_once(&caller, &paths).await;
}

#[actix_web::test]
async fn a_paused_database_is_a_503_until_it_resumes() {
    assert_outage_is_survived("pause", "resume").await;
}

#[actix_web::test]
async fn a_stopped_database_is_a_503_until_it_starts() {
    assert_outage_is_survived("stop", "start").await;
}

/// Waits until readiness reports this state of Redis. The server must stay ready, and all other parts must be up.
async fn wait_for_redis(caller: &Caller, expected: &str) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let (status, body) = caller.get("/health/ready").await;
        assert_eq!(status, 200, "the server must be ready without Redis: {body}");
        let other_parts = body["parts"].as_object().unwrap().iter().filter(|(part, _)| *part != "redis");
        assert!(other_parts.clone().count() > 0 && other_parts.clone().all(|(_, state)| state == "up"), "{body}");
        if body["parts"]["redis"] == expected {
            return;
        }
        assert!(Instant::now() < deadline, "redis is never {expected}: {body}");
    }
}

#[actix_web::test]
async fn without_redis_a_replica_limits_on_its_own_until_redis_is_back() {
    let Some(mut redis) = TestRedis::start() else { return };
    let env = TestEnvironment::new().with_setting("REDIS_URL", &redis.url());
    let env = env.with_setting("RATE_LIMIT_PER_SECOND", "1").with_setting("RATE_LIMIT_BURST", "3");
    let credentials = ["one", "two", "three", "four"].map(|tenant| env.create_credential(tenant));
    let server = env.serve();
    let path = format!("{CONVERSATIONS}?externalId=a");
    let admitted = async |credential| {
        let caller = server.caller(credential);
        let mut admitted = 0;
        for _ in 0..5 {
            let start = Instant::now();
            admitted += usize::from(caller.get(&path).await.0 == 200);
            assert!(start.elapsed() < MAX_OUTAGE_RESPONSE_TIME, "a request waited for Redis");
        }
        admitted
    };
    let caller = server.caller(&credentials[0]);
    wait_for_redis(&caller, "up").await;
    assert!((3..5).contains(&admitted(&credentials[0]).await));
    send_signal(redis.pid(), "STOP");
    wait_for_redis(&caller, "down").await;
    assert!((3..5).contains(&admitted(&credentials[1]).await), "a replica without Redis must limit");
    send_signal(redis.pid(), "CONT");
    wait_for_redis(&caller, "up").await;
    assert!((3..5).contains(&admitted(&credentials[2]).await));
    redis.restart();
    wait_for_redis(&caller, "up").await;
    assert!((3..5).contains(&admitted(&credentials[3]).await));
}
