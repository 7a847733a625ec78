//! Days of UTC, as feeds are divided into.

use std::fmt;

use chrono::{DateTime, Datelike, NaiveDate};

use crate::time::Timestamp;

const MICROS_OF_A_DAY: i64 = 86_400_000_000;

/// A day of UTC within the years 0000 to 9999, written `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

/// A text that is no day of the calendar in the form `YYYY-MM-DD`. Does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day of the calendar in the form YYYY-MM-DD")]
pub struct NotADay;

impl Day {
    /// Reads a day.
    ///
    /// # Errors
    /// [`NotADay`] unless the text is `YYYY-MM-DD` in ASCII digits and names a day of the calendar.
    pub fn parse(text: &str) -> Result<Self, NotADay> {
        let midnight = Timestamp::parse(&format!("{text}T00:00:00Z")).map_err(|_| NotADay)?;
        Ok(Self::of(midnight))
    }

    /// The day on which a moment lies.
    #[must_use]
    pub fn of(moment: Timestamp) -> Self {
        Self(moment.as_micros().div_euclid(MICROS_OF_A_DAY))
    }

    /// The day so many days after 1970-01-01.
    ///
    /// # Errors
    /// [`NotADay`] outside the years 0000 to 9999.
    pub fn from_number(number: i64) -> Result<Self, NotADay> {
        let first = Self::of(Timestamp::MIN).0..=Self::of(Timestamp::MAX).0;
        if first.contains(&number) { Ok(Self(number)) } else { Err(NotADay) }
    }

    /// How many days it lies after 1970-01-01.
    #[must_use]
    pub fn number(self) -> i64 {
        self.0
    }

    /// Its first moment.
    #[must_use]
    pub fn start(self) -> Timestamp {
        Timestamp::from_micros(self.0 * MICROS_OF_A_DAY).unwrap_or(Timestamp::MAX)
    }

    /// The first moment after it; the last moment there is after the last day there is.
    #[must_use]
    pub fn end(self) -> Timestamp {
        Timestamp::from_micros((self.0 + 1) * MICROS_OF_A_DAY).unwrap_or(Timestamp::MAX)
    }

    /// The day after it, where there is one.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::from_number(self.0 + 1).ok()
    }

    /// The day before it, where there is one.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        Self::from_number(self.0 - 1).ok()
    }

    /// Its year, month and day of the month.
    #[must_use]
    pub fn date(self) -> (i32, u32, u32) {
        let date = self.naive();
        (date.year(), date.month(), date.day())
    }

    /// Each day from this one to `last`, both included.
    pub fn through(self, last: Self) -> impl Iterator<Item = Self> {
        (self.0..=last.0).map(Self)
    }

    fn naive(self) -> NaiveDate {
        DateTime::from_timestamp_micros(self.0 * MICROS_OF_A_DAY).unwrap_or_default().date_naive()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_and_shown_in_one_form() {
        for text in ["2026-01-31", "0000-01-01", "9999-12-31", "2024-02-29", "1969-12-31"] {
            assert_eq!(Day::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in ["", "2026-02-29", "2026-1-1", "20260101", "2026-01-01T", "2026-01-01 ", "../2026-01", "+026-01-01"]
        {
            assert_eq!(Day::parse(text), Err(NotADay), "{text:?}");
        }
    }

    #[test]
    fn a_moment_lies_on_its_day_of_utc_also_before_1970() {
        let day = |text| Day::of(Timestamp::parse(text).unwrap()).to_string();
        assert_eq!(day("2026-01-31T23:59:59.999999Z"), "2026-01-31");
        assert_eq!(day("2026-02-01T00:30:00+01:00"), "2026-01-31");
        assert_eq!(day("1969-12-31T23:59:59.999999Z"), "1969-12-31");
    }

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let day = Day::parse("2026-02-28").unwrap();
        assert_eq!(day.end(), day.next().unwrap().start());
        assert_eq!(day.next().unwrap().to_string(), "2026-03-01");
        assert_eq!(day.next().unwrap().previous(), Some(day));
    }

    #[test]
    fn there_is_no_day_after_the_last() {
        let last = Day::parse("9999-12-31").unwrap();
        assert_eq!((last.next(), last.end()), (None, Timestamp::MAX));
    }

    #[test]
    fn days_are_walked_with_both_ends() {
        let (first, last) = (Day::parse("2026-01-30").unwrap(), Day::parse("2026-02-02").unwrap());
        assert_eq!(first.through(last).count(), 4);
        assert_eq!(last.through(first).count(), 0);
    }
}
