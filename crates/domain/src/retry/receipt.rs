//! What is remembered of a request.

use std::fmt;

use crate::{access::Permission, limits::RECEIPT_SECONDS, time::Timestamp};

/// What a request creates. A key stands for one request of each operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Create or update a conversation.
    UpsertConversation,
    /// Add a message.
    CreateMessage,
    /// Add several messages.
    CreateMessages,
    /// Add an entry to the vocabulary.
    CreateVocabulary,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 4] =
        [Self::UpsertConversation, Self::CreateMessage, Self::CreateMessages, Self::CreateVocabulary];

    /// Its name, as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UpsertConversation => "upsert-conversation",
            Self::CreateMessage => "create-message",
            Self::CreateMessages => "create-messages",
            Self::CreateVocabulary => "create-vocabulary",
        }
    }

    /// What a caller needs for it.
    #[must_use]
    pub const fn permission(self) -> Permission {
        match self {
            Self::UpsertConversation | Self::CreateMessage | Self::CreateMessages => Permission::WriteConversations,
            Self::CreateVocabulary => Permission::WriteConfiguration,
        }
    }
}

/// A one-way function of the key that the caller chose. The key itself is kept nowhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyDigest(pub [u8; 32]);

/// A one-way function of the whole request, which cannot be computed without the key: who reads what is stored cannot try
/// out which text a masked message had. Its version says what of the request it is computed of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestDigest {
    /// Version 1: of the bytes of the body.
    OfBytes([u8; 32]),
    /// Version 2: of what the request means ([`CanonicalForm`](super::CanonicalForm)).
    OfMeaning([u8; 32]),
}

// Nothing that could be searched for.
impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest")
    }
}

impl fmt::Debug for RequestDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfBytes(_) => "RequestDigest of bytes",
            Self::OfMeaning(_) => "RequestDigest of meaning",
        })
    }
}

/// One sending of a request under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The key.
    pub key: KeyDigest,
    /// The request. Every repeat of it has the same.
    pub request: RequestDigest,
    /// The request as a receipt of version 1 has it.
    pub earlier: RequestDigest,
}

impl Attempt {
    /// Whether a receipt with this digest is that of the same request.
    #[must_use]
    pub fn repeats(&self, digest: &RequestDigest) -> bool {
        match digest {
            RequestDigest::OfMeaning(_) => *digest == self.request,
            RequestDigest::OfBytes(_) => *digest == self.earlier,
        }
    }
}

/// The right of one attempt to be the first, as far as could be seen before it was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// What the request is for.
    pub operation: Operation,
    /// The attempt.
    pub attempt: Attempt,
    /// When it is carried out.
    pub at: Timestamp,
}

impl Claim {
    /// The receipt of the request, once it is decided what it creates.
    #[must_use]
    pub fn receipt(self, ids: Vec<String>) -> Receipt {
        let Self { operation, attempt, at } = self;
        Receipt { operation, key: attempt.key, request: attempt.request, ids, at }
    }
}

/// What is kept of a request that was carried out. It holds for [`RECEIPT_SECONDS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// What the request was for.
    pub operation: Operation,
    /// Its key.
    pub key: KeyDigest,
    /// The request itself.
    pub request: RequestDigest,
    /// What it created: identifiers, in the order of the request.
    pub ids: Vec<String>,
    /// When it was carried out.
    pub at: Timestamp,
}

impl Receipt {
    /// Until when the receipt of a request stands in the way of another with its key that is carried out at `at`:
    /// receipts of this moment or before it are forgotten.
    #[must_use]
    pub fn forgotten_by(at: Timestamp) -> Timestamp {
        at.plus_seconds(-RECEIPT_SECONDS)
    }
}

/// What a request created, now or when it was sent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Identifiers, in the order of the request.
    pub ids: Vec<String>,
    /// Whether this is the answer to an earlier sending of the request.
    pub replayed: bool,
}
