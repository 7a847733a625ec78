//! Release of the leases of this process.

use parlance_domain::lease::{LeaseName, Leases};

/// Releases a lease, so that another replica need not wait for its end. A failure is only logged: the work is done, and
/// the lease expires on its own.
pub(crate) async fn release_lease(leases: &Leases, lease: LeaseName) {
    if let Err(error) = leases.release(lease).await {
        tracing::info!(%error, lease = lease.name(), "failed to release a lease; it expires on its own");
    }
}
