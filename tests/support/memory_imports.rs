//! The store of imported conversations in memory.

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    conversation::Upsert,
    error::StoreError,
    event::Change,
    import::{CreateOutcome, ImportStore},
    message::Message,
    time::Timestamp,
};

use crate::memory::MemoryStore;

#[async_trait]
impl ImportStore for MemoryStore {
    async fn create(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        at: Timestamp,
        messages: &[Message],
    ) -> Result<CreateOutcome, StoreError> {
        Ok(self.with_tenant(tenant, |data| {
            if data.is_erased(upsert) {
                return CreateOutcome::Erased;
            }
            if data.by_external_id(&upsert.external_id).is_some() {
                return CreateOutcome::Exists;
            }
            data.upsert(&upsert.new_id, upsert, at);
            data.log.append(messages.iter().map(|message| Change::MessageCreated(message.into())));
            if let Some(stored) = data.conversations.get_mut(&upsert.new_id) {
                stored.messages.extend(messages.iter().map(|message| (message.position(), message.clone())));
            }
            CreateOutcome::Created
        }))
    }
}
