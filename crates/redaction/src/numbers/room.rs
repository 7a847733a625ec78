//! Where a run is kept: in little room where the text has few digits, since noughts have to be written all over it first.

use super::{Digit, Digits, MOST_DIGITS, MOST_GROUPS, Part, Run};

/// Digits, and so groups, of a text at most whose runs are kept in little room, and in the least.
const FEW: usize = 32;
const FEWEST: usize = 12;
/// Room for the digits and groups of a run.
pub(crate) struct Room<const DIGITS: usize, const GROUPS: usize> {
    pub(super) digits: [Digit; DIGITS],
    pub(super) parts: [Part; GROUPS],
}

impl<const DIGITS: usize, const GROUPS: usize> Room<DIGITS, GROUPS> {
    const fn new() -> Self {
        const DIGIT: Digit = Digit { value: 0, start: 0, end: 0 };
        Self { digits: [DIGIT; DIGITS], parts: [Part::NONE; GROUPS] }
    }
}

impl Room<MOST_DIGITS, MOST_GROUPS> {
    /// Room for whatever run a text has.
    pub(crate) const fn for_any() -> Self {
        Self::new()
    }
}

/// Reads the runs of a text that has so many digits, in room that fits.
pub(crate) fn with_room<R>(digits: Digits, work: impl FnOnce(Run<'_>) -> R) -> R {
    if digits.most() <= FEWEST {
        work(Run::within(&mut Room::<FEWEST, FEWEST>::new()))
    } else if digits.most() <= FEW {
        work(Run::within(&mut Room::<FEW, FEW>::new()))
    } else {
        work(Run::within(&mut Room::for_any()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::dice::Dice;
    use crate::tokenize::{Scan, Store};

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
    fn no_run_has_more_digits_than_its_text_is_given_room_for() {
        let mut dice = Dice::new();
        for _ in 0..20_000 {
            let text = dice.text(&WORDS, 16);
            let mut store = Store::new();
            let tokens = Scan::of(&text, &mut store).tokens();
            let (most, mut room, mut from) = (Digits::parted(tokens.all().iter().copied()).most(), Room::for_any(), 0);
            let mut run = Run::within(&mut room);
            while let Some(first) = run.read(&tokens, from) {
                from = run.after.max(first + 1);
                assert!(run.digits().len() <= most && run.parts().len() <= most, "{text}");
            }
        }
    }
}
