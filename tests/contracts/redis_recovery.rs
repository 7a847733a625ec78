//! A Redis that was out of reach counts again when it has recovered, whatever it answered meanwhile.

use std::{
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};

use parlance::ProcessRateLimiter;
use parlance_adapters_redis::{Redis, RedisProbe, RedisRateLimiter};
use parlance_domain::{
    access::{ApiId, Pace, Quota, RateLimiter},
    readiness::ReadinessProbe,
};
use support::{
    fixtures::acme,
    redis::TestRedis,
    scripted_redis::{REMAINING, Script, ScriptedRedis},
};
use tokio::time::sleep;

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the process admits at once while Redis is out of reach: less than Redis does, so that the two are told apart.
const OWN_BURST: u32 = 10;

const BURST: u32 = 1_000;

fn limiter(redis: &Redis, burst: u32) -> RedisRateLimiter {
    let quota = |burst| Quota { per_second: NonZeroU32::MIN, burst: NonZeroU32::new(burst).unwrap() };
    RedisRateLimiter::new(redis.clone(), quota(burst), Arc::new(ProcessRateLimiter::new(quota(OWN_BURST))))
}

fn credential() -> ApiId {
    ApiId::new(acme(), 1)
}

/// Asks until the answer is as it should be.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "never: {what}");
        sleep(Duration::from_millis(5)).await;
    }
}

/// Restarts a Redis that then answers by a script, has it recover, and waits until it counts again.
async fn is_used_again_after(script: Script) {
    let server = ScriptedRedis::start();
    let redis = Redis::at(&server.url()).unwrap();
    let (limiter, probe) = (limiter(&redis, BURST), RedisProbe::new(redis.clone()));
    let counts_in_redis = async || limiter.admit(&credential()).await == Pace::Go { remaining: REMAINING };
    assert!(counts_in_redis().await);
    server.restart_as(script);
    until("the replica counts for itself", async || !counts_in_redis().await).await;
    assert!(probe.check().await.is_err());
    // Once more, when it was already found out of reach.
    assert!(probe.check().await.is_err());
    server.restart_as(Script::Works);
    until("the count is shared again", counts_in_redis).await;
    until("readiness says so", async || probe.check().await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_was_loading_its_data_is_used_again() {
    is_used_again_after(Script::RefusesCommands("LOADING Redis is loading the dataset in memory")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_asked_for_a_password_is_used_again() {
    is_used_again_after(Script::RefusesCommands("NOAUTH Authentication required.")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_refused_the_password_is_used_again() {
    is_used_again_after(Script::RefusesCommands("WRONGPASS invalid username-password pair or user is disabled.")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_had_too_many_clients_is_used_again() {
    is_used_again_after(Script::RefusesConnections("ERR max number of clients reached")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_lost_its_master_is_used_again() {
    let error = "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
    is_used_again_after(Script::RefusesCommands(error)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_answered_nothing_is_used_again() {
    is_used_again_after(Script::IsSilent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_with_a_password_and_a_database_counts_again_after_a_restart() {
    let Some(mut server) = TestRedis::start_with(&["--requirepass", "hush"]) else { return };
    let redis = Redis::at(&server.url_with("hush", 3)).unwrap();
    let limiter = limiter(&redis, BURST);
    let counts_in_redis =
        async || matches!(limiter.admit(&credential()).await, Pace::Go { remaining } if remaining > OWN_BURST);
    until("the count is shared", counts_in_redis).await;
    for _ in 0..3 {
        server.restart();
        until("the count is shared again", counts_in_redis).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_is_held_back_for_a_burst_at_most_where_the_clock_of_redis_was_set_back_a_day() {
    let Some(server) = TestRedis::start() else { return };
    let redis = Redis::at(&server.url()).unwrap();
    let limiter = limiter(&redis, 1);
    let tomorrow = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap() + Duration::from_hours(24);
    server.set(&format!("parlance:rate:{}", credential()), &tomorrow.as_micros().to_string());
    until("its burst is spent", async || match limiter.admit(&credential()).await {
        Pace::Wait { retry_after } => retry_after <= Duration::from_secs(1),
        Pace::Go { .. } => false,
    })
    .await;
    until("it is admitted", async || matches!(limiter.admit(&credential()).await, Pace::Go { .. })).await;
}
