//! UTC days, the periods into which feeds are divided.

use std::fmt;

use chrono::{DateTime, Datelike, NaiveDate};

use crate::time::{MICROS_PER_DAY, Timestamp};

/// A UTC day within the years 0000 to 9999, written `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

/// The error for a text that is not a calendar day in the form `YYYY-MM-DD`. It does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day of the calendar in the form YYYY-MM-DD")]
pub struct InvalidDay;

impl Day {
    /// Parses a day.
    ///
    /// # Errors
    /// [`InvalidDay`] unless the text is `YYYY-MM-DD` in ASCII digits and names a calendar day.
    pub fn parse(text: &str) -> Result<Self, InvalidDay> {
        let midnight = Timestamp::parse(&format!("{text}T00:00:00Z")).map_err(|_| InvalidDay)?;
        Ok(Self::containing(midnight))
    }

    /// The UTC day that contains a timestamp.
    #[must_use]
    pub fn containing(timestamp: Timestamp) -> Self {
        Self(timestamp.as_micros().div_euclid(MICROS_PER_DAY))
    }

    /// The day that is this number of days after 1970-01-01.
    ///
    /// # Errors
    /// [`InvalidDay`] outside the years 0000 to 9999.
    pub fn from_epoch_days(number: i64) -> Result<Self, InvalidDay> {
        let valid = Self::containing(Timestamp::MIN).0..=Self::containing(Timestamp::MAX).0;
        if valid.contains(&number) { Ok(Self(number)) } else { Err(InvalidDay) }
    }

    /// The number of days since 1970-01-01.
    #[must_use]
    pub fn epoch_days(self) -> i64 {
        self.0
    }

    /// The start of the day.
    #[must_use]
    pub fn start(self) -> Timestamp {
        Timestamp::from_micros(self.0 * MICROS_PER_DAY).unwrap_or(Timestamp::MAX)
    }

    /// The start of the next day, or [`Timestamp::MAX`] for the last day.
    #[must_use]
    pub fn end(self) -> Timestamp {
        Timestamp::from_micros((self.0 + 1) * MICROS_PER_DAY).unwrap_or(Timestamp::MAX)
    }

    /// The next day, if there is one.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::from_epoch_days(self.0 + 1).ok()
    }

    /// The previous day, if there is one.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        Self::from_epoch_days(self.0 - 1).ok()
    }

    /// The year, the month and the day of the month.
    #[must_use]
    pub fn date(self) -> (i32, u32, u32) {
        let date = self.naive_date();
        (date.year(), date.month(), date.day())
    }

    /// Each day from this one to `last`, both included.
    pub fn through(self, last: Self) -> impl Iterator<Item = Self> {
        (self.0..=last.0).map(Self)
    }

    fn naive_date(self) -> NaiveDate {
        DateTime::from_timestamp_micros(self.0 * MICROS_PER_DAY).unwrap_or_default().date_naive()
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
    fn a_parsed_day_is_formatted_as_the_same_text() {
        for text in ["2026-01-31", "0000-01-01", "9999-12-31", "2024-02-29", "1969-12-31"] {
            assert_eq!(Day::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_text_that_is_not_a_day_is_refused() {
        for text in ["", "2026-02-29", "2026-1-1", "20260101", "2026-01-01T", "2026-01-01 ", "../2026-01", "+026-01-01"]
        {
            assert_eq!(Day::parse(text), Err(InvalidDay), "{text:?}");
        }
    }

    #[test]
    fn a_timestamp_belongs_to_its_utc_day_also_before_1970() {
        let day = |text| Day::containing(Timestamp::parse(text).unwrap()).to_string();
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
    fn a_range_of_days_includes_both_ends() {
        let (first, last) = (Day::parse("2026-01-30").unwrap(), Day::parse("2026-02-02").unwrap());
        assert_eq!(first.through(last).count(), 4);
        assert_eq!(last.through(first).count(), 0);
    }
}
