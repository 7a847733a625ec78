//! What the tests that measure time share.

use std::time::Duration;

/// So many seconds as a variable says, or as are usual.
pub(crate) fn seconds(variable: &str, usual: u64) -> Duration {
    Duration::from_secs(std::env::var(variable).map_or(usual, |seconds| seconds.parse().unwrap()))
}

/// The time that all but one of a hundred took at most.
pub(crate) fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}
