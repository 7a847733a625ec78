//! When a server exports feeds: closed hours after each full hour, and everything else once a day. What did not succeed is
//! tried again.

use std::time::Duration;

use parlance_domain::{
    feed::{
        IntervalLength,
        plan::{next_hour_close, next_time_of_day},
    },
    time::Timestamp,
};

/// Seconds until an export of hours that did not succeed is tried again. If the replica that exports stops, another one
/// goes on after this time.
const RETRY_SECONDS: i64 = 60;
/// Seconds until an export of everything that did not succeed is tried again, on every replica. It reads more than an
/// export of hours.
const RETRY_ALL_SECONDS: i64 = 600;

/// An export that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportKind {
    /// The missing hours of today and yesterday.
    Hours,
    /// All missing days and hours, and all late changes.
    All,
}

/// The times of the next exports.
pub(crate) struct FeedSchedule {
    /// The minute of the UTC day at which everything is exported.
    minute: u16,
    next_all: Timestamp,
    /// None if days are written as a whole.
    next_hours: Option<Timestamp>,
}

impl FeedSchedule {
    /// A schedule from `now` on. Hours are due at once, because the process may have started after they closed.
    pub(crate) fn new(minute: u16, length: IntervalLength, now: Timestamp) -> Self {
        let next_hours = (length == IntervalLength::Hour).then_some(now);
        Self { minute, next_all: next_time_of_day(now, minute), next_hours }
    }

    /// The next export and its time. Hours come first.
    pub(crate) fn next(&self) -> (ExportKind, Timestamp) {
        match self.next_hours {
            Some(hours) if hours <= self.next_all => (ExportKind::Hours, hours),
            _ => (ExportKind::All, self.next_all),
        }
    }

    /// The time that an export may take from `now` on; `None` without a limit. Then the next hours are due.
    pub(crate) fn time_limit(&self, kind: ExportKind, now: Timestamp) -> Option<Duration> {
        let next_hours = self.next_hours.filter(|_| kind == ExportKind::All)?;
        Some(Duration::from_micros((next_hours.as_micros() - now.as_micros()).unsigned_abs()))
    }

    /// Records the end of an export that began at `began`. One that reached its limit goes on after the next hours.
    pub(crate) fn record_end(&mut self, kind: ExportKind, began: Timestamp, now: Timestamp, end: ExportEnd) {
        match (kind, end) {
            (ExportKind::Hours, ExportEnd::Succeeded) => self.next_hours = Some(next_hour_close(began)),
            (ExportKind::Hours, _) => self.next_hours = Some(now.plus_seconds(RETRY_SECONDS)),
            (ExportKind::All, ExportEnd::ReachedLimit) => self.next_all = self.next_hours.unwrap_or(now),
            (ExportKind::All, ExportEnd::Succeeded) => self.next_all = next_time_of_day(now, self.minute),
            (ExportKind::All, ExportEnd::NotDone) => {
                self.next_all = next_time_of_day(now, self.minute).min(now.plus_seconds(RETRY_ALL_SECONDS));
            }
        }
    }
}

/// The end of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportEnd {
    /// All of it is written.
    Succeeded,
    /// It failed, or another replica runs it.
    NotDone,
    /// It was interrupted because the next hours are due.
    ReachedLimit,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(&format!("2026-01-31T{text}Z")).unwrap()
    }

    #[test]
    fn days_that_are_exported_are_due_again_on_the_next_day() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Day, at("00:30:00"));
        assert_eq!(schedule.next(), (ExportKind::All, at("01:00:00")));
        assert_eq!(schedule.time_limit(ExportKind::All, at("01:00:00")), None);
        schedule.record_end(ExportKind::All, at("01:00:00"), at("01:20:00"), ExportEnd::Succeeded);
        assert_eq!(schedule.next().1, Timestamp::parse("2026-02-01T01:00:00Z").unwrap());
    }

    #[test]
    fn days_that_are_not_exported_are_tried_again_after_ten_minutes() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Day, at("00:30:00"));
        schedule.record_end(ExportKind::All, at("01:00:00"), at("01:20:00"), ExportEnd::NotDone);
        assert_eq!(schedule.next(), (ExportKind::All, at("01:30:00")));
    }

    #[test]
    fn a_failure_just_before_the_minute_of_the_export_does_not_delay_it() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Day, at("00:30:00"));
        schedule.record_end(ExportKind::All, at("00:50:00"), at("00:55:00"), ExportEnd::NotDone);
        assert_eq!(schedule.next(), (ExportKind::All, at("01:00:00")));
    }

    #[test]
    fn hours_are_exported_at_the_start_and_five_minutes_after_each_full_hour() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Hour, at("07:20:00"));
        assert_eq!(schedule.next(), (ExportKind::Hours, at("07:20:00")));
        schedule.record_end(ExportKind::Hours, at("07:20:00"), at("07:21:00"), ExportEnd::Succeeded);
        assert_eq!(schedule.next(), (ExportKind::Hours, at("08:05:00")));
    }

    #[test]
    fn an_hour_that_closes_during_an_export_of_hours_is_due_at_once() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Hour, at("07:04:00"));
        schedule.record_end(ExportKind::Hours, at("07:04:00"), at("07:06:00"), ExportEnd::Succeeded);
        assert_eq!(schedule.next(), (ExportKind::Hours, at("07:05:00")));
    }

    #[test]
    fn hours_that_are_not_done_are_tried_again_after_a_minute() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Hour, at("07:05:00"));
        schedule.record_end(ExportKind::Hours, at("07:05:00"), at("07:05:01"), ExportEnd::NotDone);
        assert_eq!(schedule.next(), (ExportKind::Hours, at("07:06:01")));
    }

    #[test]
    fn an_export_of_everything_makes_room_for_the_next_hours_and_then_goes_on() {
        let mut schedule = FeedSchedule::new(60, IntervalLength::Hour, at("00:50:00"));
        schedule.record_end(ExportKind::Hours, at("00:50:00"), at("00:51:00"), ExportEnd::Succeeded);
        assert_eq!(schedule.next(), (ExportKind::All, at("01:00:00")));
        assert_eq!(schedule.time_limit(ExportKind::All, at("01:00:00")), Some(Duration::from_mins(5)));
        schedule.record_end(ExportKind::All, at("01:00:00"), at("01:05:00"), ExportEnd::ReachedLimit);
        assert_eq!(schedule.next(), (ExportKind::Hours, at("01:05:00")));
        schedule.record_end(ExportKind::Hours, at("01:05:00"), at("01:06:00"), ExportEnd::Succeeded);
        assert_eq!(schedule.next(), (ExportKind::All, at("01:05:00")));
    }
}
