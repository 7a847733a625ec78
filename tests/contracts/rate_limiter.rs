//! Contract of rate limiters, in the process and on Redis.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use parlance::ProcessRateLimiter;
use parlance_adapters_redis::{Redis, RedisRateLimiter};
use parlance_domain::access::{ApiId, Quota, RateDecision, RateLimiter};
use support::{
    fixtures::{acme, globex},
    redis::TestRedis,
};
use tokio::task::JoinSet;

/// Creates limiters of one quota that share their counts.
type LimiterFactory = Box<dyn Fn(Quota) -> Arc<dyn RateLimiter>>;

macro_rules! limiter_contract {
    ($($case:ident),+ $(,)?) => {
        mod process {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::process_limiters()).await;
                }
            )+
        }

        mod redis {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(server) = support::redis::TestRedis::start() else { return };
                    super::$case(super::redis_limiters(&server.url())).await;
                }
            )+
        }

        mod redis_away {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::redis_limiters("redis://127.0.0.1:1")).await;
                }
            )+
        }
    };
}

limiter_contract![
    a_burst_is_admitted_and_counted_down,
    a_request_over_the_burst_waits_for_at_most_its_share_of_a_second,
    a_limited_request_is_admitted_after_its_wait,
    credentials_have_independent_limits,
    racing_requests_are_admitted_up_to_the_burst,
];

fn process_limiters() -> LimiterFactory {
    Box::new(|quota| Arc::new(ProcessRateLimiter::new(quota)))
}

fn redis_limiters(url: &str) -> LimiterFactory {
    let redis = Redis::new(url).unwrap();
    Box::new(move |quota| {
        let fallback = Arc::new(ProcessRateLimiter::new(quota));
        Arc::new(RedisRateLimiter::new(redis.clone(), quota, fallback))
    })
}

fn quota(per_second: u32, burst: u32) -> Quota {
    Quota { per_second: NonZeroU32::new(per_second).unwrap(), burst: NonZeroU32::new(burst).unwrap() }
}

fn credential() -> ApiId {
    ApiId::new(acme(), 1)
}

async fn a_burst_is_admitted_and_counted_down(new_limiter: LimiterFactory) {
    let limiter = new_limiter(quota(1, 3));
    for remaining in [2, 1, 0] {
        assert_eq!(limiter.admit(&credential()).await, RateDecision::Allowed { remaining });
    }
}

async fn a_request_over_the_burst_waits_for_at_most_its_share_of_a_second(new_limiter: LimiterFactory) {
    let limiter = new_limiter(quota(1, 1));
    assert_eq!(limiter.admit(&credential()).await, RateDecision::Allowed { remaining: 0 });
    let RateDecision::Limited { retry_after } = limiter.admit(&credential()).await else {
        panic!("the request is over the burst")
    };
    assert!(retry_after > Duration::ZERO && retry_after <= Duration::from_secs(1), "{retry_after:?}");
}

async fn a_limited_request_is_admitted_after_its_wait(new_limiter: LimiterFactory) {
    let limiter = new_limiter(quota(20, 1));
    assert_eq!(limiter.admit(&credential()).await, RateDecision::Allowed { remaining: 0 });
    while let RateDecision::Limited { retry_after } = limiter.admit(&credential()).await {
        assert!(retry_after <= Duration::from_millis(50), "{retry_after:?}");
        tokio::time::sleep(retry_after).await;
    }
}

async fn credentials_have_independent_limits(new_limiter: LimiterFactory) {
    let limiter = new_limiter(quota(1, 1));
    for id in [ApiId::new(acme(), 1), ApiId::new(acme(), 2), ApiId::new(globex(), 1)] {
        assert_eq!(limiter.admit(&id).await, RateDecision::Allowed { remaining: 0 });
    }
}

async fn racing_requests_are_admitted_up_to_the_burst(new_limiter: LimiterFactory) {
    let limiter = new_limiter(Quota { per_second: NonZeroU32::MIN, burst: NonZeroU32::new(20).unwrap() });
    let mut requests = JoinSet::new();
    for _ in 0..60 {
        let limiter = Arc::clone(&limiter);
        requests.spawn(async move { matches!(limiter.admit(&credential()).await, RateDecision::Allowed { .. }) });
    }
    let admitted = requests.join_all().await.into_iter().filter(|admitted| *admitted).count();
    assert!((20..=25).contains(&admitted), "{admitted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_share_one_quota() {
    let Some(server) = TestRedis::start() else { return };
    let (first, second) = (redis_limiters(&server.url())(quota(1, 4)), redis_limiters(&server.url())(quota(1, 4)));
    for (replica, remaining) in [(&first, 3), (&second, 2), (&first, 1), (&second, 0)] {
        assert_eq!(replica.admit(&credential()).await, RateDecision::Allowed { remaining });
    }
    assert!(matches!(first.admit(&credential()).await, RateDecision::Limited { .. }));
}
