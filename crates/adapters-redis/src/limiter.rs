//! The rate limiter whose count all replicas share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Quota, RateDecision, RateLimiter},
    error::StoreError,
};
use redis::Script;

use crate::Redis;

/// How long Redis is not called after a failure. Without this pause, every request would wait for a broken server.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

const MICROS_PER_SECOND: f64 = 1e6;

/// Counts each credential's requests in Redis, by the generic cell rate algorithm and the clock of Redis. All replicas
/// together admit one quota. While Redis is unreachable, a fallback limiter of the replica decides.
pub struct RedisRateLimiter {
    redis: Redis,
    script: Script,
    quota: Quota,
    fallback: Arc<dyn RateLimiter>,
    started_at: Instant,
    /// The time of the next call to Redis after a failure, in microseconds since `started_at`; 0 while Redis works.
    retry_at_micros: AtomicU64,
}

impl RedisRateLimiter {
    /// Counts in this Redis, and by `fallback` while Redis is unreachable.
    #[must_use]
    pub fn new(redis: Redis, quota: Quota, fallback: Arc<dyn RateLimiter>) -> Self {
        let script = Script::new(include_str!("rate.lua"));
        Self { redis, script, quota, fallback, started_at: Instant::now(), retry_at_micros: AtomicU64::new(0) }
    }

    async fn count_request(&self, credential: &ApiId) -> Result<RateDecision, StoreError> {
        let emission_interval_micros = MICROS_PER_SECOND / f64::from(self.quota.per_second.get());
        let mut call = self.script.prepare_invoke();
        call.key(format!("parlance:rate:{credential}")).arg(emission_interval_micros).arg(self.quota.burst.get());
        let counted = self.redis.run_command(async |mut connection| call.invoke_async(&mut connection).await);
        let (remaining, wait_micros): (u32, u64) = counted.await?;
        Ok(match wait_micros {
            0 => RateDecision::Allowed { remaining },
            wait => RateDecision::Limited { retry_after: Duration::from_micros(wait) },
        })
    }

    fn is_paused(&self) -> bool {
        self.elapsed_micros() < self.retry_at_micros.load(Ordering::Relaxed)
    }

    fn pause(&self, cause: &StoreError) {
        let retry_at_micros = self.elapsed_micros() + u64::try_from(RETRY_INTERVAL.as_micros()).unwrap_or(u64::MAX);
        if self.retry_at_micros.swap(retry_at_micros, Ordering::Relaxed) == 0 {
            let cause = std::error::Error::source(cause).map(ToString::to_string).unwrap_or_default();
            tracing::warn!(cause, "the shared rate limit is out of reach: this replica counts alone");
        }
    }

    fn resume(&self) {
        if self.retry_at_micros.load(Ordering::Relaxed) != 0 && self.retry_at_micros.swap(0, Ordering::Relaxed) != 0 {
            tracing::info!("the shared rate limit is in reach again");
        }
    }

    fn elapsed_micros(&self) -> u64 {
        u64::try_from(self.started_at.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[async_trait]
impl RateLimiter for RedisRateLimiter {
    #[tracing::instrument(level = "debug", name = "redis.rate_limiter.admit", skip_all)]
    async fn admit(&self, credential: &ApiId) -> RateDecision {
        if self.is_paused() {
            return self.fallback.admit(credential).await;
        }
        match self.count_request(credential).await {
            Ok(decision) => {
                self.resume();
                decision
            }
            Err(error) => {
                self.pause(&error);
                self.fallback.admit(credential).await
            }
        }
    }
}
