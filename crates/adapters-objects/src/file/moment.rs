//! Moments as text, letter for letter as the interface shows them, without a calendar's work for each.

use parlance_domain::{feed::Day, time::Timestamp};

const SECOND: i64 = 1_000_000;

/// Writes moments, and remembers the last second and its day: rows that follow each other mostly lie on one.
#[derive(Default)]
pub(super) struct MomentWriter {
    second: Option<i64>,
    day: Option<Day>,
    date: String,
    /// The last second up to its fraction.
    text: Vec<u8>,
}

impl MomentWriter {
    pub(super) fn write(&mut self, moment: Timestamp, out: &mut Vec<u8>) {
        let (second, fraction) = (moment.as_micros().div_euclid(SECOND), moment.as_micros().rem_euclid(SECOND));
        if self.second != Some(second) {
            self.begin(moment);
            self.second = Some(second);
        }
        out.extend_from_slice(&self.text);
        let digits = digits::<6>(fraction);
        match digits {
            [milliseconds @ .., b'0', b'0', b'0'] => out.extend_from_slice(&milliseconds),
            all => out.extend_from_slice(&all),
        }
        out.push(b'Z');
    }

    fn begin(&mut self, moment: Timestamp) {
        let day = Day::of(moment);
        if self.day != Some(day) {
            self.day = Some(day);
            self.date = day.to_string();
        }
        let seconds = (moment.as_micros() - day.start().as_micros()) / SECOND;
        self.text.clear();
        self.text.extend_from_slice(self.date.as_bytes());
        for (before, number) in [(b'T', seconds / 3_600), (b':', seconds / 60 % 60), (b':', seconds % 60)] {
            self.text.push(before);
            self.text.extend_from_slice(&digits::<2>(number));
        }
        self.text.push(b'.');
    }
}

/// The last digits of a number.
fn digits<const COUNT: usize>(number: i64) -> [u8; COUNT] {
    let (mut digits, mut rest) = ([b'0'; COUNT], u32::try_from(number).unwrap_or_default());
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    digits
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
