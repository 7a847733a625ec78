//! The use cases of conversations.

use std::sync::Arc;

use super::{
    Conversation, ConversationStore, FindConversationError, UpsertError, UpsertLookup, UpsertOutcome, UpsertRequest,
    decide,
};
use crate::{
    access::{AccessError, Caller, Permission, TenantId},
    error::StoreError,
    id::{ConversationId, IdSource},
    idempotency::{Claim, KeyRefusal},
    text::ExternalId,
    time::Clock,
};

/// Creates, updates and finds conversations.
#[derive(Clone)]
pub struct Conversations {
    store: Arc<dyn ConversationStore>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl Conversations {
    /// Uses this store.
    #[must_use]
    pub fn new(store: Arc<dyn ConversationStore>, ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { store, ids, clock }
    }

    /// Creates the conversation, or updates the one with this external identifier (spec §4.1). Concurrent requests for
    /// one external identifier create one conversation, and all of them return its id.
    ///
    /// # Errors
    /// [`UpsertError::Denied`] without [`Permission::WriteConversations`]; [`UpsertError::Refused`] if the request has
    /// an id that is not the conversation's; [`UpsertError::Store`].
    pub async fn upsert(&self, caller: &Caller, request: UpsertRequest) -> Result<ConversationId, UpsertError> {
        self.upsert_idempotent(caller, request, None).await
    }

    /// Creates or updates as [`upsert`](Self::upsert) does, and stores the idempotency record of the request in the
    /// same step.
    ///
    /// # Errors
    /// As [`upsert`](Self::upsert); [`KeyRefusal::Taken`] if another request has used the key meanwhile.
    pub async fn upsert_idempotent(
        &self,
        caller: &Caller,
        request: UpsertRequest,
        claim: Option<Claim>,
    ) -> Result<ConversationId, UpsertError> {
        let tenant = caller.authorize(Permission::WriteConversations)?;
        let now = self.clock.now();
        let lookup = self.look_up(tenant, &request).await?;
        let upsert = decide(request, &lookup, ConversationId::from_bits(self.ids.next(now)))?;
        match self.store.upsert(tenant, &upsert, now, claim).await? {
            UpsertOutcome::Stored(id) => Ok(id),
            UpsertOutcome::KeyTaken => Err(KeyRefusal::Taken.into()),
        }
    }

    /// The conversation with this id (spec §4.3).
    ///
    /// # Errors
    /// [`FindConversationError`]; the permission is [`Permission::ReadConversations`].
    pub async fn find(&self, caller: &Caller, id: &ConversationId) -> Result<Conversation, FindConversationError> {
        let tenant = caller.authorize(Permission::ReadConversations)?;
        self.store.find(tenant, id).await?.ok_or(FindConversationError::NotFound)
    }

    /// The conversation with this external identifier, if it exists (spec §4.2).
    ///
    /// # Errors
    /// [`AccessError::Denied`] without [`Permission::ReadConversations`]; [`AccessError::Store`].
    pub async fn search(&self, caller: &Caller, external_id: &ExternalId) -> Result<Option<Conversation>, AccessError> {
        let tenant = caller.authorize(Permission::ReadConversations)?;
        Ok(self.store.find_by_external_id(tenant, external_id).await?)
    }

    async fn look_up(&self, tenant: &TenantId, request: &UpsertRequest) -> Result<UpsertLookup, StoreError> {
        let Some(id) = &request.id else { return Ok(UpsertLookup::default()) };
        let by_external_id = self.store.find_by_external_id(tenant, &request.external_id).await?;
        let by_id = if by_external_id.is_none() { self.store.find(tenant, id).await? } else { None };
        Ok(UpsertLookup { by_external_id, by_id })
    }
}
