//! How this process ends a duty that it had.

use parlance_domain::lease::{Duties, Duty};

/// Gives a duty back, so that another replica need not wait. Where that cannot be done the duty ends by itself: no work has
/// failed for it.
pub(crate) async fn give_back(duties: &Duties, duty: Duty) {
    if let Err(error) = duties.give_back(duty).await {
        tracing::info!(%error, duty = duty.name(), "a duty is not given back, and ends by itself");
    }
}
