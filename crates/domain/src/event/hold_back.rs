//! Which messages can still turn out to contain a part of a number.
//!
//! A number that is spread over messages is masked when its last part arrives. Until then the earlier parts can be read.
//! The view of settled events therefore holds a message back while what follows could still show that it contains a part.

use super::{Change, EventSources, LogEntry};
use crate::{
    access::TenantId,
    error::StoreError,
    limits::{NUMBER_RUN_MINUTES, SETTLE_SECONDS},
    message::{Message, PageLimit},
    redaction::{MAX_CONTEXT, NumberRunPart},
    time::Timestamp,
};

impl EventSources {
    /// The number of entries before the first message that is held back at `now`.
    pub(super) async fn count_releasable(
        &self,
        tenant: &TenantId,
        entries: &[LogEntry],
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let mut stored = self.stored_messages(tenant, entries).await?.into_iter();
        let created = entries.iter().enumerate().filter_map(|(index, entry)| {
            let message = entry.change.message().and_then(|_| stored.next().flatten());
            message.filter(|_| matches!(entry.change, Change::MessageCreated(_))).map(|message| (index, message))
        });
        let created: Vec<_> = created.collect();
        let messages = created.iter().map(|(index, message)| (*index, message));
        Ok(self.first_held_back(tenant, messages, now).await?.unwrap_or(entries.len()))
    }

    /// The number of messages before the first one that is held back at `now`.
    pub(super) async fn count_releasable_messages(
        &self,
        tenant: &TenantId,
        messages: &[Message],
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        Ok(self.first_held_back(tenant, messages.iter().enumerate(), now).await?.unwrap_or(messages.len()))
    }

    /// The index of the first message that is held back at `now`.
    async fn first_held_back(
        &self,
        tenant: &TenantId,
        messages: impl Iterator<Item = (usize, &Message)>,
        now: Timestamp,
    ) -> Result<Option<usize>, StoreError> {
        for (index, message) in messages {
            if self.is_held_back(tenant, message, now).await? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    async fn is_held_back(&self, tenant: &TenantId, message: &Message, now: Timestamp) -> Result<bool, StoreError> {
        let is_digits = is_open_number(message.text.as_str());
        let longest = if is_digits { NUMBER_RUN_MINUTES * 60 } else { SETTLE_SECONDS };
        if message.created_at.plus_seconds(longest) <= now {
            return Ok(false);
        }
        let limit = if is_digits { PageLimit::MAX } else { PageLimit::CONTEXT };
        let following = self.messages.page(tenant, &message.conversation, Some(&message.position()), limit).await?;
        Ok(if is_digits { !ends_run(message, &following.messages) } else { following.messages.len() < MAX_CONTEXT })
    }
}

/// Whether a text is a part of a number that may still become a card number. Where a part of it is masked, the number is
/// known already.
fn is_open_number(text: &str) -> bool {
    NumberRunPart::of(text) == NumberRunPart::Digits && !text.contains('*')
}

/// Remarks of the speaker after which a number is not continued.
const MAX_REMARKS: usize = 2;

/// Whether later messages of the same speaker end the number that a message of digits may begin or continue: one of other
/// words, or a third remark.
fn ends_run(message: &Message, following: &[Message]) -> bool {
    let same_speaker = following.iter().filter(|later| later.sender.role == message.sender.role);
    let parts: Vec<_> = same_speaker.map(|later| NumberRunPart::of(later.text.as_str())).collect();
    let remarks = parts.iter().filter(|part| **part == NumberRunPart::Remark).count();
    remarks > MAX_REMARKS || parts.contains(&NumberRunPart::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        id::{ConversationId, MessageId},
        message::{Redactions, Role, Sender},
        redaction::EntitySet,
        text::{ExternalId, MessageText},
    };

    fn message(role: Role, text: &str) -> Message {
        Message {
            id: MessageId::from_bits(1),
            conversation: ConversationId::from_bits(1),
            sender: Sender { role, external_id: ExternalId::parse("s").unwrap() },
            text: MessageText::parse(text).unwrap(),
            masked_with: EntitySet::empty(),
            redactions: Redactions::NONE,
            sent_at: Timestamp::EPOCH,
            created_at: Timestamp::EPOCH,
        }
    }

    #[test]
    fn only_another_text_of_the_same_speaker_ends_a_number() {
        let digits = message(Role::Customer, "4111");
        assert!(!ends_run(&digits, &[]));
        assert!(!ends_run(&digits, &[message(Role::Agent, "thank you, go on please")]));
        assert!(!ends_run(&digits, &[message(Role::Customer, "1111")]));
        assert!(ends_run(&digits, &[message(Role::Agent, "yes"), message(Role::Customer, "that is the order number")]));
    }
}
