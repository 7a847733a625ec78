//! The progress of an export: a bar on a terminal, else one line per day.

use std::{
    io::{IsTerminal, Write},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{Feed, FeedPeriod, Interval, PeriodOutcome, ProductionObserver},
    sync,
};

const BAR: &str = "{msg}  {wide_bar} {human_pos}/{human_len} rows  {per_sec}  {eta} left";

/// Counts and shows the progress.
pub(super) struct Progress {
    is_terminal: bool,
    bar: Mutex<ProgressBar>,
    started_at: Instant,
    periods: AtomicU64,
    rows: AtomicU64,
}

impl Progress {
    pub(super) fn start() -> Self {
        Self {
            is_terminal: std::io::stderr().is_terminal(),
            bar: Mutex::new(ProgressBar::hidden()),
            started_at: Instant::now(),
            periods: AtomicU64::new(0),
            rows: AtomicU64::new(0),
        }
    }

    /// Prints why the export of a tenant waits.
    pub(super) fn waits(&self, tenant: &TenantId, error: &StoreError) {
        self.update_bar(|bar| bar.finish_and_clear());
        // If the error stream is closed, the export continues.
        let _ = writeln!(
            std::io::stderr(),
            "The export of {tenant} is tried again until it has made no progress for a minute: {}.",
            error.cause_chain()
        );
    }

    fn update_bar(&self, update: impl FnOnce(&mut ProgressBar)) {
        update(&mut sync::lock(&self.bar));
    }
}

/// Formats the totals as one line.
pub(super) fn summary(progress: &Progress) -> String {
    let (periods, rows) = (progress.periods.load(Ordering::Relaxed), progress.rows.load(Ordering::Relaxed));
    let seconds = progress.started_at.elapsed().as_secs_f64();
    format!("{periods} days and hours of feeds written, {rows} rows in {seconds:.1} s.\n")
}

fn describe(tenant: &TenantId, period: &FeedPeriod) -> String {
    let FeedPeriod { dataset, interval } = period;
    format!("{tenant} {} {} {interval}", dataset.feed, dataset.format)
}

impl ProductionObserver for Progress {
    fn wants_row_count(&self) -> bool {
        self.is_terminal
    }

    fn export_started(&self, tenant: &TenantId, feed: Feed, interval: Interval, total: Option<u64>) {
        self.update_bar(|bar| {
            if self.is_terminal {
                *bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
                bar.set_style(ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_message(format!("{tenant} {} {interval}", feed.as_str()));
                bar.enable_steady_tick(Duration::from_millis(250));
            }
        });
    }

    fn rows_written(&self, count: u64) {
        self.update_bar(|bar| bar.inc(count));
    }

    fn export_finished(&self, tenant: &TenantId, period: &FeedPeriod, outcome: PeriodOutcome) {
        self.update_bar(|bar| bar.finish_and_clear());
        let description = match outcome {
            PeriodOutcome::Unchanged { revision: _ } => return,
            PeriodOutcome::Summed { revision } => format!("the sum of its hours, revision {revision}"),
            PeriodOutcome::Marked { revision: _ } => "marked as complete".to_owned(),
            PeriodOutcome::Written { revision, rows, bytes, complete } => {
                let note = if complete { "" } else { ", not complete" };
                format!("{rows} rows, {bytes} bytes, revision {revision}{note}")
            }
        };
        if let PeriodOutcome::Written { rows, .. } = outcome {
            // Rows that a failed run wrote are counted once, with the run that finishes their period.
            self.rows.fetch_add(rows, Ordering::Relaxed);
        }
        self.periods.fetch_add(1, Ordering::Relaxed);
        // If the error stream is closed, the export continues.
        let _ = writeln!(std::io::stderr(), "{}: {description}", describe(tenant, period));
    }
}
