//! The rate limiter of one process, and the choice of the limiter.

use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use governor::{
    Quota as GovernorQuota, RateLimiter as Governor,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use parlance_adapters_redis::{Redis, RedisProbe, RedisRateLimiter};
use parlance_domain::{
    access::{ApiId, Quota, RateDecision, RateLimiter},
    readiness::ReadinessProbe,
};
use prometheus_client::metrics::counter::Counter;

use crate::{metrics::Metrics, settings::Settings};

/// Counts the requests of each credential in this process, by the generic cell rate algorithm. Only verified
/// credentials are counted, so the number of credentials bounds the memory.
pub struct ProcessRateLimiter {
    governor: Governor<ApiId, DefaultKeyedStateStore<ApiId>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
}

impl ProcessRateLimiter {
    /// Creates a limiter that gives each credential this quota.
    #[must_use]
    pub fn new(quota: Quota) -> Self {
        let quota = GovernorQuota::per_second(quota.per_second).allow_burst(quota.burst);
        Self { governor: Governor::keyed(quota).with_middleware(), clock: DefaultClock::default() }
    }
}

#[async_trait]
impl RateLimiter for ProcessRateLimiter {
    async fn admit(&self, api_id: &ApiId) -> RateDecision {
        match self.governor.check_key(api_id) {
            Ok(state) => RateDecision::Allowed { remaining: state.remaining_burst_capacity() },
            Err(until) => RateDecision::Limited { retry_after: until.wait_time_from(self.clock.now()) },
        }
    }
}

/// The limiter that takes over while Redis is out of reach. A metric counts the requests that reach it.
pub(crate) struct FallbackRateLimiter {
    local: ProcessRateLimiter,
    requests: Counter,
}

impl FallbackRateLimiter {
    pub(crate) fn new(local: ProcessRateLimiter, requests: Counter) -> Self {
        Self { local, requests }
    }
}

#[async_trait]
impl RateLimiter for FallbackRateLimiter {
    async fn admit(&self, api_id: &ApiId) -> RateDecision {
        self.requests.inc();
        self.local.admit(api_id).await
    }
}

/// Returns the limiter of this process, or with Redis the one that replicas share, and registers its probe and metrics.
pub(crate) fn rate_limiter(
    settings: &Settings,
    metrics: &Metrics,
    probes: &mut Vec<Arc<dyn ReadinessProbe>>,
) -> anyhow::Result<Arc<dyn RateLimiter>> {
    let process_limiter = ProcessRateLimiter::new(settings.rate_limit);
    let Some(url) = &settings.redis_url else { return Ok(Arc::new(process_limiter)) };
    let fallback = Arc::new(FallbackRateLimiter::new(process_limiter, metrics.rate_limit_fallbacks.clone()));
    let redis = Redis::new(url.reveal()).context("redis_url")?;
    metrics.observe_redis(redis.clone());
    probes.push(Arc::new(RedisProbe::new(redis.clone())));
    Ok(Arc::new(RedisRateLimiter::new(redis, settings.rate_limit, fallback)))
}
