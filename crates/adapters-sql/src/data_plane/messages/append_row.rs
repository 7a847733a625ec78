//! Messages to append to a conversation, with their precondition.

use std::fmt::Write;

use parlance_domain::{
    access::TenantId,
    id::ConversationId,
    idempotency::IdempotencyRecord,
    message::{AppendBatch, MaskUpdate, Message},
};

/// Messages to append to one conversation of a tenant, all or none, with the other writes of the same step.
pub(crate) struct AppendRow {
    pub(super) tenant: TenantId,
    pub(super) conversation: ConversationId,
    pub(super) messages: Vec<Message>,
    pub(super) precondition: Option<Precondition>,
    pub(super) idempotency_record: Option<IdempotencyRecord>,
}

/// The newest messages that the redaction used as context, and the mask updates that result from it.
pub(super) struct Precondition {
    /// The newest messages of the conversation, newest first.
    expected_tail: Vec<SeenMessage>,
    /// Sorted by position, so that two writers cannot deadlock.
    pub(super) mask_updates: Vec<MaskUpdate>,
}

/// A message as the redaction saw it.
#[derive(PartialEq, Eq)]
pub(super) struct SeenMessage {
    pub(super) sent_at: i64,
    pub(super) id: String,
    pub(super) text: String,
}

impl AppendRow {
    /// One message without a precondition.
    pub(crate) fn single(tenant: &TenantId, message: &Message) -> Self {
        Self {
            tenant: tenant.clone(),
            conversation: message.conversation.clone(),
            messages: vec![message.clone()],
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

    /// Whether stored messages are masked again.
    pub(crate) fn has_mask_updates(&self) -> bool {
        self.precondition.as_ref().is_some_and(|precondition| !precondition.mask_updates.is_empty())
    }

    /// The tenant and the conversation.
    pub(crate) fn conversation_key(&self) -> (&str, &str) {
        (self.tenant.as_str(), self.conversation.as_str())
    }
}

impl Precondition {
    fn new(tail: &[Message], mask_updates: &[MaskUpdate]) -> Self {
        let tail = tail.iter().rev().map(|message| SeenMessage {
            sent_at: message.sent_at.as_micros(),
            id: message.id.as_str().to_owned(),
            text: message.text.as_str().to_owned(),
        });
        let mut masks = mask_updates.to_vec();
        masks.sort_by(|one, other| one.position.cmp(&other.position));
        Self { expected_tail: tail.collect(), mask_updates: masks }
    }

    /// Whether the precondition holds for these newest messages, newest first.
    pub(super) fn is_met_by(&self, newest: &[SeenMessage]) -> bool {
        self.expected_tail == newest && self.masks_apply()
    }

    /// Whether every mask update changes a message of the expected tail, and expects its text.
    pub(super) fn masks_apply(&self) -> bool {
        self.mask_updates.iter().all(|mask| {
            let (sent_at, id) = (mask.position.sent_at.as_micros(), mask.position.id.as_str());
            let target = self.expected_tail.iter().find(|message| message.sent_at == sent_at && message.id == id);
            target.is_some_and(|message| message.text == mask.expected.as_str())
        })
    }

    /// The expected tail as one unambiguous text: of each message the time, the identifier, the length of the text in
    /// bytes, and the text.
    pub(super) fn precondition_text(&self) -> String {
        self.expected_tail.iter().fold(String::new(), |mut precondition, SeenMessage { sent_at, id, text }| {
            // Writing to a String cannot fail.
            let _ = write!(precondition, "{sent_at} {id} {} {text}", text.len());
            precondition
        })
    }
}
