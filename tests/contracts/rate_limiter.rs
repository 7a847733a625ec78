//! What every rate limiter does, in the process and on Redis.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use parlance::ProcessRateLimiter;
use parlance_adapters_redis::{Redis, RedisRateLimiter};
use parlance_domain::access::{ApiId, Pace, Quota, RateLimiter};
use support::{
    fixtures::{acme, globex},
    redis::TestRedis,
};
use tokio::task::JoinSet;

/// Makes limiters of one quota that count together.
type Make = Box<dyn Fn(Quota) -> Arc<dyn RateLimiter>>;

macro_rules! limiter_contract {
    ($($case:ident),+ $(,)?) => {
        mod process {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::in_process()).await;
                }
            )+
        }

        mod redis {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(server) = support::redis::TestRedis::start() else { return };
                    super::$case(super::on(&server.url())).await;
                }
            )+
        }

        mod redis_away {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::on("redis://127.0.0.1:1")).await;
                }
            )+
        }
    };
}

limiter_contract![
    a_burst_is_admitted_and_counted_down,
    over_the_burst_a_request_waits_for_its_share_of_a_second,
    what_was_waited_for_is_admitted,
    credentials_do_not_hinder_each_other,
    of_racing_requests_exactly_the_burst_is_admitted,
];

fn in_process() -> Make {
    Box::new(|quota| Arc::new(ProcessRateLimiter::new(quota)))
}

fn on(url: &str) -> Make {
    let redis = Redis::at(url).unwrap();
    Box::new(move |quota| {
        let own = Arc::new(ProcessRateLimiter::new(quota));
        Arc::new(RedisRateLimiter::new(redis.clone(), quota, own))
    })
}

fn quota(per_second: u32, burst: u32) -> Quota {
    Quota { per_second: NonZeroU32::new(per_second).unwrap(), burst: NonZeroU32::new(burst).unwrap() }
}

fn credential() -> ApiId {
    ApiId::new(acme(), 1)
}

async fn a_burst_is_admitted_and_counted_down(make: Make) {
    let limiter = make(quota(1, 3));
    for remaining in [2, 1, 0] {
        assert_eq!(limiter.admit(&credential()).await, Pace::Go { remaining });
    }
}

async fn over_the_burst_a_request_waits_for_its_share_of_a_second(make: Make) {
    let limiter = make(quota(1, 1));
    assert_eq!(limiter.admit(&credential()).await, Pace::Go { remaining: 0 });
    let Pace::Wait { retry_after } = limiter.admit(&credential()).await else { panic!("it is over the burst") };
    assert!(retry_after > Duration::ZERO && retry_after <= Duration::from_secs(1), "{retry_after:?}");
}

async fn what_was_waited_for_is_admitted(make: Make) {
    let limiter = make(quota(20, 1));
    assert_eq!(limiter.admit(&credential()).await, Pace::Go { remaining: 0 });
    while let Pace::Wait { retry_after } = limiter.admit(&credential()).await {
        assert!(retry_after <= Duration::from_millis(50), "{retry_after:?}");
        tokio::time::sleep(retry_after).await;
    }
}

async fn credentials_do_not_hinder_each_other(make: Make) {
    let limiter = make(quota(1, 1));
    for who in [ApiId::new(acme(), 1), ApiId::new(acme(), 2), ApiId::new(globex(), 1)] {
        assert_eq!(limiter.admit(&who).await, Pace::Go { remaining: 0 });
    }
}

async fn of_racing_requests_exactly_the_burst_is_admitted(make: Make) {
    let limiter = make(Quota { per_second: NonZeroU32::MIN, burst: NonZeroU32::new(20).unwrap() });
    let mut racing = JoinSet::new();
    for _ in 0..60 {
        let limiter = Arc::clone(&limiter);
        racing.spawn(async move { matches!(limiter.admit(&credential()).await, Pace::Go { .. }) });
    }
    let admitted = racing.join_all().await.into_iter().filter(|admitted| *admitted).count();
    assert!((20..=25).contains(&admitted), "{admitted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_admit_one_quota_together() {
    let Some(server) = TestRedis::start() else { return };
    let (one, other) = (on(&server.url())(quota(1, 4)), on(&server.url())(quota(1, 4)));
    for (replica, remaining) in [(&one, 3), (&other, 2), (&one, 1), (&other, 0)] {
        assert_eq!(replica.admit(&credential()).await, Pace::Go { remaining });
    }
    assert!(matches!(one.admit(&credential()).await, Pace::Wait { .. }));
}
