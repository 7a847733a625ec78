//! The newest messages of conversations that are under way, remembered: a message that is masked in the light of those before
//! it then costs no read.

use std::{
    collections::HashMap,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::Message;
use crate::{
    access::TenantId,
    id::ConversationId,
    limits::{RECENT_CONVERSATIONS, RECENT_TEXT_BYTES},
    redaction::MAX_CONTEXT,
};

/// What this process last knew to be the newest messages of conversations. Others may have added to them since: what is
/// recalled is presumed when the next message is stored, and the store tells whether it still holds.
#[derive(Default)]
pub(super) struct RecentMessages(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    /// Those of which something was known last, and those that are forgotten once there are too many of these.
    newer: HashMap<ConversationId, Newest>,
    older: HashMap<ConversationId, Newest>,
    trust: Trust,
}

struct Newest {
    tenant: TenantId,
    /// In chronological order: all of the conversation, or as many as can bear on the next message.
    messages: Vec<Message>,
}

impl RecentMessages {
    /// The newest messages of a conversation, in chronological order, where they are known; nothing while what was recalled
    /// keeps being wrong.
    pub(super) fn recall(&self, tenant: &TenantId, conversation: &ConversationId) -> Option<Vec<Message>> {
        let mut remembered = self.remembered();
        if !remembered.trust.holds() {
            return None;
        }
        remembered.of(tenant, conversation).map(|newest| newest.messages.clone())
    }

    /// Says whether what was recalled still held when it was presumed.
    pub(super) fn was_right(&self, right: bool) {
        self.remembered().trust.learn(right);
    }

    /// Remembers messages that were stored. `seen` are those that were the newest before, where that is known.
    pub(super) fn keep(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        seen: Option<Vec<Message>>,
        stored: impl IntoIterator<Item = Message>,
    ) {
        let mut remembered = self.remembered();
        let known = match remembered.of(tenant, conversation) {
            Some(known) => known,
            None if seen.is_some() => remembered.begin(tenant, conversation),
            None => return,
        };
        for message in seen.into_iter().flatten() {
            known.learn(message);
        }
        for message in stored {
            known.put(message);
        }
        if known.bytes() > RECENT_TEXT_BYTES {
            remembered.newer.remove(conversation);
        }
    }

    /// Forgets a conversation of which something else is known to be true.
    pub(super) fn forget(&self, conversation: &ConversationId) {
        let mut remembered = self.remembered();
        remembered.newer.remove(conversation);
        remembered.older.remove(conversation);
    }

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remembered {
    /// What is known of a conversation, which is among the newer ones from now on.
    fn of(&mut self, tenant: &TenantId, conversation: &ConversationId) -> Option<&mut Newest> {
        if let Some(known) = self.older.remove(conversation) {
            self.insert(conversation, known);
        }
        self.newer.get_mut(conversation).filter(|known| known.tenant == *tenant)
    }

    fn begin(&mut self, tenant: &TenantId, conversation: &ConversationId) -> &mut Newest {
        self.insert(conversation, Newest { tenant: tenant.clone(), messages: Vec::new() })
    }

    fn insert(&mut self, conversation: &ConversationId, newest: Newest) -> &mut Newest {
        if self.newer.len() >= RECENT_CONVERSATIONS / 2 {
            self.older = mem::take(&mut self.newer);
        }
        self.newer.entry(conversation.clone()).insert_entry(newest).into_mut()
    }
}

impl Newest {
    /// Puts a message that was read in its place. It is not to keep the memory of what was read with it.
    fn learn(&mut self, message: Message) {
        if !self.messages.contains(&message) {
            self.put(Message { text: message.text.apart(), ..message });
        }
    }

    /// Puts a message in its place, and what is known of it in the place of what was.
    fn put(&mut self, message: Message) {
        let place = self.messages.partition_point(|known| known.position() < message.position());
        match self.messages.get_mut(place) {
            Some(known) if known.id == message.id => *known = message,
            _ => self.messages.insert(place, message),
        }
        let surplus = self.messages.len().saturating_sub(MAX_CONTEXT);
        self.messages.drain(..surplus);
    }

    fn bytes(&self) -> usize {
        self.messages.iter().map(|message| message.text.as_str().len()).sum()
    }
}

/// Whether it is worth while to recall. What is recalled in vain costs a write that is not carried out, so it must be right
/// sixteen times for each time that it is wrong; where it is not, since others write to the same conversations, it is tried
/// now and then only.
#[derive(Default)]
struct Trust(i32);

impl Trust {
    const PRICE: i32 = 16;
    const MOST: i32 = 64;

    fn holds(&mut self) -> bool {
        let holds = self.0 >= 0;
        if !holds {
            self.0 += 1;
        }
        holds
    }

    fn learn(&mut self, right: bool) {
        self.0 = if right { (self.0 + 1).min(Self::MOST) } else { self.0 - Self::PRICE };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        conversation::{Role, Sender},
        id::MessageId,
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
            sent_at: at,
            created_at: at,
        }
    }

    fn begin(recent: &RecentMessages, conversation: u128) {
        let stored = vec![message(conversation, 0, "hello")];
        recent.keep(&tenant("acme"), &ConversationId::from_bits(conversation), Some(Vec::new()), stored);
    }

    fn say(recent: &RecentMessages, conversation: u128, micros: i64, text: &str) {
        let stored = vec![message(conversation, micros, text)];
        recent.keep(&tenant("acme"), &ConversationId::from_bits(conversation), None, stored);
    }

    /// The moments of the messages that are recalled.
    fn recalled(recent: &RecentMessages, name: &str, conversation: u128) -> Option<Vec<i64>> {
        let messages = recent.recall(&tenant(name), &ConversationId::from_bits(conversation))?;
        Some(messages.iter().map(|message| message.sent_at.as_micros()).collect())
    }

    #[test]
    fn what_is_remembered_keeps_no_memory_of_what_it_was_read_with() {
        let (recent, seen) = (RecentMessages::default(), message(1, 0, "hello"));
        recent.keep(&tenant("acme"), &ConversationId::from_bits(1), Some(vec![seen.clone()]), []);
        let recalled = recent.recall(&tenant("acme"), &ConversationId::from_bits(1)).unwrap();
        assert_ne!(recalled[0].text.as_str().as_ptr(), seen.text.as_str().as_ptr());
    }

    #[test]
    fn the_newest_are_recalled_in_their_order_and_no_more_than_count() {
        let recent = RecentMessages::default();
        begin(&recent, 1);
        for micros in [7, 2, 3, 6, 5, 4] {
            say(&recent, 1, micros, "and");
        }
        assert_eq!(recalled(&recent, "acme", 1), Some(vec![2, 3, 4, 5, 6, 7]));
    }

    #[test]
    fn of_a_conversation_that_was_not_seen_nothing_is_known() {
        let recent = RecentMessages::default();
        say(&recent, 1, 5, "and");
        assert_eq!(recalled(&recent, "acme", 1), None);
    }

    #[test]
    fn a_conversation_of_the_same_identifier_is_another_tenants() {
        let recent = RecentMessages::default();
        begin(&recent, 1);
        assert_eq!(recalled(&recent, "globex", 1), None);
    }

    #[test]
    fn a_conversation_of_long_messages_is_not_remembered() {
        let recent = RecentMessages::default();
        begin(&recent, 1);
        say(&recent, 1, 5, &"a".repeat(RECENT_TEXT_BYTES - "hello".len()));
        assert_eq!(recalled(&recent, "acme", 1), Some(vec![0, 5]));
        say(&recent, 1, 6, "b");
        assert_eq!(recalled(&recent, "acme", 1), None);
    }

    #[test]
    fn of_too_many_conversations_those_that_were_not_used_are_forgotten() {
        let recent = RecentMessages::default();
        for conversation in 1..=RECENT_CONVERSATIONS as u128 {
            begin(&recent, conversation);
            say(&recent, 1, 5, "still here");
        }
        assert_eq!(recalled(&recent, "acme", 1), Some(vec![0, 5]));
        assert_eq!(recalled(&recent, "acme", 2), None);
        let known = recent.remembered();
        assert!(known.newer.len() + known.older.len() <= RECENT_CONVERSATIONS);
    }

    #[test]
    fn where_what_is_recalled_is_wrong_it_is_not_recalled_each_time() {
        let recent = RecentMessages::default();
        begin(&recent, 1);
        recent.was_right(false);
        let tries = (0..=Trust::PRICE).filter(|_| recalled(&recent, "acme", 1).is_some()).count();
        assert_eq!(tries, 1);
    }

    #[test]
    fn where_it_was_right_for_long_one_mistake_changes_nothing() {
        let recent = RecentMessages::default();
        begin(&recent, 1);
        for _ in 0..Trust::PRICE {
            recent.was_right(true);
        }
        recent.was_right(false);
        assert!(recalled(&recent, "acme", 1).is_some());
    }
}
