//! Intervals, the times into which feeds are divided: a UTC day, or one of its hours.

use std::fmt;

use super::Day;
use crate::{
    limits::FEED_CLOSE_DELAY_SECONDS,
    text::Violation,
    time::{MICROS_PER_DAY, MICROS_PER_HOUR, Timestamp},
};

/// The number of hours of a UTC day.
const HOURS_PER_DAY: u8 = 24;

/// An hour of a UTC day, from 0 to 23, written `07`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hour(u8);

impl Hour {
    /// The optional prefix of an hour. The layout of a store always writes it.
    pub const PREFIX: &'static str = "hr=";

    /// The pattern of an hour, with or without its prefix.
    pub const PATTERN: &'static str = "^(hr=)?([01][0-9]|2[0-3])$";

    /// Parses an hour with or without its prefix. Both forms give equal values.
    ///
    /// # Errors
    /// [`Violation::Pattern`] unless the text is two ASCII digits from `00` to `23`.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let bare = text.strip_prefix(Self::PREFIX).unwrap_or(text);
        let is_plain = bare.len() == 2 && bare.bytes().all(|byte| byte.is_ascii_digit());
        let number = bare.parse().ok().filter(|_| is_plain);
        number.and_then(Self::from_number).ok_or(Violation::Pattern(Self::PATTERN))
    }

    /// The hour with this number; `None` above 23.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        (number < HOURS_PER_DAY).then_some(Self(number))
    }

    /// The number of the hour, from 0 to 23.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// Each hour of a day, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..HOURS_PER_DAY).map(Self)
    }

    /// The hour with its prefix, as in the layout of a store.
    #[must_use]
    pub fn prefixed(self) -> String {
        format!("{}{self}", Self::PREFIX)
    }
}

impl fmt::Display for Hour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}", self.0)
    }
}

/// A UTC day or one of its hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The day.
    pub day: Day,
    /// The hour of the day; `None` for the whole day.
    pub hour: Option<Hour>,
}

impl From<Day> for Interval {
    fn from(day: Day) -> Self {
        Self { day, hour: None }
    }
}

impl Interval {
    /// The hour that contains a timestamp.
    #[must_use]
    pub fn hour_containing(timestamp: Timestamp) -> Self {
        let hour = timestamp.as_micros().rem_euclid(MICROS_PER_DAY) / MICROS_PER_HOUR;
        Self { day: Day::containing(timestamp), hour: u8::try_from(hour).ok().and_then(Hour::from_number) }
    }

    /// Each hour of a day, ascending.
    pub fn hours_of(day: Day) -> impl Iterator<Item = Self> {
        Hour::all().map(move |hour| Self { day, hour: Some(hour) })
    }

    /// The start of the interval.
    #[must_use]
    pub fn start(self) -> Timestamp {
        let Some(Hour(hour)) = self.hour else { return self.day.start() };
        self.hour_boundary(hour)
    }

    /// The start of the next interval of this length, or [`Timestamp::MAX`] for the last one.
    #[must_use]
    pub fn end(self) -> Timestamp {
        match self.hour {
            Some(Hour(hour)) if hour + 1 < HOURS_PER_DAY => self.hour_boundary(hour + 1),
            _ => self.day.end(),
        }
    }

    /// The time at which the interval closes. Everything created in the interval is stored by then.
    #[must_use]
    pub fn closes_at(self) -> Timestamp {
        self.end().plus_seconds(FEED_CLOSE_DELAY_SECONDS)
    }

    /// Whether the interval is closed at a timestamp: a revision with this watermark holds the whole interval.
    #[must_use]
    pub fn is_closed(self, timestamp: Timestamp) -> bool {
        timestamp >= self.closes_at()
    }

    fn hour_boundary(self, hour: u8) -> Timestamp {
        let micros = self.day.start().as_micros() + i64::from(hour) * MICROS_PER_HOUR;
        Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hour {
            Some(hour) => write!(f, "{} {}", self.day, hour.prefixed()),
            None => self.day.fmt(f),
        }
    }
}

/// The length of the intervals in which a producer writes new days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IntervalLength {
    /// Each day is written as one interval.
    #[default]
    Day,
    /// Each hour is written as one interval, and a day is the sum of its hours.
    Hour,
}

impl IntervalLength {
    /// Parses `daily` or `hourly`.
    ///
    /// # Errors
    /// A sentence that names both values.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        match text {
            "daily" => Ok(Self::Day),
            "hourly" => Ok(Self::Hour),
            _ => Err("must be daily or hourly"),
        }
    }

    /// The last day that has a closed interval of this length at `now`, if there is one.
    #[must_use]
    pub fn last_day(self, now: Timestamp) -> Option<Day> {
        let closed_until = now.plus_seconds(-FEED_CLOSE_DELAY_SECONDS);
        let today = Day::containing(closed_until);
        let has_closed_hour = Interval::hour_containing(closed_until).start() > today.start();
        if self == Self::Hour && has_closed_hour { Some(today) } else { today.previous() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SECONDS_PER_HOUR;

    fn day() -> Day {
        Day::parse("2026-01-31").unwrap()
    }

    #[test]
    fn an_hour_is_two_digits_with_or_without_its_prefix() {
        assert_eq!(Hour::parse("hr=07"), Hour::parse("07"));
        assert_eq!(Hour::parse("23").unwrap().prefixed(), "hr=23");
        for text in ["", "7", "24", "007", "+7", "hr=", "hr=hr=07", "hr=7", "0a", " 7", "\u{663}\u{663}"] {
            assert!(Hour::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_hours_of_a_day_follow_each_other_from_its_start_to_its_end() {
        let hours: Vec<_> = Interval::hours_of(day()).collect();
        assert_eq!((hours[0].start(), hours[23].end()), (day().start(), day().end()));
        assert!(hours.windows(2).all(|pair| pair[0].end() == pair[1].start()));
        assert_eq!(hours.len(), 24);
    }

    #[test]
    fn a_timestamp_belongs_to_its_hour_also_before_1970() {
        let hour = |text| Interval::hour_containing(Timestamp::parse(text).unwrap()).to_string();
        assert_eq!(hour("2026-01-31T23:59:59.999999Z"), "2026-01-31 hr=23");
        assert_eq!(hour("1969-12-31T00:00:00Z"), "1969-12-31 hr=00");
    }

    #[test]
    fn an_interval_closes_five_minutes_after_its_end() {
        let first = Interval::hours_of(day()).next().unwrap();
        let close = day().start().plus_seconds(SECONDS_PER_HOUR + FEED_CLOSE_DELAY_SECONDS);
        assert!(first.is_closed(close) && !first.is_closed(close.plus_seconds(-1)));
        assert_eq!(Interval::from(day()).closes_at(), day().end().plus_seconds(FEED_CLOSE_DELAY_SECONDS));
    }

    #[test]
    fn the_last_day_has_a_closed_interval() {
        let close = day().start().plus_seconds(SECONDS_PER_HOUR + FEED_CLOSE_DELAY_SECONDS);
        assert_eq!(IntervalLength::Hour.last_day(close), Some(day()));
        assert_eq!(IntervalLength::Hour.last_day(close.plus_seconds(-1)), day().previous());
        assert_eq!(IntervalLength::Day.last_day(Interval::from(day()).closes_at()), Some(day()));
        assert_eq!(IntervalLength::Day.last_day(Interval::from(day()).closes_at().plus_seconds(-1)), day().previous());
    }
}
