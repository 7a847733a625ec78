//! Every store in memory: a second implementation of the ports, which owes nothing to SQL, so that the contracts are
//! about the ports and not about one database.

use std::{
    collections::BTreeMap,
    ops::Bound,
    sync::{Arc, Mutex, MutexGuard},
};

use async_trait::async_trait;
use parlance_domain::{
    access::{Credential, TenantId},
    audit::{HeadSignature, Record},
    conversation::{
        Addition, Append, Conversation, ConversationStore, Message, MessagePage, MessagePosition, MessageStore,
        Neighbours, PageLimit, Remask, Upsert, Upserted,
    },
    error::StoreError,
    id::{ConversationId, VocabularyId},
    redaction::{Flags, MAX_CONTEXT, SwitchRecord},
    retry::Claim,
    signing::Signer,
    text::ExternalId,
    time::Timestamp,
    vocabulary::Vocabulary,
};

use crate::memory_receipts::Receipts;
use crate::memory_vocabularies::Delivery;

/// Keeps everything for as long as it lives.
#[derive(Default)]
pub struct Memory {
    tenants: Mutex<BTreeMap<TenantId, Belongings>>,
    pub(crate) signer: Option<Arc<dyn Signer>>,
}

/// What belongs to one tenant.
#[derive(Default)]
pub(crate) struct Belongings {
    pub(crate) conversations: BTreeMap<ConversationId, Kept>,
    pub(crate) vocabulary: BTreeMap<VocabularyId, Vocabulary>,
    pub(crate) credentials: BTreeMap<String, Credential>,
    pub(crate) delivery: Delivery,
    pub(crate) flags: Option<Flags>,
    pub(crate) switches: Vec<SwitchRecord>,
    pub(crate) audit: Vec<Record>,
    pub(crate) signature: Option<HeadSignature>,
    pub(crate) receipts: Receipts,
}

pub(crate) struct Kept {
    conversation: Conversation,
    messages: BTreeMap<MessagePosition, Message>,
}

impl Kept {
    fn newest(&self, end: Bound<&MessagePosition>) -> Vec<Message> {
        let earlier = self.messages.range((Bound::Unbounded, end));
        let mut newest: Vec<_> = earlier.rev().take(MAX_CONTEXT).map(|(_, message)| message.clone()).collect();
        newest.reverse();
        newest
    }
}

impl Memory {
    /// The same, whose heads of the audit log are signed by this key.
    #[must_use]
    pub fn signing_with(signer: Arc<dyn Signer>) -> Self {
        Self { signer: Some(signer), ..Self::default() }
    }

    pub(crate) fn tenants(&self) -> MutexGuard<'_, BTreeMap<TenantId, Belongings>> {
        self.tenants.lock().expect("no test panics while it holds the lock")
    }

    pub(crate) fn of<T>(&self, tenant: &TenantId, see: impl FnOnce(&mut Belongings) -> T) -> T {
        see(self.tenants().entry(tenant.clone()).or_default())
    }
}

#[async_trait]
impl ConversationStore for Memory {
    async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
        Ok(self.of(tenant, |own| own.conversations.get(id).map(|kept| kept.conversation.clone())))
    }

    async fn find_by_external_id(
        &self,
        tenant: &TenantId,
        external_id: &ExternalId,
    ) -> Result<Option<Conversation>, StoreError> {
        Ok(self.of(tenant, |own| own.named(external_id).cloned()))
    }

    async fn upsert(
        &self,
        tenant: &TenantId,
        upsert: &Upsert,
        _: Timestamp,
        claim: Option<Claim>,
    ) -> Result<Upserted, StoreError> {
        Ok(self.of(tenant, |own| {
            let known = own.named(&upsert.external_id).map(|known| known.id.clone());
            let id = known.unwrap_or_else(|| upsert.fresh_id.clone());
            let receipt = claim.map(|claim| claim.receipt(vec![id.to_string()]));
            if !own.receipts.is_free(receipt.as_ref()) {
                return Upserted::Repeated;
            }
            own.receipts.keep(receipt.as_ref());
            let known = own.conversations.entry(id.clone()).and_modify(|kept| upsert.change(&mut kept.conversation));
            known.or_insert_with(|| Kept { conversation: upsert.creation(), messages: BTreeMap::new() });
            Upserted::Stored(id)
        }))
    }
}

