//! Spoken numbers: "forty two", "double five", "two thousand", "oh".

use super::number_token::is_number_next;
use super::run::NumberRun;
use super::{asr_homophones, foreign_numbers};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

impl NumberRun<'_> {
    /// Reads a number in words: a digit, a teen, tens with or without a digit, a repeated digit, hundreds, thousands.
    /// Returns the token after it, and whether it has two digits or more.
    pub(super) fn read_words(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<(usize, bool)> {
        let token = tokens.at(at);
        let entry = lexicon::entry(token.slot());
        let has_groups = self.group_count > 0;
        if entry.flags & flag::REPEAT != 0 {
            let next = tokens.at(at + 1);
            let digit = lexicon::entry(next.slot());
            let written = next.kind == TokenKind::Digits && next.digit_count() == 1;
            if next.gap > Gap::Space
                || !(written || next.kind == TokenKind::Word && digit.flags & (flag::DIGIT | flag::OH) != 0)
            {
                return None;
            }
            let value =
                if written { tokens.str(next).bytes().next().map_or(0, |b| b.wrapping_sub(b'0')) } else { digit.value };
            if value > 9 {
                return None;
            }
            for _ in 0..entry.value {
                self.push_digit(value, token.start, next.end);
            }
            return Some((at + 2, false));
        }
        if entry.flags & flag::OH != 0 {
            // "six one, oh my eyes"
            let is_exclamation = super::number_token::is_exclamation(tokens, at);
            return (!is_exclamation && (has_groups || Self::digit_after(tokens, at))).then(|| {
                self.push_digit(0, token.start, token.end);
                (at + 1, false)
            });
        }
        if !has_groups && let Some(value) = asr_homophones::first_homophone(tokens, at) {
            self.push_digit(value, token.start, token.end);
            return Some((at + 1, false));
        }
        if let Some(value) = foreign_numbers::ambiguous_number(tokens, at) {
            if value > 9 {
                self.push_digit(value / 10, token.start, token.end);
            }
            self.push_digit(value % 10, token.start, token.end);
            return Some((at + 1, value > 9));
        }
        if let Some(end) = self.read_vigesimal(tokens, at) {
            return Some((end, true));
        }
        if entry.flags & flag::DIGIT != 0 {
            if entry.value == 1 && super::number_token::is_pronoun(tokens, at) {
                return None;
            }
            self.push_digit(entry.value, token.start, token.end);
            return Some(self.read_scale(tokens, at + 1, false));
        }
        if entry.flags & flag::TEEN != 0 {
            self.push_digit(entry.value / 10, token.start, token.end);
            self.push_digit(entry.value % 10, token.start, token.end);
            return Some(self.read_scale(tokens, at + 1, true));
        }
        if entry.flags & flag::TENS != 0 {
            self.push_digit(entry.value / 10, token.start, token.end);
            return Some(self.read_tens(tokens, at, token));
        }
        None
    }

    /// Reads a French or other Romance number of two digits in several words: "quatre-vingt-dix-sept", "soixante et
    /// onze", "dix-huit", "treinta y cuatro". Returns the token after it.
    fn read_vigesimal(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<usize> {
        let (value, end) = foreign_numbers::read(tokens, at)?;
        let (first, last) = (tokens.at(at).start, tokens.before(end).end);
        let digits = [value / 100, value / 10 % 10, value % 10];
        for digit in digits.into_iter().skip(usize::from(value < 100)) {
            self.push_digit(u8::try_from(digit).unwrap_or(0), first, last);
        }
        Some(end)
    }

    /// Completes tens such as "twenty": a digit from one to nine after a space or dash belongs to them.
    fn read_tens(&mut self, tokens: &Tokens<'_>, at: usize, token: Token) -> (usize, bool) {
        let dash = tokens.at(at + 1).is_mark(b'-') && tokens.at(at + 1).gap == Gap::None;
        let next_at = at + 1 + usize::from(dash);
        let next = tokens.at(next_at);
        let entry = lexicon::entry(next.slot());
        if next.kind == TokenKind::Word && entry.flags & flag::DIGIT != 0 && entry.value > 0 && next.gap <= Gap::Space {
            self.push_digit(entry.value, next.start, next.end);
            return self.read_scale(tokens, next_at + 1, true);
        }
        if let Some(value) = asr_homophones::homophone_unit(tokens, at + 1, self.group_count > 0) {
            self.push_digit(value, tokens.at(at + 1).start, tokens.at(at + 1).end);
            return (at + 2, true);
        }
        self.push_digit(0, token.start, token.end);
        self.read_scale(tokens, at + 1, true)
    }

    /// Adds the zeros of a "hundred" or "thousand" after a number, less the digits of a smaller number that follows.
    fn read_scale(&mut self, tokens: &Tokens<'_>, end: usize, compound: bool) -> (usize, bool) {
        let token = tokens.at(end);
        let entry = lexicon::entry(token.slot());
        if token.kind != TokenKind::Word || entry.flags & flag::SCALE == 0 || token.gap > Gap::Space {
            return (end, compound);
        }
        let next = tokens.at(end + 1);
        let replaced = match next.flags {
            _ if next.kind != TokenKind::Word || next.gap > Gap::Space => 0,
            f if f & (flag::TENS | flag::TEEN) != 0 => 2,
            f if f & flag::DIGIT != 0 && entry.value == 3 && !is_number_next(tokens, end + 2) => 1,
            _ => 0,
        };
        for _ in replaced..usize::from(entry.value) {
            self.push_digit(0, token.start, token.end);
        }
        (end + 1, true)
    }

    /// Whether a digit follows directly, which makes "oh" a zero.
    fn digit_after(tokens: &Tokens<'_>, at: usize) -> bool {
        let (mut next, token) = (at + 1, tokens.at(at));
        while next < at + 4 && tokens.at(next).flags & flag::OH != 0 && tokens.at(next).kind == TokenKind::Word {
            next += 1;
        }
        let after = tokens.at(next);
        let short = token.byte_len() == 1 || after.kind == TokenKind::Word;
        after.gap <= Gap::Space
            && short
            && (after.kind == TokenKind::Digits
                || after.kind == TokenKind::Word && after.flags & (flag::NUMBER & !flag::OH & !flag::SCALE) != 0)
    }
}
