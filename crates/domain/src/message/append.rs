//! The use cases that append messages to a conversation.

use std::slice;

use crate::{
    access::{AuthorizedCaller, TenantId, WriteConversations},
    error::{StoreError, StoreErrorKind},
    id::{ConversationId, MessageId},
    idempotency::{Claim, IdempotencyRecord, KeyRefusal},
    message::{
        AppendBatch, AppendError, AppendOutcome, MaskUpdate, Message, MessageBatch, Messages, NewMessage, Redactions,
        number_run::{context_length, needs_long_tail},
        redaction::needs_context,
    },
    redaction::{Entity, EntitySet, ExternalFindings, MAX_CONTEXT},
};

/// The maximum number of attempts to store messages while other messages of the conversation are stored. Each failed
/// attempt means that another message was stored, so only more than 64 concurrent senders can exhaust the attempts.
pub(super) const MAX_ATTEMPTS: usize = 64;

impl Messages {
    /// Appends a message to an existing conversation (spec §4.4).
    ///
    /// The text is redacted with the active entities of the tenant. Neighbouring messages are used as context if they
    /// can affect the result. If the message reveals that a stored message contains a part of a sensitive value, that
    /// part is masked in the same step. Of concurrent messages, each is redacted in the context of those stored first. The
    /// idempotency record of the claim is stored in the same step too.
    ///
    /// # Errors
    /// [`AppendError::Identifiers`] if the identifier of the sender contains card data and the policy refuses it;
    /// [`AppendError::NoConversation`]; [`KeyRefusal::Taken`] if another request has used the key of the claim
    /// meanwhile; [`AppendError::Store`].
    pub async fn append(
        &self,
        caller: &AuthorizedCaller<WriteConversations>,
        conversation: ConversationId,
        new: NewMessage,
        claim: Option<Claim>,
    ) -> Result<MessageId, AppendError> {
        let tenant = caller.tenant();
        let active = self.redaction.active_entities(tenant).await?;
        let sensitive = self.redaction.check_sender(&new.sender, active)?;
        let message = self.new_message(&conversation, new, active);
        let context_needed = needs_context(&message.text, active);
        if claim.is_none() && !context_needed {
            let findings =
                self.redaction.examine_new(slice::from_ref(&message), active).await?.pop().unwrap_or_default();
            let redacted = self.redaction.redact_for_write(&message, &[], active, &findings)?;
            if !is_appended(self.store.append(tenant, &redacted.message).await?)? {
                return Err(contended());
            }
            self.redaction.count_masked(&redacted.found);
            self.redaction.count_identifiers(&sensitive);
            self.recent.insert(tenant, &conversation, None, [redacted.message]);
            return Ok(message.id);
        }
        let id = message.id.clone();
        let record = claim.map(|claim| claim.into_record(vec![id.to_string()]));
        self.store_batch(tenant, (conversation, vec![message], record), active, context_needed).await?;
        self.redaction.count_identifiers(&sensitive);
        Ok(id)
    }

