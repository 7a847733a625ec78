//! The use cases that add messages to a conversation.

use super::{Addition, Append, Message, MessageBatch, Messages, NewMessage, Remask, masking::wants_context};
use crate::{
    access::{Caller, Permission, TenantId},
    error::{Conflict, Error, Resource, StoreError, StoreErrorKind},
    id::{ConversationId, MessageId},
    redaction::{Entity, EntitySet, MAX_CONTEXT},
    retry::{Claim, Receipt},
};

/// How often messages are masked anew when others come before them. With every attempt that fails another message of the
/// same conversation was stored, so only more senders than this at once can make it fail.
const ATTEMPTS: usize = 64;

impl Messages {
    /// Adds a message to an existing conversation (spec §4.4). Its text is masked with what is active for the tenant,
    /// in the light of the messages around it where these could matter; and where it shows that another message holds a
    /// part of something, that part is masked with it. Of messages that arrive at once, each is masked in the light of
    /// those that were stored first.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::WriteConversations`]; [`Error::Missing`] where there is no such
    /// conversation; [`Error::Store`].
    pub async fn record(
        &self,
        caller: &Caller,
        conversation: ConversationId,
        new: NewMessage,
    ) -> Result<MessageId, Error> {
        self.record_once(caller, conversation, new, None).await
    }

    /// Adds a message as [`record`](Self::record) does, and stores the receipt of the request with it.
    ///
    /// # Errors
    /// As [`record`](Self::record); [`Error::Conflict`] where the key was used meanwhile.
    pub async fn record_once(
        &self,
        caller: &Caller,
        conversation: ConversationId,
        new: NewMessage,
        claim: Option<Claim>,
    ) -> Result<MessageId, Error> {
        let tenant = caller.permit(Permission::WriteConversations)?;
        let active = self.masking.active(tenant).await?;
        let message = self.arrived(&conversation, new, active);
        let in_context = wants_context(&message.text, active);
        if claim.is_none() && !in_context {
            let masked = self.masking.incoming(&message, &[], active).await?;
            if !is_done(self.store.append(tenant, &masked.message).await?)? {
                return Err(kept_changing());
            }
            self.masking.count(&masked.found);
            self.recent.keep(tenant, &conversation, None, [masked.message]);
            return Ok(message.id);
        }
        let id = message.id.clone();
        let receipt = claim.map(|claim| claim.receipt(vec![id.to_string()]));
        self.add(tenant, (conversation, vec![message], receipt), active, in_context).await?;
        Ok(id)
    }

    /// Adds messages to an existing conversation, all of them or none, as if each had been added by itself in
    /// chronological order. Answers their identifiers in the order in which the messages are given.
    ///
    /// # Errors
    /// As [`record_once`](Self::record_once).
    pub async fn record_all(
        &self,
        caller: &Caller,
        conversation: ConversationId,
        batch: MessageBatch,
        claim: Option<Claim>,
    ) -> Result<Vec<MessageId>, Error> {
        let tenant = caller.permit(Permission::WriteConversations)?;
        let active = self.masking.active(tenant).await?;
        let messages = batch.into_messages().into_iter().map(|new| self.arrived(&conversation, new, active));
        let messages: Vec<_> = messages.collect();
        let ids: Vec<_> = messages.iter().map(|message| message.id.clone()).collect();
        let receipt = claim.map(|claim| claim.receipt(ids.iter().map(ToString::to_string).collect()));
        let in_context = messages.iter().any(|message| wants_context(&message.text, active));
        self.add(tenant, (conversation, messages, receipt), active, in_context).await?;
        Ok(ids)
    }

    fn arrived(&self, conversation: &ConversationId, new: NewMessage, active: EntitySet) -> Message {
        let created_at = self.clock.now();
        let id = MessageId::from_bits(self.ids.next(created_at));
        let NewMessage { sender, text, sent_at } = new;
        Message { id, conversation: conversation.clone(), sender, text, masked_with: active, sent_at, created_at }
    }

