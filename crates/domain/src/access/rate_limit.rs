//! The rate limit of credentials.

use std::{num::NonZeroU32, time::Duration};

use async_trait::async_trait;

use super::ApiId;

/// The rate and the burst of one credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Requests per second in the long run.
    pub per_second: NonZeroU32,
    /// Requests at once.
    pub burst: NonZeroU32,
}

impl Quota {
    /// The time until this many more requests are allowed at once.
    #[must_use]
    pub fn refill_time(&self, requests: u32) -> Duration {
        Duration::from_secs_f64(f64::from(requests) / f64::from(self.per_second.get()))
    }
}

/// The decision on one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateDecision {
    /// The request is within the rate.
    Allowed {
        /// The number of further requests that would be allowed at once.
        remaining: u32,
    },
    /// The request exceeds the rate.
    Limited {
        /// The time until one more request is allowed.
        retry_after: Duration,
    },
}

/// Counts the requests of each credential against a rate and a burst.
///
/// A limiter always decides. If a limiter shares its count with other replicas and cannot reach the shared count, it
/// counts alone.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Counts one request of an authenticated credential and decides on it.
    async fn admit(&self, credential: &ApiId) -> RateDecision;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spent_requests_refill_at_the_rate() {
        let number = |number| NonZeroU32::new(number).unwrap();
        let quota = Quota { per_second: number(100), burst: number(200) };
        assert_eq!((quota.refill_time(0), quota.refill_time(50)), (Duration::ZERO, Duration::from_millis(500)));
    }
}
