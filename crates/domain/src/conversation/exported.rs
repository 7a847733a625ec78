//! How stored messages are masked that leave in another order than that of their conversations.

use std::sync::Arc;

use super::{
    Masking, Message, MessageStore, Neighbours,
    masking::{Around, lacks, wants_context},
};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    redaction::EntitySet,
};

/// Of how many messages it is asked at once what stands beside them.
const AT_ONCE: usize = 256;

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

    /// The messages as they may leave, each by itself and in their order. Those that were masked with all of `active`
    /// when they were stored stay as they are, at no cost; of the others, what stands beside them is read where it could
    /// matter.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn mask(
        &self,
        tenant: &TenantId,
        messages: Vec<Message>,
        active: EntitySet,
    ) -> Result<Vec<Message>, StoreError> {
        let mut masked = messages;
        let open = masked.iter().enumerate().filter(|(_, message)| lacks(message, active));
        let open: Vec<_> = open.map(|(place, _)| place).collect();
        for places in open.chunks(AT_ONCE) {
            self.mask_some(tenant, &mut masked, places, active).await?;
        }
        Ok(masked)
    }

    /// Masks those at these places.
    async fn mask_some(
        &self,
        tenant: &TenantId,
        messages: &mut [Message],
        places: &[usize],
        active: EntitySet,
    ) -> Result<(), StoreError> {
        let open: Vec<_> = places.iter().filter_map(|place| messages.get(*place)).collect();
        let wants: Vec<_> = open.iter().map(|message| wants_context(&message.text, active)).collect();
        let asking = open.iter().zip(&wants).filter(|(_, wants)| **wants);
        let positions: Vec<_> = asking.map(|(message, _)| (message.conversation.clone(), message.position())).collect();
        let neighbours =
            if positions.is_empty() { Vec::new() } else { self.store.neighbours(tenant, &positions).await? };
        let mut neighbours = neighbours.into_iter();
        for (place, wants) in places.iter().zip(wants) {
            let Some(message) = messages.get_mut(*place) else { continue };
            let beside = if wants { neighbours.next().ok_or_else(left_out)? } else { Neighbours::default() };
            let around = Around { before: &beside.before, after: &beside.after };
            let masked = self.masking.outgoing(vec![message.clone()], around, active).await?;
            if let Some(masked) = masked.into_iter().next() {
                *message = masked;
            }
        }
        Ok(())
    }
}

/// No text may leave that was not masked in its context.
fn left_out() -> StoreError {
    StoreError::new(StoreErrorKind::Unexpected, "the store left out what stands beside a message")
}
