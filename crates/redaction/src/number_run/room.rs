//! Where a run is kept: in little room where the text has few digits, since noughts have to be written all over it first.

use super::{Digit, MOST_DIGITS, MOST_GROUPS, Part, Run};
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, Token, Tokens};

/// Digits, and so groups, of a text at most whose runs are kept in little room, and in the least.
const FEW: usize = 32;
const FEWEST: usize = 12;
/// Digits that one word of a number adds at most.
const OF_WORD: usize = 4;
/// Misheard digits beside each one that is sure at most, that one counted, and how many must be sure.
const MISHEARD: usize = 4;
const SURE: usize = 3;

/// Groups and digits of the shortest date in digits.
const DATE_GROUPS: usize = 3;
const DATE_DIGITS: usize = 4;

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

/// Words that may stand inside a run.
const THROUGH: u32 = flag::NUMBER | flag::FILLER | flag::AND | flag::MARK;
/// Marks that may, a bit each.
const JOINTS: u64 = 1 << b'-' | 1 << b'.' | 1 << b'/' | 1 << b'(' | 1 << b')' | 1 << b'+' | 1 << b',';

/// Whether no run goes on over a token.
#[expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]
fn parts(token: Token) -> bool {
    (token.kind == Kind::Word) & (token.flags & THROUGH == 0)
        | (token.kind == Kind::Mark) & ((token.code >= 64) | (JOINTS >> (token.code & 63) & 1 == 0))
        | (token.kind == Kind::Mask)
        | (token.gap == Gap::Paragraph)
}

/// How many digits the runs of a text have at most.
#[derive(Clone, Copy)]
pub(crate) struct Digits {
    /// Of those that are sure.
    sure: usize,
    /// Whether other words may stand for digits as well, as they do between digits said one by one.
    misheard: bool,
    /// Whether a run may be a date in digits.
    dated: bool,
}

impl Digits {
    /// None.
    pub(crate) const fn none() -> Self {
        Self { sure: 0, misheard: false, dated: false }
    }

    /// Counts the digits of a text, as if they were one run.
    pub(crate) fn of(tokens: &Tokens<'_>) -> Self {
        let mut digits = Self::none();
        for token in tokens.of_numbers() {
            digits.note(token);
        }
        digits
    }

    /// Takes the next token, as if all were one run.
    #[inline]
    pub(crate) fn note(&mut self, token: Token) {
        self.sure += count(token);
        self.misheard |= token.flags & ONE != 0;
        self.dated = self.sure >= DATE_DIGITS;
    }

    /// Counts the digits of tokens, parted where no run goes on. Where some are said one by one they are counted as one run:
    /// other words may stand for digits between them.
    #[expect(clippy::needless_bitwise_bool, reason = "no processor foresees what a text holds")]
    pub(crate) fn parted(tokens: impl Iterator<Item = Token>) -> Self {
        let (mut all, mut parted, mut digits, mut groups) = (Self::none(), Self::none(), 0, 0);
        for token in tokens {
            let goes_on = usize::from(parts(token)).wrapping_sub(1);
            let count = count(token);
            digits = (digits & goes_on) + count;
            groups = (groups & goes_on) + usize::from(count > 0);
            parted.sure = parted.sure.max(digits);
            parted.dated |= (groups >= DATE_GROUPS) & (digits >= DATE_DIGITS);
            all.note(token);
        }
        if all.misheard { all } else { parted }
    }

    /// Whether other words may stand for digits as well.
    pub(crate) fn may_be_misheard(self) -> bool {
        self.misheard
    }

    /// Whether there are any.
    pub(crate) fn are_any(self) -> bool {
        self.sure > 0
    }

    /// Whether no run has so many digits.
    pub(crate) fn are_fewer_than(self, digits: usize) -> bool {
        self.most() < digits
    }

    /// Whether a run may be the shortest date in digits.
    pub(crate) fn may_be_date(self) -> bool {
        self.dated
    }

    fn most(self) -> usize {
        if self.misheard && self.sure >= SURE { self.sure * MISHEARD } else { self.sure }
    }
}

/// Words of one digit.
const ONE: u32 = flag::DIGIT | flag::OH;

/// The digits of a token at most, by sums and not by branches, which no processor could foresee.
fn count(token: Token) -> usize {
    usize::from(token.code) * usize::from(token.kind == Kind::Digits)
        + OF_WORD * usize::from(token.flags & (flag::NUMBER & !ONE) != 0)
        + usize::from(token.flags & ONE != 0)
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
    use crate::scan::{Scan, Store};

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
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..state >> 33 & 15 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(WORDS[usize::try_from(state >> 40).unwrap() % WORDS.len()]);
                text.push(' ');
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
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
