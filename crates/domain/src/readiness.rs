//! Readiness: whether the dependencies of the service are reachable.

use async_trait::async_trait;

use crate::error::StoreError;

/// How the readiness endpoint reports a failed probe. It does not contain the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeFailure {
    /// The broken rule, as a word of `docs/http-status-codes.md`.
    pub rule: &'static str,
    /// The problem and its remedy, as text that follows the name of the part.
    pub message: &'static str,
}

impl ProbeFailure {
    /// The part does not answer.
    pub const UNREACHABLE: Self = Self { rule: "in_reach", message: "is out of reach" };
}

/// Checks whether one part that the service needs, such as a database or a bucket, works now.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait ReadinessProbe: Send + Sync {
    /// The name of the part for operators, such as `database`.
    fn part(&self) -> &'static str;

    /// Whether the service needs the part. The service is ready even if an optional part is down.
    fn is_required(&self) -> bool {
        true
    }

    /// How a failure of [`check`](Self::check) is reported.
    fn failure(&self) -> ProbeFailure {
        ProbeFailure::UNREACHABLE
    }

    /// Succeeds if the part is reachable. MUST return within two seconds in any case.
    async fn check(&self) -> Result<(), StoreError>;
}
