//! Numbers in words: "forty two", "double five", "two thousand", "oh".

use super::{Run, digit_follows};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, lexicon};

impl Run<'_> {
    /// A number in words: one digit, a teen, tens with or without a digit, a repeated digit, hundreds and thousands.
    pub(super) fn said(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<(usize, bool)> {
        let token = tokens.at(at);
        let entry = lexicon::entry(token.code);
        let follows = self.part_count > 0;
        if entry.flags & flag::REPEAT != 0 {
            let next = tokens.at(at + 1);
            let digit = lexicon::entry(next.code);
            let written = next.kind == Kind::Digits && next.code == 1;
            if next.gap > Gap::Space
                || !(written || next.kind == Kind::Word && digit.flags & (flag::DIGIT | flag::OH) != 0)
            {
                return None;
            }
            let value =
                if written { tokens.str(next).bytes().next().map_or(0, |b| b.wrapping_sub(b'0')) } else { digit.value };
            if value > 9 {
                return None;
            }
            for _ in 0..entry.value {
                self.push(value, token.start, next.end);
            }
            return Some((at + 2, false));
        }
        if entry.flags & flag::OH != 0 {
            return (follows || Self::digit_beside(tokens, at)).then(|| {
                self.push(0, token.start, token.end);
                (at + 1, false)
            });
        }
        if entry.flags & flag::DIGIT != 0 {
            self.push(entry.value, token.start, token.end);
            return Some(self.scaled(tokens, at + 1, false));
        }
        if entry.flags & flag::TEEN != 0 {
            self.push(1, token.start, token.end);
            self.push(entry.value % 10, token.start, token.end);
            return Some(self.scaled(tokens, at + 1, true));
        }
        if entry.flags & flag::TENS != 0 {
            self.push(entry.value / 10, token.start, token.end);
            return Some(self.tens(tokens, at, token));
        }
        None
    }

    /// After "twenty": a digit from one to nine joined by a space or dash belongs to it.
    fn tens(&mut self, tokens: &Tokens<'_>, at: usize, token: Token) -> (usize, bool) {
        let dash = tokens.at(at + 1).is_mark(b'-') && tokens.at(at + 1).gap == Gap::None;
        let place = at + 1 + usize::from(dash);
        let next = tokens.at(place);
        let entry = lexicon::entry(next.code);
        if next.kind == Kind::Word && entry.flags & flag::DIGIT != 0 && entry.value > 0 && next.gap <= Gap::Space {
            self.push(entry.value, next.start, next.end);
            return self.scaled(tokens, place + 1, true);
        }
        self.push(0, token.start, token.end);
        self.scaled(tokens, at + 1, true)
    }

    /// After a number: "hundred" and "thousand" add noughts, unless a smaller number follows that takes their place.
    fn scaled(&mut self, tokens: &Tokens<'_>, after: usize, tens: bool) -> (usize, bool) {
        let token = tokens.at(after);
        let entry = lexicon::entry(token.code);
        if token.kind != Kind::Word || entry.flags & flag::SCALE == 0 || token.gap > Gap::Space {
            return (after, tens);
        }
        let next = tokens.at(after + 1);
        let filled = match next.flags {
            _ if next.kind != Kind::Word || next.gap > Gap::Space => 0,
            f if f & (flag::TENS | flag::TEEN) != 0 => 2,
            f if f & flag::DIGIT != 0 && entry.value == 3 && !digit_follows(tokens, after + 2) => 1,
            _ => 0,
        };
        for _ in filled..usize::from(entry.value) {
            self.push(0, token.start, token.end);
        }
        (after + 1, true)
    }

    /// Whether a digit stands right before or after, with which "oh" is nought.
    fn digit_beside(tokens: &Tokens<'_>, at: usize) -> bool {
        let (mut next, token) = (at + 1, tokens.at(at));
        while next < at + 4 && tokens.at(next).flags & flag::OH != 0 && tokens.at(next).kind == Kind::Word {
            next += 1;
        }
        let after = tokens.at(next);
        let short = token.bytes() == 1 || after.kind == Kind::Word;
        after.gap <= Gap::Space
            && short
            && (after.kind == Kind::Digits
                || after.kind == Kind::Word && after.flags & (flag::NUMBER & !flag::OH & !flag::SCALE) != 0)
    }
}
