//! Errors of use cases, with texts that callers may see.

use std::{error::Error as StdError, fmt, time::Duration};

use crate::{access::PermissionDenied, conversation::UpsertRefusal, redaction::SwitchRefusal, vocabulary::Capacity};

/// The error of a use case. No variant contains a caller's input or a secret.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The credential is missing, unknown, wrong, expired or revoked. The error does not reveal which.
    #[error("the credential is missing or wrong")]
    Unauthenticated,
    /// The credential lacks a permission.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// This caller must not switch the entity.
    #[error(transparent)]
    Switch(#[from] SwitchRefusal),
    /// The object does not exist for this tenant.
    #[error("there is no such {0}")]
    Missing(Resource),
    /// The stored state conflicts with the request.
    #[error(transparent)]
    Conflict(Conflict),
    /// The vocabulary has the maximum number of entries.
    #[error("must have at most {} entries, and the vocabulary is full", .0.entries())]
    VocabularyFull(Capacity),
    /// The idempotency key was used with a different request.
    #[error("was used with a different request; use a new key")]
    KeyReused,
    /// The credential exceeds its rate limit.
    #[error("too many requests")]
    RateLimited {
        /// The time until one more request is allowed.
        retry_after: Duration,
    },
    /// The client address is throttled after too many failed authentications.
    #[error("too many failed authentications from this address")]
    AuthThrottled {
        /// The time until the address may try again.
        retry_after: Duration,
    },
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The kinds of objects that an error can report as missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A conversation.
    Conversation,
    /// A credential.
    Credential,
    /// A vocabulary entry.
    VocabularyEntry,
    /// A redaction entity.
    RedactionEntity,
    /// A feed, or a version or format of a feed.
    Feed,
    /// A complete day of a feed.
    FeedPeriod,
    /// A file of a feed's day.
    FeedFile,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conversation => "conversation",
            Self::Credential => "credential",
            Self::VocabularyEntry => "vocabulary entry",
            Self::RedactionEntity => "redaction entity",
            Self::Feed => "feed, version or format",
            Self::FeedPeriod => "complete day of this feed",
            Self::FeedFile => "file of this day",
        })
    }
}

/// A conflict between a request and the stored state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The id belongs to a conversation with another external identifier.
    #[error("the id belongs to a conversation with another externalId")]
    IdInUse,
    /// The conversation with this external identifier has another id.
    #[error("the conversation with this externalId has another id")]
    IdMismatch,
    /// Another vocabulary entry has this phrase.
    #[error("another entry has this phrase")]
    PhraseTaken,
    /// A request with the same key is in progress.
    #[error("a request with this key is in progress; retry in a moment")]
    InProgress,
    /// A request with the same key was executed meanwhile.
    #[error("a request with this key was already executed")]
    KeyTaken,
}

impl From<UpsertRefusal> for Error {
    fn from(refusal: UpsertRefusal) -> Self {
        match refusal {
            UpsertRefusal::UnknownId => Self::Missing(Resource::Conversation),
            UpsertRefusal::IdInUse => Self::Conflict(Conflict::IdInUse),
            UpsertRefusal::IdMismatch => Self::Conflict(Conflict::IdMismatch),
        }
    }
}

/// The kind of a store failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// The store is unreachable, overloaded or too slow. The same call may succeed later.
    Unavailable,
    /// Stored data breaks a rule of the domain and cannot be returned.
    Corrupt,
    /// The store returned something that its adapter does not expect. This is a defect.
    Unexpected,
}

/// A store failure: its kind, and its cause for the log. `Display` prints the kind only.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    source: Box<dyn StdError + Send + Sync>,
}

impl StoreError {
    /// A failure of this kind with this cause.
    pub fn new(kind: StoreErrorKind, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { kind, source: source.into() }
    }

    /// The kind of the failure.
    #[must_use]
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// The failure and its causes in one line, outermost first. For logs and operators only, never for a caller.
    #[must_use]
    pub fn cause_chain(&self) -> String {
        let causes = std::iter::successors(Some(self as &dyn StdError), |error: &&dyn StdError| (*error).source());
        causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            StoreErrorKind::Unavailable => "the store is out of reach",
            StoreErrorKind::Corrupt => "stored data is invalid",
            StoreErrorKind::Unexpected => "the store failed",
        })
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_error_displays_its_kind_and_keeps_its_cause_for_the_log() {
        let error = StoreError::new(StoreErrorKind::Unavailable, "postgres://user:secret@host is down");
        assert_eq!(error.to_string(), "the store is out of reach");
        assert!(error.source().is_some());
    }
}
