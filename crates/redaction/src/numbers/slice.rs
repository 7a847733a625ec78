//! A stretch of a number run between two of its joints: the digits, how they are grouped, and what may stay readable.

use crate::numbers::{Digit, Joint, MOST_DIGITS, Part, Run};
use crate::tokenize::{Kind, Token, Tokens};

/// Groups `from..to` of a run.
#[derive(Clone, Copy)]
pub(crate) struct Slice<'a, 't> {
    pub(crate) tokens: &'a Tokens<'t>,
    pub(crate) run: &'a Run<'a>,
    /// The run's digits in ASCII.
    pub(crate) ascii: &'a [u8; MOST_DIGITS],
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The digits of the run that are its own, from and to.
    own: (usize, usize),
}

impl<'a, 't> Slice<'a, 't> {
    /// All of a run, whose digits in ASCII are given.
    pub(crate) fn whole(tokens: &'a Tokens<'t>, run: &'a Run<'_>, ascii: &'a [u8; MOST_DIGITS]) -> Self {
        Self { tokens, run, ascii, from: 0, to: 0, own: (0, 0) }.sub(0, run.parts().len())
    }

    pub(crate) fn sub(self, from: usize, to: usize) -> Self {
        let own = match &self.run.parts()[from..to] {
            [] => (0, 0),
            [first, .., last] => (usize::from(first.first), usize::from(last.first + last.count)),
            [only] => (usize::from(only.first), usize::from(only.first + only.count)),
        };
        Self { from, to, own, ..self }
    }

    pub(crate) fn parts(self) -> &'a [Part] {
        &self.run.parts()[self.from..self.to]
    }

    fn digit_range(self) -> std::ops::Range<usize> {
        self.own.0..self.own.1
    }

    pub(crate) fn digits(self) -> &'a [Digit] {
        &self.run.digits()[self.digit_range()]
    }

    /// The digits in ASCII.
    pub(crate) fn compact(self) -> &'a [u8] {
        &self.ascii[self.digit_range()]
    }

    pub(crate) fn len(self) -> usize {
        self.own.1 - self.own.0
    }

    pub(crate) fn start(self) -> u32 {
        self.digits().first().map_or(0, |d| d.start)
    }

    pub(crate) fn end(self) -> u32 {
        self.digits().last().map_or(0, |d| d.end)
    }

    /// First token.
    pub(crate) fn token(self) -> usize {
        self.parts().first().map_or(0, |p| p.token as usize)
    }

    /// Token after the last.
    pub(crate) fn after(self) -> usize {
        self.parts().last().map_or(0, |p| p.after as usize)
    }

    pub(crate) fn before(self) -> Token {
        self.tokens.before(self.token())
    }

    pub(crate) fn next(self) -> Token {
        self.tokens.at(self.after())
    }

    pub(crate) fn spoken(self) -> bool {
        self.parts().iter().any(|p| p.spoken)
    }

    pub(crate) fn all_spoken(self) -> bool {
        self.parts().iter().all(|p| p.spoken)
    }

    /// The loosest joint inside.
    pub(crate) fn loosest(self) -> Joint {
        self.parts().iter().skip(1).map(|p| p.joint).max().unwrap_or(Joint::Touching)
    }

    /// The text from the first digit to the last.
    pub(crate) fn raw(self) -> &'t str {
        self.tokens.between(self.start(), self.end())
    }

    /// Whether the groups have these lengths.
    pub(crate) fn grouped(self, lengths: &[u8]) -> bool {
        self.parts().len() == lengths.len() && self.parts().iter().zip(lengths).all(|(p, l)| p.count == *l)
    }

    /// Whether all joints have this mark.
    pub(crate) fn joined_by(self, mark: u8) -> bool {
        self.parts().len() > 1 && self.parts().iter().skip(1).all(|p| p.mark == mark)
    }

    /// Whether the slice was cut out of digits that hang together more tightly than words do.
    pub(crate) fn is_torn(self) -> bool {
        let tight = |at: usize| self.run.parts().get(at).is_some_and(|p| p.joint <= Joint::Tight);
        self.from > 0 && tight(self.from) || tight(self.to)
    }

    /// Whether a letter touches the digits on either side.
    pub(crate) fn touches_word(self) -> bool {
        let next = self.next();
        next.kind == Kind::Word && next.gap == crate::tokenize::Gap::None || self.follows_letter()
    }

    /// Whether a letter or underscore touches the first digit.
    pub(crate) fn follows_letter(self) -> bool {
        let (before, own) = (self.before(), self.tokens.at(self.token()));
        own.gap == crate::tokenize::Gap::None
            && (before.kind == Kind::Word || before.is_mark(b'_'))
            && own.kind == Kind::Digits
    }

    /// First byte that may stay readable when the last four digits do: whole words only.
    pub(crate) fn last_four(self) -> u32 {
        let digits = self.digits();
        let Some(first) = digits.len().checked_sub(4) else { return self.end() };
        let mut at = first;
        while at > 0 && at < digits.len() && digits[at].start == digits[at - 1].start {
            at += 1;
        }
        digits.get(at).map_or(self.end(), |d| self.same_start(at, d.start))
    }

    /// A spoken digit that shares its word with the one before cannot be shown alone.
    fn same_start(self, at: usize, start: u32) -> u32 {
        let digits = self.digits();
        match at.checked_sub(1).and_then(|b| digits.get(b)) {
            Some(before) if before.end > start => self.end(),
            _ => start,
        }
    }
}
