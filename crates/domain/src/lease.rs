//! Leases: which replica does work for all replicas, and for how long.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    error::{StoreError, StoreErrorKind},
    id::Id,
    limits::{LEASE_RELEASE_ATTEMPTS, LEASE_SECONDS},
};

/// Marks identifiers of replicas.
#[derive(Debug)]
pub enum ReplicaKind {}

/// Identifies one process during its run.
pub type ReplicaId = Id<ReplicaKind>;

/// The name of a lease, which identifies its work. One replica at a time does the work for all tenants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeaseName {
    /// Delivers changed vocabularies to the transcription component.
    VocabularyDelivery,
    /// Produces the feeds of completed days.
    FeedProduction,
    /// Sends events to webhooks.
    WebhookDelivery,
    /// Carries out privacy requests.
    PrivacyRequests,
    /// Erases the conversations that no retention rule keeps.
    Retention,
}

impl LeaseName {
    /// Every lease.
    pub const ALL: [Self; 5] =
        [Self::VocabularyDelivery, Self::FeedProduction, Self::WebhookDelivery, Self::PrivacyRequests, Self::Retention];

    /// The name as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::VocabularyDelivery => "vocabulary-delivery",
            Self::FeedProduction => "feed-production",
            Self::WebhookDelivery => "webhook-delivery",
            Self::PrivacyRequests => "privacy-requests",
            Self::Retention => "retention",
        }
    }
}

/// The term of a lease: 1 for its first holder, and one more with each change of the holder. A write can carry the term
/// as a fencing token, so the write of a holder that lost the lease without noticing can be recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseTerm(pub i64);

/// A request to acquire a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRequest {
    /// The lease.
    pub name: LeaseName,
    /// The replica that requests the lease.
    pub replica: ReplicaId,
    /// The requested duration, from the time of the store on.
    pub seconds: i64,
}

impl LeaseRequest {
    /// The longest plausible time in seconds until a held lease expires: twice the duration. A later expiry was written
    /// before the clock of the store was set back.
    #[must_use]
    pub fn max_remaining_seconds(&self) -> i64 {
        self.seconds.saturating_mul(2)
    }
}

/// Stores the holder and the expiry of each lease.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait LeaseStore: Send + Sync {
    /// Acquires or renews a lease.
    ///
    /// The store MUST compare and set the expiry by one clock, which all replicas share: the clocks of replicas differ.
    /// The requesting replica gets the lease if nobody holds it, or if it has expired: its expiry is now or earlier, or
    /// later than [`max_remaining_seconds`](LeaseRequest::max_remaining_seconds) from now. A replica that already holds
    /// the lease renews it in the same term. Otherwise nothing changes and the result is `None`. Of any number of
    /// concurrent requests at most one MUST succeed.
    async fn acquire(&self, request: &LeaseRequest) -> Result<Option<LeaseTerm>, StoreError>;

    /// Releases the lease of this replica, so that another need not wait. Has no effect if the replica no longer holds
    /// it.
    async fn release(&self, lease: LeaseName, replica: &ReplicaId) -> Result<(), StoreError>;
}

/// The leases of one replica.
///
/// A lease lasts [`LEASE_SECONDS`] and is renewed while the work runs, so another replica takes over soon after this
/// one is killed. The store measures the time, so clocks of replicas may differ. A replica that is paused can still work
/// after its lease has expired. Work under a lease must therefore be harmless if it is done twice.
#[derive(Clone)]
pub struct Leases {
    store: Arc<dyn LeaseStore>,
    replica: ReplicaId,
}

impl Leases {
    /// The leases of this replica, in this store.
    #[must_use]
    pub fn new(store: Arc<dyn LeaseStore>, replica: ReplicaId) -> Self {
        Self { store, replica }
    }

    /// Acquires the lease, or renews it for [`LEASE_SECONDS`]; `None` if another replica holds it.
    ///
    /// # Errors
    /// If the store fails. This replica must not do the work then, because another replica may hold the lease.
    pub async fn acquire(&self, lease: LeaseName) -> Result<Option<LeaseTerm>, StoreError> {
        let request = LeaseRequest { name: lease, replica: self.replica.clone(), seconds: LEASE_SECONDS };
        self.store.acquire(&request).await
    }

    /// Releases the lease if this replica holds it. The call is made up to [`LEASE_RELEASE_ATTEMPTS`] times while the
    /// store is unreachable.
    ///
    /// # Errors
    /// If the store fails. The lease then expires.
    pub async fn release(&self, lease: LeaseName) -> Result<(), StoreError> {
        for _ in 1..LEASE_RELEASE_ATTEMPTS {
            match self.store.release(lease, &self.replica).await {
                Err(error) if error.kind() == StoreErrorKind::Unavailable => {}
                result => return result,
            }
        }
        self.store.release(lease, &self.replica).await
    }
}
