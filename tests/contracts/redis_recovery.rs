//! Tests that the rate limiter uses Redis again once Redis has recovered, whatever Redis answered meanwhile.

use std::{
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};

use parlance::ProcessRateLimiter;
use parlance_adapters_redis::{ConnectionStatus, Redis, RedisProbe, RedisRateLimiter};
use parlance_domain::{
    access::{ApiId, Quota, RateDecision, RateLimiter},
    readiness::ReadinessProbe,
};
use support::{
    fixtures::acme,
    redis::TestRedis,
    scripted_redis::{REMAINING, ScriptedRedis, ServerBehavior},
};
use tokio::time::sleep;

/// The longest wait of a test for a condition.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// The burst of the process's own limiter, which counts while Redis cannot be reached. The burst is smaller than
/// [`REDIS_BURST`], so that a test can tell which limiter counts.
const LOCAL_BURST: u32 = 10;

const REDIS_BURST: u32 = 1_000;

fn limiter(redis: &Redis, burst: u32) -> RedisRateLimiter {
    let quota = |burst| Quota { per_second: NonZeroU32::MIN, burst: NonZeroU32::new(burst).unwrap() };
    RedisRateLimiter::new(redis.clone(), quota(burst), Arc::new(ProcessRateLimiter::new(quota(LOCAL_BURST))))
}

fn credential() -> ApiId {
    ApiId::new(acme(), 1)
}

/// Polls until the condition is true. Panics after [`MAX_WAIT`].
async fn wait_until(event: &str, mut condition: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + MAX_WAIT;
    while !condition().await {
        assert!(Instant::now() < deadline, "timed out before this happened: {event}");
        sleep(Duration::from_millis(5)).await;
    }
}

/// Restarts Redis with a behavior, restores it, and waits until the limiter counts in Redis again.
async fn assert_used_again_after(behavior: ServerBehavior) {
    let server = ScriptedRedis::start();
    let redis = Redis::new(&server.url()).unwrap();
    let (limiter, probe) = (limiter(&redis, REDIS_BURST), RedisProbe::new(redis.clone()));
    let counts_in_redis = async || limiter.admit(&credential()).await == RateDecision::Allowed { remaining: REMAINING };
    assert!(counts_in_redis().await);
    server.restart_with(behavior);
    wait_until("the process counts by itself", async || !counts_in_redis().await).await;
    assert!(probe.check().await.is_err());
    // The second check runs when Redis is already known to be unreachable.
    assert!(probe.check().await.is_err());
    server.restart_with(ServerBehavior::Works);
    wait_until("Redis counts again", counts_in_redis).await;
    wait_until("readiness reports Redis as reachable", async || probe.check().await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_dropped_after_a_failed_call_is_counted_as_lost() {
    let server = ScriptedRedis::start();
    let redis = Redis::new(&server.url()).unwrap();
    let probe = RedisProbe::new(redis.clone());
    probe.check().await.unwrap();
    assert_eq!(redis.connection_status(), ConnectionStatus { is_open: true, lost_connections: 0 });
    server.restart_with(ServerBehavior::RefusesCommands("LOADING Redis is loading the dataset in memory"));
    probe.check().await.unwrap_err();
    assert_eq!(redis.connection_status(), ConnectionStatus { is_open: false, lost_connections: 1 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_was_loading_its_data_is_used_again() {
    assert_used_again_after(ServerBehavior::RefusesCommands("LOADING Redis is loading the dataset in memory")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_asked_for_a_password_is_used_again() {
    assert_used_again_after(ServerBehavior::RefusesCommands("NOAUTH Authentication required.")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_refused_the_password_is_used_again() {
    assert_used_again_after(ServerBehavior::RefusesCommands(
        "WRONGPASS invalid username-password pair or user is disabled.",
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_had_too_many_clients_is_used_again() {
    assert_used_again_after(ServerBehavior::RefusesConnections("ERR max number of clients reached")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_lost_its_master_is_used_again() {
    let error = "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
    assert_used_again_after(ServerBehavior::RefusesCommands(error)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_redis_is_used_again() {
    assert_used_again_after(ServerBehavior::IsSilent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_with_a_password_and_a_database_counts_again_after_a_restart() {
    let Some(mut server) = TestRedis::start_with(&["--requirepass", "hush"]) else { return };
    let redis = Redis::new(&server.url_with("hush", 3)).unwrap();
    let limiter = limiter(&redis, REDIS_BURST);
    let counts_in_redis = async || match limiter.admit(&credential()).await {
        RateDecision::Allowed { remaining } => remaining > LOCAL_BURST,
        RateDecision::Limited { .. } => false,
    };
    wait_until("Redis counts", counts_in_redis).await;
    for _ in 0..3 {
        server.restart();
        wait_until("Redis counts again", counts_in_redis).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_waits_for_at_most_one_burst_after_the_clock_of_redis_was_set_back_a_day() {
    let Some(server) = TestRedis::start() else { return };
    let redis = Redis::new(&server.url()).unwrap();
    let limiter = limiter(&redis, 1);
    let tomorrow = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap() + Duration::from_hours(24);
    server.set(&format!("parlance:rate:{}", credential()), &tomorrow.as_micros().to_string());
    wait_until("the burst is spent", async || match limiter.admit(&credential()).await {
        RateDecision::Limited { retry_after } => retry_after <= Duration::from_secs(1),
        RateDecision::Allowed { .. } => false,
    })
    .await;
    wait_until("the request is admitted", async || {
        matches!(limiter.admit(&credential()).await, RateDecision::Allowed { .. })
    })
    .await;
}
