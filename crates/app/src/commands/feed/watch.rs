//! How far an export has come: a bar on a terminal, a line for each day elsewhere.

use std::{
    io::{IsTerminal, Write},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlance_domain::{
    access::TenantId,
    feed::{DayOutcome, FeedDay, ProductionWatch},
};

const BAR: &str = "{msg}  {wide_bar} {human_pos}/{human_len} rows  {per_sec}  {eta} left";

/// What was done so far, and where it is shown.
pub(super) struct Progress {
    terminal: bool,
    bar: Mutex<ProgressBar>,
    begun: Instant,
    days: AtomicU64,
    rows: AtomicU64,
}

impl Progress {
    pub(super) fn begin() -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            bar: Mutex::new(ProgressBar::hidden()),
            begun: Instant::now(),
            days: AtomicU64::new(0),
            rows: AtomicU64::new(0),
        }
    }

    fn on_bar(&self, act: impl FnOnce(&mut ProgressBar)) {
        act(&mut self.bar.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// One line of what was done.
pub(super) fn summary(progress: &Progress) -> String {
    let (days, rows) = (progress.days.load(Ordering::Relaxed), progress.rows.load(Ordering::Relaxed));
    let seconds = progress.begun.elapsed().as_secs_f64();
    format!("{days} days of feeds written, {rows} rows in {seconds:.1} s.\n")
}

fn place(tenant: &TenantId, day: &FeedDay) -> String {
    let FeedDay { table, day } = day;
    format!("{tenant} {} {} {day}", table.feed, table.format)
}

impl ProductionWatch for Progress {
    fn wants_total(&self) -> bool {
        self.terminal
    }

    fn begins(&self, tenant: &TenantId, day: &FeedDay, total: Option<u64>) {
        self.on_bar(|bar| {
            if self.terminal {
                *bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
                bar.set_style(ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_message(place(tenant, day));
                bar.enable_steady_tick(Duration::from_millis(250));
            }
        });
    }

    fn rows(&self, more: u64) {
        self.rows.fetch_add(more, Ordering::Relaxed);
        self.on_bar(|bar| bar.inc(more));
    }

    fn ends(&self, tenant: &TenantId, day: &FeedDay, outcome: DayOutcome) {
        self.on_bar(|bar| bar.finish_and_clear());
        let done = match outcome {
            DayOutcome::Unchanged => return,
            DayOutcome::Marked => "marked as complete".to_owned(),
            DayOutcome::Written { revision, rows, bytes, complete } => {
                let note = if complete { "" } else { ", not complete" };
                format!("{rows} rows, {bytes} bytes, revision {revision}{note}")
            }
        };
        self.days.fetch_add(1, Ordering::Relaxed);
        // Where even the error stream is gone the export still goes on.
        let _ = writeln!(std::io::stderr(), "{}: {done}", place(tenant, day));
    }
}
