//! Imports the messages of a file into their conversation: those that are not stored yet.

use std::collections::HashMap;

use crate::{
    access::TenantId,
    id::{ConversationId, MessageId},
    limits::IMPORT_APPEND_MESSAGES,
    message::{
        AppendBatch, AppendError, Message, MessagePosition, Messages, NewMessage, PageLimit,
        append::{MAX_ATTEMPTS, RedactedBatch, contended},
        number_run::needs_long_tail,
        stored_copies::StoredCopies,
    },
    redaction::{Entity, EntitySet, IdentifierField, MAX_CONTEXT, SensitiveIdentifiers},
    time::Timestamp,
};

/// The timestamp that decides the feed day of an imported message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImportDay {
    /// The time of the import.
    #[default]
    Arrival,
    /// The time of sending, by the caller's clock. A message from before 1970 or from the future keeps the time of the
    /// import.
    ClientTime,
}

impl ImportDay {
    /// The creation time of a message that was sent at `sent_at` and is imported at `now`.
    #[must_use]
    pub fn created_at(self, sent_at: Timestamp, now: Timestamp) -> Timestamp {
        match self {
            Self::ClientTime if sent_at > Timestamp::EPOCH && sent_at < now => sent_at,
            Self::Arrival | Self::ClientTime => now,
        }
    }
}

/// The first messages of a new conversation, and what follows them.
pub(crate) struct FirstMessages {
    /// The redacted messages, which are in chronological order.
    pub(crate) messages: Vec<Message>,
    /// The messages that must be appended after these.
    pub(crate) later: Vec<NewMessage>,
    /// The entities that were found, one for each masked span.
    found: Vec<Entity>,
}

impl Messages {
    /// Checks the identifiers of the senders, each identifier once.
    ///
    /// # Errors
    /// [`AppendError::Identifiers`] with every message whose sender the policy refuses.
    pub(crate) async fn check_senders(&self, tenant: &TenantId, messages: &[NewMessage]) -> Result<(), AppendError> {
        let active = self.redaction.active_entities(tenant).await?;
        let mut checked = HashMap::new();
        let is_refused = |(index, NewMessage { sender, .. }): (usize, &NewMessage)| {
            let check = || self.redaction.check_sender(sender, active).is_err();
            checked.entry(sender.clone()).or_insert_with(check).then_some(IdentifierField::BatchSender(index))
        };
        let fields: Vec<_> = messages.iter().enumerate().filter_map(is_refused).collect();
        if fields.is_empty() { Ok(()) } else { Err(SensitiveIdentifiers { fields }.into()) }
    }

    /// Redacts the first messages of a conversation that the import creates.
    ///
    /// # Errors
    /// If a store or the external detector fails.
    pub(crate) async fn first_messages(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        messages: &[NewMessage],
        feed_day: ImportDay,
    ) -> Result<FirstMessages, AppendError> {
        let active = self.redaction.active_entities(tenant).await?;
        let mut first = chronological(messages.to_vec());
        let later = first.split_off(first.len().min(IMPORT_APPEND_MESSAGES));
        let first = first.into_iter().map(|new| self.imported_message(conversation, new, active, feed_day));
        let first: Vec<_> = first.collect();
        let findings = self.redaction.examine_new(&first, active).await?;
        let RedactedBatch { messages, found, .. } = self.redact_batch((&first, &findings), &[], active)?;
        Ok(FirstMessages { messages, later, found })
    }

    /// Appends what follows the first messages, which are stored now. Returns the number of all messages of the
    /// conversation.
    ///
    /// # Errors
    /// As [`import`](Self::import).
    pub(crate) async fn import_remaining(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        FirstMessages { messages: first, later, found }: FirstMessages,
        (messages, feed_day): (&[NewMessage], ImportDay),
    ) -> Result<usize, AppendError> {
        self.redaction.count_masked(&found);
        let count = first.len();
        let tail = newest_of(first);
        Ok(count + self.append_steps(tenant, conversation, (messages, feed_day), Some((tail, later))).await?)
    }

    /// Appends those messages that are not stored yet, with the same result as one
    /// [`append`](Self::append) per message in chronological order. Returns their number. Messages of one client time keep
    /// their order.
    ///
    /// A message is stored already if the conversation has a message of the same sender and client time whose text is the
    /// masked form of its text. A stored message counts for one message only. The messages are appended in steps, and a
    /// repeat after an interruption appends what is missing.
    pub(crate) async fn import(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        messages: &[NewMessage],
        feed_day: ImportDay,
    ) -> Result<usize, AppendError> {
        self.append_steps(tenant, conversation, (messages, feed_day), None).await
    }

