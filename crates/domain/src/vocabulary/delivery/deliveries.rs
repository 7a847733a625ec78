//! What a caller may know of a delivery, and what an operator may do about it.

use std::sync::Arc;

use super::{DeliveryProgress, DeliveryStore};
use crate::{
    access::{Caller, Permission, TenantId},
    error::Error,
    time::{Clock, Timestamp},
};

/// Whether the transcription component has what it should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// There is no transcription component to bring anything to.
    NotConfigured,
    /// The newest version has not reached it yet.
    Pending,
    /// It has the newest version, or nothing was ever changed.
    Delivered,
}

/// How far a delivery is, and what that means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryReport {
    /// Whether the component has what it should have.
    pub state: DeliveryState,
    /// Since when it is so; none where nothing was ever changed, or nothing is configured.
    pub since: Option<Timestamp>,
    /// What is known.
    pub progress: DeliveryProgress,
}

/// Tells how far deliveries are.
#[derive(Clone)]
pub struct Deliveries {
    store: Arc<dyn DeliveryStore>,
    configured: bool,
}

impl Deliveries {
    /// Tells what is in this store; `configured` says whether there is a transcription component.
    #[must_use]
    pub fn new(store: Arc<dyn DeliveryStore>, configured: bool) -> Self {
        Self { store, configured }
    }

    /// How far the delivery of the caller's vocabulary is.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Store`].
    pub async fn status(&self, caller: &Caller) -> Result<DeliveryReport, Error> {
        let tenant = caller.permit(Permission::ReadConfiguration)?;
        let progress = self.store.progress(tenant).await?;
        let (state, since) = match progress.pending_since {
            _ if !self.configured => (DeliveryState::NotConfigured, None),
            Some(since) => (DeliveryState::Pending, Some(since)),
            None => (DeliveryState::Delivered, progress.delivered.map(|delivered| delivered.at)),
        };
        Ok(DeliveryReport { state, since, progress })
    }
}

/// Has vocabularies delivered again, by the operator's word: as to a transcription component that has lost them.
#[derive(Clone)]
pub struct Redelivery {
    store: Arc<dyn DeliveryStore>,
    clock: Arc<dyn Clock>,
}

impl Redelivery {
    /// Works on this store.
    #[must_use]
    pub fn new(store: Arc<dyn DeliveryStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Makes the delivery of this tenant's vocabulary pending, or of every one; tells how many they are.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn begin(&self, tenant: Option<&TenantId>) -> Result<u64, Error> {
        Ok(self.store.begin_again(tenant, self.clock.now()).await?)
    }
}
