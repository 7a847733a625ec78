//! Work that one replica does for all: which of them, and for how long.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    error::{StoreError, StoreErrorKind},
    id::Id,
    limits::{LEASE_RETURN_ATTEMPTS, LEASE_SECONDS},
    time::{Clock, Timestamp},
};

/// Marks identifiers of replicas.
#[derive(Debug)]
pub enum ReplicaKind {}

/// Identifies one process for as long as it runs.
pub type ReplicaId = Id<ReplicaKind>;

/// A piece of work that one replica at a time does for all tenants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Duty {
    /// Bringing changed vocabularies to the transcription component.
    VocabularyDelivery,
    /// Producing the feeds of days that are over.
    FeedProduction,
}

impl Duty {
    /// Every duty.
    pub const ALL: [Self; 2] = [Self::VocabularyDelivery, Self::FeedProduction];

    /// Its name, as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::VocabularyDelivery => "vocabulary-delivery",
            Self::FeedProduction => "feed-production",
        }
    }
}

/// How often a duty has changed hands, its first holder being 1. What is written for a duty can carry it, so that a
/// holder that lost the duty without noticing is told from the one that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub i64);

/// What a replica asks of a lease: the duty until a moment, as seen at another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRequest {
    /// The work.
    pub duty: Duty,
    /// Who wants to do it.
    pub replica: ReplicaId,
    /// The present moment, by the clock of who asks.
    pub now: Timestamp,
    /// Until when it is wanted.
    pub until: Timestamp,
}

impl LeaseRequest {
    /// The latest end of a lease that another replica can have: this request's, and once more as long for clocks that
    /// differ. A lease that ends later was taken by a clock that has been set back since.
    #[must_use]
    pub fn latest_end(&self) -> Timestamp {
        let micros = self.until.as_micros().saturating_mul(2).saturating_sub(self.now.as_micros());
        Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX)
    }
}

/// Keeps who has which duty, and until when.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait LeaseStore: Send + Sync {
    /// Gives the duty to who asks, where nobody has it, where it has run out (its end is `now` or earlier, or later than
    /// [`latest_end`](LeaseRequest::latest_end)), or where who asks has it already: then it is prolonged, in the same
    /// term. Otherwise nothing changes and the answer is nothing. Of any number of replicas that ask at once at most one MUST be given it.
    async fn take(&self, request: &LeaseRequest) -> Result<Option<Term>, StoreError>;

    /// Ends the duty of this replica, so that another need not wait. Changes nothing where it has it no longer.
    async fn give_back(&self, duty: Duty, replica: &ReplicaId) -> Result<(), StoreError>;
}

/// The duties of one replica.
///
/// A duty is had for [`LEASE_SECONDS`] and asked for again while the work goes on, so that another replica takes over
/// soon after this one is killed. Replicas compare the end of a lease with their own clocks: where these differ by more
/// than a lease lasts, two of them can do the work at once. Work under a lease is therefore such that doing it twice
/// does no harm.
#[derive(Clone)]
pub struct Duties {
    store: Arc<dyn LeaseStore>,
    clock: Arc<dyn Clock>,
    replica: ReplicaId,
}

impl Duties {
    /// The duties of this replica, kept in this store.
    #[must_use]
    pub fn new(store: Arc<dyn LeaseStore>, clock: Arc<dyn Clock>, replica: ReplicaId) -> Self {
        Self { store, clock, replica }
    }

    /// Takes the duty or keeps it for [`LEASE_SECONDS`] more; nothing where another replica has it.
    ///
    /// # Errors
    /// Where the store fails. Then this replica must not do the work, since it cannot know whether another does.
    pub async fn take(&self, duty: Duty) -> Result<Option<Term>, StoreError> {
        let now = self.clock.now();
        let until = now.plus_seconds(LEASE_SECONDS);
        self.store.take(&LeaseRequest { duty, replica: self.replica.clone(), now, until }).await
    }

    /// Gives the duty back, if this replica has it. Tried [`LEASE_RETURN_ATTEMPTS`] times where the store is out of reach.
    ///
    /// # Errors
    /// Where the store fails. The duty then ends by itself.
    pub async fn give_back(&self, duty: Duty) -> Result<(), StoreError> {
        for _ in 1..LEASE_RETURN_ATTEMPTS {
            match self.store.give_back(duty, &self.replica).await {
                Err(error) if error.kind() == StoreErrorKind::Unavailable => {}
                given_back => return given_back,
            }
        }
        self.store.give_back(duty, &self.replica).await
    }
}
