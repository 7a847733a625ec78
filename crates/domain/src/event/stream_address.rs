//! Addresses that open a stream of events once, and the port that stores them.

use async_trait::async_trait;

use super::{EventType, EventTypes, EventView};
use crate::{
    access::{SecretDigest, TenantId, VerifiedCredential},
    error::StoreError,
    id::{ConversationId, Id},
    time::Timestamp,
};

/// Marks identifiers of streaming addresses.
#[derive(Debug)]
pub enum StreamKind {}

/// Identifies a streaming address within its tenant.
pub type StreamId = Id<StreamKind>;

/// What a streaming address opens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamTarget {
    /// The conversation; `None` for the whole tenant.
    pub conversation: Option<ConversationId>,
    /// The id of the last event that the client received, in the form of the interface; `None` to begin anew.
    pub resume: Option<String>,
    /// The types, if the request named any.
    pub types: Option<EventTypes>,
    /// Which events are given out.
    pub view: EventView,
}

impl StreamTarget {
    /// The types that the stream gives; `None` for all that the caller may read. A stream of one conversation gives its
    /// messages, unless types were named, and always ends with its erasure.
    #[must_use]
    pub fn stream_types(&self) -> Option<EventTypes> {
        let erasure: EventTypes = [EventType::ConversationErased].into_iter().collect();
        match &self.conversation {
            Some(_) => Some(self.types.unwrap_or_else(EventTypes::of_messages).union(erasure)),
            None => self.types,
        }
    }
}

/// A streaming address as it is stored. Only the digest of its secret is.
#[derive(Debug, Clone)]
pub struct StreamAddress {
    /// The id.
    pub id: StreamId,
    /// The digest of the secret.
    pub digest: SecretDigest,
    /// The credential that issued the address. The stream has its permissions, and ends when it is revoked or its secret is
    /// no longer accepted.
    pub credential: VerifiedCredential,
    /// What the address opens.
    pub target: StreamTarget,
    /// The time from which on the address opens nothing.
    pub expires_at: Timestamp,
}

/// Names a streaming address and proves that the client received it.
#[derive(Debug, Clone)]
pub struct PresentedAddress {
    /// The id.
    pub id: StreamId,
    /// The digest of the secret.
    pub digest: SecretDigest,
}

/// Stores streaming addresses, for all replicas.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait StreamAddressStore: Send + Sync {
    /// Stores an address, and removes those of the tenant that have expired at `now`.
    async fn insert(&self, tenant: &TenantId, address: &StreamAddress, now: Timestamp) -> Result<(), StoreError>;

    /// Removes an address and returns it; `None` if there is no such address, its digest is another, or it has expired at
    /// `now`. The address is found and removed in one atomic step: at most one of concurrent calls, on any replica, MUST
    /// return it.
    async fn take(
        &self,
        tenant: &TenantId,
        presented: &PresentedAddress,
        now: Timestamp,
    ) -> Result<Option<StreamAddress>, StoreError>;

    /// The address that [`take`](Self::take) would return. It stays.
    async fn find(
        &self,
        tenant: &TenantId,
        presented: &PresentedAddress,
        now: Timestamp,
    ) -> Result<Option<StreamAddress>, StoreError>;
}
