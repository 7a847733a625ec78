//! Timestamps: RFC 3339 text in and out, stored as whole microseconds.

mod text;

use std::time::Duration;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta};
pub use text::{TimestampText, TimestampWriter};

/// A point in time: microseconds since 1970-01-01T00:00:00Z, within the UTC years 0000 to 9999.
///
/// Both databases store and order microseconds. Finer digits are truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The error for a text that is not an RFC 3339 date and time, or not a valid calendar time. It does not repeat the
/// text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an RFC 3339 date and time such as 2026-01-31T09:30:00.250Z; without a zone it is taken as UTC")]
pub struct InvalidTimestamp;

/// The wall clock, for times that are stored or shown. The domain has no clock of its own.
///
/// An operator or a time server can set this clock forward or back. Caches and throttles of the process measure their
/// durations with a [`MonotonicClock`].
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// Measures elapsed time, independent of changes of the wall clock.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MonotonicClock: Send + Sync {
    /// The time since a fixed start that stays the same while the process runs. It MUST NOT decrease.
    fn elapsed(&self) -> Duration;
}

/// Microseconds of a second.
pub const MICROS_PER_SECOND: i64 = 1_000_000;

/// Seconds of an hour.
pub const SECONDS_PER_HOUR: i64 = 3_600;

/// Microseconds of an hour.
pub const MICROS_PER_HOUR: i64 = SECONDS_PER_HOUR * MICROS_PER_SECOND;

/// Seconds of a day of UTC.
pub const SECONDS_PER_DAY: i64 = 86_400;

/// Microseconds of a day of UTC.
pub const MICROS_PER_DAY: i64 = SECONDS_PER_DAY * MICROS_PER_SECOND;

const EARLIEST_MICROS: i64 = -62_167_219_200_000_000; // 0000-01-01T00:00:00Z
const LATEST_MICROS: i64 = 253_402_300_799_999_999; // 9999-12-31T23:59:59.999999Z

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);

    /// The first timestamp: 0000-01-01T00:00:00Z.
    pub const MIN: Self = Self(EARLIEST_MICROS);

    /// The last timestamp: 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(LATEST_MICROS);

    /// The timestamp that is `micros` microseconds after 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// [`InvalidTimestamp`] outside the years 0000 to 9999.
    pub fn from_micros(micros: i64) -> Result<Self, InvalidTimestamp> {
        if (EARLIEST_MICROS..=LATEST_MICROS).contains(&micros) { Ok(Self(micros)) } else { Err(InvalidTimestamp) }
    }

    /// Parses an RFC 3339 (section 5.6) date and time. A missing zone means UTC (spec §2.1).
    ///
    /// `T` and `Z` may be lower case. A fraction has 1 to 9 digits; six are kept. Second 60 is accepted only where leap
    /// seconds are inserted, at 23:59:60 UTC on the last day of a month. It becomes the last microsecond before the
    /// next day.
    ///
    /// # Errors
    /// [`InvalidTimestamp`] for any other text.
    pub fn parse(text: &str) -> Result<Self, InvalidTimestamp> {
        Self::parse_bytes(text.as_bytes()).ok_or(InvalidTimestamp)
    }

    fn parse_bytes(text: &[u8]) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let (&[b'T' | b't'], rest) = rest.split_at_checked(1)? else { return None };
        let (time, rest) = rest.split_at_checked(8)?;
        let (micros, zone) = parse_fraction(rest)?;
        let offset = parse_zone(zone)?;

        let date = parse_date(date)?;
        let (hour, minute, second) = parse_time_of_day(time)?;
        let leap = second == 60;
        let time = NaiveTime::from_hms_opt(hour, minute, if leap { 59 } else { second })?;
        let date_time = date.and_time(time).and_utc().checked_sub_signed(offset)?;
        if leap && !can_be_leap_second(date_time) {
            return None;
        }
        let micros = if leap { 999_999 } else { micros };
        Self::from_micros(date_time.timestamp().checked_mul(MICROS_PER_SECOND)?.checked_add(micros)?).ok()
    }

    /// The microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// The duration from this timestamp to a later one; zero if the other is not later.
    #[must_use]
    pub fn until(self, later: Self) -> Duration {
        Duration::from_micros(u64::try_from(later.0.saturating_sub(self.0)).unwrap_or_default())
    }

    /// The timestamp plus `seconds`, clamped to [`MIN`](Self::MIN) and [`MAX`](Self::MAX).
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        let micros = self.0.saturating_add(seconds.saturating_mul(MICROS_PER_SECOND));
        Self(micros.clamp(EARLIEST_MICROS, LATEST_MICROS))
    }
}

