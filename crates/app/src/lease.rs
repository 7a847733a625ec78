//! Renewal and release of the leases of this process.

use std::time::Duration;

use anyhow::{Error, anyhow};
use parlance_domain::{
    lease::{LeaseName, Leases},
    limits::LEASE_SECONDS,
};
use tokio::time::sleep;

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
