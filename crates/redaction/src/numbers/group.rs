//! One group of a run: digits written in one piece, or a number said in words.

use super::{Digit, Joint, MOST_DIGITS, MOST_GROUPS, Part, Run, WHOLE};
use crate::tokenize::{Kind, Token, Tokens, fold, narrow};

impl Run<'_> {
    /// Adds the group that begins at a token; false when none does.
    pub(super) fn part(&mut self, tokens: &Tokens<'_>, at: usize, joint: Joint, mark: u8) -> bool {
        let first = self.digit_count;
        let token = tokens.at(at);
        let (after, spoken, tens) = if token.kind == Kind::Digits {
            (self.written(tokens, token, at), false, false)
        } else {
            let Some((after, tens)) = self.said(tokens, at) else {
                self.digit_count = first;
                return false;
            };
            (after, true, tens)
        };
        let mixed = !spoken && token.bytes() != usize::from(token.code);
        let mut part = Part { token: narrow(at), after: narrow(after), spoken, tens, joint, mark, ..Part::NONE };
        let mut from = first;
        while let Some(cut) = if mixed { self.cut(from) } else { None }.filter(|_| self.part_count + 1 < MOST_GROUPS) {
            self.add(part, from, cut);
            (part.joint, part.mark, from) = (Joint::Touching, 0, cut);
        }
        self.add(part, from, self.digit_count);
        true
    }

    /// Adds a group with the digits `from..to` of the run.
    pub(super) fn add(&mut self, part: Part, from: usize, to: usize) {
        let narrow = |n: usize| u8::try_from(n).unwrap_or(0);
        if let Some(slot) = self.parts.get_mut(self.part_count) {
            *slot = Part { first: narrow(from), count: narrow(to - from), ..part };
            self.part_count += 1;
        }
    }

    /// Where the digits of a group from one on are to be cut: a whole number stands beside a digit of another script, or
    /// beside a character that shows nothing.
    fn cut(&self, from: usize) -> Option<usize> {
        let group = &self.digits()[from..];
        let differs =
            |pair: &[Digit]| pair[0].end != pair[1].start || pair[0].end - pair[0].start != pair[1].end - pair[1].start;
        let first = group.windows(2).position(differs)? + 1;
        let second = group[first..].windows(2).position(differs).map_or(group.len(), |n| first + n + 1);
        (first >= WHOLE || second - first >= WHOLE).then_some(from + first)
    }

    fn written(&mut self, tokens: &Tokens<'_>, token: Token, at: usize) -> usize {
        self.endless |= self.is_too_long(token);
        let mut start = token.start;
        if token.bytes() == usize::from(token.code) {
            for byte in tokens.str(token).bytes().take(MOST_DIGITS) {
                self.push(byte.wrapping_sub(b'0'), start, start + 1);
                start += 1;
            }
            return at + 1;
        }
        for c in tokens.str(token).chars().take(4 * MOST_DIGITS) {
            let end = start + narrow(c.len_utf8());
            if let Some(value) = c.to_digit(10).and_then(|d| u8::try_from(d).ok()).or_else(|| fold::decimal(c)) {
                self.push(value, start, end);
            }
            start = end;
        }
        at + 1
    }

    pub(super) fn push(&mut self, value: u8, start: u32, end: u32) {
        if let Some(slot) = self.digits.get_mut(self.digit_count) {
            *slot = Digit { value, start, end };
            self.digit_count += 1;
        }
    }
}
