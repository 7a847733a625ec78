//! The audit entries of retention. They name no metadata, which is a caller's text.

use super::{AuditAction, AuditEntry, entry::by};
use crate::{
    access::{ApiId, TenantId},
    privacy::{Erasure, RetentionDays, RetentionRule, RetentionRules},
    time::Timestamp,
};

impl AuditEntry {
    /// The retention rules were replaced. The details have the pairs of metadata and the days of each rule, as numbers.
    #[must_use]
    pub fn retention_changed(
        tenant: &TenantId,
        rules: &RetentionRules,
        credential: Option<&ApiId>,
        at: Timestamp,
    ) -> Self {
        let describe = |rule: &RetentionRule| {
            let (pairs, days) = (rule.metadata.pairs().count(), rule.days.get());
            let condition = if pairs == 0 { String::new() } else { format!(" with {pairs} pairs of metadata") };
            format!("{days} days{condition}, ")
        };
        let described: String = rules.as_slice().iter().map(describe).collect();
        let described = if described.is_empty() { "no rule, ".to_owned() } else { described };
        let (action, subject) = (AuditAction::RetentionChanged, tenant.as_str().to_owned());
        Self { at, action, subject, details: format!("{described}{}", by(credential)) }
    }

    /// A conversation was erased because the days of its rule were over.
    #[must_use]
    pub fn conversation_erased_by_retention(erasure: &Erasure, days: RetentionDays) -> Self {
        let subject = erasure.conversation.as_str().to_owned();
        let details = format!("by retention after {} days", days.get());
        Self { at: erasure.at, action: AuditAction::ConversationErased, subject, details }
    }
}
