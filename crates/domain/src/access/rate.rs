//! How often a credential may call.

use std::{num::NonZeroU32, time::Duration};

use async_trait::async_trait;

use super::ApiId;

/// How often one credential may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Requests a second, in the long run.
    pub per_second: NonZeroU32,
    /// Requests at once.
    pub burst: NonZeroU32,
}

impl Quota {
    /// How long it takes until this many more requests are admitted at once.
    #[must_use]
    pub fn refill(&self, requests: u32) -> Duration {
        Duration::from_secs_f64(f64::from(requests) / f64::from(self.per_second.get()))
    }
}

/// What the limiter says of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The request is within the rate.
    Go {
        /// How many more would be admitted at once.
        remaining: u32,
    },
    /// The request is over the rate.
    Wait {
        /// How long until one more is admitted.
        retry_after: Duration,
    },
}

/// Counts the requests of each credential against a rate and a burst. It always decides: a limiter that shares its
/// count with other replicas and cannot reach them counts for itself.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Counts one request of an authenticated credential.
    async fn admit(&self, who: &ApiId) -> Pace;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_comes_back_at_the_rate() {
        let number = |number| NonZeroU32::new(number).unwrap();
        let quota = Quota { per_second: number(100), burst: number(200) };
        assert_eq!((quota.refill(0), quota.refill(50)), (Duration::ZERO, Duration::from_millis(500)));
    }
}
