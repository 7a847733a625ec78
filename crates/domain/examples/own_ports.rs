//! Implements ports in memory and creates a conversation with them.
//!
//! ```sh
//! cargo run -p parlance-domain --example own_ports
//! ```

#![expect(clippy::unwrap_used, reason = "an example fails by panicking")]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use parlance_domain::{
    access::{Caller, Permissions, TenantId},
    conversation::{Change, Conversation, Conversations, Participant, Upsert, UpsertOutcome, UpsertRequest},
    error::StoreError,
    id::ConversationId,
    idempotency::Claim,
    ports::{Clock, ConversationStore, IdSource},
    text::ExternalId,
    time::Timestamp,
};

/// A store in memory.
#[derive(Default)]
struct InMemory(Mutex<HashMap<(TenantId, ExternalId), Conversation>>);

#[async_trait::async_trait]
impl ConversationStore for InMemory {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        Ok(self.0.lock().unwrap().iter().find(|((t, _), c)| t == tenant && c.id == *id).map(|(_, c)| c.clone()))
    }
    async fn find_by_external_id(&self, t: &TenantId, e: &ExternalId) -> Result<Option<Conversation>, StoreError> {
        Ok(self.0.lock().unwrap().get(&(t.clone(), e.clone())).cloned())
    }
    async fn upsert(
        &self,
        t: &TenantId,
        upsert: &Upsert,
        _: Timestamp,
        _: Option<Claim>,
    ) -> Result<UpsertOutcome, StoreError> {
        let mut all = self.0.lock().unwrap();
        let entry = all.entry((t.clone(), upsert.external_id.clone()));
        let stored = entry.and_modify(|found| upsert.apply_to(found)).or_insert_with(|| upsert.to_conversation());
        Ok(UpsertOutcome::Stored(stored.id.clone()))
    }
}
/// A clock that stands still, and identifiers that never grow.
struct Fixed;
impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        Timestamp::parse("2026-01-31T09:30:00Z").unwrap()
    }
}
impl IdSource for Fixed {
    fn next(&self, _: Timestamp) -> u128 {
        1
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let conversations = Conversations::new(Arc::new(InMemory::default()), Arc::new(Fixed), Arc::new(Fixed));
    let caller = Caller::new(TenantId::parse("acme")?, Permissions::all());
    let customer = Participant { external_id: ExternalId::parse("customer-7")?, name: None };
    let request = UpsertRequest {
        id: None,
        external_id: ExternalId::parse("call-1")?,
        agent: Change::Keep,
        customer,
        metadata: Change::Keep,
        started_at: Fixed.now(),
    };
    let id = pollster::block_on(conversations.upsert(&caller.authorize()?, request, None))?;
    assert_eq!(pollster::block_on(conversations.find(&caller.authorize()?, &id))?.external_id.as_str(), "call-1");
    Ok(())
}
