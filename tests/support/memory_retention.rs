//! The store of retention rules in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::ConversationId,
    privacy::{CandidatePosition, RetentionCandidate, RetentionRules, RetentionStore, StoredRetention},
    time::Timestamp,
};

use crate::memory::{MemoryStore, StoredConversation, TenantData};

/// The rules of a tenant, and the beginning of their last run.
#[derive(Default)]
pub(crate) struct MemoryRetention {
    stored: StoredRetention,
    last_began: Option<Timestamp>,
}

impl TenantData {
    fn retention_candidate(&self, id: &ConversationId, stored: &StoredConversation) -> RetentionCandidate {
        let times = stored.messages.values().map(|message| message.sent_at.min(message.created_at));
        RetentionCandidate {
            conversation: id.clone(),
            external_id: stored.conversation.external_id.clone(),
            metadata: stored.conversation.metadata.clone(),
            created_at: stored.created_at,
            last_message: times.max(),
            messages: stored.messages.len() as u64,
            is_held: self.is_held(id, stored),
        }
    }
}

#[async_trait]
impl RetentionStore for MemoryStore {
    async fn retention(&self, tenant: &TenantId) -> Result<StoredRetention, StoreError> {
        Ok(self.with_tenant(tenant, |data| data.retention.stored.clone()))
    }

    async fn replace(&self, tenant: &TenantId, rules: &RetentionRules, entry: AuditEntry) -> Result<(), StoreError> {
        self.ensure_not_erased(tenant)?;
        self.with_tenant(tenant, |data| {
            let revision = data.retention.stored.revision + 1;
            let stored = StoredRetention { rules: rules.clone(), revision };
            data.retention = MemoryRetention { stored, last_began: None };
            data.append_audit(tenant, entry, self.signer.as_ref());
        });
        Ok(())
    }

    async fn candidates<'a>(
        &self,
        tenant: &TenantId,
        after: Option<&'a CandidatePosition>,
        until: Timestamp,
        limit: u16,
    ) -> Result<Vec<RetentionCandidate>, StoreError> {
        let mut candidates: Vec<_> = self.with_tenant(tenant, |data| {
            data.conversations.iter().map(|(id, stored)| data.retention_candidate(id, stored)).collect()
        });
        let position = |candidate: &RetentionCandidate| (candidate.created_at, candidate.conversation.clone());
        let start = after.map(|after| (after.created_at, after.conversation.clone()));
        candidates.retain(|candidate| {
            candidate.created_at <= until && start.as_ref().is_none_or(|start| position(candidate) > *start)
        });
        candidates.sort_by_key(position);
        candidates.truncate(limit.into());
        Ok(candidates)
    }

    async fn candidate(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<Option<RetentionCandidate>, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            data.conversations.get(conversation).map(|stored| data.retention_candidate(conversation, stored))
        }))
    }

    async fn due(&self, before: Timestamp) -> Result<Vec<TenantId>, StoreError> {
        let tenants = self.lock_tenants();
        let is_due = |retention: &MemoryRetention| {
            retention.stored.revision > 0 && retention.last_began.is_none_or(|began| began <= before)
        };
        Ok(tenants.iter().filter(|(_, data)| is_due(&data.retention)).map(|(tenant, _)| tenant.clone()).collect())
    }

    async fn record_run(&self, tenant: &TenantId, revision: u64, began: Timestamp) -> Result<(), StoreError> {
        self.with_tenant(tenant, |data| {
            if data.retention.stored.revision == revision {
                data.retention.last_began = Some(began);
            }
        });
        Ok(())
    }
}
