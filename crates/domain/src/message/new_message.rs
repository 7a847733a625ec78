//! Requests to append messages.

use super::Sender;
use crate::{
    access::WriteConversations,
    idempotency::{CanonicalForm, Canonicalize, Operation, OperationRequest},
    limits::MESSAGE_BATCH_MAX,
    text::{MessageText, Violation},
    time::Timestamp,
};

/// A new message for a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// The sender.
    pub sender: Sender,
    /// The text.
    pub text: MessageText,
    /// The time of sending, by the caller's clock.
    pub sent_at: Timestamp,
}

/// New messages that are appended together: 1 to 300, in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageBatch(Vec<NewMessage>);

impl MessageBatch {
    /// A batch of these messages.
    ///
    /// # Errors
    /// [`Violation::MinItems`] or [`Violation::MaxItems`] unless there are 1 to 300 messages.
    pub fn new(messages: Vec<NewMessage>) -> Result<Self, Violation> {
        Self::check_len(messages.len()).map(|()| Self(messages))
    }

    /// Checks that a batch may have this many messages.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn check_len(messages: usize) -> Result<(), Violation> {
        match messages {
            0 => Err(Violation::MinItems(1)),
            1..=MESSAGE_BATCH_MAX => Ok(()),
            _ => Err(Violation::MaxItems(MESSAGE_BATCH_MAX)),
        }
    }

    /// The messages of the batch.
    #[must_use]
    pub fn into_messages(self) -> Vec<NewMessage> {
        self.0
    }
}

impl Canonicalize for NewMessage {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        let Self { sender: Sender { role, external_id }, text, sent_at } = self;
        form.text(role.as_str());
        form.text(external_id.as_str());
        form.text(text.as_str());
        form.time(*sent_at);
    }
}

impl Canonicalize for MessageBatch {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        form.count(self.0.len());
        for message in &self.0 {
            message.write_canonical(form);
        }
    }
}

impl OperationRequest for NewMessage {
    const OPERATION: Operation = Operation::CreateMessage;
    type Permission = WriteConversations;
}

impl OperationRequest for MessageBatch {
    const OPERATION: Operation = Operation::CreateMessages;
    type Permission = WriteConversations;
}
