//! Implements ports in memory and creates a conversation with them.
//!
//! ```sh
//! cargo run -p parlance-domain --example own_ports
//! ```

#![expect(clippy::unwrap_used, reason = "an example fails by panicking")]

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parlance_domain::{
    access::{Caller, Permissions, TenantId},
    conversation::{
        Change, Conversation, ConversationPage, ConversationQuery, Conversations, FieldRedaction, Participant, Upsert,
        UpsertOutcome, UpsertRequest,
    },
    error::StoreError,
    id::ConversationId,
    idempotency::{Claim, IdempotencyRecord, KeyDigest, Operation},
    ports::{Clock, ConversationStore, IdSource, MonotonicClock, RedactionStore},
    redaction::{ActiveEntityCache, CommitOutcome, Flags, Switch, SwitchRecord},
    text::ExternalId,
    time::Timestamp,
};

/// A store in memory.
#[derive(Default)]
struct InMemory(Mutex<Tables>);

#[derive(Default)]
struct Tables {
    conversations: HashMap<(TenantId, ExternalId), Conversation>,
    records: HashMap<(TenantId, Operation, KeyDigest), IdempotencyRecord>,
}

#[async_trait::async_trait]
impl ConversationStore for InMemory {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        let tables = self.0.lock().unwrap();
        Ok(tables.conversations.iter().find(|((t, _), c)| t == tenant && c.id == *id).map(|(_, c)| c.clone()))
    }
    async fn find_all(&self, tenant: &TenantId, ids: &[ConversationId]) -> Result<Vec<Conversation>, StoreError> {
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.find(tenant, id).await?);
        }
        Ok(found)
    }

    async fn find_by_external_id(&self, t: &TenantId, e: &ExternalId) -> Result<Option<Conversation>, StoreError> {
        Ok(self.0.lock().unwrap().conversations.get(&(t.clone(), e.clone())).cloned())
    }
    // This store does not keep the time of the last upsert, so it takes every conversation for never updated.
    async fn page(&self, t: &TenantId, query: &ConversationQuery) -> Result<ConversationPage, StoreError> {
        let tables = self.0.lock().unwrap();
        let of_tenant = tables.conversations.iter().filter(|((tenant, _), _)| tenant == t).map(|(_, found)| found);
        let matching = of_tenant.filter(|found| query.criteria.matches(found, found.started_at));
        let after = |found: &&Conversation| query.after.as_ref().is_none_or(|after| found.position() > *after);
        let mut found: Vec<_> = matching.filter(after).cloned().collect();
        found.sort_by_key(Conversation::position);
        Ok(ConversationPage::from_found(found, query.limit, None))
    }
    async fn upsert(
        &self,
        t: &TenantId,
        upsert: &Upsert,
        _: Timestamp,
        claim: Option<Claim>,
    ) -> Result<UpsertOutcome, StoreError> {
        let mut tables = self.0.lock().unwrap();
        let key = claim.map(|claim| (t.clone(), claim.operation, claim.request.key));
        let record = key.as_ref().and_then(|key| tables.records.get(key));
        if record.zip(claim).is_some_and(|(record, claim)| record.at > IdempotencyRecord::expiry_cutoff(claim.at)) {
            return Ok(UpsertOutcome::KeyTaken);
        }
        let entry = tables.conversations.entry((t.clone(), upsert.external_id.clone()));
        let stored = entry.and_modify(|found| upsert.apply_to(found)).or_insert_with(|| upsert.to_conversation());
        let id = stored.id.clone();
        tables.records.extend(key.zip(claim.map(|claim| claim.into_record(vec![id.to_string()]))));
        Ok(UpsertOutcome::Stored(id))
    }
}

/// A clock that stands still.
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::parse("2026-01-31T09:30:00Z").unwrap()
    }
}

impl MonotonicClock for FixedClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Tenants that switch no entity, so that each has the default of the catalogue.
struct NoFlags;

#[async_trait::async_trait]
impl RedactionStore for NoFlags {
    async fn flags(&self, _: &TenantId) -> Result<Flags, StoreError> {
        Ok(Flags::none())
    }
    async fn set(&self, _: &TenantId, _: &Switch) -> Result<CommitOutcome, StoreError> {
        Ok(CommitOutcome::PreconditionFailed)
    }
    async fn log(&self, _: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        Ok(Vec::new())
    }
}

/// Identifiers that count up, so each is greater than all earlier ones.
#[derive(Default)]
struct CountingIds(AtomicU64);

impl IdSource for CountingIds {
    fn next(&self, _: Timestamp) -> u128 {
        (self.0.fetch_add(1, Ordering::Relaxed) + 1).into()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (store, ids) = (Arc::new(InMemory::default()), Arc::new(CountingIds::default()));
    let active_sets = ActiveEntityCache::new(Arc::new(NoFlags), Arc::new(FixedClock));
    let conversations = Conversations::new(store, FieldRedaction::new(active_sets), ids, Arc::new(FixedClock));
    let caller = Caller::new(TenantId::parse("acme")?, Permissions::all());
    let customer = Participant { external_id: ExternalId::parse("customer-7")?, name: None };
    let request = UpsertRequest {
        id: None,
        external_id: ExternalId::parse("call-1")?,
        agent: Change::Keep,
        customer,
        metadata: Change::Keep,
        started_at: FixedClock.now(),
    };
    let id = pollster::block_on(conversations.upsert(&caller.authorize()?, request, None))?;
    assert_eq!(pollster::block_on(conversations.find(&caller.authorize()?, &id))?.external_id.as_str(), "call-1");
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