    /// Appends messages in steps. `next` has the newest stored messages, and those of `messages` that are missing, if they
    /// are known.
    async fn append_steps(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        (messages, feed_day): (&[NewMessage], ImportDay),
        mut next: Option<(Vec<Message>, Vec<NewMessage>)>,
    ) -> Result<usize, AppendError> {
        let active = self.redaction.active_entities(tenant).await?;
        let (mut appended, mut failed) = (0, 0);
        while failed < MAX_ATTEMPTS {
            let (expected_tail, mut step) = match next.take() {
                Some(next) => next,
                None => self.tail_and_missing(tenant, conversation, messages).await?,
            };
            if step.is_empty() {
                return Ok(appended);
            }
            let later = step.split_off(step.len().min(IMPORT_APPEND_MESSAGES));
            let count = step.len();
            let step = step.into_iter().map(|new| self.imported_message(conversation, new, active, feed_day));
            match self.append_step(tenant, conversation, (step.collect(), expected_tail), active).await? {
                Some(stored) => {
                    appended += count;
                    next = Some((newest_after(stored), later));
                }
                None => failed += 1,
            }
        }
        Err(contended())
    }

    /// The newest messages, and those of `messages` that are not stored yet, in chronological order. The tail is read
    /// first: if another process appends in between, the precondition of the write fails.
    async fn tail_and_missing(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        messages: &[NewMessage],
    ) -> Result<(Vec<Message>, Vec<NewMessage>), AppendError> {
        let tail = self.store.newest(tenant, conversation, None).await?;
        let missing = self.missing(tenant, conversation, messages.to_vec()).await?;
        Ok((tail, chronological(missing)))
    }

    /// Those of the messages that are not stored yet, in their order.
    pub(crate) async fn missing(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        messages: Vec<NewMessage>,
    ) -> Result<Vec<NewMessage>, AppendError> {
        let times = || messages.iter().map(|message| message.sent_at);
        let (Some(first), Some(last)) = (times().min(), times().max()) else { return Ok(messages) };
        let mut copies = StoredCopies::of(&messages);
        let mut after = position_before(first);
        loop {
            let page = self.store.page(tenant, conversation, after.as_ref(), PageLimit::MAX).await?;
            let is_past = page.messages.last().is_none_or(|stored| stored.sent_at > last);
            after = page.next_cursor();
            page.messages.into_iter().for_each(|stored| copies.add(stored));
            if is_past || after.is_none() {
                return Ok(copies.without_stored(messages));
            }
        }
    }

    fn imported_message(
        &self,
        conversation: &ConversationId,
        new: NewMessage,
        active: EntitySet,
        feed_day: ImportDay,
    ) -> Message {
        let message = self.new_message(conversation, new, active);
        Message { created_at: feed_day.created_at(message.sent_at, message.created_at), ..message }
    }

    /// Appends messages, which are in chronological order. Returns what was stored; `None` if the newest messages changed.
    async fn append_step(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        (messages, mut expected_tail): (Vec<Message>, Vec<Message>),
        active: EntitySet,
    ) -> Result<Option<AppendBatch>, AppendError> {
        if needs_long_tail(&messages, &expected_tail, active) {
            expected_tail = self.store.newest_run(tenant, conversation).await?;
        }
        let findings = self.redaction.examine_new(&messages, active).await?;
        let target = (conversation.clone(), Some(expected_tail), None);
        self.store_redacted(tenant, (&messages, &findings), target, active).await
    }
}

/// A position before all messages with this client time; `None` before the first possible time.
fn position_before(first: Timestamp) -> Option<MessagePosition> {
    let sent_at = Timestamp::from_micros(first.as_micros() - 1).ok()?;
    Some(MessagePosition { sent_at, id: MessageId::from_bits(u128::MAX) })
}

/// The messages by their client time. Those of one client time keep their order.
fn chronological(mut messages: Vec<NewMessage>) -> Vec<NewMessage> {
    messages.sort_by_key(|message| message.sent_at);
    messages
}

/// The newest messages of the conversation after a batch was stored.
fn newest_after(stored: AppendBatch) -> Vec<Message> {
    let AppendBatch { messages, expected_tail, mask_updates, .. } = stored;
    let mut newest = expected_tail.unwrap_or_default();
    for update in mask_updates {
        if let Some(masked) = newest.iter_mut().find(|message| message.position() == update.position) {
            masked.text = update.masked;
            masked.redactions = update.redactions;
        }
    }
    newest.extend(messages);
    newest_of(newest)
}

/// The newest of these messages, at most [`MAX_CONTEXT`].
fn newest_of(mut messages: Vec<Message>) -> Vec<Message> {
    messages.sort_by_key(Message::position);
    let surplus = messages.len().saturating_sub(MAX_CONTEXT);
    messages.split_off(surplus)
}
