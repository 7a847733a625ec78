//! A number run, read from the tokens of a text.

use super::digit_group::{Digit, DigitGroup, Separator};
use super::foreign_numbers::is_ambiguous;
use super::number_token::is_number_token;
use super::run_buffer::{MAX_DIGITS, MAX_GROUPS, RunBuffer};
use super::{DigitBound, asr_homophones, separator};
use crate::masking::mask_tokens;
use crate::tokenize::{Token, TokenKind, Tokens, saturating_u32};

/// Capacities of the small and the tiny buffer, in digits and in groups.
const SMALL: usize = 32;
const TINY: usize = 12;
/// Digits that the next part of a longer run repeats.
const OVERLAP: usize = 19;

/// A number run: digits that belong together.
pub(crate) struct NumberRun<'r> {
    pub(super) digits: &'r mut [Digit],
    pub(super) digit_count: usize,
    pub(super) groups: &'r mut [DigitGroup],
    pub(super) group_count: usize,
    /// Token after the run.
    pub(crate) end_token: usize,
    /// Whether the run is the readable tail of a mask.
    pub(crate) is_mask_tail: bool,
    /// Whether a group has more digits than any identifier.
    pub(crate) is_oversized: bool,
}

impl<'r> NumberRun<'r> {
    /// A run that stores its digits and groups in a buffer.
    pub(crate) fn new<const DIGITS: usize, const GROUPS: usize>(buffer: &'r mut RunBuffer<DIGITS, GROUPS>) -> Self {
        Self {
            digits: &mut buffer.digits,
            digit_count: 0,
            groups: &mut buffer.groups,
            group_count: 0,
            end_token: 0,
            is_mask_tail: false,
            is_oversized: false,
        }
    }

    pub(crate) fn digits(&self) -> &[Digit] {
        &self.digits[..self.digit_count]
    }

    pub(crate) fn groups(&self) -> &[DigitGroup] {
        &self.groups[..self.group_count]
    }

    fn clear(&mut self) {
        (self.digit_count, self.group_count) = (0, 0);
        (self.is_mask_tail, self.is_oversized) = (false, false);
    }

    /// Reads the next run at or after a token and returns its first token; `None` if there are no more.
    pub(crate) fn read(&mut self, tokens: &Tokens<'_>, from: usize) -> Option<usize> {
        self.clear();
        let numbers = tokens.number_range();
        let mut at = from.max(numbers.start);
        let all = tokens.as_slice().get(..numbers.end)?;
        while let Some(token) = all.get(at) {
            let may_begin = is_number_token(*token) || is_ambiguous(*token) || asr_homophones::may_begin(*token);
            if may_begin && !is_pronoun(tokens, at) && self.read_group(tokens, at, Separator::Start, 0) {
                break;
            }
            at += 1;
        }
        if self.group_count == 0 {
            return None;
        }
        let first = at;
        self.extend(tokens);
        self.detect_mask_tail(tokens, first);
        Some(first)
    }

