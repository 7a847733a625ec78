//! The buffer of a run. A text with few digits gets a small buffer, since each buffer is filled with zeros first.

use super::digit_group::{Digit, DigitGroup};

/// Maximum number of digits of a run. A longer run is read in overlapping parts.
pub(crate) const MAX_DIGITS: usize = 96;
/// Maximum number of groups of a run.
pub(crate) const MAX_GROUPS: usize = 80;

/// A buffer for the digits and groups of a run.
pub(crate) struct RunBuffer<const DIGITS: usize, const GROUPS: usize> {
    pub(super) digits: [Digit; DIGITS],
    pub(super) groups: [DigitGroup; GROUPS],
}

impl<const DIGITS: usize, const GROUPS: usize> RunBuffer<DIGITS, GROUPS> {
    pub(crate) const fn new() -> Self {
        const DIGIT: Digit = Digit { value: 0, start: 0, end: 0 };
        Self { digits: [DIGIT; DIGITS], groups: [DigitGroup::NONE; GROUPS] }
    }
}

impl RunBuffer<MAX_DIGITS, MAX_GROUPS> {
    /// A buffer for any run.
    pub(crate) const fn full_size() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{DigitBound, NumberRun};
    use crate::tests::dice::Dice;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    const WORDS: [&str; 18] = [
        "one",
        "oh",
        "ten",
        "twenty",
        "hundred",
        "thousand",
        "quadruple",
        "double",
        "to",
        "for",
        "7",
        "4111",
        "-",
        "uh",
        ":",
        ",",
        "cab",
        "****",
    ];

    #[test]
    fn no_run_has_more_digits_or_groups_than_the_bound_of_its_text() {
        let mut dice = Dice::new();
        for _ in 0..20_000 {
            let text = dice.text(&WORDS, 16);
            let mut token_buffer = TokenBuffer::new();
            let tokens = TokenizedText::new(&text, &mut token_buffer).tokens();
            let (max_digits, mut run_buffer, mut from) =
                (DigitBound::by_run(tokens.as_slice().iter().copied()).max_digits(), RunBuffer::full_size(), 0);
            let mut run = NumberRun::new(&mut run_buffer);
            while let Some(first) = run.read(&tokens, from) {
                from = run.end_token.max(first + 1);
                assert!(run.digits().len() <= max_digits && run.groups().len() <= max_digits, "{text}");
            }
        }
    }
}
