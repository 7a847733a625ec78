//! Durations and percentiles for the tests that measure time.

use std::time::Duration;

/// Returns the seconds in this environment variable, or the default.
pub(crate) fn seconds_from_env(variable: &str, default: u64) -> Duration {
    Duration::from_secs(std::env::var(variable).map_or(default, |seconds| seconds.parse().unwrap()))
}

/// Returns the 99th percentile.
pub(crate) fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}