fn parse_date(text: &[u8]) -> Option<NaiveDate> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text else { return None };
    let year = parse_digits(&[y1, y2, y3, y4])?;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, parse_digits(&[m1, m2])?, parse_digits(&[d1, d2])?)
}

fn parse_time_of_day(text: &[u8]) -> Option<(u32, u32, u32)> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *text else { return None };
    Some((parse_digits(&[h1, h2])?, parse_digits(&[m1, m2])?, parse_digits(&[s1, s2])?))
}

/// The microseconds of an optional fraction, and the rest of the text.
fn parse_fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let Some(fraction) = text.strip_prefix(b".") else { return Some((0, text)) };
    let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&length) {
        return None;
    }
    let (fraction, rest) = fraction.split_at(length);
    let micros = (0..6).fold(0, |sum, index| {
        let digit = fraction.get(index).map_or(0, |byte| i64::from(byte - b'0'));
        sum * 10 + digit
    });
    Some((micros, rest))
}

fn parse_zone(text: &[u8]) -> Option<TimeDelta> {
    match *text {
        [] | [b'Z' | b'z'] => Some(TimeDelta::zero()),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (parse_digits(&[h1, h2])?, parse_digits(&[m1, m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = TimeDelta::minutes(i64::from(hours * 60 + minutes));
            Some(if sign == b'-' { -offset } else { offset })
        }
        _ => None,
    }
}

fn parse_digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
}

fn can_be_leap_second(date_time: DateTime<chrono::Utc>) -> bool {
    let last_second = NaiveTime::from_hms_opt(23, 59, 59) == Some(date_time.time());
    last_second && date_time.date_naive().succ_opt().is_some_and(|tomorrow| tomorrow.day() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(text: &str) -> Option<String> {
        Timestamp::parse(text).ok().map(|timestamp| timestamp.to_string())
    }

    #[test]
    fn a_missing_zone_is_utc() {
        assert_eq!(normalized("2026-01-31T09:30:00").as_deref(), Some("2026-01-31T09:30:00.000Z"));
    }

    #[test]
    fn an_offset_is_converted_to_utc() {
        assert_eq!(normalized("2026-01-01T00:30:00+05:45").as_deref(), Some("2025-12-31T18:45:00.000Z"));
        assert_eq!(normalized("2026-01-01T00:30:00-00:30").as_deref(), Some("2026-01-01T01:00:00.000Z"));
    }

    #[test]
    fn microseconds_are_kept_and_finer_digits_truncated() {
        assert_eq!(normalized("2026-01-01T00:00:00.123456789Z").as_deref(), Some("2026-01-01T00:00:00.123456Z"));
        assert_eq!(normalized("2026-01-01T00:00:00.1Z").as_deref(), Some("2026-01-01T00:00:00.100Z"));
    }

    #[test]
    fn a_timestamp_before_1970_keeps_its_fraction() {
        assert_eq!(normalized("1969-12-31T23:59:59.250001Z").as_deref(), Some("1969-12-31T23:59:59.250001Z"));
    }

    #[test]
    fn a_leap_second_is_accepted_only_at_the_end_of_a_month() {
        assert_eq!(normalized("2016-12-31T23:59:60Z").as_deref(), Some("2016-12-31T23:59:59.999999Z"));
        assert_eq!(normalized("2016-12-31T15:59:60-08:00").as_deref(), Some("2016-12-31T23:59:59.999999Z"));
        assert_eq!(normalized("2016-12-30T23:59:60Z"), None);
        assert_eq!(normalized("2016-12-31T22:59:60Z"), None);
    }

    #[test]
    fn a_text_that_is_not_a_timestamp_is_refused() {
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T",
            "2026-02-30T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00ZZ",
            "2026-1-1T00:00:00Z",
            "1767225600",
            "now",
            "+2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z ",
            " 2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00−01:00",
            "２０２６-01-01T00:00:00Z",
            "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "2025-02-29T00:00:00Z",
        ] {
            assert_eq!(normalized(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_first_and_the_last_year_are_accepted() {
        assert_eq!(normalized("0000-01-01T00:00:00Z").as_deref(), Some("0000-01-01T00:00:00.000Z"));
        assert_eq!(normalized("9999-12-31T23:59:59.999999Z").as_deref(), Some("9999-12-31T23:59:59.999999Z"));
    }

    proptest::proptest! {
        #[test]
        fn every_formatted_timestamp_parses_to_itself(micros in EARLIEST_MICROS..=LATEST_MICROS) {
            let timestamp = Timestamp::from_micros(micros).unwrap();
            proptest::prop_assert_eq!(Timestamp::parse(&timestamp.to_string()), Ok(timestamp));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,40}|[0-9TtZz:.+\\-]{0,40}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
