//! A cache of the newest messages of active conversations. With it, appending a message needs no read for its context.

use std::{
    collections::HashMap,
    mem,
    sync::{Mutex, MutexGuard},
};

use crate::{
    access::TenantId,
    id::ConversationId,
    limits::{RECENT_CACHE_MAX_CONVERSATIONS, RECENT_CACHE_MAX_TEXT_BYTES},
    message::Message,
    redaction::MAX_CONTEXT,
    sync,
};

/// The newest messages of conversations, as this process last saw them. Other processes may have appended since, so a
/// cached tail is only a precondition of the next write. The store checks the precondition.
#[derive(Default)]
pub(super) struct RecentMessageCache(Mutex<CacheState>);

#[derive(Default)]
struct CacheState {
    /// Entries that were used recently.
    young: HashMap<ConversationId, CachedTail>,
    /// Entries that are dropped when `young` is full the next time.
    old: HashMap<ConversationId, CachedTail>,
    gate: HitRateGate,
}

struct CachedTail {
    tenant: TenantId,
    /// In chronological order: all messages of the conversation, or as many as can be the context of the next message.
    messages: Vec<Message>,
}

impl RecentMessageCache {
    /// The newest messages of a conversation in chronological order; `None` if the cache has no entry, or while its
    /// entries are often outdated.
    pub(super) fn get(&self, tenant: &TenantId, conversation: &ConversationId) -> Option<Vec<Message>> {
        let mut state = self.state();
        if !state.gate.allows_lookup() {
            return None;
        }
        state.get_mut(tenant, conversation).map(|tail| tail.messages.clone())
    }

    /// Records whether a returned tail was still current when the write checked it.
    pub(super) fn record_outcome(&self, was_current: bool) {
        self.state().gate.record_outcome(was_current);
    }

    /// Caches messages that were stored. `previous_tail` holds the newest messages before the write, if they are known.
    pub(super) fn insert(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        previous_tail: Option<Vec<Message>>,
        stored: impl IntoIterator<Item = Message>,
    ) {
        let mut state = self.state();
        let tail = match state.get_mut(tenant, conversation) {
            Some(tail) => tail,
            None if previous_tail.is_some() => state.insert_empty(tenant, conversation),
            None => return,
        };
        for message in previous_tail.into_iter().flatten() {
            tail.insert_copy(message);
        }
        for message in stored {
            tail.insert(message);
        }
        if tail.text_bytes() > RECENT_CACHE_MAX_TEXT_BYTES {
            state.young.remove(conversation);
        }
    }

    /// Removes a conversation whose entry is outdated.
    pub(super) fn invalidate(&self, conversation: &ConversationId) {
        let mut state = self.state();
        state.young.remove(conversation);
        state.old.remove(conversation);
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        sync::lock(&self.0)
    }
}

impl CacheState {
    /// The entry of a conversation. A used entry moves to `young`.
    fn get_mut(&mut self, tenant: &TenantId, conversation: &ConversationId) -> Option<&mut CachedTail> {
        if let Some(tail) = self.old.remove(conversation) {
            self.insert(conversation, tail);
        }
        self.young.get_mut(conversation).filter(|tail| tail.tenant == *tenant)
    }

    fn insert_empty(&mut self, tenant: &TenantId, conversation: &ConversationId) -> &mut CachedTail {
        self.insert(conversation, CachedTail { tenant: tenant.clone(), messages: Vec::new() })
    }

    fn insert(&mut self, conversation: &ConversationId, tail: CachedTail) -> &mut CachedTail {
        if self.young.len() >= RECENT_CACHE_MAX_CONVERSATIONS / 2 {
            self.old = mem::take(&mut self.young);
        }
        self.young.entry(conversation.clone()).insert_entry(tail).into_mut()
    }
}

impl CachedTail {
    /// Inserts a message that was read from the store, with a copy of its text. The original text can share its memory
    /// with a whole page.
    fn insert_copy(&mut self, message: Message) {
        if !self.messages.contains(&message) {
            self.insert(Message { text: message.text.deep_copy(), ..message });
        }
    }

    /// Inserts a message in order, replacing an older copy.
    fn insert(&mut self, message: Message) {
        let index = self.messages.partition_point(|other| other.position() < message.position());
        match self.messages.get_mut(index) {
            Some(other) if other.id == message.id => *other = message,
            _ => self.messages.insert(index, message),
        }
        let surplus = self.messages.len().saturating_sub(MAX_CONTEXT);
        self.messages.drain(..surplus);
    }

    fn text_bytes(&self) -> usize {
        self.messages.iter().map(|message| message.text.as_str().len()).sum()
    }
}

/// Decides whether a cache look-up pays. An outdated entry costs a rejected write, so look-ups pay only with at least
/// sixteen current entries for each outdated one. At a lower rate, other processes write to the same conversations, and
/// only an occasional look-up is allowed.
#[derive(Default)]
struct HitRateGate(i32);

impl HitRateGate {
    /// The points that one outdated entry subtracts from the score. A current entry adds one.
    const MISS_COST: i32 = 16;
    const MAX_SCORE: i32 = 64;

