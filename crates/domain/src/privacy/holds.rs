//! The use cases of holds.

use std::sync::Arc;

use super::{
    Hold, HoldCursor, HoldError, HoldId, HoldOutcome, HoldPage, HoldStore, HoldSubject, IdentifierDigester,
    PrivacyReference,
};
use crate::{
    access::{AuthorizedCaller, OperatePrivacy},
    audit::{AuditEntry, HeldSubject},
    error::StoreError,
    id::IdSource,
    time::Clock,
    vocabulary::PageSize,
};

/// Places, lists and releases holds.
#[derive(Clone)]
pub struct Holds {
    store: Arc<dyn HoldStore>,
    digester: Arc<dyn IdentifierDigester>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl Holds {
    /// Stores holds in `store`. `digester` makes the digests by which the audit log names customers.
    #[must_use]
    pub fn new(
        store: Arc<dyn HoldStore>,
        digester: Arc<dyn IdentifierDigester>,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, digester, ids, clock }
    }

    /// Places a hold. Until it is released, nothing erases what it protects. A second hold on the same subject is a hold of
    /// its own.
    ///
    /// # Errors
    /// [`HoldError::NoConversation`] if the hold names a conversation that does not exist; [`HoldError::Store`], also if the
    /// hold names a customer and the service has no key for digests of identifiers.
    pub async fn place(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        subject: HoldSubject,
        reference: PrivacyReference,
    ) -> Result<Hold, HoldError> {
        let tenant = caller.tenant();
        let on_hold = match &subject {
            HoldSubject::Customer(customer) => HeldSubject::Customer(self.digester.customer_digest(tenant, customer)?),
            HoldSubject::Conversation(conversation) => HeldSubject::Conversation(conversation.clone()),
        };
        let created_at = self.clock.now();
        let hold = Hold { id: HoldId::from_bits(self.ids.next(created_at)), subject, reference, created_at };
        let entry = AuditEntry::hold_placed(&hold.id, &on_hold, caller.credential(), created_at);
        match self.store.place(tenant, &hold, entry).await? {
            HoldOutcome::Placed => Ok(hold),
            HoldOutcome::NoConversation => Err(HoldError::NoConversation),
        }
    }

    /// The page at `cursor`, or the first page, oldest holds first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        cursor: Option<&HoldCursor>,
        size: PageSize,
    ) -> Result<HoldPage, StoreError> {
        self.store.page(caller.tenant(), cursor, size).await
    }

    /// Releases a hold. What no other hold protects can be erased again.
    ///
    /// # Errors
    /// [`HoldError::NotFound`] or [`HoldError::Store`].
    pub async fn release(&self, caller: &AuthorizedCaller<OperatePrivacy>, id: &HoldId) -> Result<(), HoldError> {
        let entry = AuditEntry::hold_released(id, caller.credential(), self.clock.now());
        let released = self.store.release(caller.tenant(), id, entry).await?;
        if released { Ok(()) } else { Err(HoldError::NotFound) }
    }
}
