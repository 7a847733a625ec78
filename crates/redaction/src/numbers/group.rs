//! Reading of one digit group of a run: digits without a separator, or a number in words.

use super::digit_group::{Digit, DigitGroup, Separator};
use super::run::NumberRun;
use super::run_buffer::{MAX_DIGITS, MAX_GROUPS};
use crate::tokenize::{Token, TokenKind, Tokens, fold, saturating_u32};

/// Digits of the shortest card number.
const MIN_CARD_DIGITS: usize = 12;

impl NumberRun<'_> {
    /// Adds the group that begins at a token; false if none does.
    pub(super) fn read_group(&mut self, tokens: &Tokens<'_>, at: usize, separator: Separator, mark: u8) -> bool {
        let first = self.digit_count;
        let token = tokens.at(at);
        let (end, spoken, compound) = if token.kind == TokenKind::Digits {
            (self.read_digits(tokens, token, at), false, false)
        } else {
            let Some((end, compound)) = self.read_words(tokens, at) else {
                self.digit_count = first;
                return false;
            };
            (end, true, compound)
        };
        let mixed = !spoken && token.byte_len() != usize::from(token.digit_count());
        let mut group = DigitGroup {
            first_token: saturating_u32(at),
            end_token: saturating_u32(end),
            spoken,
            compound,
            separator,
            mark,
            ..DigitGroup::NONE
        };
        let mut from = first;
        while let Some(split) =
            if mixed { self.split_point(from) } else { None }.filter(|_| self.group_count + 1 < MAX_GROUPS)
        {
            self.push_group(group, from, split);
            (group.separator, group.mark, from) = (Separator::Adjacent, 0, split);
        }
        self.push_group(group, from, self.digit_count);
        true
    }

    /// Adds a group with the digits `from..to` of the run.
    pub(super) fn push_group(&mut self, group: DigitGroup, from: usize, to: usize) {
        let to_u8 = |n: usize| u8::try_from(n).unwrap_or(0);
        if let Some(slot) = self.groups.get_mut(self.group_count) {
            *slot = DigitGroup { first_digit: to_u8(from), digit_count: to_u8(to - from), ..group };
            self.group_count += 1;
        }
    }

    /// Where to split the digits of a group: a complete number touches a digit of another script or an ignorable
    /// character.
    fn split_point(&self, from: usize) -> Option<usize> {
        let group = &self.digits()[from..];
        let differs =
            |pair: &[Digit]| pair[0].end != pair[1].start || pair[0].end - pair[0].start != pair[1].end - pair[1].start;
        let first = group.windows(2).position(differs)? + 1;
        let second = group[first..].windows(2).position(differs).map_or(group.len(), |n| first + n + 1);
        (first >= MIN_CARD_DIGITS || second - first >= MIN_CARD_DIGITS).then_some(from + first)
    }

    fn read_digits(&mut self, tokens: &Tokens<'_>, token: Token, at: usize) -> usize {
        self.is_oversized |= self.exceeds_capacity(token);
        let mut start = token.start;
        if token.byte_len() == usize::from(token.digit_count()) {
            for byte in tokens.str(token).bytes().take(MAX_DIGITS) {
                self.push_digit(byte.wrapping_sub(b'0'), start, start + 1);
                start += 1;
            }
            return at + 1;
        }
        for c in tokens.str(token).chars().take(4 * MAX_DIGITS) {
            let end = start + saturating_u32(c.len_utf8());
            if let Some(value) = c.to_digit(10).and_then(|d| u8::try_from(d).ok()).or_else(|| fold::decimal(c)) {
                self.push_digit(value, start, end);
            }
            start = end;
        }
        at + 1
    }

    pub(super) fn push_digit(&mut self, value: u8, start: u32, end: u32) {
        if let Some(slot) = self.digits.get_mut(self.digit_count) {
            *slot = Digit { value, start, end };
            self.digit_count += 1;
        }
    }
}
