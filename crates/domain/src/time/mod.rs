//! Points in time, read and written as RFC 3339, kept as whole microseconds.

mod text;

use std::time::Duration;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta};
pub use text::{TimestampText, TimestampWriter};

/// A point in time: microseconds since 1970-01-01T00:00:00Z, within the years 0000 to 9999 of UTC.
///
/// Microseconds are what both databases can hold and order by; finer digits are cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A text that is no RFC 3339 date and time, or no moment of the calendar. Does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an RFC 3339 date and time such as 2026-01-31T09:30:00.250Z; without a zone it is taken as UTC")]
pub struct NotATimestamp;

/// Tells the time of day: for what is stored or shown as a time. The domain has no clock of its own.
///
/// An operator or a time server can set this clock back or forth. Whatever decides how long something is trusted, held
/// back or kept within the process is measured by a [`MonotonicClock`].
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// Tells how much time passes, whatever is done to the time of day.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MonotonicClock: Send + Sync {
    /// The time that has passed since a moment that stays the same for as long as the process runs. It MUST NOT decrease.
    fn elapsed(&self) -> Duration;
}

const EARLIEST_MICROS: i64 = -62_167_219_200_000_000; // 0000-01-01T00:00:00Z
const LATEST_MICROS: i64 = 253_402_300_799_999_999; // 9999-12-31T23:59:59.999999Z

impl Timestamp {
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);

    /// The first moment there is: 0000-01-01T00:00:00Z.
    pub const MIN: Self = Self(EARLIEST_MICROS);

    /// The last moment there is: 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(LATEST_MICROS);

    /// The moment that lies `micros` microseconds after 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// [`NotATimestamp`] outside the years 0000 to 9999.
    pub fn from_micros(micros: i64) -> Result<Self, NotATimestamp> {
        if (EARLIEST_MICROS..=LATEST_MICROS).contains(&micros) { Ok(Self(micros)) } else { Err(NotATimestamp) }
    }

    /// Reads an RFC 3339 (section 5.6) date and time; a missing zone means UTC (spec §2.1).
    ///
    /// `T` and `Z` may be lower case. A fraction has 1 to 9 digits, of which six are kept. The second 60 is read
    /// only where leap seconds are inserted, at 23:59:60 UTC on the last day of a month, and is the last
    /// microsecond before the next day.
    ///
    /// # Errors
    /// [`NotATimestamp`] for any other text.
    pub fn parse(text: &str) -> Result<Self, NotATimestamp> {
        Self::read(text.as_bytes()).ok_or(NotATimestamp)
    }

    fn read(text: &[u8]) -> Option<Self> {
        let (date, rest) = text.split_at_checked(10)?;
        let (&[b'T' | b't'], rest) = rest.split_at_checked(1)? else { return None };
        let (time, rest) = rest.split_at_checked(8)?;
        let (micros, zone) = read_fraction(rest)?;
        let offset = read_zone(zone)?;

        let date = read_date(date)?;
        let (hour, minute, second) = read_clock_time(time)?;
        let leap = second == 60;
        let time = NaiveTime::from_hms_opt(hour, minute, if leap { 59 } else { second })?;
        let moment = date.and_time(time).and_utc().checked_sub_signed(offset)?;
        if leap && !can_be_leap_second(moment) {
            return None;
        }
        let micros = if leap { 999_999 } else { micros };
        Self::from_micros(moment.timestamp().checked_mul(1_000_000)?.checked_add(micros)?).ok()
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// The time from this moment to a later one; none where that is not later.
    #[must_use]
    pub fn until(self, later: Self) -> Duration {
        Duration::from_micros(u64::try_from(later.0.saturating_sub(self.0)).unwrap_or_default())
    }

    /// This moment and `seconds` more, or the last moment there is.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        let micros = self.0.saturating_add(seconds.saturating_mul(1_000_000));
        Self(micros.clamp(EARLIEST_MICROS, LATEST_MICROS))
    }
}

fn read_date(text: &[u8]) -> Option<NaiveDate> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text else { return None };
    let year = digits(&[y1, y2, y3, y4])?;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, digits(&[m1, m2])?, digits(&[d1, d2])?)
}

