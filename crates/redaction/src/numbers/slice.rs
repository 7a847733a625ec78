//! A slice of a number run between two separators: its digits, its groups, and the digits that may stay readable.

use crate::numbers::{Digit, DigitGroup, MAX_DIGITS, NumberRun, Separator};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// Groups `first_group..end_group` of a run.
#[derive(Clone, Copy)]
pub(crate) struct RunSlice<'a, 't> {
    pub(crate) tokens: &'a Tokens<'t>,
    pub(crate) run: &'a NumberRun<'a>,
    /// The digits of the run in ASCII.
    pub(crate) ascii: &'a [u8; MAX_DIGITS],
    pub(crate) first_group: usize,
    pub(crate) end_group: usize,
    /// Start and end of the slice in the digits of the run.
    bounds: (usize, usize),
}

impl<'a, 't> RunSlice<'a, 't> {
    /// The slice of a whole run. `ascii` holds the digits of the run in ASCII.
    pub(crate) fn whole_run(tokens: &'a Tokens<'t>, run: &'a NumberRun<'_>, ascii: &'a [u8; MAX_DIGITS]) -> Self {
        Self { tokens, run, ascii, first_group: 0, end_group: 0, bounds: (0, 0) }.subslice(0, run.groups().len())
    }

    pub(crate) fn subslice(self, first_group: usize, end_group: usize) -> Self {
        let bounds = match &self.run.groups()[first_group..end_group] {
            [] => (0, 0),
            [first, .., last] => (usize::from(first.first_digit), usize::from(last.first_digit + last.digit_count)),
            [only] => (usize::from(only.first_digit), usize::from(only.first_digit + only.digit_count)),
        };
        Self { first_group, end_group, bounds, ..self }
    }

    /// Whether a word of amounts is among the digits: "and", "hundred".
    pub(crate) fn has_amount_word(self) -> bool {
        let tokens = self.tokens;
        (self.first_token()..self.end_token()).any(|at| tokens.at(at).flags & (flag::AND | flag::SCALE) != 0)
    }

    pub(crate) fn groups(self) -> &'a [DigitGroup] {
        &self.run.groups()[self.first_group..self.end_group]
    }

    fn digit_range(self) -> std::ops::Range<usize> {
        self.bounds.0..self.bounds.1
    }

    pub(crate) fn digits(self) -> &'a [Digit] {
        &self.run.digits()[self.digit_range()]
    }

    /// The digits in ASCII.
    pub(crate) fn compact(self) -> &'a [u8] {
        &self.ascii[self.digit_range()]
    }

    pub(crate) fn len(self) -> usize {
        self.bounds.1 - self.bounds.0
    }

    pub(crate) fn start(self) -> u32 {
        self.digits().first().map_or(0, |d| d.start)
    }

    pub(crate) fn end(self) -> u32 {
        self.digits().last().map_or(0, |d| d.end)
    }

    /// First token.
    pub(crate) fn first_token(self) -> usize {
        self.groups().first().map_or(0, |p| p.first_token as usize)
    }

    /// Token after the last.
    pub(crate) fn end_token(self) -> usize {
        self.groups().last().map_or(0, |p| p.end_token as usize)
    }

    pub(crate) fn token_before(self) -> Token {
        self.tokens.before(self.first_token())
    }

    pub(crate) fn token_after(self) -> Token {
        self.tokens.at(self.end_token())
    }

    pub(crate) fn any_spoken(self) -> bool {
        self.groups().iter().any(|p| p.spoken)
    }

    pub(crate) fn all_spoken(self) -> bool {
        self.groups().iter().all(|p| p.spoken)
    }

    /// The loosest separator between groups of the slice.
    pub(crate) fn loosest_separator(self) -> Separator {
        self.groups().iter().skip(1).map(|p| p.separator).max().unwrap_or(Separator::Adjacent)
    }

    /// The text from the first digit to the last.
    pub(crate) fn text(self) -> &'t str {
        self.tokens.between(self.start(), self.end())
    }

    /// Whether the groups have these lengths.
    pub(crate) fn has_group_lengths(self, lengths: &[u8]) -> bool {
        self.groups().len() == lengths.len() && self.groups().iter().zip(lengths).all(|(p, l)| p.digit_count == *l)
    }

    /// Whether every separator has this mark.
    pub(crate) fn is_joined_by(self, mark: u8) -> bool {
        self.groups().len() > 1 && self.groups().iter().skip(1).all(|p| p.mark == mark)
    }

    /// Whether a separator without spaces precedes or follows the slice in its run.
    pub(crate) fn cuts_tight_group(self) -> bool {
        let tight = |at: usize| self.run.groups().get(at).is_some_and(|p| p.separator <= Separator::Punctuation);
        self.first_group > 0 && tight(self.first_group) || tight(self.end_group)
    }

    /// Whether a letter touches the digits on either side.
    pub(crate) fn touches_word(self) -> bool {
        let next = self.token_after();
        next.kind == TokenKind::Word && next.gap == crate::tokenize::Gap::None || self.follows_letter()
    }

    /// Whether a letter or underscore touches the first digit.
    pub(crate) fn follows_letter(self) -> bool {
        let (before, first) = (self.token_before(), self.tokens.at(self.first_token()));
        first.gap == crate::tokenize::Gap::None
            && (before.kind == TokenKind::Word || before.is_mark(b'_'))
            && first.kind == TokenKind::Digits
    }

    /// First byte of the readable tail if the last four digits stay readable. A number word is never readable in part.
    pub(crate) fn last_four_start(self) -> u32 {
        let digits = self.digits();
        let Some(first) = digits.len().checked_sub(4) else { return self.end() };
        let mut at = first;
        while at > 0 && at < digits.len() && digits[at].start == digits[at - 1].start {
            at += 1;
        }
        digits.get(at).map_or(self.end(), |d| self.word_start(at, d.start))
    }

    /// The start of a digit; the end of the slice if the digit shares its word with the digit before it.
    fn word_start(self, at: usize, start: u32) -> u32 {
        let digits = self.digits();
        match at.checked_sub(1).and_then(|b| digits.get(b)) {
            Some(before) if before.end > start => self.end(),
            _ => start,
        }
    }
}
