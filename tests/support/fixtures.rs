//! Named inhabitants of the tests: two tenants, a customer and an agent, and what they say to each other.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use parlance_domain::{
    access::{ApiId, Credential, CredentialName, Permission, SecretDigest, TenantId},
    conversation::{Change, Conversation, Message, Metadata, Participant, Role, Sender, Upsert},
    id::{ConversationId, IdSource, MessageId, VocabularyId},
    redaction::EntitySet,
    text::{DisplayName, ExternalId, MessageText},
    time::{Clock, MonotonicClock, Timestamp},
    vocabulary::{Alternative, Phrase, SoundsLike, Vocabulary},
};

/// Texts that are changed easily on their way to a database and back.
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

/// The tenant that most tests are about.
#[must_use]
pub fn acme() -> TenantId {
    TenantId::parse("acme").unwrap()
}

/// Another tenant, which must never see what is acme's.
#[must_use]
pub fn globex() -> TenantId {
    TenantId::parse("globex").unwrap()
}

/// The moment so many microseconds after 1970.
#[must_use]
pub fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

/// An identifier in the caller's system.
#[must_use]
pub fn external_id(text: &str) -> ExternalId {
    ExternalId::parse(text).unwrap()
}

/// What makes this conversation, where there is none with its external identifier. One that is there keeps the agent and
/// the metadata that this one has not.
#[must_use]
pub fn creation(new: &Conversation) -> Upsert {
    Upsert {
        fresh_id: new.id.clone(),
        external_id: new.external_id.clone(),
        agent: new.agent.clone().map_or(Change::Keep, Change::Set),
        customer: new.customer.clone(),
        metadata: new.metadata.clone().map_or(Change::Keep, Change::Set),
        started_at: new.started_at,
    }
}

/// Someone with a name.
#[must_use]
pub fn person(id: &str, name: &str) -> Participant {
    Participant { external_id: external_id(id), name: Some(DisplayName::parse(name).unwrap()) }
}

/// The customer.
#[must_use]
pub fn ada() -> Participant {
    person("customer-7", "Ada")
}

/// The agent.
#[must_use]
pub fn grace() -> Participant {
    person("agent-3", "Grace")
}

/// Key-value pairs.
#[must_use]
pub fn metadata(pairs: &[(&str, &str)]) -> Metadata {
    let pairs: BTreeMap<_, _> = pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Metadata::parse(pairs).unwrap()
}

/// Ada's conversation with Grace, every part of it given.
#[must_use]
pub fn conversation(number: u128, key: &str) -> Conversation {
    Conversation {
        id: ConversationId::from_bits(number),
        external_id: external_id(key),
        agent: Some(grace()),
        customer: ada(),
        metadata: Some(metadata(&[("channel", "phone")])),
        started_at: at(1_000),
    }
}

/// Ada's conversation with nobody yet, with no part that may be left out.
#[must_use]
pub fn bare_conversation(number: u128, key: &str) -> Conversation {
    let customer = Participant { name: None, ..ada() };
    Conversation { agent: None, customer, metadata: None, ..conversation(number, key) }
}

/// What Ada says in a conversation.
#[must_use]
pub fn message(number: u128, conversation: &ConversationId, sent_at: Timestamp) -> Message {
    Message {
        id: MessageId::from_bits(number),
        conversation: conversation.clone(),
        sender: Sender { role: Role::Customer, external_id: ada().external_id },
        text: MessageText::parse(format!("message {number}")).unwrap(),
        masked_with: EntitySet::defaults(),
        sent_at,
        created_at: at(2_000),
    }
}

/// An entry of a vocabulary, with two alternatives.
#[must_use]
pub fn vocabulary(number: u128, phrase: &str) -> Vocabulary {
    let alternatives = ["I triple E", "eye triple e"].map(|text| Alternative::parse(text).unwrap());
    Vocabulary {
        id: VocabularyId::from_bits(number),
        phrase: Phrase::parse(phrase).unwrap(),
        sounds_like: SoundsLike::new(alternatives.into()).unwrap(),
        created_at: at(4_000),
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
        created_at: at(3_000),
        revoked_at: None,
    }
}

/// A digest that holds the bytes from `first` on.
#[must_use]
pub fn digest(first: u8) -> SecretDigest {
    SecretDigest::new(std::array::from_fn(|place| first.wrapping_add(u8::try_from(place).unwrap())))
}

/// A clock that stands still.
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

/// Identifiers that count from one.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl IdSource for CountingIds {
    fn next(&self, _: Timestamp) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1
    }
}
