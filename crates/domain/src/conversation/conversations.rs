//! The use cases of conversations.

use std::sync::Arc;

use super::{
    Conversation, ConversationCursor, ConversationQuery, ConversationStore, FieldRedaction, FindConversationError,
    ListConversations, ListConversationsError, ListedConversations, Upsert, UpsertError, UpsertLookup, UpsertOutcome,
    UpsertRequest, decide,
    field_redaction::RedactedRequest,
    import::{ImportWrite, ImportedAs, ImportedConversation, PreparedImport},
};
use crate::{
    access::{AuthorizedCaller, ReadConversations, TenantId, WriteConversations},
    error::StoreError,
    id::{ConversationId, IdSource},
    idempotency::{Claim, KeyRefusal},
    privacy::IdentifierDigester,
    text::ExternalId,
    time::Clock,
};

/// Creates, updates and finds conversations. Names and metadata values are masked when they are stored and when they are
/// read.
#[derive(Clone)]
pub struct Conversations {
    store: Arc<dyn ConversationStore>,
    fields: FieldRedaction,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
    digester: Option<Arc<dyn IdentifierDigester>>,
}

impl Conversations {
    /// Uses this store, and redacts fields with `fields`.
    #[must_use]
    pub fn new(
        store: Arc<dyn ConversationStore>,
        fields: FieldRedaction,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, fields, ids, clock, digester: None }
    }

    /// Refuses external identifiers of erased conversations, which are compared by their digests.
    #[must_use]
    pub fn with_digester(self, digester: Arc<dyn IdentifierDigester>) -> Self {
        Self { digester: Some(digester), ..self }
    }

    /// Creates the conversation, or updates the one with this external identifier (spec §4.1). Concurrent requests for
    /// one external identifier create one conversation, and all of them return its id. The idempotency record of the
    /// claim is stored in the same step.
    ///
    /// # Errors
    /// [`UpsertError::Identifiers`] if an identifier contains card data and the policy refuses it;
    /// [`UpsertError::Refused`] if the request has an id that is not the conversation's; [`UpsertError::Erased`] if the
    /// conversation with this external identifier was erased; [`KeyRefusal::Taken`] if
    /// another request has used the key of the claim meanwhile; [`UpsertError::Store`].
    pub async fn upsert(
        &self,
        caller: &AuthorizedCaller<WriteConversations>,
        request: UpsertRequest,
        claim: Option<Claim>,
    ) -> Result<ConversationId, UpsertError> {
        let tenant = caller.tenant();
        let now = self.clock.now();
        let entities = self.fields.entities(tenant).await?;
        let RedactedRequest { request, found, sensitive } = self.fields.redact_request(request, entities)?;
        let lookup = self.look_up(tenant, &request).await?;
        let upsert = decide(request, &lookup, ConversationId::from_bits(self.ids.next(now)))?;
        let upsert = self.with_digest(tenant, upsert)?;
        match self.store.upsert(tenant, &upsert, now, claim).await? {
            UpsertOutcome::Stored(id) => {
                self.fields.count(&found, &sensitive);
                Ok(id)
            }
            UpsertOutcome::KeyTaken => Err(KeyRefusal::Taken.into()),
            UpsertOutcome::Erased => Err(UpsertError::Erased),
        }
    }

    /// Checks the identifiers of a conversation.
    ///
    /// # Errors
    /// [`UpsertError::Identifiers`] if the policy refuses one of them; [`UpsertError::Store`].
    pub(crate) async fn check_identifiers(
        &self,
        tenant: &TenantId,
        request: &UpsertRequest,
    ) -> Result<(), UpsertError> {
        let entities = self.fields.entities(tenant).await?;
        self.fields.check_identifiers(request, entities)?;
        Ok(())
    }

    /// Decides what an import writes of a conversation, with the stored conversation.
    ///
    /// # Errors
    /// As [`upsert`](Self::upsert).
    pub(crate) async fn prepare_import(
        &self,
        tenant: &TenantId,
        request: UpsertRequest,
    ) -> Result<PreparedImport, UpsertError> {
        let at = self.clock.now();
        let entities = self.fields.entities(tenant).await?;
        let RedactedRequest { request, found, sensitive } = self.fields.redact_request(request, entities)?;
        let by_external_id = self.store.find_by_external_id(tenant, &request.external_id).await?;
        let by_id = match &request.id {
            Some(id) if by_external_id.is_none() => self.store.find(tenant, id).await?,
            _ => None,
        };
        let lookup = UpsertLookup { by_external_id, by_id };
        let upsert = decide(request, &lookup, ConversationId::from_bits(self.ids.next(at)))?;
        let upsert = self.with_digest(tenant, upsert)?;
        Ok(PreparedImport { upsert, existing: lookup.by_external_id, at, found, sensitive })
    }

    /// Creates the conversation, or updates the one with this external identifier if that changes anything. With
    /// [`ImportWrite::CreateOnly`], an existing conversation stays as it is.
    ///
    /// # Errors
    /// As [`upsert`](Self::upsert).
    pub(crate) async fn import(
        &self,
        tenant: &TenantId,
        prepared: PreparedImport,
        write: ImportWrite,
    ) -> Result<ImportedConversation, UpsertError> {
        let PreparedImport { upsert, existing, at, .. } = &prepared;
        if let Some(existing) = existing.as_ref().filter(|existing| !write.changes(upsert, existing)) {
            return Ok(ImportedConversation { id: existing.id.clone(), outcome: ImportedAs::Unchanged });
        }
        match self.store.upsert(tenant, upsert, *at, None).await? {
            UpsertOutcome::Stored(id) => {
                self.count_import(&prepared);
                let outcome = if id == upsert.new_id { ImportedAs::Created } else { ImportedAs::Updated };
                Ok(ImportedConversation { id, outcome })
            }
            UpsertOutcome::KeyTaken => Err(KeyRefusal::Taken.into()),
            UpsertOutcome::Erased => Err(UpsertError::Erased),
        }
    }

    /// Counts what was found in the fields of an imported conversation that is stored now.
    pub(crate) fn count_import(&self, prepared: &PreparedImport) {
        self.fields.count(&prepared.found, &prepared.sensitive);
    }

    /// The conversation with this id (spec §4.3).
    ///
    /// # Errors
    /// [`FindConversationError`].
    pub async fn find(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        id: &ConversationId,
    ) -> Result<Conversation, FindConversationError> {
        self.find_in(caller.tenant(), id).await
    }

    /// The conversation of a tenant with this id.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub(crate) async fn find_in(
        &self,
        tenant: &TenantId,
        id: &ConversationId,
    ) -> Result<Conversation, FindConversationError> {
        let found = self.store.find(tenant, id).await?;
        self.masked(tenant, found).await?.ok_or(FindConversationError::NotFound)
    }

    /// The conversation with this external identifier, if it exists (spec §4.2).
    ///
    /// # Errors
    /// If the store fails.
    pub async fn search(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        let tenant = caller.tenant();
        let found = self.store.find_by_external_id(tenant, external_id).await?;
        self.masked(tenant, found).await
    }

    /// One page of the conversations that meet criteria, newest first. Values of metadata among the criteria are masked
    /// as stored ones are before they are looked up.
    ///
    /// # Errors
    /// [`ListConversationsError`].
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        request: ListConversations,
    ) -> Result<ListedConversations, ListConversationsError> {
        let tenant = caller.tenant();
        let entities = self.fields.entities(tenant).await?;
        let ListConversations { mut criteria, cursor, limit } = request;
        self.fields.mask_criteria(&mut criteria.metadata, entities)?;
        let criteria_digest = criteria.digest(tenant);
        if cursor.as_ref().is_some_and(|cursor| cursor.criteria_digest != criteria_digest) {
            return Err(ListConversationsError::ForeignCursor);
        }
        let after = cursor.map(|cursor| cursor.after);
        let page =
            self.store.page(tenant, &ConversationQuery { after, limit, ..ConversationQuery::new(criteria) }).await?;
        let mut conversations = page.conversations;
        for conversation in &mut conversations {
            self.fields.mask_conversation(conversation, entities)?;
        }
        let next = page.next.map(|after| ConversationCursor { after, criteria_digest });
        Ok(ListedConversations { conversations, next })
    }

    /// The conversation with masked fields.
    async fn masked(&self, tenant: &TenantId, found: Option<Conversation>) -> Result<Option<Conversation>, StoreError> {
        let Some(mut conversation) = found else { return Ok(None) };
        self.fields.mask_conversation(&mut conversation, self.fields.entities(tenant).await?)?;
        Ok(Some(conversation))
    }

    fn with_digest(&self, tenant: &TenantId, upsert: Upsert) -> Result<Upsert, StoreError> {
        let digest = self.digester.as_ref().map(|digester| digester.conversation_digest(tenant, &upsert.external_id));
        Ok(Upsert { digest: digest.transpose()?, ..upsert })
    }

    async fn look_up(&self, tenant: &TenantId, request: &UpsertRequest) -> Result<UpsertLookup, StoreError> {
        let Some(id) = &request.id else { return Ok(UpsertLookup::default()) };
        let by_external_id = self.store.find_by_external_id(tenant, &request.external_id).await?;
        let by_id = if by_external_id.is_none() { self.store.find(tenant, id).await? } else { None };
        Ok(UpsertLookup { by_external_id, by_id })
    }
}
