//! Moments as text: RFC 3339 in UTC with `Z`, in milliseconds, or in microseconds where those say more.

use std::fmt;

use chrono::{Datelike, NaiveDate};

use super::Timestamp;

const SECOND: u64 = 1_000_000;
const DAY: i64 = 86_400_000_000;

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

/// Writes moments, and remembers the day of the last: moments that follow each other mostly lie on one, and each then does
/// without the calendar.
#[derive(Debug, Clone, Default)]
pub struct TimestampWriter {
    /// The day after 1970-01-01, and its date.
    day: Option<(i64, [u8; 10])>,
}

impl TimestampWriter {
    /// The moment as text.
    pub fn text(&mut self, moment: Timestamp) -> TimestampText {
        let [y1, y2, y3, y4, _, m1, m2, _, d1, d2] = self.date(moment.as_micros().div_euclid(DAY));
        let within = moment.as_micros().rem_euclid(DAY).unsigned_abs();
        let [second, micros] = [within / SECOND, within % SECOND].map(|part| u32::try_from(part).unwrap_or_default());
        let ([h1, h2], [n1, n2], [s1, s2]) = (pair(second / 3_600), pair(second / 60 % 60), pair(second % 60));
        let ([f1, f2], [f3, f4], [f5, f6]) = (pair(micros / 10_000), pair(micros / 100 % 100), pair(micros % 100));
        let to_milliseconds = micros % 1_000 == 0;
        let (f4, length) = if to_milliseconds { (b'Z', 24) } else { (f4, 27) };
        let bytes = [
            y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2, b'.', f1, f2, f3, f4,
            f5, f6, b'Z',
        ];
        TimestampText { bytes, length }
    }

    /// Adds the moment to others.
    pub fn write(&mut self, moment: Timestamp, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text(moment).as_bytes());
    }

    fn date(&mut self, day: i64) -> [u8; 10] {
        match self.day {
            Some((known, date)) if known == day => date,
            _ => self.day.insert((day, date_text(day))).1,
        }
    }
}

fn date_text(day: i64) -> [u8; 10] {
    let date = i32::try_from(day).ok().and_then(NaiveDate::from_epoch_days).unwrap_or_default();
    // The year is at least 0, see `Timestamp::MIN`.
    let year = date.year().unsigned_abs();
    let ([y1, y2], [y3, y4]) = (pair(year / 100), pair(year % 100));
    let ([m1, m2], [d1, d2]) = (pair(date.month()), pair(date.day()));
    [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2]
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
    fn a_writer_that_remembers_a_day_writes_any_other() {
        let mut writer = TimestampWriter::default();
        for day in [0, 0, -1, 20_484, 20_485, 0] {
            let moment = Timestamp::from_micros(day * DAY + 1).unwrap();
            let mut out = Vec::new();
            writer.write(moment, &mut out);
            assert_eq!(out, moment.to_string().as_bytes());
        }
    }
}
