//! Why a use case did not happen, in terms that may be shown to the caller.

use std::{error::Error as StdError, fmt, time::Duration};

use crate::{access::Denied, conversation::UpsertRefusal, redaction::SwitchRefusal, vocabulary::Capacity};

/// Why a use case did not happen. No variant carries anything that a caller sent, or anything secret.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The credential is missing, unknown, wrong, expired or revoked; which of these is not said.
    #[error("the credential is missing or wrong")]
    Unauthenticated,
    /// The credential may not do this.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The entity is not this caller's to switch.
    #[error(transparent)]
    Switch(#[from] SwitchRefusal),
    /// There is no such thing for this tenant.
    #[error("there is no such {0}")]
    Missing(Resource),
    /// The state of what is stored is against it.
    #[error(transparent)]
    Conflict(Conflict),
    /// There are as many vocabulary entries as there may be.
    #[error("must have at most {} entries, which are there already", .0.entries())]
    Full(Capacity),
    /// The key stands for another request.
    #[error("stands for another request, with another body: take a new key")]
    KeyReused,
    /// The credential sends too many requests; after this time one more is admitted.
    #[error("too many requests")]
    TooFast {
        /// How long until one more request is admitted.
        retry_after: Duration,
    },
    /// Too many authentications failed from where the request comes from; after this time one more is heard.
    #[error("too many failed authentications from this address")]
    HeldBack {
        /// How long until one more is heard.
        retry_after: Duration,
    },
    /// A store did not do its part.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What can be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A conversation.
    Conversation,
    /// A credential.
    Credential,
    /// An entry of the vocabulary.
    Vocabulary,
    /// A redaction entity.
    RedactionEntity,
    /// A feed, or a version or format of one.
    Feed,
    /// A day of a feed that is complete.
    FeedDay,
    /// A file of a day of a feed.
    FeedFile,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conversation => "conversation",
            Self::Credential => "credential",
            Self::Vocabulary => "vocabulary entry",
            Self::RedactionEntity => "redaction entity",
            Self::Feed => "feed, version or format",
            Self::FeedDay => "complete day of this feed",
            Self::FeedFile => "file of this day",
        })
    }
}

/// What of the stored state is against a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The given id is that of a conversation with another external identifier.
    #[error("the id belongs to a conversation with another externalId")]
    IdBelongsElsewhere,
    /// The conversation with the given external identifier has another id.
    #[error("the conversation with this externalId has another id")]
    OtherId,
    /// The vocabulary has an entry with this phrase.
    #[error("another entry has this phrase")]
    PhraseTaken,
    /// A request with the same key is being carried out.
    #[error("a request with this key is still being carried out: ask again in a moment")]
    StillRunning,
    /// A request with the same key was carried out meanwhile.
    #[error("a request with this key was carried out already")]
    KeyTaken,
}

impl From<UpsertRefusal> for Error {
    fn from(refusal: UpsertRefusal) -> Self {
        match refusal {
            UpsertRefusal::UnknownId => Self::Missing(Resource::Conversation),
            UpsertRefusal::IdBelongsElsewhere => Self::Conflict(Conflict::IdBelongsElsewhere),
            UpsertRefusal::OtherId => Self::Conflict(Conflict::OtherId),
        }
    }
}

/// What kind of failure a store reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// The store is out of reach, overloaded or did not answer in time; the same call may succeed later.
    Unavailable,
    /// What is stored breaks a rule of the domain, so it cannot be given back.
    Corrupt,
    /// The store answered in a way that its adapter does not expect: a defect.
    Unexpected,
}

/// A store's failure: its kind, and for the log its cause. Shown, it names the kind only.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    source: Box<dyn StdError + Send + Sync>,
}

impl StoreError {
    /// A failure of this kind for that reason.
    pub fn new(kind: StoreErrorKind, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { kind, source: source.into() }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// The failure with its causes, outermost first, in one line: for logs and operators, never for a caller.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let causes = std::iter::successors(Some(self as &dyn StdError), |error: &&dyn StdError| (*error).source());
        causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            StoreErrorKind::Unavailable => "the store is out of reach",
            StoreErrorKind::Corrupt => "what is stored cannot be read",
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
    fn a_store_error_shows_its_kind_and_keeps_its_cause_for_the_log() {
        let error = StoreError::new(StoreErrorKind::Unavailable, "postgres://user:secret@host is down");
        assert_eq!(error.to_string(), "the store is out of reach");
        assert!(error.source().is_some());
    }
}
