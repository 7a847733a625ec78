//! The queue and the objects of the ledger of erasures in memory.

use std::collections::BTreeSet;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::{ConversationId, MessageId},
    privacy::{Erasure, LedgerEntry, LedgerObjectId, LedgerStore},
};

use crate::memory::MemoryStore;

#[async_trait]
impl LedgerStore for MemoryStore {
    async fn queued(&self, limit: u16) -> Result<Vec<LedgerEntry>, StoreError> {
        let tenants = self.lock_tenants();
        let queued = tenants.values().flat_map(|data| &data.erasures.queue);
        Ok(queued.take(limit.into()).cloned().collect())
    }

    async fn record_object(&self, object: &LedgerObjectId, written: &[LedgerEntry]) -> Result<(), StoreError> {
        for data in self.lock_tenants().values_mut() {
            data.erasures.queue.retain(|entry| !written.contains(entry));
        }
        self.ledger_objects.lock().unwrap().insert(object.clone());
        Ok(())
    }

    async fn recorded_objects(&self) -> Result<BTreeSet<LedgerObjectId>, StoreError> {
        Ok(self.ledger_objects.lock().unwrap().clone())
    }

    async fn requeue(&self, missing: &BTreeSet<LedgerObjectId>) -> Result<(), StoreError> {
        for data in self.lock_tenants().values_mut() {
            data.erasures.queue = data.erasures.known.clone();
        }
        self.ledger_objects.lock().unwrap().retain(|object| !missing.contains(object));
        Ok(())
    }

    async fn apply_erasure(&self, tenant: &TenantId, erasure: &Erasure, entry: AuditEntry) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let is_new = !data.erasures.contains(&erasure.conversation);
            if is_new {
                self.erase_in(data, tenant, erasure, entry);
                data.erasures.known.push(LedgerEntry::of_conversation(tenant, erasure));
            }
            is_new
        }))
    }

    async fn remove_message(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<bool, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            let Some(stored) = data.conversations.get_mut(conversation) else { return false };
            let before = stored.messages.len();
            stored.messages.retain(|_, stored| stored.id != *message);
            stored.messages.len() < before
        }))
    }
}