fn read_clock_time(text: &[u8]) -> Option<(u32, u32, u32)> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *text else { return None };
    Some((digits(&[h1, h2])?, digits(&[m1, m2])?, digits(&[s1, s2])?))
}

/// Microseconds of an optional fraction, and what follows it.
fn read_fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let Some(fraction) = text.strip_prefix(b".") else { return Some((0, text)) };
    let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&length) {
        return None;
    }
    let (fraction, rest) = fraction.split_at(length);
    let micros = (0..6).fold(0, |sum, place| {
        let digit = fraction.get(place).map_or(0, |byte| i64::from(byte - b'0'));
        sum * 10 + digit
    });
    Some((micros, rest))
}

fn read_zone(text: &[u8]) -> Option<TimeDelta> {
    match *text {
        [] | [b'Z' | b'z'] => Some(TimeDelta::zero()),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (digits(&[h1, h2])?, digits(&[m1, m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = TimeDelta::minutes(i64::from(hours * 60 + minutes));
            Some(if sign == b'-' { -offset } else { offset })
        }
        _ => None,
    }
}

fn digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
}

fn can_be_leap_second(moment: DateTime<chrono::Utc>) -> bool {
    let last_second = NaiveTime::from_hms_opt(23, 59, 59) == Some(moment.time());
    last_second && moment.date_naive().succ_opt().is_some_and(|tomorrow| tomorrow.day() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        Timestamp::parse(text).ok().map(|moment| moment.to_string())
    }

    #[test]
    fn a_missing_zone_is_utc() {
        assert_eq!(shown("2026-01-31T09:30:00").as_deref(), Some("2026-01-31T09:30:00.000Z"));
    }

    #[test]
    fn an_offset_is_brought_to_utc() {
        assert_eq!(shown("2026-01-01T00:30:00+05:45").as_deref(), Some("2025-12-31T18:45:00.000Z"));
        assert_eq!(shown("2026-01-01T00:30:00-00:30").as_deref(), Some("2026-01-01T01:00:00.000Z"));
    }

    #[test]
    fn microseconds_are_kept_and_finer_digits_cut_off() {
        assert_eq!(shown("2026-01-01T00:00:00.123456789Z").as_deref(), Some("2026-01-01T00:00:00.123456Z"));
        assert_eq!(shown("2026-01-01T00:00:00.1Z").as_deref(), Some("2026-01-01T00:00:00.100Z"));
    }

    #[test]
    fn a_moment_before_1970_keeps_its_fraction() {
        assert_eq!(shown("1969-12-31T23:59:59.250001Z").as_deref(), Some("1969-12-31T23:59:59.250001Z"));
    }

    #[test]
    fn a_leap_second_is_read_at_the_end_of_a_month_only() {
        assert_eq!(shown("2016-12-31T23:59:60Z").as_deref(), Some("2016-12-31T23:59:59.999999Z"));
        assert_eq!(shown("2016-12-31T15:59:60-08:00").as_deref(), Some("2016-12-31T23:59:59.999999Z"));
        assert_eq!(shown("2016-12-30T23:59:60Z"), None);
        assert_eq!(shown("2016-12-31T22:59:60Z"), None);
    }

    #[test]
    fn what_is_no_moment_is_refused() {
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
            assert_eq!(shown(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_first_and_the_last_year_are_read() {
        assert_eq!(shown("0000-01-01T00:00:00Z").as_deref(), Some("0000-01-01T00:00:00.000Z"));
        assert_eq!(shown("9999-12-31T23:59:59.999999Z").as_deref(), Some("9999-12-31T23:59:59.999999Z"));
    }

    proptest::proptest! {
        #[test]
        fn every_moment_that_is_shown_is_read_back(micros in EARLIEST_MICROS..=LATEST_MICROS) {
            let moment = Timestamp::from_micros(micros).unwrap();
            proptest::prop_assert_eq!(Timestamp::parse(&moment.to_string()), Ok(moment));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,40}|[0-9TtZz:.+\\-]{0,40}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
