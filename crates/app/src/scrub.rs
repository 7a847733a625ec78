//! The task that reads all that is stored on SQLite, slowly, and tells of what is damaged.

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

use crate::metrics::ScrubMetrics;

/// Between two steps of a pass.
const STEP_EVERY: Duration = Duration::from_secs(5);

/// Rows that a page of 4 KiB is taken to hold. With shorter rows a pass takes longer than its interval.
const ROWS_PER_PAGE: u64 = 16;

/// Fewest rows of a step, so that a small database is read in few steps.
const LEAST_ROWS: u64 = 4_096;

/// Faults of a pass that are logged. All are counted.
const LOGGED_FAULTS: u64 = 20;

/// How many faults the scrub has found. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScrubStatus(Arc<Faults>);

#[derive(Debug, Default)]
struct Faults {
    this_pass: AtomicU64,
    last_pass: AtomicU64,
}

impl ScrubStatus {
    /// Adds what a step found, and gives how many faults this pass has found before it.
    fn add(&self, step: &ScrubStep) -> u64 {
        let before = self.0.this_pass.fetch_add(step.faults.len() as u64, Ordering::Relaxed);
        if step.ends_pass {
            self.0.last_pass.store(self.0.this_pass.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        }
        before
    }

    /// The faults of the last whole pass, or of this one where it has found more.
    fn faults(&self) -> u64 {
        self.0.this_pass.load(Ordering::Relaxed).max(self.0.last_pass.load(Ordering::Relaxed))
    }
}

/// Damage is told and takes no traffic away: what is not damaged is still answered, and another replica has the same file.
#[async_trait]
impl ReadinessProbe for ScrubStatus {
    fn part(&self) -> &'static str {
        "database_content"
    }

    fn is_needed(&self) -> bool {
        false
    }

    fn failure(&self) -> ProbeFailure {
        ProbeFailure { rule: "undamaged", message: "is damaged: run `parlance doctor --deep`, and restore a copy" }
    }

    async fn check(&self) -> Result<(), StoreError> {
        match self.faults() {
            0 => Ok(()),
            faults => {
                let said = format!("the scrub found {faults} faults: run `parlance doctor --deep`, and restore a copy");
                Err(StoreError::new(StoreErrorKind::Corrupt, said))
            }
        }
    }
}

/// Passes over the database, one in each interval.
pub(crate) struct ScrubTask {
    scrub: Scrub,
    interval: Duration,
    status: ScrubStatus,
    metrics: ScrubMetrics,
}

impl ScrubTask {
    pub(crate) fn new(scrub: Scrub, interval: Duration, status: ScrubStatus, metrics: ScrubMetrics) -> Self {
        Self { scrub, interval, status, metrics }
    }

    /// Runs until it is dropped.
    pub(crate) async fn run(mut self) {
        loop {
            let begun = Instant::now();
            self.pass().await;
            sleep_until(begun + self.interval).await;
        }
    }

    async fn pass(&mut self) {
        let mut rows = None;
        loop {
            sleep(STEP_EVERY).await;
            let step = match self.step(&mut rows).await {
                Ok(step) => step,
                Err(error) => {
                    tracing::warn!(%error, "the scrub could not read: it tries again");
                    continue;
                }
            };
            self.tell(&step);
            if step.ends_pass {
                return;
            }
        }
    }

    /// One step, of as many rows as let the pass end within its interval.
    async fn step(&mut self, rows: &mut Option<usize>) -> Result<ScrubStep, StoreError> {
        let rows = match *rows {
            Some(rows) => rows,
            None => *rows.insert(rows_of_step(self.scrub.pages().await?, self.interval)),
        };
        self.scrub.step(rows).await
    }

    fn tell(&self, step: &ScrubStep) {
        let before = self.status.add(step);
        for (number, fault) in (before..LOGGED_FAULTS).zip(&step.faults) {
            let number = number + 1;
            tracing::error!(number, fault = &**fault, "the database is damaged: run `parlance doctor --deep`");
        }
        self.metrics.record(step, self.status.faults());
        if step.ends_pass {
            tracing::debug!(faults = self.status.faults(), "the scrub has read the whole database");
        }
    }
}

fn rows_of_step(pages: u32, interval: Duration) -> usize {
    let steps = (interval.as_secs() / STEP_EVERY.as_secs()).max(1);
    let rows = (u64::from(pages) * ROWS_PER_PAGE).div_ceil(steps).max(LEAST_ROWS);
    usize::try_from(rows).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(faults: usize, ends_pass: bool) -> ScrubStep {
        ScrubStep { rows: 1, faults: vec!["a page".into(); faults], ends_pass }
    }

    #[tokio::test]
    async fn damage_is_told_until_a_whole_pass_finds_none() {
        let status = ScrubStatus::default();
        assert!(status.check().await.is_ok());
        for (faults, ends_pass, whole) in [(1, false, false), (0, true, false), (0, false, false), (0, true, true)] {
            status.add(&step(faults, ends_pass));
            assert_eq!(status.check().await.is_ok(), whole);
        }
    }

    #[test]
    fn a_pass_over_many_pages_ends_within_its_interval() {
        let day = Duration::from_hours(24);
        assert_eq!(rows_of_step(10, day), 4_096);
        let steps = day.as_secs() / STEP_EVERY.as_secs();
        assert!(rows_of_step(25_000_000, day) as u64 * steps >= 25_000_000 * ROWS_PER_PAGE);
    }
}
