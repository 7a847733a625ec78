//! Decides which days and hours are written: the rules for completeness and revisions.

use super::{Day, Interval, IntervalLength, Manifest};
use crate::{
    limits::FEED_CLOSE_DELAY_SECONDS,
    time::{MICROS_PER_HOUR, Timestamp},
};

/// The hour that a write changes late: the hour of the row's creation, if that hour is over at `now`.
#[must_use]
pub fn late_hour(created_at: Timestamp, now: Timestamp) -> Option<Interval> {
    Some(Interval::hour_containing(created_at)).filter(|hour| *hour < Interval::hour_containing(now))
}

/// The next timestamp after `now` at a minute of the day, counted from 0.
#[must_use]
pub fn next_time_of_day(now: Timestamp, minute: u16) -> Timestamp {
    let today = Day::containing(now);
    let at = |day: Day| day.start().plus_seconds(i64::from(minute) * 60);
    if at(today) > now { at(today) } else { today.next().map_or(Timestamp::MAX, at) }
}

/// The next timestamp after `now` at which an hour closes.
#[must_use]
pub fn next_hour_close(now: Timestamp) -> Timestamp {
    let closed_until = now.plus_seconds(-FEED_CLOSE_DELAY_SECONDS);
    let in_hour = closed_until.as_micros().rem_euclid(MICROS_PER_HOUR);
    Timestamp::from_micros(now.as_micros() - in_hour + MICROS_PER_HOUR).unwrap_or(Timestamp::MAX)
}

/// The action that a day or an hour needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalAction {
    /// Write this revision.
    Write {
        /// The revision number.
        revision: u32,
    },
    /// Mark the interval as complete. The manifest is current, and only the mark is missing.
    MarkComplete,
    /// Do nothing.
    Skip,
}

/// The state of an interval that the plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct IntervalState<'manifest> {
    /// The day or the hour.
    pub interval: Interval,
    /// Whether the interval is marked as complete.
    pub complete: bool,
    /// The manifest, if there is one.
    pub manifest: Option<&'manifest Manifest>,
    /// The number of changes to the interval after its end.
    pub late_changes: u64,
}

/// Decides which action a day or an hour needs.
///
/// It is written again as the next revision if late changes are missing from the last revision, or if that revision was
/// written before the interval closed. A complete interval without a manifest was written by another producer and is
/// left alone.
#[must_use]
pub fn plan_interval(state: IntervalState<'_>) -> IntervalAction {
    let Some(manifest) = state.manifest else {
        return if state.complete { IntervalAction::Skip } else { IntervalAction::Write { revision: 1 } };
    };
    let origin = &manifest.inputs;
    let current = origin.late_changes == state.late_changes && state.interval.is_closed(origin.watermark);
    match (current, state.complete) {
        (true, true) => IntervalAction::Skip,
        (true, false) => IntervalAction::MarkComplete,
        (false, _) => IntervalAction::Write { revision: origin.revision.saturating_add(1) },
    }
}

