//! Whether the parts that the service needs are in reach.

use async_trait::async_trait;

use crate::error::StoreError;

/// How a failed probe is told to whoever asks whether the service is ready. Holds nothing of the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeFailure {
    /// The rule that is broken, as a word of `docs/http-status-codes.md`.
    pub rule: &'static str,
    /// What is wrong and what to do, as it follows the name of the part.
    pub message: &'static str,
}

impl ProbeFailure {
    /// The part does not answer.
    pub const OUT_OF_REACH: Self = Self { rule: "in_reach", message: "is out of reach" };
}

/// Tells whether one part that the service needs (a database, a bucket) can do its work now.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ReadinessProbe: Send + Sync {
    /// The part's name as operators know it, such as `database`.
    fn part(&self) -> &'static str;

    /// Whether the service cannot work without it. One that is not needed may be down while the service is ready.
    fn is_needed(&self) -> bool {
        true
    }

    /// How a failure of [`check`](Self::check) is told.
    fn failure(&self) -> ProbeFailure {
        ProbeFailure::OUT_OF_REACH
    }

    /// Succeeds where the part is in reach. MUST answer within two seconds, in reach or not.
    async fn check(&self) -> Result<(), StoreError>;
}
