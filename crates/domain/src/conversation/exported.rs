//! How stored messages are masked that leave in another order than that of their conversations.

use std::sync::Arc;

use super::{
    Masking, Message, MessageStore, PageLimit,
    masking::{Around, lacks, wants_context},
};
use crate::{access::TenantId, error::StoreError, redaction::EntitySet};

/// Masks messages of any conversations with what is active, each as a list of its conversation shows it.
#[derive(Clone)]
pub struct ExportMasking {
    store: Arc<dyn MessageStore>,
    masking: Masking,
}

impl ExportMasking {
    /// Finds in this store what stands around a message.
    #[must_use]
    pub fn new(store: Arc<dyn MessageStore>, masking: Masking) -> Self {
        Self { store, masking }
    }

    /// What is active for a tenant.
    ///
    /// # Errors
    /// [`StoreError`] where that cannot be known: no text may then leave.
    pub async fn active(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        self.masking.active(tenant).await
    }

    /// The message as it may leave. One that was masked with all of `active` when it was stored stays as it is, at no
    /// cost; of the others, what stands around them is read where it could matter.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn mask(&self, tenant: &TenantId, message: Message, active: EntitySet) -> Result<Message, StoreError> {
        if !lacks(&message, active) {
            return Ok(message);
        }
        let unmasked = message.clone();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        if wants_context(&message.text, active) {
            let position = message.position();
            before = self.store.newest(tenant, &message.conversation, Some(&position)).await?;
            after = self.store.page(tenant, &message.conversation, Some(&position), PageLimit::CONTEXT).await?.messages;
        }
        let around = Around { before: &before, after: &after };
        let masked = self.masking.outgoing(vec![message], around, active).await?;
        Ok(masked.into_iter().next().unwrap_or(unmasked))
    }
}
