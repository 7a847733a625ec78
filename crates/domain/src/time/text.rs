//! Timestamps as text: RFC 3339 in UTC with `Z`, in milliseconds, or in microseconds if the timestamp needs them.

use std::fmt;

use chrono::{Datelike, NaiveDate};

use super::{MICROS_PER_SECOND, SECONDS_PER_DAY, Timestamp};

/// A formatted timestamp, without a heap allocation.
#[derive(Debug, Clone, Copy)]
pub struct TimestampText {
    bytes: [u8; 27],
    length: usize,
}

impl TimestampText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The text as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// Formats timestamps and reuses the date and the second of the previous one. Consecutive timestamps are mostly on the
/// same day, so most need no calendar computation.
#[derive(Debug, Clone)]
pub struct TimestampWriter {
    /// The second since 1970-01-01T00:00:00Z and the day since 1970-01-01 that `bytes` holds.
    second: Option<i64>,
    day: Option<i64>,
    bytes: [u8; 27],
}

impl Default for TimestampWriter {
    fn default() -> Self {
        Self { second: None, day: None, bytes: *b"0000-00-00T00:00:00.000000Z" }
    }
}

impl TimestampWriter {
    /// The timestamp as text.
    pub fn text(&mut self, timestamp: Timestamp) -> TimestampText {
        let second = timestamp.as_micros().div_euclid(MICROS_PER_SECOND);
        if self.second != Some(second) {
            self.set_second(second);
        }
        let micros = to_u32(timestamp.as_micros().rem_euclid(MICROS_PER_SECOND));
        let [.., f1, f2, f3, f4, f5, f6, _] = &mut self.bytes;
        let fourth_digit;
        ([*f1, *f2], [*f3, fourth_digit], [*f5, *f6]) =
            (two_digits(micros / 10_000), two_digits(micros / 100 % 100), two_digits(micros % 100));
        let is_whole_milliseconds = micros.is_multiple_of(1_000);
        *f4 = if is_whole_milliseconds { b'Z' } else { fourth_digit };
        TimestampText { bytes: self.bytes, length: if is_whole_milliseconds { 24 } else { 27 } }
    }

    /// Appends the timestamp to `out`.
    pub fn write(&mut self, timestamp: Timestamp, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text(timestamp).as_bytes());
    }

    fn set_second(&mut self, second: i64) {
        let day = second.div_euclid(SECONDS_PER_DAY);
        if self.day != Some(day) {
            self.set_day(day);
        }
        let second_of_day = to_u32(second.rem_euclid(SECONDS_PER_DAY));
        let [_, _, _, _, _, _, _, _, _, _, _, h1, h2, _, n1, n2, _, s1, s2, ..] = &mut self.bytes;
        ([*h1, *h2], [*n1, *n2], [*s1, *s2]) =
            (two_digits(second_of_day / 3_600), two_digits(second_of_day / 60 % 60), two_digits(second_of_day % 60));
        self.second = Some(second);
    }

    fn set_day(&mut self, day: i64) {
        let date = i32::try_from(day).ok().and_then(NaiveDate::from_epoch_days).unwrap_or_default();
        // The year is at least 0, see `Timestamp::MIN`.
        let year = date.year().unsigned_abs();
        let [y1, y2, y3, y4, _, m1, m2, _, d1, d2, ..] = &mut self.bytes;
        ([*y1, *y2], [*y3, *y4]) = (two_digits(year / 100), two_digits(year % 100));
        ([*m1, *m2], [*d1, *d2]) = (two_digits(date.month()), two_digits(date.day()));
        self.day = Some(day);
    }
}

/// Converts a non-negative number that fits, such as a second within a day.
fn to_u32(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// The two decimal digits of a number below 100.
fn two_digits(number: u32) -> [u8; 2] {
    let number = u8::try_from(number).unwrap_or_default();
    [b'0' + number / 10, b'0' + number % 10]
}

impl Timestamp {
    /// The timestamp as text.
    #[must_use]
    pub fn text(self) -> TimestampText {
        TimestampWriter::default().text(self)
    }
}

impl fmt::Display for Timestamp {
    /// Same as [`text`](Timestamp::text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_written_in_milliseconds_or_microseconds_if_needed() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
            (1, "1970-01-01T00:00:00.000001Z"),
            (1_000, "1970-01-01T00:00:00.001Z"),
            (1_769_851_800_250_000, "2026-01-31T09:30:00.250Z"),
            (1_709_251_199_000_100, "2024-02-29T23:59:59.000100Z"),
        ] {
            assert_eq!(Timestamp::from_micros(micros).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_writer_formats_any_timestamp_after_any_other() {
        let mut writer = TimestampWriter::default();
        let seconds = [
            0,
            0,
            1,
            SECONDS_PER_DAY - 1,
            SECONDS_PER_DAY,
            -1,
            -SECONDS_PER_DAY,
            20_484 * SECONDS_PER_DAY,
            20_485 * SECONDS_PER_DAY,
            0,
        ];
        for (second, micros) in
            seconds.into_iter().flat_map(|second| [0, 1, 1_000, 999_999].map(|micros| (second, micros)))
        {
            let timestamp = Timestamp::from_micros(second * MICROS_PER_SECOND + micros).unwrap();
            let mut out = Vec::new();
            writer.write(timestamp, &mut out);
            assert_eq!(out, timestamp.to_string().as_bytes());
        }
    }
}
