//! Moments as text, letter for letter as the interface shows them, without a calendar's work for each.

use parlance_domain::{feed::Day, time::Timestamp};

/// Writes moments, and remembers the last day: rows that follow each other mostly lie on one.
#[derive(Default)]
pub(super) struct MomentWriter {
    day: Option<Day>,
    date: String,
}

impl MomentWriter {
    pub(super) fn write(&mut self, moment: Timestamp, out: &mut Vec<u8>) {
        let day = Day::of(moment);
        if self.day != Some(day) {
            self.day = Some(day);
            self.date = day.to_string();
        }
        out.extend_from_slice(self.date.as_bytes());
        let micros = moment.as_micros() - day.start().as_micros();
        let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
        out.push(b'T');
        digits(seconds / 3_600, 2, out);
        out.push(b':');
        digits(seconds / 60 % 60, 2, out);
        out.push(b':');
        digits(seconds % 60, 2, out);
        out.push(b'.');
        let (fraction, places) = if fraction % 1_000 == 0 { (fraction / 1_000, 3) } else { (fraction, 6) };
        digits(fraction, places, out);
        out.push(b'Z');
    }
}

/// A number in so many decimal digits.
fn digits(number: i64, count: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + count, b'0');
    let mut rest = number.unsigned_abs();
    for digit in out.iter_mut().skip(start).rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_as_the_interface_shows_it() {
        let mut writer = MomentWriter::default();
        for micros in [0, -1, 1, 1_000, 86_399_999_999, 86_400_000_000, 1_769_851_800_250_000, -62_167_219_200_000_000]
        {
            let moment = Timestamp::from_micros(micros).unwrap();
            let mut out = Vec::new();
            writer.write(moment, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), moment.to_string());
        }
    }
}
