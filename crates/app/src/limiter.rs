//! The rate limit of one process.

use async_trait::async_trait;
use governor::{
    Quota as Cells, RateLimiter as Governor,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use parlance_domain::access::{ApiId, Pace, Quota, RateLimiter};
use prometheus_client::metrics::counter::Counter;

/// Counts each credential's requests in this process, by the generic cell rate algorithm. It knows only credentials
/// that were verified, so its memory is bounded by their number.
pub struct ProcessRateLimiter {
    governor: Governor<ApiId, DefaultKeyedStateStore<ApiId>, DefaultClock, StateInformationMiddleware>,
    clock: DefaultClock,
}

impl ProcessRateLimiter {
    /// Admits this quota to each credential.
    #[must_use]
    pub fn new(quota: Quota) -> Self {
        let quota = Cells::per_second(quota.per_second).allow_burst(quota.burst);
        Self { governor: Governor::keyed(quota).with_middleware(), clock: DefaultClock::default() }
    }
}

#[async_trait]
impl RateLimiter for ProcessRateLimiter {
    async fn admit(&self, who: &ApiId) -> Pace {
        match self.governor.check_key(who) {
            Ok(state) => Pace::Go { remaining: state.remaining_burst_capacity() },
            Err(until) => Pace::Wait { retry_after: until.wait_time_from(self.clock.now()) },
        }
    }
}

/// The limiter of the process where that of all replicas is out of reach: each request that comes to it is counted.
pub(crate) struct Fallback {
    own: ProcessRateLimiter,
    requests: Counter,
}

impl Fallback {
    pub(crate) fn new(own: ProcessRateLimiter, requests: Counter) -> Self {
        Self { own, requests }
    }
}

#[async_trait]
impl RateLimiter for Fallback {
    async fn admit(&self, who: &ApiId) -> Pace {
        self.requests.inc();
        self.own.admit(who).await
    }
}
