//! The task that drops the receipts of requests which hold no longer. Each process does it: doing it twice is no harm.

use std::time::Duration;

use parlance_domain::retry::Repeats;
use tokio::time::{MissedTickBehavior, interval};

/// How often it is done. A receipt that holds no longer stands in nobody's way meanwhile.
const EVERY: Duration = Duration::from_hours(1);

/// Drops receipts for as long as it is run, at once and then every hour.
pub(crate) async fn forget_receipts(repeats: Repeats) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match repeats.forget().await {
            Ok(0) => {}
            Ok(receipts) => tracing::info!(receipts, "receipts of requests that hold no longer are dropped"),
            Err(error) => tracing::warn!(cause = error.to_string(), "receipts are not dropped: tried again in an hour"),
        }
    }
}
