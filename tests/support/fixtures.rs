//! Test fixtures: two tenants, a customer and an agent, their conversations and messages, credentials and clocks.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use parlance_domain::{
    access::{ApiId, Credential, CredentialName, Permission, SecretDigest, TenantId},
    conversation::{Change, Conversation, Metadata, Participant, Upsert},
    id::{ConversationId, IdSource, MessageId, VocabularyEntryId},
    message::{Message, Redactions, Role, Sender},
    redaction::{Activity, Entity, EntitySet, Switch, SwitchActor, SwitchId, SwitchRecord},
    text::{DisplayName, ExternalId, MessageText},
    time::{Clock, MonotonicClock, Timestamp},
    vocabulary::{Alternative, Phrase, SoundsLike, VocabularyEntry},
};

/// The switch of the entity `EMAIL` from off to on, by an embedder.
#[must_use]
pub fn email_switch() -> Switch {
    let record = SwitchRecord {
        id: SwitchId::from_bits(1),
        switched_at: from_micros(5),
        actor: SwitchActor::Embedder,
        entity: Entity::EMAIL,
        from: Activity::Off,
        to: Activity::On,
    };
    Switch { expected: None, record }
}

/// Texts that a round trip through a database often changes.
pub const AWKWARD_TEXTS: [&str; 10] = [
    "🦀👩‍👩‍👧‍👦 and 🇳🇱",
    "שלום العربية \u{202e}mirrored\u{202c}",
    "e\u{301} beside \u{e9}",
    "it's \"quoted\" `twice` $1 ? :name",
    "100% _ [a-z] \\ \\\\ \\n",
    "'; DROP TABLE conversations; --",
    "  spaces at both ends  ",
    "\u{feff}\u{200b}\u{a0}\u{ffff}\u{10ffff}",
    "{\"json\":[null]}",
    "NULL",
];

/// The tenant of most tests.
#[must_use]
pub fn acme() -> TenantId {
    TenantId::parse("acme").unwrap()
}

/// Another tenant, which must never see data of acme.
#[must_use]
pub fn globex() -> TenantId {
    TenantId::parse("globex").unwrap()
}

/// The timestamp of these microseconds since 1970.
#[must_use]
pub fn from_micros(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

/// An external identifier.
#[must_use]
pub fn external_id(text: &str) -> ExternalId {
    ExternalId::parse(text).unwrap()
}

/// The upsert that creates this conversation. An existing conversation with the same external identifier keeps its
/// agent or metadata if the new one has none.
#[must_use]
pub fn upsert_for(new: &Conversation) -> Upsert {
    Upsert {
        new_id: new.id.clone(),
        external_id: new.external_id.clone(),
        agent: new.agent.clone().map_or(Change::Keep, Change::Set),
        customer: new.customer.clone(),
        metadata: new.metadata.clone().map_or(Change::Keep, Change::Set),
        started_at: new.started_at,
        digest: None,
    }
}

/// A participant with a name.
#[must_use]
pub fn participant(id: &str, name: &str) -> Participant {
    Participant { external_id: external_id(id), name: Some(DisplayName::parse(name).unwrap()) }
}

/// The customer, Ada.
#[must_use]
pub fn ada() -> Participant {
    participant("customer-7", "Ada")
}

/// The agent, Grace.
#[must_use]
pub fn grace() -> Participant {
    participant("agent-3", "Grace")
}

/// Metadata with these key-value pairs.
#[must_use]
pub fn metadata(pairs: &[(&str, &str)]) -> Metadata {
    let pairs: BTreeMap<_, _> = pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Metadata::parse(pairs).unwrap()
}

/// A conversation between Ada and Grace, with all optional members.
#[must_use]
pub fn conversation(number: u128, key: &str) -> Conversation {
    Conversation {
        id: ConversationId::from_bits(number),
        external_id: external_id(key),
        agent: Some(grace()),
        customer: ada(),
        metadata: Some(metadata(&[("channel", "phone")])),
        started_at: from_micros(1_000),
    }
}

/// A conversation of Ada without an agent, and without any optional member.
#[must_use]
pub fn bare_conversation(number: u128, key: &str) -> Conversation {
    let customer = Participant { name: None, ..ada() };
    Conversation { agent: None, customer, metadata: None, ..conversation(number, key) }
}

/// A message of Ada in a conversation.
#[must_use]
pub fn message(number: u128, conversation: &ConversationId, sent_at: Timestamp) -> Message {
    Message {
        id: MessageId::from_bits(number),
        conversation: conversation.clone(),
        sender: Sender { role: Role::Customer, external_id: ada().external_id },
        text: MessageText::parse(format!("message {number}")).unwrap(),
        masked_with: EntitySet::defaults(),
        redactions: Redactions::NONE,
        sent_at,
        created_at: from_micros(2_000),
    }
}

/// A vocabulary entry with two alternatives.
#[must_use]
pub fn vocabulary_entry(number: u128, phrase: &str) -> VocabularyEntry {
    let alternatives = ["I triple E", "eye triple e"].map(|text| Alternative::parse(text).unwrap());
    VocabularyEntry {
        id: VocabularyEntryId::from_bits(number),
        phrase: Phrase::parse(phrase).unwrap(),
        sounds_like: SoundsLike::new(alternatives.into()).unwrap(),
        created_at: from_micros(4_000),
    }
}

/// A credential that was never rotated and is not revoked.
#[must_use]
pub fn credential(tenant: TenantId, number: u128) -> Credential {
    Credential {
        id: ApiId::new(tenant, number),
        name: CredentialName::parse("telephony").unwrap(),
        permissions: [Permission::ReadConversations, Permission::ReadFeeds].into_iter().collect(),
        digest: digest(1),
        previous: None,
        created_at: from_micros(3_000),
        revoked_at: None,
    }
}

/// A digest of consecutive byte values from `first` on.
#[must_use]
pub fn digest(first: u8) -> SecretDigest {
    SecretDigest::new(std::array::from_fn(|index| first.wrapping_add(u8::try_from(index).unwrap())))
}

/// A clock whose time never changes.
#[derive(Debug, Clone, Copy)]
pub struct FrozenClock(pub Timestamp);

impl Clock for FrozenClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

impl MonotonicClock for FrozenClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A source of consecutive identifiers from 1 on.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl IdSource for CountingIds {
    fn next(&self, _: Timestamp) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1
    }
}
