//! Idempotency records, and the requests that they belong to.

use std::fmt;

use super::Canonicalize;
use crate::{access::RequiredPermission, limits::IDEMPOTENCY_RECORD_SECONDS, time::Timestamp};

/// The operations that accept an idempotency key. A key identifies one request per operation.
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

    /// The name as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UpsertConversation => "upsert-conversation",
            Self::CreateMessage => "create-message",
            Self::CreateMessages => "create-messages",
            Self::CreateVocabulary => "create-vocabulary",
        }
    }
}

/// The request of an operation that accepts an idempotency key.
pub trait OperationRequest: Canonicalize {
    /// The operation.
    const OPERATION: Operation;

    /// The permission that the operation needs.
    type Permission: RequiredPermission;
}

/// A one-way digest of the caller's key. The key itself is never stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyDigest(pub [u8; 32]);

/// A one-way digest of the whole request. It cannot be computed without the key, so a reader of the stored data cannot
/// test guesses of a masked message's original text. The version of a digest defines its input.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestDigest {
    /// Version 1: the bytes of the body.
    Body([u8; 32]),
    /// Version 2: the canonical form of the request ([`CanonicalForm`](super::CanonicalForm)).
    Canonical([u8; 32]),
}

// `Debug` prints no bytes of a digest, so a log cannot be searched for one.
impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest")
    }
}

impl fmt::Debug for RequestDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Body(_) => "RequestDigest::Body",
            Self::Canonical(_) => "RequestDigest::Canonical",
        })
    }
}

/// A request with an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The digest of the key.
    pub key: KeyDigest,
    /// The digest of the request. All repeats have the same digest.
    pub digest: RequestDigest,
    /// The digest of the request in version 1, to match old records.
    pub legacy_digest: RequestDigest,
}

impl IdempotentRequest {
    /// Whether a record with this digest belongs to the same request.
    #[must_use]
    pub fn matches(&self, digest: &RequestDigest) -> bool {
        match digest {
            RequestDigest::Canonical(_) => *digest == self.digest,
            RequestDigest::Body(_) => *digest == self.legacy_digest,
        }
    }
}

/// The claim of a request on its key: no valid record was found before the execution. The store checks this again when
/// it writes the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The operation of the request.
    pub operation: Operation,
    /// The request.
    pub request: IdempotentRequest,
    /// The time of the execution.
    pub at: Timestamp,
}

impl Claim {
    /// The idempotency record of the request, with the identifiers of the created objects.
    #[must_use]
    pub fn into_record(self, ids: Vec<String>) -> IdempotencyRecord {
        let Self { operation, request, at } = self;
        IdempotencyRecord { operation, key: request.key, digest: request.digest, ids, at }
    }
}

/// The record of an executed request. It is valid for [`IDEMPOTENCY_RECORD_SECONDS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The operation of the request.
    pub operation: Operation,
    /// The digest of the key.
    pub key: KeyDigest,
    /// The digest of the request.
    pub digest: RequestDigest,
    /// The identifiers of the created objects, in the order of the request.
    pub ids: Vec<String>,
    /// The time of the execution.
    pub at: Timestamp,
}

impl IdempotencyRecord {
    /// The expiry cutoff for a request that is executed at `now`: records with this timestamp or an earlier one have
    /// expired, and no longer block the key.
    #[must_use]
    pub fn expiry_cutoff(now: Timestamp) -> Timestamp {
        now.plus_seconds(-IDEMPOTENCY_RECORD_SECONDS)
    }
}

/// The response to an idempotent request: new, or replayed from the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentResponse {
    /// The identifiers of the created objects, in the order of the request.
    pub ids: Vec<String>,
    /// Whether the response is replayed from an earlier execution.
    pub replayed: bool,
}
