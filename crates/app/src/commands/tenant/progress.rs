//! The progress of the erasure of a tenant: a line every few seconds.

use std::{
    io::Write,
    sync::Mutex,
    time::{Duration, Instant},
};

use parlance_domain::{
    privacy::{ErasurePlace, TenantRemovalObserver, TenantWait},
    sync,
};

/// The time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Counts what is removed, and prints lines on the standard error stream.
pub(super) struct Progress {
    started_at: Instant,
    state: Mutex<State>,
}

struct State {
    removed: u64,
    last_line_at: Instant,
    /// The last line about a wait or a failure.
    last_wait: String,
}

impl Progress {
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self { started_at: now, state: Mutex::new(State { removed: 0, last_line_at: now, last_wait: String::new() }) }
    }

    /// The number of rows and files that were removed so far.
    pub(super) fn removed(&self) -> u64 {
        sync::lock(&self.state).removed
    }

    /// Prints what the erasure waits for.
    pub(super) fn waits_for(&self, wait: TenantWait) {
        self.print_once(format!("The erasure waits for {}.", wait.as_str()));
    }

    /// Prints why a run failed that is tried again.
    pub(super) fn failed(&self, cause: &str) {
        self.print_once(format!("The erasure is tried again after a failure: {cause}."));
    }

    /// Prints a line, unless it is the same as the last one.
    fn print_once(&self, line: String) {
        let mut state = sync::lock(&self.state);
        if state.last_wait != line {
            print_line(&line);
            state.last_wait = line;
        }
    }
}

impl TenantRemovalObserver for Progress {
    fn removed(&self, place: Option<ErasurePlace>, count: u64) {
        let mut state = sync::lock(&self.state);
        state.removed = state.removed.saturating_add(count);
        if state.last_line_at.elapsed() >= LINE_INTERVAL {
            state.last_line_at = Instant::now();
            print_line(&describe(state.removed, self.started_at.elapsed(), place));
        }
    }
}

/// Prints a line for the operator. If the error stream is closed, the erasure continues.
pub(super) fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn describe(removed: u64, elapsed: Duration, place: Option<ErasurePlace>) -> String {
    let place = place.map_or("what the service keeps beside them", ErasurePlace::as_str);
    // A double holds every realistic count exactly.
    #[expect(clippy::cast_precision_loss, reason = "a rate is approximate")]
    let rate = removed as f64 / elapsed.as_secs_f64().max(0.001);
    format!("{removed} rows and files erased, {rate:.0} a second; now {place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_number_the_rate_and_the_place() {
        let line = describe(1_000, Duration::from_secs(4), Some(ErasurePlace::Messages));
        assert_eq!(line, "1000 rows and files erased, 250 a second; now messages");
    }
}
