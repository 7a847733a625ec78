//! The task that slowly reads all data of a SQLite database and reports damage.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use parlance_adapters_sql::{Scrub, ScrubStep};
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    readiness::{ProbeFailure, ReadinessProbe},
};
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    metrics::{Metrics, ScrubMetrics},
    settings::Settings,
    wiring::Stores,
};

/// Pause before each step of a pass.
const STEP_INTERVAL: Duration = Duration::from_secs(5);

/// Assumed number of rows in a page of 4 KiB. With shorter rows, a pass takes longer than its interval.
const ROWS_PER_PAGE: u64 = 16;

/// Minimum number of rows in a step, so that a small database needs few steps.
const MIN_ROWS_PER_STEP: u64 = 4_096;

/// Number of faults of one pass that are logged. All faults are counted.
const MAX_LOGGED_FAULTS: u64 = 20;

/// Reports the faults that the scrub has found. Clones share their number.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScrubProbe(Arc<FaultCounts>);

#[derive(Debug, Default)]
struct FaultCounts {
    this_pass: AtomicU64,
    last_pass: AtomicU64,
}

impl ScrubProbe {
    /// Adds the faults of a step, and returns the number of faults that this pass found before it.
    fn add(&self, step: &ScrubStep) -> u64 {
        let before = self.0.this_pass.fetch_add(step.faults.len() as u64, Ordering::Relaxed);
        if step.ends_pass {
            self.0.last_pass.store(self.0.this_pass.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        }
        before
    }

    /// The faults of the last complete pass, or of the current pass if it found more.
    fn faults(&self) -> u64 {
        self.0.this_pass.load(Ordering::Relaxed).max(self.0.last_pass.load(Ordering::Relaxed))
    }
}

/// Damage is reported but does not make the server unready: it still serves undamaged data, and another replica has the
/// same file.
#[async_trait]
impl ReadinessProbe for ScrubProbe {
    fn part(&self) -> &'static str {
        "database_content"
    }

    fn is_required(&self) -> bool {
        false
    }

    fn failure(&self) -> ProbeFailure {
        ProbeFailure { rule: "undamaged", message: "is damaged: run `parlance doctor --deep`, and restore a copy" }
    }

    async fn check(&self) -> Result<(), StoreError> {
        match self.faults() {
            0 => Ok(()),
            faults => {
                let s = if faults == 1 { "" } else { "s" };
                let message =
                    format!("the scrub found {faults} fault{s}: run `parlance doctor --deep`, and restore a copy");
                Err(StoreError::new(StoreErrorKind::Corrupt, message))
            }
        }
    }
}

/// Runs one pass over the database in each interval.
pub(crate) struct ScrubTask {
    scrub: Scrub,
    interval: Duration,
    probe: ScrubProbe,
    metrics: ScrubMetrics,
}

impl ScrubTask {
    pub(crate) fn new(scrub: Scrub, interval: Duration, probe: ScrubProbe, metrics: ScrubMetrics) -> Self {
        Self { scrub, interval, probe, metrics }
    }

    /// Runs passes until the future is dropped.
    pub(crate) async fn run(mut self) {
        loop {
            let started_at = Instant::now();
            self.pass().await;
            sleep_until(started_at + self.interval).await;
        }
    }

    async fn pass(&mut self) {
        let mut rows = None;
        loop {
            sleep(STEP_INTERVAL).await;
            let step = match self.step(&mut rows).await {
                Ok(step) => step,
                Err(error) => {
                    tracing::warn!(%error, "a scrub step failed; retrying");
                    continue;
                }
            };
            self.report(&step);
            if step.ends_pass {
                return;
            }
        }
    }

    /// Reads one step. The number of its rows lets the pass end within its interval.
    async fn step(&mut self, rows: &mut Option<usize>) -> Result<ScrubStep, StoreError> {
        let rows = match *rows {
            Some(rows) => rows,
            None => *rows.insert(rows_per_step(self.scrub.pages().await?, self.interval)),
        };
        self.scrub.step(rows).await
    }

    fn report(&self, step: &ScrubStep) {
        let before = self.probe.add(step);
        for (number, fault) in (before..MAX_LOGGED_FAULTS).zip(&step.faults) {
            let number = number + 1;
            tracing::error!(number, fault = &**fault, "the database is damaged: run `parlance doctor --deep`");
        }
        self.metrics.record(step, self.probe.faults());
        if step.ends_pass {
            tracing::debug!(faults = self.probe.faults(), "the scrub has completed a pass");
        }
    }
}

fn rows_per_step(pages: u32, interval: Duration) -> usize {
    let steps = (interval.as_secs() / STEP_INTERVAL.as_secs()).max(1);
    let rows = (u64::from(pages) * ROWS_PER_PAGE).div_ceil(steps).max(MIN_ROWS_PER_STEP);
    usize::try_from(rows).unwrap_or(usize::MAX)
}

impl Stores {
    /// Builds the scrub task and its readiness probe. `None` if the scrub is off or the database is not a SQLite file.
    pub(crate) fn scrub_task(&self, settings: &Settings, metrics: &Metrics) -> Option<(ScrubTask, ScrubProbe)> {
        let (scrub, interval) = self.database.scrub().zip(settings.scrub_interval)?;
        let probe = ScrubProbe::default();
        Some((ScrubTask::new(scrub, interval, probe.clone(), metrics.scrub.clone()), probe))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(faults: usize, ends_pass: bool) -> ScrubStep {
        ScrubStep { rows: 1, faults: vec!["a page".into(); faults], ends_pass }
    }

    #[tokio::test]
    async fn damage_is_reported_until_a_complete_pass_finds_none() {
        let probe = ScrubProbe::default();
        assert!(probe.check().await.is_ok());
        for (faults, ends_pass, is_ok) in [(1, false, false), (0, true, false), (0, false, false), (0, true, true)] {
            probe.add(&step(faults, ends_pass));
            assert_eq!(probe.check().await.is_ok(), is_ok);
        }
    }

    #[test]
    fn a_pass_over_many_pages_ends_within_its_interval() {
        let day = Duration::from_hours(24);
        assert_eq!(rows_per_step(10, day), 4_096);
        let steps = day.as_secs() / STEP_INTERVAL.as_secs();
        assert!(rows_per_step(25_000_000, day) as u64 * steps >= 25_000_000 * ROWS_PER_PAGE);
    }
}
