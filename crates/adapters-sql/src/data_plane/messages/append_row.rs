//! Messages to append to a conversation, with their precondition.

use std::slice;

use parlance_domain::{
    access::TenantId,
    id::ConversationId,
    idempotency::IdempotencyRecord,
    message::{AppendBatch, Message},
    redaction::MAX_CONTEXT,
};

use crate::data_plane::messages::precondition::Precondition;

/// Messages to append to one conversation of a tenant, all or none, with the other writes of the same step.
pub(crate) struct AppendRow {
    pub(super) tenant: TenantId,
    pub(super) conversation: ConversationId,
    pub(super) messages: Vec<Message>,
    pub(super) precondition: Option<Precondition>,
    pub(super) idempotency_record: Option<IdempotencyRecord>,
}

impl AppendRow {
    /// One message without a precondition.
    pub(crate) fn single(tenant: &TenantId, message: &Message) -> Self {
        Self::unconditional(tenant, &message.conversation, slice::from_ref(message))
    }

    /// Messages without a precondition.
    pub(crate) fn unconditional(tenant: &TenantId, conversation: &ConversationId, messages: &[Message]) -> Self {
        Self {
            tenant: tenant.clone(),
            conversation: conversation.clone(),
            messages: messages.to_vec(),
            precondition: None,
            idempotency_record: None,
        }
    }

    /// The messages of a batch, with its precondition, mask updates and idempotency record.
    pub(super) fn from_batch(tenant: &TenantId, batch: &AppendBatch) -> Self {
        let AppendBatch { conversation, messages, expected_tail, mask_updates, idempotency_record } = batch;
        Self {
            tenant: tenant.clone(),
            conversation: conversation.clone(),
            messages: messages.clone(),
            precondition: expected_tail.as_ref().map(|tail| Precondition::new(tail, mask_updates)),
            idempotency_record: idempotency_record.clone(),
        }
    }

    /// Whether the only precondition is that the conversation exists. The insertion itself checks that.
    pub(super) fn is_unconditional(&self) -> bool {
        self.precondition.is_none() && self.idempotency_record.is_none()
    }

    /// Whether only messages are written: no mask update and no idempotency record.
    pub(super) fn inserts_only(&self) -> bool {
        self.idempotency_record.is_none() && !self.has_mask_updates()
    }

    /// The number of newest messages that the precondition compares.
    pub(super) fn tail_limit(&self) -> usize {
        self.precondition.as_ref().map_or(MAX_CONTEXT, Precondition::tail_limit)
    }

    /// Whether stored messages are masked again.
    pub(crate) fn has_mask_updates(&self) -> bool {
        self.precondition.as_ref().is_some_and(|precondition| !precondition.mask_updates.is_empty())
    }

    /// The tenant and the conversation.
    pub(crate) fn conversation_key(&self) -> (&str, &str) {
        (self.tenant.as_str(), self.conversation.as_str())
    }
}