    fn allows_lookup(&mut self) -> bool {
        let is_allowed = self.0 >= 0;
        if !is_allowed {
            self.0 += 1;
        }
        is_allowed
    }

    fn record_outcome(&mut self, was_current: bool) {
        self.0 = if was_current { (self.0 + 1).min(Self::MAX_SCORE) } else { self.0 - Self::MISS_COST };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        id::MessageId,
        message::{Redactions, Role, Sender},
        redaction::EntitySet,
        text::{ExternalId, MessageText},
        time::Timestamp,
    };

    fn tenant(name: &str) -> TenantId {
        TenantId::parse(name).unwrap()
    }

    fn message(conversation: u128, micros: i64, text: &str) -> Message {
        let at = Timestamp::from_micros(micros).unwrap();
        Message {
            id: MessageId::from_bits(micros.unsigned_abs().into()),
            conversation: ConversationId::from_bits(conversation),
            sender: Sender { role: Role::Customer, external_id: ExternalId::parse("customer-7").unwrap() },
            text: MessageText::parse(text).unwrap(),
            masked_with: EntitySet::defaults(),
            redactions: Redactions::NONE,
            sent_at: at,
            created_at: at,
        }
    }

    fn start(recent: &RecentMessageCache, conversation: u128) {
        let stored = vec![message(conversation, 0, "hello")];
        recent.insert(&tenant("acme"), &ConversationId::from_bits(conversation), Some(Vec::new()), stored);
    }

    fn append(recent: &RecentMessageCache, conversation: u128, micros: i64, text: &str) {
        let stored = vec![message(conversation, micros, text)];
        recent.insert(&tenant("acme"), &ConversationId::from_bits(conversation), None, stored);
    }

    /// The times of the cached messages, in microseconds.
    fn cached_times(recent: &RecentMessageCache, name: &str, conversation: u128) -> Option<Vec<i64>> {
        let messages = recent.get(&tenant(name), &ConversationId::from_bits(conversation))?;
        Some(messages.iter().map(|message| message.sent_at.as_micros()).collect())
    }

    #[test]
    fn a_cached_text_does_not_share_the_memory_of_its_page() {
        let (recent, original) = (RecentMessageCache::default(), message(1, 0, "hello"));
        recent.insert(&tenant("acme"), &ConversationId::from_bits(1), Some(vec![original.clone()]), []);
        let cached = recent.get(&tenant("acme"), &ConversationId::from_bits(1)).unwrap();
        assert_ne!(cached[0].text.as_str().as_ptr(), original.text.as_str().as_ptr());
    }

    #[test]
    fn at_most_the_context_is_cached_in_chronological_order() {
        let recent = RecentMessageCache::default();
        start(&recent, 1);
        for micros in [7, 2, 3, 6, 5, 4] {
            append(&recent, 1, micros, "and");
        }
        assert_eq!(cached_times(&recent, "acme", 1), Some(vec![2, 3, 4, 5, 6, 7]));
    }

    #[test]
    fn a_conversation_with_an_unknown_tail_is_not_cached() {
        let recent = RecentMessageCache::default();
        append(&recent, 1, 5, "and");
        assert_eq!(cached_times(&recent, "acme", 1), None);
    }

    #[test]
    fn another_tenant_does_not_see_a_conversation_with_the_same_id() {
        let recent = RecentMessageCache::default();
        start(&recent, 1);
        assert_eq!(cached_times(&recent, "globex", 1), None);
    }

    #[test]
    fn a_conversation_with_long_messages_is_not_cached() {
        let recent = RecentMessageCache::default();
        start(&recent, 1);
        append(&recent, 1, 5, &"a".repeat(RECENT_CACHE_MAX_TEXT_BYTES - "hello".len()));
        assert_eq!(cached_times(&recent, "acme", 1), Some(vec![0, 5]));
        append(&recent, 1, 6, "b");
        assert_eq!(cached_times(&recent, "acme", 1), None);
    }

    #[test]
    fn the_least_recently_used_conversations_are_evicted() {
        let recent = RecentMessageCache::default();
        for conversation in 1..=RECENT_CACHE_MAX_CONVERSATIONS as u128 {
            start(&recent, conversation);
            append(&recent, 1, 5, "still here");
        }
        assert_eq!(cached_times(&recent, "acme", 1), Some(vec![0, 5]));
        assert_eq!(cached_times(&recent, "acme", 2), None);
        let state = recent.state();
        assert!(state.young.len() + state.old.len() <= RECENT_CACHE_MAX_CONVERSATIONS);
    }

    #[test]
    fn an_outdated_entry_suspends_most_lookups() {
        let recent = RecentMessageCache::default();
        start(&recent, 1);
        recent.record_outcome(false);
        let lookups = (0..=HitRateGate::MISS_COST).filter(|_| cached_times(&recent, "acme", 1).is_some()).count();
        assert_eq!(lookups, 1);
    }

    #[test]
    fn one_outdated_entry_after_many_current_ones_changes_nothing() {
        let recent = RecentMessageCache::default();
        start(&recent, 1);
        for _ in 0..HitRateGate::MISS_COST {
            recent.record_outcome(true);
        }
        recent.record_outcome(false);
        assert!(cached_times(&recent, "acme", 1).is_some());
    }
}
