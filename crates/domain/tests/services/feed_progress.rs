//! Tests of the forward progress of repeated runs of feed production.

use parlance_domain::feed::{
    Feed, FeedPeriod, FileFormat, ForwardProgress, Interval, MockProductionObserver, PeriodOutcome, ProductionObserver,
};

use super::{feed_production::day, tenant};

const UNCHANGED: PeriodOutcome = PeriodOutcome::Unchanged { revision: 1 };

fn observer() -> MockProductionObserver {
    let mut observer = MockProductionObserver::new();
    observer.expect_export_started().return_const(());
    observer.expect_rows_written().return_const(());
    observer.expect_export_finished().return_const(());
    observer
}

/// A run that starts the messages of the day, and writes these numbers of rows. Returns whether it came further than the
/// runs before it.
fn advances(progress: &ForwardProgress<'_>, batches: &[u64]) -> bool {
    let before = progress.steps();
    progress.export_started(&tenant(), Feed::Messages, Interval::from(day()), None);
    for rows in batches {
        progress.rows_written(*rows);
    }
    progress.steps() > before
}

/// A run that finishes the day of a feed. Returns whether it came further than the runs before it.
fn finishes(progress: &ForwardProgress<'_>, period: &FeedPeriod) -> bool {
    let before = progress.steps();
    progress.export_finished(&tenant(), period, UNCHANGED);
    progress.steps() > before
}

fn period(format: FileFormat) -> FeedPeriod {
    Feed::Messages.dataset(format).period(day())
}

#[test]
fn rows_that_a_repeat_writes_again_are_no_progress() {
    let observer = observer();
    let progress = ForwardProgress::new(&observer);
    assert!(advances(&progress, &[100, 100]));
    assert!(!advances(&progress, &[100, 100]));
    assert!(!advances(&progress, &[200]), "rows that are kept from the run before");
    assert!(!advances(&progress, &[0]));
}

#[test]
fn the_first_row_that_no_run_wrote_before_is_progress() {
    let observer = observer();
    let progress = ForwardProgress::new(&observer);
    assert!(advances(&progress, &[100]));
    assert!(advances(&progress, &[100, 1]));
}

#[test]
fn a_period_is_progress_when_it_is_finished_for_the_first_time() {
    let observer = observer();
    let progress = ForwardProgress::new(&observer);
    assert!(finishes(&progress, &period(FileFormat::JsonLines)));
    assert!(!finishes(&progress, &period(FileFormat::JsonLines)));
    assert!(finishes(&progress, &period(FileFormat::Csv)));
}

#[test]
fn after_one_format_is_finished_the_rows_of_the_others_are_progress() {
    let observer = observer();
    let progress = ForwardProgress::new(&observer);
    assert!(advances(&progress, &[300]));
    assert!(finishes(&progress, &period(FileFormat::JsonLines)));
    assert!(advances(&progress, &[200]));
    assert!(!advances(&progress, &[200]));
}

#[test]
fn what_is_observed_is_passed_on() {
    let mut observer = observer();
    observer.expect_wants_row_count().return_const(true);
    observer.expect_before_publication().times(1).returning(|_, _, _| Ok(()));
    let progress = ForwardProgress::new(&observer);
    assert!(progress.wants_row_count());
    pollster::block_on(progress.before_publication(&tenant(), &period(FileFormat::Csv), 1)).unwrap();
}
