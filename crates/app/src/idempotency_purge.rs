//! The task that deletes expired idempotency records. Each process runs it: concurrent runs do no harm.

use std::time::Duration;

use parlance_domain::idempotency::Idempotency;
use tokio::time::{MissedTickBehavior, interval};

/// Time between two runs. An expired record has no effect until it is deleted.
const INTERVAL: Duration = Duration::from_hours(1);

/// Deletes expired records at once and then every hour. Never returns.
pub(crate) async fn purge_expired(idempotency: Idempotency) {
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match idempotency.purge_expired().await {
            Ok(0) => {}
            Ok(records) => tracing::info!(records, "deleted expired idempotency records"),
            Err(error) => tracing::warn!(cause = error.to_string(), "idempotency purge failed; retrying in an hour"),
        }
    }
}
