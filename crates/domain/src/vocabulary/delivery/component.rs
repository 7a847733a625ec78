//! The port to the transcription component, and why a vocabulary did not reach it.

use std::{error::Error as StdError, fmt};

use async_trait::async_trait;

use crate::{access::TenantId, time::Timestamp, vocabulary::Vocabulary};

/// A tenant's whole vocabulary at one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyEdition {
    /// How often the vocabulary was changed: 0 before the first change, and one more with each.
    pub version: u64,
    /// When it was changed last, by the service's clock; none before the first change.
    pub changed_at: Option<Timestamp>,
    /// Every entry, oldest first.
    pub entries: Vec<Vocabulary>,
}

/// Takes the vocabularies of tenants, and hears by them from then on.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait TranscriptionComponent: Send + Sync {
    /// Brings a tenant's vocabulary, in place of all that was brought before. It is durable there where this succeeds.
    ///
    /// One version can be brought more than once. The version MUST go with it, so that whoever receives it can tell an
    /// older one. MUST answer within [`DELIVERY_TIMEOUT_SECONDS`](crate::limits::DELIVERY_TIMEOUT_SECONDS), done or not.
    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Result<(), DeliveryError>;
}

/// What kind of failure kept a vocabulary from the transcription component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryFailure {
    /// No connection came about.
    Unreachable,
    /// It took too long.
    TimedOut,
    /// It said that it does not want it.
    Refused,
    /// It said that it has failed itself.
    Failed,
    /// The place for the file cannot be written to.
    Unwritable,
    /// What is stored of the vocabulary cannot be read.
    Unreadable,
}

impl DeliveryFailure {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Unreachable, Self::TimedOut, Self::Refused, Self::Failed, Self::Unwritable, Self::Unreadable];

    /// A stable word for the kind, which is also how it is stored.
    #[must_use]
    pub fn word(self) -> &'static str {
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
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for DeliveryFailure {
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

/// Why a vocabulary was not brought: the kind, and for the log the cause. Shown, it names the kind only.
#[derive(Debug)]
pub struct DeliveryError {
    kind: DeliveryFailure,
    source: Box<dyn StdError + Send + Sync>,
}

impl DeliveryError {
    /// A failure of this kind for that reason.
    pub fn new(kind: DeliveryFailure, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { kind, source: source.into() }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> DeliveryFailure {
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
