//! Decides which days are written: the rules for completeness and revisions.

use super::{Day, Manifest};
use crate::{limits::FEED_CLOSE_DELAY_SECONDS, time::Timestamp};

/// The time at which a day closes. Everything created on the day is stored by then.
#[must_use]
pub fn closes_at(day: Day) -> Timestamp {
    day.end().plus_seconds(FEED_CLOSE_DELAY_SECONDS)
}

/// Whether a day is closed at a timestamp: a revision with this watermark holds the whole day. A day that is written
/// earlier is not complete.
#[must_use]
pub fn is_closed(day: Day, timestamp: Timestamp) -> bool {
    timestamp >= closes_at(day)
}

/// The last day that is closed at `now`, if there is one.
#[must_use]
pub fn last_closed_day(now: Timestamp) -> Option<Day> {
    Day::containing(now.plus_seconds(-FEED_CLOSE_DELAY_SECONDS)).previous()
}

/// The day that a write changes late: the day of the row's creation, if that day is over at `now`.
#[must_use]
pub fn late_day(created_at: Timestamp, now: Timestamp) -> Option<Day> {
    Some(Day::containing(created_at)).filter(|day| *day < Day::containing(now))
}

/// The next timestamp after `now` at a minute of the day, counted from 0.
#[must_use]
pub fn next_time_of_day(now: Timestamp, minute: u16) -> Timestamp {
    let today = Day::containing(now);
    let at = |day: Day| day.start().plus_seconds(i64::from(minute) * 60);
    if at(today) > now { at(today) } else { today.next().map_or(Timestamp::MAX, at) }
}

/// The action that a day needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayAction {
    /// Write this revision of the day.
    Write {
        /// The revision number.
        revision: u32,
    },
    /// Mark the day as complete. The manifest is current, and only the mark is missing.
    MarkComplete,
    /// Do nothing.
    Skip,
}

/// The state of a day that the plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct DayState<'manifest> {
    /// The day.
    pub day: Day,
    /// Whether the day is marked as complete.
    pub complete: bool,
    /// The manifest, if there is one.
    pub manifest: Option<&'manifest Manifest>,
    /// The number of changes to the day after its end.
    pub late_changes: u64,
}

/// Decides which action a day needs.
///
/// The day is written again as the next revision if late changes are missing from the last revision, or if that
/// revision was written before the day closed. A complete day without a manifest was written by another producer and is
/// left alone.
#[must_use]
pub fn plan_day(state: DayState<'_>) -> DayAction {
    let Some(manifest) = state.manifest else {
        return if state.complete { DayAction::Skip } else { DayAction::Write { revision: 1 } };
    };
    let origin = &manifest.inputs;
    let current = origin.late_changes == state.late_changes && is_closed(state.day, origin.watermark);
    match (current, state.complete) {
        (true, true) => DayAction::Skip,
        (true, false) => DayAction::MarkComplete,
        (false, _) => DayAction::Write { revision: origin.revision.saturating_add(1) },
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
            files: Vec::new(),
        }
    }

    fn planned(complete: bool, manifest: Option<&Manifest>, late_changes: u64) -> DayAction {
        plan_day(DayState { day: day(), complete, manifest, late_changes })
    }

    #[test]
    fn a_day_that_was_never_written_is_written_as_revision_1() {
        assert_eq!(planned(false, None, 0), DayAction::Write { revision: 1 });
    }

    #[test]
    fn a_day_of_another_producer_is_left_alone() {
        assert_eq!(planned(true, None, 7), DayAction::Skip);
    }

    #[test]
    fn a_complete_and_current_day_is_left_alone() {
        assert_eq!(planned(true, Some(&manifest(closes_at(day()), 2)), 2), DayAction::Skip);
    }

    #[test]
    fn a_current_day_without_its_mark_is_marked_complete() {
        assert_eq!(planned(false, Some(&manifest(closes_at(day()), 2)), 2), DayAction::MarkComplete);
    }

    #[test]
    fn a_write_is_late_once_the_day_of_its_row_is_over() {
        let end = day().end();
        assert_eq!(late_day(day().start(), end), Some(day()));
        assert_eq!(late_day(day().start(), Timestamp::from_micros(end.as_micros() - 1).unwrap()), None);
        assert_eq!(late_day(end, day().start()), None);
    }

    #[test]
    fn a_day_with_new_late_changes_is_written_as_the_next_revision() {
        assert_eq!(planned(true, Some(&manifest(closes_at(day()), 2)), 3), DayAction::Write { revision: 4 });
    }

    #[test]
    fn a_day_written_before_it_closed_is_written_as_the_next_revision() {
        assert_eq!(planned(true, Some(&manifest(day().end(), 2)), 2), DayAction::Write { revision: 4 });
    }

    #[test]
    fn an_unmarked_day_written_before_it_closed_is_written_again_instead_of_marked() {
        assert_eq!(planned(false, Some(&manifest(day().end(), 2)), 2), DayAction::Write { revision: 4 });
    }

    #[test]
    fn the_next_time_of_day_is_today_or_else_tomorrow() {
        let noon = day().start().plus_seconds(SECONDS_PER_DAY / 2);
        assert_eq!(next_time_of_day(day().start(), 12 * 60), noon);
        assert_eq!(next_time_of_day(noon, 12 * 60), noon.plus_seconds(SECONDS_PER_DAY));
    }

    #[test]
    fn a_day_closes_a_fixed_delay_after_its_end() {
        let end = day().end();
        assert_eq!(last_closed_day(end.plus_seconds(FEED_CLOSE_DELAY_SECONDS)), Some(day()));
        assert_eq!(last_closed_day(end.plus_seconds(FEED_CLOSE_DELAY_SECONDS - 1)), day().previous());
    }
}
