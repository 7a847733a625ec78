//! Which days are written: the rule of completeness and of revisions.

use super::{Day, Manifest};
use crate::{limits::FEED_SETTLE_SECONDS, time::Timestamp};

/// The first moment from which a day is over: what was created on it is stored by then.
#[must_use]
pub fn over_at(day: Day) -> Timestamp {
    day.end().plus_seconds(FEED_SETTLE_SECONDS)
}

/// Whether everything that was stored before a moment is all of a day. A day that is written before is not complete.
#[must_use]
pub fn is_over(day: Day, moment: Timestamp) -> bool {
    moment >= over_at(day)
}

/// The last day that is over at a moment, where there is one.
#[must_use]
pub fn last_day_over(now: Timestamp) -> Option<Day> {
    Day::of(now.plus_seconds(-FEED_SETTLE_SECONDS)).previous()
}

/// The next moment after `now` at a minute of the day, the first of which is 0.
#[must_use]
pub fn next_at(now: Timestamp, minute: u16) -> Timestamp {
    let today = Day::of(now);
    let at = |day: Day| day.start().plus_seconds(i64::from(minute) * 60);
    if at(today) > now { at(today) } else { today.next().map_or(Timestamp::MAX, at) }
}

/// What is to be done with a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayTask {
    /// Write this revision of it.
    Write {
        /// The number of the revision.
        revision: u32,
    },
    /// Its manifest is there and right, and only the mark is missing.
    Mark,
    /// Nothing: it is as it should be.
    Leave,
}

/// What is known of a day when it is decided what to do with it.
#[derive(Debug, Clone, Copy)]
pub struct DayState<'manifest> {
    /// The day.
    pub day: Day,
    /// Whether it is marked as complete.
    pub complete: bool,
    /// Its manifest, where it has one.
    pub manifest: Option<&'manifest Manifest>,
    /// How many changes after its end are known of it.
    pub late_changes: u64,
}

/// Decides what to do with a day.
///
/// It is written anew, in the next revision, where it was changed after its end since, or where it was not over yet when
/// it was written. A day without a manifest that is marked as complete was written by something else: it is left alone.
#[must_use]
pub fn task(state: DayState<'_>) -> DayTask {
    let Some(manifest) = state.manifest else {
        return if state.complete { DayTask::Leave } else { DayTask::Write { revision: 1 } };
    };
    let origin = &manifest.origin;
    let current = origin.late_changes == state.late_changes && is_over(state.day, origin.watermark);
    match (current, state.complete) {
        (true, true) => DayTask::Leave,
        (true, false) => DayTask::Mark,
        (false, _) => DayTask::Write { revision: origin.revision.saturating_add(1) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Compression, Origin};

    fn day() -> Day {
        Day::parse("2026-01-31").unwrap()
    }

    fn manifest(watermark: Timestamp, late_changes: u64) -> Manifest {
        let compression = Compression::None;
        Manifest {
            origin: Origin { revision: 3, watermark, late_changes, masked_with: None, compression },
            files: Vec::new(),
        }
    }

    fn decided(complete: bool, manifest: Option<&Manifest>, late_changes: u64) -> DayTask {
        task(DayState { day: day(), complete, manifest, late_changes })
    }

    #[test]
    fn a_day_that_was_never_written_is_written_in_its_first_revision() {
        assert_eq!(decided(false, None, 0), DayTask::Write { revision: 1 });
    }

    #[test]
    fn a_day_that_something_else_wrote_is_left_alone() {
        assert_eq!(decided(true, None, 7), DayTask::Leave);
    }

    #[test]
    fn a_day_that_is_as_it_should_be_is_left_alone() {
        assert_eq!(decided(true, Some(&manifest(over_at(day()), 2)), 2), DayTask::Leave);
    }

    #[test]
    fn a_day_that_only_lacks_its_mark_is_marked() {
        assert_eq!(decided(false, Some(&manifest(over_at(day()), 2)), 2), DayTask::Mark);
    }

    #[test]
    fn a_day_that_was_changed_late_is_written_in_the_next_revision() {
        assert_eq!(decided(true, Some(&manifest(over_at(day()), 2)), 3), DayTask::Write { revision: 4 });
    }

    #[test]
    fn a_day_that_was_written_before_it_was_over_is_written_in_the_next_revision() {
        assert_eq!(decided(true, Some(&manifest(day().end(), 2)), 2), DayTask::Write { revision: 4 });
    }

    #[test]
    fn a_day_that_was_written_before_it_was_over_and_is_not_marked_is_written_and_not_marked() {
        assert_eq!(decided(false, Some(&manifest(day().end(), 2)), 2), DayTask::Write { revision: 4 });
    }

    #[test]
    fn the_next_time_of_day_is_today_or_else_tomorrow() {
        let noon = day().start().plus_seconds(12 * 3_600);
        assert_eq!(next_at(day().start(), 12 * 60), noon);
        assert_eq!(next_at(noon, 12 * 60), noon.plus_seconds(86_400));
    }

    #[test]
    fn a_day_is_over_a_while_after_its_end() {
        let end = day().end();
        assert_eq!(last_day_over(end.plus_seconds(FEED_SETTLE_SECONDS)), Some(day()));
        assert_eq!(last_day_over(end.plus_seconds(FEED_SETTLE_SECONDS - 1)), day().previous());
    }
}
