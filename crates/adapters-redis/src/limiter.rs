//! The rate limit of all replicas together.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Pace, Quota, RateLimiter},
    error::StoreError,
};
use redis::Script;

use crate::Redis;

/// How long a Redis that failed is left alone, so that not every request waits for it.
const REST: Duration = Duration::from_secs(1);

const MICROS: f64 = 1e6;

/// Counts each credential's requests in Redis, by the generic cell rate algorithm and Redis' own clock, so that all
/// replicas admit the quota together. While Redis is out of reach it counts by another limiter, its replica's own.
pub struct RedisRateLimiter {
    redis: Redis,
    script: Script,
    quota: Quota,
    own: Arc<dyn RateLimiter>,
    began: Instant,
    /// Until when Redis is left alone, in microseconds since `began`; zero while it answers.
    resting_until: AtomicU64,
}

impl RedisRateLimiter {
    /// Counts in this Redis, and by `own` while that is out of reach.
    #[must_use]
    pub fn new(redis: Redis, quota: Quota, own: Arc<dyn RateLimiter>) -> Self {
        let script = Script::new(include_str!("rate.lua"));
        Self { redis, script, quota, own, began: Instant::now(), resting_until: AtomicU64::new(0) }
    }

    async fn ask(&self, who: &ApiId) -> Result<Pace, StoreError> {
        let interval = MICROS / f64::from(self.quota.per_second.get());
        let mut call = self.script.prepare_invoke();
        call.key(format!("parlance:rate:{who}")).arg(interval).arg(self.quota.burst.get());
        let counted = self.redis.call(async |mut connection| call.invoke_async(&mut connection).await);
        let (remaining, wait_micros): (u32, u64) = counted.await?;
        Ok(match wait_micros {
            0 => Pace::Go { remaining },
            wait => Pace::Wait { retry_after: Duration::from_micros(wait) },
        })
    }

    fn is_resting(&self) -> bool {
        self.now() < self.resting_until.load(Ordering::Relaxed)
    }

    fn rest(&self, cause: &StoreError) {
        let until = self.now() + u64::try_from(REST.as_micros()).unwrap_or(u64::MAX);
        if self.resting_until.swap(until, Ordering::Relaxed) == 0 {
            let cause = std::error::Error::source(cause).map(ToString::to_string).unwrap_or_default();
            tracing::warn!(cause, "the shared rate limit is out of reach: this replica counts for itself");
        }
    }

    fn rely_on_redis(&self) {
        if self.resting_until.load(Ordering::Relaxed) != 0 && self.resting_until.swap(0, Ordering::Relaxed) != 0 {
            tracing::info!("the shared rate limit is in reach again");
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[async_trait]
impl RateLimiter for RedisRateLimiter {
    async fn admit(&self, who: &ApiId) -> Pace {
        if self.is_resting() {
            return self.own.admit(who).await;
        }
        match self.ask(who).await {
            Ok(pace) => {
                self.rely_on_redis();
                pace
            }
            Err(error) => {
                self.rest(&error);
                self.own.admit(who).await
            }
        }
    }
}
