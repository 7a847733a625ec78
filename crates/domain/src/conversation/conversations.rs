//! The use cases of conversations.

use std::sync::Arc;

use super::{Conversation, ConversationStore, Existing, UpsertRequest, Upserted, decide};
use crate::{
    access::{Caller, Permission, TenantId},
    error::{Conflict, Error, Resource},
    id::{ConversationId, IdSource},
    retry::Claim,
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
    /// Works on this store.
    #[must_use]
    pub fn new(store: Arc<dyn ConversationStore>, ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { store, ids, clock }
    }

    /// Creates the conversation, or updates the one with this external identifier (spec §4.1). Concurrent requests
    /// for one external identifier make one conversation, and all of them answer its id.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::WriteConversations`]; [`Error::Missing`] or [`Error::Conflict`] where
    /// the request gives an id that is not the conversation's; [`Error::Store`].
    pub async fn upsert(&self, caller: &Caller, request: UpsertRequest) -> Result<ConversationId, Error> {
        self.upsert_once(caller, request, None).await
    }

    /// Creates or updates as [`upsert`](Self::upsert) does, and stores the receipt of the request with it.
    ///
    /// # Errors
    /// As [`upsert`](Self::upsert); [`Error::Conflict`] where the key was used meanwhile.
    pub async fn upsert_once(
        &self,
        caller: &Caller,
        request: UpsertRequest,
        claim: Option<Claim>,
    ) -> Result<ConversationId, Error> {
        let tenant = caller.permit(Permission::WriteConversations)?;
        let now = self.clock.now();
        let existing = self.existing(tenant, &request).await?;
        let upsert = decide(request, &existing, ConversationId::from_bits(self.ids.next(now)))?;
        match self.store.upsert(tenant, &upsert, now, claim).await? {
            Upserted::Stored(id) => Ok(id),
            Upserted::Repeated => Err(Error::Conflict(Conflict::KeyTaken)),
        }
    }

    /// The conversation with this id (spec §4.3).
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConversations`]; [`Error::Missing`]; [`Error::Store`].
    pub async fn find(&self, caller: &Caller, id: &ConversationId) -> Result<Conversation, Error> {
        let tenant = caller.permit(Permission::ReadConversations)?;
        self.store.find(tenant, id).await?.ok_or(Error::Missing(Resource::Conversation))
    }

    /// The conversation with this external identifier, where there is one (spec §4.2).
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConversations`]; [`Error::Store`].
    pub async fn search(&self, caller: &Caller, external_id: &ExternalId) -> Result<Option<Conversation>, Error> {
        let tenant = caller.permit(Permission::ReadConversations)?;
        Ok(self.store.find_by_external_id(tenant, external_id).await?)
    }

    async fn existing(&self, tenant: &TenantId, request: &UpsertRequest) -> Result<Existing, Error> {
        let Some(id) = &request.id else { return Ok(Existing::default()) };
        let by_external_id = self.store.find_by_external_id(tenant, &request.external_id).await?;
        let by_id = if by_external_id.is_none() { self.store.find(tenant, id).await? } else { None };
        Ok(Existing { by_external_id, by_id })
    }
}
