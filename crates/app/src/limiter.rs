//! The rate limiter of one process.

use async_trait::async_trait;
use governor::{
    Quota as GovernorQuota, RateLimiter as Governor,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use parlance_domain::access::{ApiId, Quota, RateDecision, RateLimiter};
use prometheus_client::metrics::counter::Counter;

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
