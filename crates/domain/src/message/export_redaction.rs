//! The redaction of stored messages for exports, which read messages in another order than that of their conversations.

use std::{slice, sync::Arc};

use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    message::{
        Message, MessageRedaction, MessageStore, Neighbours,
        redaction::{ContextWindow, needs_context},
    },
    redaction::{EntitySet, ExternalFindings},
};

/// Messages per neighbour query.
const NEIGHBOUR_QUERY_MESSAGES: usize = 256;

/// Redacts messages of any conversations with the active entities. The result for each message is the same as in a list
/// of its conversation.
#[derive(Clone)]
pub struct ExportRedaction {
    store: Arc<dyn MessageStore>,
    redaction: MessageRedaction,
}

impl ExportRedaction {
    /// Reads the neighbours of messages from this store.
    #[must_use]
    pub fn new(store: Arc<dyn MessageStore>, redaction: MessageRedaction) -> Self {
        Self { store, redaction }
    }

    /// The active entities of a tenant.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be determined. No text may be exported then.
    pub async fn active_entities(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        self.redaction.active_entities(tenant).await
    }

    /// Redacts the messages independently of each other and keeps their order.
    ///
    /// Messages that were masked with all of `active` when they were stored stay unchanged, at no cost. For the others,
    /// the neighbours are read if they can affect the result.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn redact(
        &self,
        tenant: &TenantId,
        messages: Vec<Message>,
        active: EntitySet,
    ) -> Result<Vec<Message>, StoreError> {
        let mut redacted = messages;
        let incomplete = redacted.iter().enumerate().filter(|(_, message)| message.needs_redaction(active));
        let incomplete: Vec<_> = incomplete.map(|(index, _)| index).collect();
        for indices in incomplete.chunks(NEIGHBOUR_QUERY_MESSAGES) {
            self.redact_chunk(tenant, &mut redacted, indices, active).await?;
        }
        Ok(redacted)
    }

    /// Redacts the messages at these indices.
    async fn redact_chunk(
        &self,
        tenant: &TenantId,
        messages: &mut [Message],
        indices: &[usize],
        active: EntitySet,
    ) -> Result<(), StoreError> {
        let incomplete: Vec<_> = indices.iter().filter_map(|index| messages.get(*index)).collect();
        let findings = self.redaction.examine_stored(incomplete.iter().copied(), active).await?;
        let context_needed: Vec<_> = incomplete.iter().map(|message| needs_context(&message.text, active)).collect();
        let with_context = incomplete.iter().zip(&context_needed).filter(|(_, context_needed)| **context_needed);
        let positions: Vec<_> =
            with_context.map(|(message, _)| (message.conversation.clone(), message.position())).collect();
        let neighbours =
            if positions.is_empty() { Vec::new() } else { self.store.neighbours(tenant, &positions).await? };
        let mut neighbours = neighbours.into_iter();
        let none = ExternalFindings::default();
        for (number, (index, context_needed)) in indices.iter().zip(context_needed).enumerate() {
            let Some(message) = messages.get_mut(*index) else { continue };
            let adjacent =
                if context_needed { neighbours.next().ok_or_else(missing_neighbours)? } else { Neighbours::default() };
            let findings = findings.get(number).unwrap_or(&none);
            let window = ContextWindow { before: &adjacent.before, after: &adjacent.after };
            let redacted = self
                .redaction
                .redact_examined(vec![message.clone()], slice::from_ref(findings), window, active)
                .await?;
            if let Some(redacted) = redacted.into_iter().next() {
                *message = redacted;
            }
        }
        Ok(())
    }
}

/// A text must not be exported without the redaction in its context.
fn missing_neighbours() -> StoreError {
    StoreError::new(StoreErrorKind::Unexpected, "the store returned no neighbours for a message")
}