impl Belongings {
    fn named(&self, external_id: &ExternalId) -> Option<&Conversation> {
        self.conversations.values().map(|kept| &kept.conversation).find(|found| found.external_id == *external_id)
    }

    fn add(&mut self, addition: &Addition) -> Append {
        let Some(kept) = self.conversations.get_mut(&addition.conversation) else { return Append::NoConversation };
        let told = |one: &Message| (one.position(), one.text.clone());
        let newest = kept.newest(Bound::Unbounded);
        let as_seen = |seen: &Vec<Message>| newest.iter().map(told).eq(seen.iter().map(told));
        let stands = |one: &Remask| kept.messages.get(&one.position).is_some_and(|found| found.text == one.was);
        if !self.receipts.is_free(addition.receipt.as_ref()) {
            return Append::Repeated;
        }
        if !addition.seen.as_ref().is_none_or(as_seen) || !addition.masks.iter().all(stands) {
            return Append::Superseded;
        }
        for one in &addition.masks {
            kept.messages.entry(one.position.clone()).and_modify(|found| found.text = one.becomes.clone());
        }
        kept.messages.extend(addition.messages.iter().map(|message| (message.position(), message.clone())));
        self.receipts.keep(addition.receipt.as_ref());
        Append::Appended
    }
}

#[async_trait]
impl MessageStore for Memory {
    async fn append(&self, tenant: &TenantId, message: &Message) -> Result<Append, StoreError> {
        Ok(self.of(tenant, |own| match own.conversations.get_mut(&message.conversation) {
            Some(kept) => {
                kept.messages.insert(message.position(), message.clone());
                Append::Appended
            }
            None => Append::NoConversation,
        }))
    }

    async fn append_all(&self, tenant: &TenantId, addition: &Addition) -> Result<Append, StoreError> {
        Ok(self.of(tenant, |own| own.add(addition)))
    }

    async fn newest<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        before: Option<&'a MessagePosition>,
    ) -> Result<Vec<Message>, StoreError> {
        Ok(self.of(tenant, |own| {
            let end = before.map_or(Bound::Unbounded, Bound::Excluded);
            own.conversations.get(conversation).map(|kept| kept.newest(end)).unwrap_or_default()
        }))
    }

    async fn page<'a>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        after: Option<&'a MessagePosition>,
        limit: PageLimit,
    ) -> Result<MessagePage, StoreError> {
        Ok(self.of(tenant, |own| {
            let start = after.map_or(Bound::Unbounded, Bound::Excluded);
            let kept = own.conversations.get(conversation).into_iter();
            let following = kept.flat_map(|kept| kept.messages.range((start, Bound::Unbounded)));
            let some = following.take(usize::from(limit.messages()) + 1);
            MessagePage::of(some.map(|(_, message)| message.clone()).collect(), limit)
        }))
    }

    async fn neighbours(
        &self,
        tenant: &TenantId,
        positions: &[(ConversationId, MessagePosition)],
    ) -> Result<Vec<Neighbours>, StoreError> {
        let beside = |own: &mut Belongings, (conversation, position): &(ConversationId, MessagePosition)| {
            let Some(kept) = own.conversations.get(conversation) else { return Neighbours::default() };
            let after = kept.messages.range((Bound::Excluded(position), Bound::Unbounded)).take(MAX_CONTEXT);
            let before = kept.newest(Bound::Excluded(position));
            Neighbours { before, after: after.map(|(_, message)| message.clone()).collect() }
        };
        Ok(self.of(tenant, |own| positions.iter().map(|position| beside(own, position)).collect()))
    }
}
