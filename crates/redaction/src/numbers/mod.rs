//! Number runs: digits and number words that belong together, folded into one string of digits that remembers where in
//! the text each digit stands.

pub(crate) mod asr_homophones;
mod digits;
mod group;
mod joint;
mod room;
mod said;
pub(crate) mod slice;

use crate::masking::mask_tokens;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, narrow};
pub(crate) use digits::Digits;
pub(crate) use room::{Room, with_room};

/// Digits of a run that are looked at; longer runs are read in overlapping pieces.
pub(crate) const MOST_DIGITS: usize = 96;
/// Groups of a run that are looked at.
pub(crate) const MOST_GROUPS: usize = 80;
/// Digits that the next piece of an over-long run repeats.
const OVERLAP: usize = 19;
/// Digits of the shortest card number.
const WHOLE: usize = 12;
/// Digits of the shortest value that is looked at without a cue of its own.
pub(crate) const LEAST: usize = 3;

/// How loosely two neighbouring groups hang together; a run is cut at the loosest joint first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Joint {
    /// Nothing between.
    Touching,
    /// A dash, dot, slash, bracket or plus without a space.
    Tight,
    /// One space, or a mark with spaces.
    Space,
    /// A comma, a filler, several spaces.
    Pause,
    /// A new line or "and".
    Break,
    /// The first group of a run.
    Start,
}

/// One digit and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    pub(crate) value: u8,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Digits written or said in one go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// First token.
    pub(crate) token: u32,
    /// Token after the last.
    pub(crate) after: u32,
    /// First digit of the run that is its own.
    pub(crate) first: u8,
    pub(crate) count: u8,
    /// Said in words.
    pub(crate) spoken: bool,
    /// A number of two digits or more in words ("forty two"), not single digits.
    pub(crate) tens: bool,
    pub(crate) joint: Joint,
    /// The mark of the joint, 0 for none.
    pub(crate) mark: u8,
}

impl Part {
    const NONE: Self =
        Self { token: 0, after: 0, first: 0, count: 0, spoken: false, tens: false, joint: Joint::Touching, mark: 0 };
}

/// Digits that belong together.
pub(crate) struct Run<'r> {
    digits: &'r mut [Digit],
    digit_count: usize,
    parts: &'r mut [Part],
    part_count: usize,
    /// Token after the run.
    pub(crate) after: usize,
    /// The readable tail of something masked.
    pub(crate) masked: bool,
    /// More digits in one piece than any identifier has.
    pub(crate) endless: bool,
}

impl<'r> Run<'r> {
    /// A run that is read into a room.
    pub(crate) fn within<const DIGITS: usize, const GROUPS: usize>(room: &'r mut Room<DIGITS, GROUPS>) -> Self {
        Self {
            digits: &mut room.digits,
            digit_count: 0,
            parts: &mut room.parts,
            part_count: 0,
            after: 0,
            masked: false,
            endless: false,
        }
    }

    pub(crate) fn digits(&self) -> &[Digit] {
        &self.digits[..self.digit_count]
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts[..self.part_count]
    }

    fn clear(&mut self) {
        (self.digit_count, self.part_count) = (0, 0);
        (self.masked, self.endless) = (false, false);
    }

    /// Reads the next run at or after a token. `None` when the text holds no more.
    pub(crate) fn read(&mut self, tokens: &Tokens<'_>, from: usize) -> Option<usize> {
        self.clear();
        let numbers = tokens.numbers();
        let mut at = from.max(numbers.start);
        let all = tokens.all().get(..numbers.end)?;
        while let Some(token) = all.get(at) {
            if may_begin(*token) && self.part(tokens, at, Joint::Start, 0) {
                break;
            }
            at += 1;
        }
        if self.part_count == 0 {
            return None;
        }
        let first = at;
        self.extend(tokens);
        self.judge(tokens, first);
        Some(first)
    }

    fn extend(&mut self, tokens: &Tokens<'_>) {
        loop {
            let last = self.parts[self.part_count - 1].after as usize;
            self.after = last;
            if self.part_count == MOST_GROUPS || self.digit_count + 8 > MOST_DIGITS {
                self.after = self.overlap(last);
                return;
            }
            if let Some(value) = asr_homophones::digit(tokens, last, self.parts()) {
                self.misheard(tokens, last, value);
                continue;
            }
            let Some((next, joint, mark)) = joint::next(tokens, last) else { return };
            if self.is_too_long(tokens.at(next)) {
                self.after = if usize::from(tokens.at(next).code) > OVERLAP { next } else { self.overlap(last) };
                return;
            }
            if !self.part(tokens, next, joint, mark) {
                return;
            }
        }
    }

    /// Whether a group of digits finds no room in the run; a run of its own begins with it.
    fn is_too_long(&self, token: Token) -> bool {
        token.kind == Kind::Digits && self.digit_count + usize::from(token.code) > MOST_DIGITS
    }

    /// Adds the digit that a word stands for that is none itself.
    fn misheard(&mut self, tokens: &Tokens<'_>, at: usize, value: u8) {
        let (first, token) = (self.digit_count, tokens.at(at));
        self.push(value, token.start, token.end);
        let part = Part { token: narrow(at), after: narrow(at + 1), spoken: true, joint: Joint::Space, ..Part::NONE };
        self.add(part, first, self.digit_count);
    }

    /// Where the next piece of an over-long run begins.
    fn overlap(&self, last: usize) -> usize {
        let keep = self.digit_count.saturating_sub(OVERLAP);
        self.parts().iter().skip(1).find(|p| p.first as usize >= keep).map_or(last, |p| p.token as usize)
    }

    fn judge(&mut self, tokens: &Tokens<'_>, first: usize) {
        let last = self.parts[self.part_count - 1].after as usize;
        self.masked = mask_tokens::is_tail(tokens, first, last);
    }
}

/// Whether a token is digits or a word of a number.
#[expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]
pub(crate) fn may_begin(token: Token) -> bool {
    (token.kind == Kind::Digits) | (token.flags & flag::NUMBER != 0)
}

fn digit_follows(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap <= Gap::Space && may_begin(token)
}

pub(crate) fn word_is(tokens: &Tokens<'_>, token: Token, word: &str) -> bool {
    token.kind == Kind::Word && tokens.str(token).eq_ignore_ascii_case(word)
}
