//! The port that stores retention rules, and reads what they are about.

use async_trait::async_trait;

use super::{RetentionCandidate, RetentionRules};
use crate::{access::TenantId, audit::AuditEntry, error::StoreError, id::ConversationId, time::Timestamp};

/// The rules of a tenant, and how often they were replaced.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredRetention {
    /// The rules.
    pub rules: RetentionRules,
    /// The number of replacements; 0 before the first one.
    pub revision: u64,
}

/// A position in the order of creation, which a page of candidates follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidatePosition {
    /// The time of creation, by the service's clock.
    pub created_at: Timestamp,
    /// The conversation.
    pub conversation: ConversationId,
}

impl From<&RetentionCandidate> for CandidatePosition {
    fn from(candidate: &RetentionCandidate) -> Self {
        Self { created_at: candidate.created_at, conversation: candidate.conversation.clone() }
    }
}

/// Stores retention rules, and reads conversations for the decision which of them are no longer kept.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait RetentionStore: Send + Sync {
    /// The rules of a tenant.
    async fn retention(&self, tenant: &TenantId) -> Result<StoredRetention, StoreError>;

    /// Replaces the rules of a tenant, with the audit entry or not at all. Each replacement MUST have a greater revision. A
    /// run is due from then on.
    async fn replace(&self, tenant: &TenantId, rules: &RetentionRules, entry: AuditEntry) -> Result<(), StoreError>;

    /// Conversations of a tenant that were created after `after` and not after `until`, in the order of their creation and,
    /// at the same time, of their identifiers; at most `limit`.
    async fn candidates<'a>(
        &self,
        tenant: &TenantId,
        after: Option<&'a CandidatePosition>,
        until: Timestamp,
        limit: u16,
    ) -> Result<Vec<RetentionCandidate>, StoreError>;

    /// One conversation.
    async fn candidate(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<Option<RetentionCandidate>, StoreError>;

    /// The tenants whose rules were replaced since their last run began, or whose last run began at `before` or earlier.
    async fn due(&self, before: Timestamp) -> Result<Vec<TenantId>, StoreError>;

    /// Records that a run of the rules of this revision is complete, which began at `began`. Has no effect if the rules were
    /// replaced since.
    async fn record_run(&self, tenant: &TenantId, revision: u64, began: Timestamp) -> Result<(), StoreError>;
}
