//! The port to the transcription component, and the errors of a delivery.

use std::{error::Error as StdError, fmt};

use async_trait::async_trait;

use crate::{access::TenantId, time::Timestamp, vocabulary::VocabularyEntry};

/// The whole vocabulary of a tenant at one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularySnapshot {
    /// The number of changes of the vocabulary: 0 before the first change.
    pub version: u64,
    /// The time of the last change, by the service's clock; `None` before the first change.
    pub changed_at: Option<Timestamp>,
    /// Every entry, oldest first.
    pub entries: Vec<VocabularyEntry>,
}

/// Receives the vocabularies of tenants and uses them for recognition.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait TranscriptionComponent: Send + Sync {
    /// Replaces the tenant's vocabulary in the component. On success the component has stored it durably.
    ///
    /// One version can be pushed more than once. The version MUST be sent along, so that the receiver can discard an
    /// older version that arrives late. MUST return within
    /// [`DELIVERY_TIMEOUT_SECONDS`](crate::limits::DELIVERY_TIMEOUT_SECONDS), successful or not.
    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Result<(), DeliveryError>;
}

/// The kind of a failed delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryErrorKind {
    /// No connection could be made.
    Unreachable,
    /// The component did not answer in time.
    TimedOut,
    /// The component rejected the vocabulary.
    Refused,
    /// The component reported a failure of its own.
    Failed,
    /// The file cannot be written, if the component is a directory or a bucket.
    Unwritable,
    /// The stored vocabulary cannot be read.
    Unreadable,
}

impl DeliveryErrorKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Unreachable, Self::TimedOut, Self::Refused, Self::Failed, Self::Unwritable, Self::Unreadable];

    /// A stable word for the kind. The store holds the same word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Unwritable => "unwritable",
            Self::Unreadable => "unreadable",
        }
    }

    /// The kind with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for DeliveryErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "the transcription component cannot be reached",
            Self::TimedOut => "the transcription component did not answer in time",
            Self::Refused => "the transcription component refused the vocabulary",
            Self::Failed => "the transcription component failed",
            Self::Unwritable => "the file for the transcription component cannot be written",
            Self::Unreadable => "the stored vocabulary cannot be read",
        })
    }
}

/// The error of a delivery: the kind, and the cause for the log. `Display` shows only the kind.
#[derive(Debug)]
pub struct DeliveryError {
    kind: DeliveryErrorKind,
    source: Box<dyn StdError + Send + Sync>,
}

impl DeliveryError {
    /// An error of this kind with this cause.
    pub fn new(kind: DeliveryErrorKind, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { kind, source: source.into() }
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> DeliveryErrorKind {
        self.kind
    }
}

impl fmt::Display for DeliveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl StdError for DeliveryError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}
