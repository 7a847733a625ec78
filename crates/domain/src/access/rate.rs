//! How often a credential may call.

use std::time::Duration;

use async_trait::async_trait;

use super::ApiId;

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
