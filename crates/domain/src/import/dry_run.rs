//! What the dry runs of an import have counted.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
};

use crate::{
    access::TenantId,
    conversation::{Change, Conversation, ImportedAs, Metadata, Participant, Upsert},
    limits::IMPORT_DRY_RUN_REMEMBERED,
    message::NewMessage,
    text::{DisplayName, ExternalId},
};

/// What was counted, so that a conversation or message that occurs again is counted as an import would count it. Only
/// hashes are kept.
#[derive(Default)]
pub(super) struct DryRun {
    /// What conversations would contain, as far as that is not stored.
    conversations: HashMap<u64, Fields>,
    /// How many equal messages would have been added.
    messages: HashMap<u64, usize>,
    hasher: RandomState,
}

/// The fields of a conversation that an update can change.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fields {
    agent: u64,
    customer: u64,
    metadata: u64,
}

impl DryRun {
    /// Counts a conversation, and returns what would become of it. After [`IMPORT_DRY_RUN_REMEMBERED`] conversations that
    /// would change, the memory begins anew.
    pub(super) fn count_conversation(
        &mut self,
        tenant: &TenantId,
        upsert: &Upsert,
        existing: Option<&Conversation>,
        updates: bool,
    ) -> ImportedAs {
        let key = self.hasher.hash_one((tenant, &upsert.external_id));
        let before = self.conversations.get(&key).copied().or_else(|| existing.map(|existing| self.fields(existing)));
        let (after, outcome) = match before {
            None => (self.fields(&upsert.to_conversation()), ImportedAs::Created),
            Some(before) => (self.updated(before, upsert), ImportedAs::Updated),
        };
        if before == Some(after) || before.is_some() && !updates {
            return ImportedAs::Unchanged;
        }
        make_room(&mut self.conversations);
        self.conversations.insert(key, after);
        outcome
    }

    /// Counts messages of a conversation that are not stored, and returns how many would be added: those without an equal one
    /// that an earlier record would have added. After [`IMPORT_DRY_RUN_REMEMBERED`] messages the memory begins anew.
    pub(super) fn count_messages(&mut self, tenant: &TenantId, of: &ExternalId, missing: &[NewMessage]) -> usize {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for NewMessage { sender, text, sent_at } in missing {
            *counts.entry(self.hasher.hash_one((tenant, of, sender, sent_at, text.as_str()))).or_default() += 1;
        }
        let mut total = 0;
        for (key, count) in counts {
            make_room(&mut self.messages);
            let counted = self.messages.entry(key).or_default();
            let added = count.saturating_sub(*counted);
            *counted += added;
            total += added;
        }
        total
    }

    fn fields(&self, conversation: &Conversation) -> Fields {
        Fields {
            agent: self.participant(conversation.agent.as_ref()),
            customer: self.participant(Some(&conversation.customer)),
            metadata: self.metadata(conversation.metadata.as_ref()),
        }
    }

    fn updated(&self, before: Fields, upsert: &Upsert) -> Fields {
        Fields {
            agent: changed(before.agent, &upsert.agent, |agent| self.participant(agent)),
            customer: self.participant(Some(&upsert.customer)),
            metadata: changed(before.metadata, &upsert.metadata, |metadata| self.metadata(metadata)),
        }
    }

    fn participant(&self, participant: Option<&Participant>) -> u64 {
        self.hash(participant.map(|known| (&known.external_id, known.name.as_ref().map(DisplayName::as_str))))
    }

    fn metadata(&self, metadata: Option<&Metadata>) -> u64 {
        self.hash(metadata.map(Metadata::pairs))
    }

    fn hash(&self, value: impl Hash) -> u64 {
        self.hasher.hash_one(value)
    }
}

fn changed<T>(before: u64, change: &Change<T>, hash: impl Fn(Option<&T>) -> u64) -> u64 {
    match change {
        Change::Keep => before,
        Change::Clear => hash(None),
        Change::Set(value) => hash(Some(value)),
    }
}

fn make_room<T>(remembered: &mut HashMap<u64, T>) {
    if remembered.len() >= IMPORT_DRY_RUN_REMEMBERED {
        remembered.clear();
    }
}
