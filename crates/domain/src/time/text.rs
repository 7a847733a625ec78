//! Moments as text: RFC 3339 in UTC with `Z`, in milliseconds, or in microseconds where those say more.

use std::fmt;

use chrono::{Datelike, NaiveDate};

use super::Timestamp;

/// In microseconds.
const SECOND: i64 = 1_000_000;

/// In seconds.
const DAY: i64 = 86_400;

/// A moment as it is written, without an allocation.
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

    /// The same as bytes, for whoever writes many.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// Writes moments, and remembers the second and the day of the last: moments that follow each other mostly lie on one day,
/// and each then does without the calendar.
#[derive(Debug, Clone)]
pub struct TimestampWriter {
    /// The second after 1970-01-01, and its day, that are written in `bytes`.
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
    /// The moment as text.
    pub fn text(&mut self, moment: Timestamp) -> TimestampText {
        let second = moment.as_micros().div_euclid(SECOND);
        if self.second != Some(second) {
            self.begin(second);
        }
        let micros = low(moment.as_micros().rem_euclid(SECOND));
        let [.., f1, f2, f3, f4, f5, f6, _] = &mut self.bytes;
        let ends;
        ([*f1, *f2], [*f3, ends], [*f5, *f6]) = (pair(micros / 10_000), pair(micros / 100 % 100), pair(micros % 100));
        let to_milliseconds = micros.is_multiple_of(1_000);
        *f4 = if to_milliseconds { b'Z' } else { ends };
        TimestampText { bytes: self.bytes, length: if to_milliseconds { 24 } else { 27 } }
    }

    /// Adds the moment to others.
    pub fn write(&mut self, moment: Timestamp, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text(moment).as_bytes());
    }

    fn begin(&mut self, second: i64) {
        let day = second.div_euclid(DAY);
        if self.day != Some(day) {
            self.begin_day(day);
        }
        let within = low(second.rem_euclid(DAY));
        let [_, _, _, _, _, _, _, _, _, _, _, h1, h2, _, n1, n2, _, s1, s2, ..] = &mut self.bytes;
        ([*h1, *h2], [*n1, *n2], [*s1, *s2]) = (pair(within / 3_600), pair(within / 60 % 60), pair(within % 60));
        self.second = Some(second);
    }

    fn begin_day(&mut self, day: i64) {
        let date = i32::try_from(day).ok().and_then(NaiveDate::from_epoch_days).unwrap_or_default();
        // The year is at least 0, see `Timestamp::MIN`.
        let year = date.year().unsigned_abs();
        let [y1, y2, y3, y4, _, m1, m2, _, d1, d2, ..] = &mut self.bytes;
        ([*y1, *y2], [*y3, *y4]) = (pair(year / 100), pair(year % 100));
        ([*m1, *m2], [*d1, *d2]) = (pair(date.month()), pair(date.day()));
        self.day = Some(day);
    }
}

/// A number that is not negative and fits, such as what is left of a second or a day.
fn low(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// The two decimal digits of a number below 100.
fn pair(number: u32) -> [u8; 2] {
    let number = u8::try_from(number).unwrap_or_default();
    [b'0' + number / 10, b'0' + number % 10]
}

impl Timestamp {
    /// The moment as text.
    #[must_use]
    pub fn text(self) -> TimestampText {
        TimestampWriter::default().text(self)
    }
}

impl fmt::Display for Timestamp {
    /// As [`text`](Timestamp::text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_milliseconds_and_finer_where_it_is() {
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
    fn a_writer_that_remembers_a_moment_writes_any_other() {
        let mut writer = TimestampWriter::default();
        let seconds = [0, 0, 1, DAY - 1, DAY, -1, -DAY, 20_484 * DAY, 20_485 * DAY, 0];
        for (second, micros) in
            seconds.into_iter().flat_map(|second| [0, 1, 1_000, 999_999].map(|micros| (second, micros)))
        {
            let moment = Timestamp::from_micros(second * SECOND + micros).unwrap();
            let mut out = Vec::new();
            writer.write(moment, &mut out);
            assert_eq!(out, moment.to_string().as_bytes());
        }
    }
}