/// Decides whether a producer writes a day by its hours.
///
/// A day stays as it was begun: only a day of which nothing lasts is written as `length` says. Of a day that was written
/// before it closed nothing lasts, because it is written again.
#[must_use]
pub fn is_hourly(state: IntervalState<'_>, has_hours: bool, length: IntervalLength) -> bool {
    let begun = || has_hours || length == IntervalLength::Hour;
    match state.manifest {
        Some(manifest) if manifest.hourly => true,
        Some(manifest) => !state.complete && !state.interval.is_closed(manifest.inputs.watermark) && begun(),
        None => !state.complete && begun(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        feed::{Compression, RevisionInputs},
        time::SECONDS_PER_DAY,
    };

    fn day() -> Day {
        Day::parse("2026-01-31").unwrap()
    }

    fn manifest(watermark: Timestamp, late_changes: u64) -> Manifest {
        let compression = Compression::None;
        Manifest {
            inputs: RevisionInputs { revision: 3, watermark, late_changes, masked_with: None, compression },
            hourly: false,
            files: Vec::new(),
        }
    }

    fn planned(complete: bool, manifest: Option<&Manifest>, late_changes: u64) -> IntervalAction {
        plan_interval(IntervalState { interval: day().into(), complete, manifest, late_changes })
    }

    #[test]
    fn a_day_that_was_never_written_is_written_as_revision_1() {
        assert_eq!(planned(false, None, 0), IntervalAction::Write { revision: 1 });
    }

    #[test]
    fn a_day_of_another_producer_is_left_alone() {
        assert_eq!(planned(true, None, 7), IntervalAction::Skip);
    }

    #[test]
    fn a_complete_and_current_day_is_left_alone() {
        assert_eq!(planned(true, Some(&manifest(Interval::from(day()).closes_at(), 2)), 2), IntervalAction::Skip);
    }

    #[test]
    fn a_current_day_without_its_mark_is_marked_complete() {
        assert_eq!(
            planned(false, Some(&manifest(Interval::from(day()).closes_at(), 2)), 2),
            IntervalAction::MarkComplete
        );
    }

    #[test]
    fn a_write_is_late_once_the_hour_of_its_row_is_over() {
        let hours: Vec<_> = Interval::hours_of(day()).collect();
        let end = hours[0].end();
        assert_eq!(late_hour(day().start(), end), Some(hours[0]));
        assert_eq!(late_hour(day().start(), Timestamp::from_micros(end.as_micros() - 1).unwrap()), None);
        assert_eq!(late_hour(end, day().start()), None);
        assert_eq!(late_hour(day().start(), day().end()), Some(hours[0]));
    }

    #[test]
    fn a_day_stays_daily_or_hourly_as_it_was_begun() {
        let (daily, unfinished) = (manifest(Interval::from(day()).closes_at(), 0), manifest(day().end(), 0));
        let hourly = Manifest { hourly: true, ..daily.clone() };
        let decided = |complete, manifest, has_hours, length| {
            is_hourly(IntervalState { interval: day().into(), complete, manifest, late_changes: 0 }, has_hours, length)
        };
        for (length, by_hours) in [(IntervalLength::Day, false), (IntervalLength::Hour, true)] {
            assert!(!decided(true, Some(&daily), false, length) && !decided(false, Some(&daily), false, length));
            assert!(decided(true, Some(&hourly), true, length));
            assert!(decided(false, None, true, length), "a day that has hours");
            assert!(!decided(true, None, true, length), "a day of another producer");
            assert_eq!(decided(false, None, false, length), by_hours);
            assert_eq!(decided(false, Some(&unfinished), false, length), by_hours);
        }
    }

    #[test]
    fn an_hour_closes_five_minutes_after_each_full_hour() {
        let at = |seconds| day().start().plus_seconds(seconds);
        assert_eq!(next_hour_close(at(0)), at(300));
        assert_eq!(next_hour_close(at(299)), at(300));
        assert_eq!(next_hour_close(at(300)), at(3_900));
    }

    #[test]
    fn a_day_with_new_late_changes_is_written_as_the_next_revision() {
        assert_eq!(
            planned(true, Some(&manifest(Interval::from(day()).closes_at(), 2)), 3),
            IntervalAction::Write { revision: 4 }
        );
    }

    #[test]
    fn a_day_written_before_it_closed_is_written_as_the_next_revision() {
        assert_eq!(planned(true, Some(&manifest(day().end(), 2)), 2), IntervalAction::Write { revision: 4 });
    }

    #[test]
    fn an_unmarked_day_written_before_it_closed_is_written_again_instead_of_marked() {
        assert_eq!(planned(false, Some(&manifest(day().end(), 2)), 2), IntervalAction::Write { revision: 4 });
    }

    #[test]
    fn the_next_time_of_day_is_today_or_else_tomorrow() {
        let noon = day().start().plus_seconds(SECONDS_PER_DAY / 2);
        assert_eq!(next_time_of_day(day().start(), 12 * 60), noon);
        assert_eq!(next_time_of_day(noon, 12 * 60), noon.plus_seconds(SECONDS_PER_DAY));
    }
}
