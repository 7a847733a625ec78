//! The use cases of erasure.

use std::sync::Arc;

use super::{
    EraseError, Erasure, ErasureOutcome, ErasurePage, ErasurePageLimit, ErasureStore, IdentifierDigester,
    PrivacyRequest, PrivacyRequestId,
};
use crate::{
    access::{AuthorizedCaller, OperatePrivacy, TenantId},
    audit::AuditEntry,
    conversation::ConversationStore,
    error::StoreError,
    id::ConversationId,
    time::Clock,
};

/// Erases conversations, and lists which ones were erased.
#[derive(Clone)]
pub struct Erasures {
    store: Arc<dyn ErasureStore>,
    conversations: Arc<dyn ConversationStore>,
    digester: Arc<dyn IdentifierDigester>,
    clock: Arc<dyn Clock>,
}

impl Erasures {
    /// Erases by `store`, and digests identifiers by `digester`.
    #[must_use]
    pub fn new(
        store: Arc<dyn ErasureStore>,
        conversations: Arc<dyn ConversationStore>,
        digester: Arc<dyn IdentifierDigester>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, conversations, digester, clock }
    }

    /// Erases a conversation with its messages. Its external identifier stays refused, and its days of feeds are written
    /// again without it.
    ///
    /// # Errors
    /// [`EraseError::NotFound`] if there is no such conversation, also if it is erased already; [`EraseError::Held`];
    /// [`EraseError::Store`].
    pub async fn erase_conversation(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        id: &ConversationId,
    ) -> Result<(), EraseError> {
        let tenant = caller.tenant();
        let erasure = self.erasure_of(tenant, id, None).await?;
        let entry = AuditEntry::conversation_erased(&erasure, caller.credential());
        self.erase(tenant, &erasure, entry).await
    }

    /// Erases a conversation as a part of a privacy request.
    ///
    /// # Errors
    /// As [`erase_conversation`](Self::erase_conversation).
    pub(super) async fn erase_for_request(
        &self,
        tenant: &TenantId,
        id: &ConversationId,
        request: &PrivacyRequest,
    ) -> Result<(), EraseError> {
        let erasure = self.erasure_of(tenant, id, Some(request.id.clone())).await?;
        let entry = AuditEntry::conversation_erased_for_request(&erasure, &request.id);
        self.erase(tenant, &erasure, entry).await
    }

    async fn erasure_of(
        &self,
        tenant: &TenantId,
        id: &ConversationId,
        request: Option<PrivacyRequestId>,
    ) -> Result<Erasure, EraseError> {
        let conversation = self.conversations.find(tenant, id).await?.ok_or(EraseError::NotFound)?;
        let digest = self.digester.conversation_digest(tenant, &conversation.external_id)?;
        Ok(Erasure { conversation: id.clone(), digest, at: self.clock.now(), request })
    }

    async fn erase(&self, tenant: &TenantId, erasure: &Erasure, entry: AuditEntry) -> Result<(), EraseError> {
        match self.store.erase(tenant, erasure, entry).await? {
            ErasureOutcome::Erased(_) => Ok(()),
            ErasureOutcome::NoConversation => Err(EraseError::NotFound),
            ErasureOutcome::Held => Err(EraseError::Held),
        }
    }

    /// A page of the erased conversations after the record with this number.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        after: u64,
        limit: ErasurePageLimit,
    ) -> Result<ErasurePage, StoreError> {
        let erasures = self.store.list(caller.tenant(), after, limit).await?;
        let next = erasures.last().map_or(after, |last| last.sequence);
        Ok(ErasurePage { erasures, next })
    }
}
