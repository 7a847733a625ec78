//! The leases of this process: how they are kept, and released.

use std::time::{Duration, Instant};

use anyhow::{Error, anyhow};
use parlance_domain::{
    error::StoreError,
    lease::{LeaseName, LeaseTerm, Leases},
    limits::LEASE_SECONDS,
};
use tokio::time::sleep;

/// Age at which a kept lease is requested again. This leaves time for a few requests before it expires.
const RENEW_AFTER: Duration = Duration::from_secs(4);

/// A lease that this process requests again and again while it works under it.
pub(crate) struct KeptLease {
    leases: Leases,
    name: LeaseName,
    /// Time after a request in which work may start.
    start_window: Duration,
    /// The term, and the time of the last request, if this process got the lease.
    current: Option<(LeaseTerm, Instant)>,
}

impl KeptLease {
    pub(crate) fn new(leases: Leases, name: LeaseName, start_window: Duration) -> Self {
        Self { leases, name, start_window, current: None }
    }

    /// Requests the lease if this process does not hold it or will lose it soon. Returns whether the lease was acquired or
    /// lost.
    ///
    /// # Errors
    /// If the store fails. Work may go on until the start window of the last request is over.
    pub(crate) async fn renew(&mut self) -> Result<bool, StoreError> {
        let now = Instant::now();
        if self.current.is_some_and(|(_, requested)| now.duration_since(requested) < RENEW_AFTER) {
            return Ok(false);
        }
        let before = self.current.map(|(term, _)| term);
        let term = self.leases.acquire(self.name).await?;
        self.current = term.map(|term| (term, now));
        Ok(before != term)
    }

    /// The term of the lease while work may start.
    pub(crate) fn term(&self) -> Option<LeaseTerm> {
        self.current.filter(|(_, requested)| requested.elapsed() < self.start_window).map(|(term, _)| term)
    }

    /// Whether the last request got the lease.
    pub(crate) fn is_kept(&self) -> bool {
        self.current.is_some()
    }

    /// Treats the lease as one that this process does not hold, so that it is requested again.
    pub(crate) fn forget(&mut self) {
        self.current = None;
    }

    /// Releases the lease, so that another replica need not wait for its end.
    pub(crate) async fn release(&mut self) {
        self.current = None;
        release_lease(&self.leases, self.name).await;
    }
}

/// Renews a lease until that fails, and returns the reason.
pub(crate) async fn renew_until_lost(leases: &Leases, lease: LeaseName) -> Error {
    loop {
        sleep(Duration::from_secs(LEASE_SECONDS.unsigned_abs() / 3)).await;
        match leases.acquire(lease).await {
            Ok(Some(_)) => {}
            Ok(None) => return anyhow!("another replica holds the lease"),
            Err(error) => return Error::from(error).context("failed to renew the lease"),
        }
    }
}

/// Releases a lease, so that another replica need not wait for its end. A failure is only logged: the work is done, and
/// the lease expires on its own.
pub(crate) async fn release_lease(leases: &Leases, lease: LeaseName) {
    if let Err(error) = leases.release(lease).await {
        tracing::info!(%error, lease = lease.name(), "failed to release a lease; it expires on its own");
    }
}