    /// Reads only the digits or the number in words at a token, and returns the token after it; `None` if the token is
    /// no number by itself.
    pub(crate) fn read_one_group(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<usize> {
        self.clear();
        let is_group = self.read_group(tokens, at, Separator::Start, 0);
        self.groups().last().filter(|_| is_group).map(|group| group.end_token as usize)
    }

    fn extend(&mut self, tokens: &Tokens<'_>) {
        loop {
            let end = self.groups[self.group_count - 1].end_token as usize;
            self.end_token = end;
            if self.group_count == MAX_GROUPS || self.digit_count + 8 > MAX_DIGITS {
                self.end_token = self.overlap(end);
                return;
            }
            if let Some(value) = asr_homophones::homophone_digit(tokens, end, self.groups()) {
                self.push_homophone(tokens, end, value);
                continue;
            }
            let Some((next, separator, mark)) = separator::next_group(tokens, end) else { return };
            if self.counts_times(tokens, next) {
                return;
            }
            if self.exceeds_capacity(tokens.at(next)) {
                self.end_token =
                    if usize::from(tokens.at(next).digit_count()) > OVERLAP { next } else { self.overlap(end) };
                return;
            }
            if !self.read_group(tokens, next, separator, mark) {
                return;
            }
        }
    }

    /// Whether the number at a token after a longer number in words counts how often: the "three" of "seven five five four
    /// three times".
    fn counts_times(&self, tokens: &Tokens<'_>, at: usize) -> bool {
        const MIN_GROUPS: usize = 3;
        const TIMES: [&str; 5] = ["times", "veces", "fois", "vezes", "volte"];
        let (count, next) = (tokens.at(at), tokens.at(at + 1));
        self.group_count >= MIN_GROUPS
            && count.kind == TokenKind::Word
            && next.kind == TokenKind::Word
            && TIMES.iter().any(|word| word.eq_ignore_ascii_case(tokens.str(next)))
    }

    /// Whether a digit token does not fit in the run. Such a token begins the next run.
    pub(super) fn exceeds_capacity(&self, token: Token) -> bool {
        token.kind == TokenKind::Digits && self.digit_count + usize::from(token.digit_count()) > MAX_DIGITS
    }

    /// Adds the digit of a homophone.
    fn push_homophone(&mut self, tokens: &Tokens<'_>, at: usize, value: u8) {
        let (first, token) = (self.digit_count, tokens.at(at));
        self.push_digit(value, token.start, token.end);
        let group = DigitGroup {
            first_token: saturating_u32(at),
            end_token: saturating_u32(at + 1),
            spoken: true,
            separator: Separator::Space,
            ..DigitGroup::NONE
        };
        self.push_group(group, first, self.digit_count);
    }

    /// The token at which the next part of a longer run begins.
    fn overlap(&self, end: usize) -> usize {
        let keep = self.digit_count.saturating_sub(OVERLAP);
        self.groups()
            .iter()
            .skip(1)
            .find(|group| group.first_digit as usize >= keep)
            .map_or(end, |group| group.first_token as usize)
    }

    fn detect_mask_tail(&mut self, tokens: &Tokens<'_>, first: usize) {
        let end = self.groups[self.group_count - 1].end_token as usize;
        self.is_mask_tail = mask_tokens::is_mask_tail(tokens, first, end);
    }
}

/// Whether the "one" before a number is no digit but stands for a noun: "the long one 4111", "the new one nine oh two".
fn is_pronoun(tokens: &Tokens<'_>, at: usize) -> bool {
    const DETERMINERS: [&str; 8] = ["the", "this", "that", "my", "your", "his", "her", "our"];
    const ADJECTIVES: [&str; 20] = [
        "new",
        "old",
        "other",
        "long",
        "short",
        "same",
        "current",
        "previous",
        "newer",
        "older",
        "younger",
        "blue",
        "red",
        "green",
        "black",
        "white",
        "gold",
        "silver",
        "government",
        "wrong",
    ];
    let is = |at: usize, words: &[&str]| {
        let token = tokens.at(at);
        token.kind == TokenKind::Word && words.iter().any(|word| word.eq_ignore_ascii_case(tokens.str(token)))
    };
    at >= 2
        && is(at, &["one"])
        && is(at - 2, &DETERMINERS)
        && is(at - 1, &ADJECTIVES)
        && is_number_token(tokens.at(at + 1))
}

/// Calls `work` with an empty run whose buffer fits this bound.
pub(crate) fn with_run_buffer<R>(bound: DigitBound, work: impl FnOnce(NumberRun<'_>) -> R) -> R {
    if bound.max_digits() <= TINY {
        work(NumberRun::new(&mut RunBuffer::<TINY, TINY>::new()))
    } else if bound.max_digits() <= SMALL {
        work(NumberRun::new(&mut RunBuffer::<SMALL, SMALL>::new()))
    } else {
        work(NumberRun::new(&mut RunBuffer::full_size()))
    }
}