    /// Appends messages to an existing conversation, all or none, with the same result as one call per message in
    /// chronological order. Returns their identifiers in the order of the batch.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub async fn append_batch(
        &self,
        caller: &AuthorizedCaller<WriteConversations>,
        conversation: ConversationId,
        batch: MessageBatch,
        claim: Option<Claim>,
    ) -> Result<Vec<MessageId>, AppendError> {
        let tenant = caller.tenant();
        let active = self.redaction.active_entities(tenant).await?;
        let batch = batch.into_messages();
        let sensitive = self.redaction.check_batch_senders(&batch, active)?;
        let messages = batch.into_iter().map(|new| self.new_message(&conversation, new, active));
        let messages: Vec<_> = messages.collect();
        let ids: Vec<_> = messages.iter().map(|message| message.id.clone()).collect();
        let record = claim.map(|claim| claim.into_record(ids.iter().map(ToString::to_string).collect()));
        let context_needed = messages.iter().any(|message| needs_context(&message.text, active));
        self.store_batch(tenant, (conversation, messages, record), active, context_needed).await?;
        self.redaction.count_identifiers(&sensitive);
        Ok(ids)
    }

    pub(super) fn new_message(&self, conversation: &ConversationId, new: NewMessage, active: EntitySet) -> Message {
        let created_at = self.clock.now();
        let id = MessageId::from_bits(self.ids.next(created_at));
        let NewMessage { sender, text, sent_at } = new;
        let (conversation, redactions) = (conversation.clone(), Redactions::NONE);
        Message { id, conversation, sender, text, masked_with: active, redactions, sent_at, created_at }
    }

    /// Redacts messages and stores them.
    ///
    /// With `context_needed`, the newest stored messages are the context, and the write has the precondition that they
    /// are unchanged. They come from the cache, or from the store if the cache has no entry or its entry is outdated. If
    /// they are all part of a dictated number, more of them are read from the store.
    async fn store_batch(
        &self,
        tenant: &TenantId,
        (conversation, mut messages, record): (ConversationId, Vec<Message>, Option<IdempotencyRecord>),
        active: EntitySet,
        context_needed: bool,
    ) -> Result<(), AppendError> {
        messages.sort_by_key(Message::position);
        let findings = self.redaction.examine_new(&messages, active).await?;
        for attempt in 0..MAX_ATTEMPTS {
            let cached_tail =
                if attempt == 0 && context_needed { self.recent.get(tenant, &conversation) } else { None };
            let was_cached = cached_tail.is_some();
            let mut expected_tail = match cached_tail {
                None if context_needed => Some(self.store.newest(tenant, &conversation, None).await?),
                cached_tail => cached_tail,
            };
            if expected_tail.as_ref().is_some_and(|tail| needs_long_tail(&messages, tail, active)) {
                expected_tail = Some(self.store.newest_run(tenant, &conversation).await?);
            }
            let examined = (messages.as_slice(), findings.as_slice());
            let target = (conversation.clone(), expected_tail, record.clone());
            let stored = self.store_redacted(tenant, examined, target, active).await?;
            if was_cached {
                self.recent.record_outcome(stored.is_some());
            }
            if let Some(batch) = stored {
                self.update_cache(tenant, batch);
                return Ok(());
            }
            self.recent.invalidate(&conversation);
        }
        Err(contended())
    }

    /// Redacts messages in the context of `expected_tail`, and stores them with the precondition that these are still the
    /// newest messages. Returns what was stored; `None` if the precondition failed.
    pub(super) async fn store_redacted(
        &self,
        tenant: &TenantId,
        examined: (&[Message], &[ExternalFindings]),
        (conversation, expected_tail, idempotency_record): StoreTarget,
        active: EntitySet,
    ) -> Result<Option<AppendBatch>, AppendError> {
        let stored = expected_tail.as_deref().unwrap_or_default();
        let RedactedBatch { messages, mask_updates, found } = self.redact_batch(examined, stored, active)?;
        let batch = AppendBatch { conversation, messages, expected_tail, mask_updates, idempotency_record };
        if !is_appended(self.store.append_batch(tenant, &batch).await?)? {
            return Ok(None);
        }
        self.redaction.count_masked(&found);
        Ok(Some(batch))
    }

    fn update_cache(&self, tenant: &TenantId, batch: AppendBatch) {
        let AppendBatch { conversation, messages, expected_tail, mask_updates, .. } = batch;
        if mask_updates.is_empty() {
            self.recent.insert(tenant, &conversation, expected_tail, messages);
        } else {
            self.recent.invalidate(&conversation);
        }
    }

    /// Redacts messages, which are in chronological order, as if each arrived after the one before it. Also returns the
    /// stored messages that must be masked because of them. The messages come with the findings of the external detector;
    /// these are empty without a detector.
    pub(super) fn redact_batch(
        &self,
        (messages, findings): (&[Message], &[ExternalFindings]),
        stored: &[Message],
        active: EntitySet,
    ) -> Result<RedactedBatch, StoreError> {
        let (mut all, mut found) = (stored.to_vec(), Vec::new());
        let none = ExternalFindings::default();
        for (number, message) in messages.iter().enumerate() {
            let findings = findings.get(number).unwrap_or(&none);
            let tail_start = all.len().saturating_sub(context_length(message, &all, active).max(MAX_CONTEXT));
            let tail = all.split_off(tail_start);
            let redacted = self.redaction.redact_for_write(message, &tail, active, findings)?;
            found.extend(redacted.found);
            all.extend(tail);
            for update in redacted.retroactive {
                if let Some(earlier) = all.iter_mut().find(|earlier| earlier.position() == update.position) {
                    earlier.text = update.masked;
                    earlier.redactions = update.redactions;
                }
            }
            let index = all.partition_point(|earlier| earlier.position() < redacted.message.position());
            all.insert(index, redacted.message);
        }
        let stored_version = |message: &Message| stored.iter().find(|other| other.id == message.id);
        let changed = all.iter().filter_map(|after| Some((stored_version(after)?, after)));
        let changed = changed.filter(|(before, after)| before.text != after.text);
        let mask_updates = changed.map(|(before, after)| MaskUpdate {
            position: before.position(),
            expected: before.text.clone(),
            masked: after.text.clone(),
            redactions: after.redactions.clone(),
        });
        let mask_updates = mask_updates.collect();
        all.retain(|message| stored_version(message).is_none());
        Ok(RedactedBatch { messages: all, mask_updates, found })
    }
}

/// The conversation that messages are stored in, its newest messages if they are the context, and the idempotency record.
pub(super) type StoreTarget = (ConversationId, Option<Vec<Message>>, Option<IdempotencyRecord>);

/// Redacted messages, the updates of stored messages that they cause, and the entities that were found.
pub(super) struct RedactedBatch {
    pub(super) messages: Vec<Message>,
    mask_updates: Vec<MaskUpdate>,
    pub(super) found: Vec<Entity>,
}

/// Whether the messages are stored. `false` if a precondition failed and the write must be retried.
fn is_appended(outcome: AppendOutcome) -> Result<bool, AppendError> {
    match outcome {
        AppendOutcome::Appended => Ok(true),
        AppendOutcome::PreconditionFailed => Ok(false),
        AppendOutcome::NoConversation => Err(AppendError::NoConversation),
        AppendOutcome::KeyTaken => Err(KeyRefusal::Taken.into()),
    }
}

pub(super) fn contended() -> AppendError {
    StoreError::new(StoreErrorKind::Unavailable, "other messages were stored during every attempt").into()
}