    /// Masks messages and stores them. Other messages are looked at only where they could change what is found in these,
    /// `in_context`, and must then be the same still when these are stored. They are read where they are not known, or what
    /// was known of them is not true any more.
    async fn add(
        &self,
        tenant: &TenantId,
        (conversation, mut messages, receipt): (ConversationId, Vec<Message>, Option<Receipt>),
        active: EntitySet,
        in_context: bool,
    ) -> Result<(), Error> {
        messages.sort_by_key(Message::position);
        for attempt in 0..ATTEMPTS {
            let recalled = if attempt == 0 && in_context { self.recent.recall(tenant, &conversation) } else { None };
            let is_recalled = recalled.is_some();
            let seen = match recalled {
                None if in_context => Some(self.store.newest(tenant, &conversation, None).await?),
                recalled => recalled,
            };
            let stored = seen.as_deref().unwrap_or_default();
            let MaskedBatch { messages, masks, found } = self.masked(&messages, stored, active).await?;
            let (conversation, receipt) = (conversation.clone(), receipt.clone());
            let addition = Addition { conversation, messages, seen, masks, receipt };
            let is_done = is_done(self.store.append_all(tenant, &addition).await?)?;
            if is_recalled {
                self.recent.was_right(is_done);
            }
            if is_done {
                self.masking.count(&found);
                self.remember(tenant, addition);
                return Ok(());
            }
            self.recent.forget(&addition.conversation);
        }
        Err(kept_changing())
    }

    fn remember(&self, tenant: &TenantId, addition: Addition) {
        let Addition { conversation, messages, seen, masks, .. } = addition;
        if masks.is_empty() {
            self.recent.keep(tenant, &conversation, seen, messages);
        } else {
            self.recent.forget(&conversation);
        }
    }

    /// Masks messages, given in chronological order, as if each arrived after the one before it; and what they bring to
    /// light in the stored ones.
    async fn masked(
        &self,
        messages: &[Message],
        stored: &[Message],
        active: EntitySet,
    ) -> Result<MaskedBatch, StoreError> {
        let (mut all, mut found) = (stored.to_vec(), Vec::new());
        for message in messages {
            let newest = all.len().saturating_sub(MAX_CONTEXT);
            let seen = all.split_off(newest);
            let masked = self.masking.incoming(message, &seen, active).await?;
            found.extend(masked.found);
            all.extend(seen);
            for mask in masked.others {
                if let Some(known) = all.iter_mut().find(|known| known.position() == mask.position) {
                    known.text = mask.becomes;
                }
            }
            let place = all.partition_point(|known| known.position() < masked.message.position());
            all.insert(place, masked.message);
        }
        let is_stored = |message: &Message| stored.iter().find(|known| known.id == message.id);
        let masks = all.iter().filter_map(|is| Some((is_stored(is)?, is))).filter(|(was, is)| was.text != is.text);
        let masks =
            masks.map(|(was, is)| Remask { position: was.position(), was: was.text.clone(), becomes: is.text.clone() });
        let masks = masks.collect();
        all.retain(|message| is_stored(message).is_none());
        Ok(MaskedBatch { messages: all, masks, found })
    }
}

/// Messages as they may be stored, what must become of stored ones with them, and what was found in them.
struct MaskedBatch {
    messages: Vec<Message>,
    masks: Vec<Remask>,
    found: Vec<Entity>,
}

/// Whether it is done, or must be tried again.
fn is_done(outcome: Append) -> Result<bool, Error> {
    match outcome {
        Append::Appended => Ok(true),
        Append::Superseded => Ok(false),
        Append::NoConversation => Err(Error::Missing(Resource::Conversation)),
        Append::Repeated => Err(Error::Conflict(Conflict::KeyTaken)),
    }
}

fn kept_changing() -> Error {
    StoreError::new(StoreErrorKind::Unavailable, "other messages kept coming before these").into()
}
