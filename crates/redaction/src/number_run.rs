//! Number runs: digits and number words that belong together, folded into one string of digits that remembers where in
//! the text each digit stands.

use crate::misheard;
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, Token, Tokens, fold, lexicon};
use crate::starred;

/// Digits of a run that are looked at; longer runs are read in overlapping pieces.
pub(crate) const MOST_DIGITS: usize = 56;
/// Groups of a run that are looked at.
pub(crate) const MOST_GROUPS: usize = 48;
/// Digits that the next piece of an over-long run repeats.
const OVERLAP: usize = 19;
/// Digits of the shortest card number.
const WHOLE: usize = 12;
/// Tokens between two groups at most.
const REACH: usize = 4;

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
pub(crate) struct Run {
    digits: [Digit; MOST_DIGITS],
    digit_count: usize,
    parts: [Part; MOST_GROUPS],
    part_count: usize,
    /// Token after the run.
    pub(crate) after: usize,
    /// The readable tail of something masked.
    pub(crate) masked: bool,
    /// A quantity: money, percent, a measure, a clock time, an ordinal.
    pub(crate) quantity: bool,
    /// More digits in one piece than any identifier has.
    pub(crate) endless: bool,
}

impl Run {
    pub(crate) fn new() -> Self {
        const DIGIT: Digit = Digit { value: 0, start: 0, end: 0 };
        Self {
            digits: [DIGIT; MOST_DIGITS],
            digit_count: 0,
            parts: [Part::NONE; MOST_GROUPS],
            part_count: 0,
            after: 0,
            masked: false,
            quantity: false,
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
        (self.masked, self.quantity, self.endless) = (false, false, false);
    }

    /// Reads the next run at or after a token. `None` when the text holds no more.
    pub(crate) fn read(&mut self, tokens: &Tokens<'_>, from: usize) -> Option<usize> {
        self.clear();
        let mut at = from;
        let all = tokens.all();
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
            if let Some(value) = misheard::digit(tokens, last, self.parts()) {
                self.misheard(tokens, last, value);
                continue;
            }
            let Some((next, joint, mark)) = Self::joint(tokens, last) else { return };
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

    /// The token where the run goes on after `last`, and how it is joined.
    fn joint(tokens: &Tokens<'_>, last: usize) -> Option<(usize, Joint, u8)> {
        let (mut joint, mut mark, mut fillers, mut at) = (Joint::Touching, 0, 0, last);
        while at < last + REACH {
            let token = tokens.at(at);
            joint = joint.max(match token.gap {
                Gap::None if at == last => Joint::Touching,
                Gap::None => Joint::Tight,
                Gap::Space => Joint::Space,
                Gap::Wide => Joint::Pause,
                Gap::Line => Joint::Break,
                Gap::Paragraph => return None,
            });
            if token.kind == Kind::Digits {
                return Some((at, joint, mark));
            }
            if token.kind == Kind::Mark {
                let byte = u8::try_from(token.code).unwrap_or(0);
                match byte {
                    b'-' | b'.' | b'/' | b'(' | b')' | b'+' if token.bytes() <= 3 => joint = joint.max(Joint::Tight),
                    b',' => joint = joint.max(Joint::Pause),
                    _ => return None,
                }
                mark = if mark == 0 || byte != b' ' { byte } else { mark };
            } else if token.kind == Kind::Word {
                let flags = token.flags;
                if flags & flag::NUMBER != 0 {
                    return Some((at, joint, mark));
                }
                if flags & flag::FILLER != 0 && fillers < 2 && !word_is(tokens, token, "so") {
                    fillers += 1;
                    joint = joint.max(Joint::Pause);
                } else if flags & flag::AND != 0 && fillers < 2 {
                    fillers += 1;
                    let then = tokens.at(at + 1);
                    joint = joint.max(if word_is(tokens, then, "then") { Joint::Pause } else { Joint::Break });
                } else if flags & flag::MARK != 0 && lexicon::entry(token.code).value == b'-' {
                    joint = joint.max(Joint::Space);
                    mark = b'-';
                } else {
                    return None;
                }
            } else {
                return None;
            }
            at += 1;
        }
        None
    }

    /// Adds the group that begins at a token; false when none does.
    fn part(&mut self, tokens: &Tokens<'_>, at: usize, joint: Joint, mark: u8) -> bool {
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
        let mut part = Part { token: narrow(at), after: narrow(after), spoken, tens, joint, mark, ..Part::NONE };
        let mut from = first;
        while let Some(cut) = self.cut(from).filter(|_| !spoken && self.part_count + 1 < MOST_GROUPS) {
            self.add(part, from, cut);
            (part.joint, part.mark, from) = (Joint::Touching, 0, cut);
        }
        self.add(part, from, self.digit_count);
        true
    }

    /// Adds a group with the digits `from..to` of the run.
    fn add(&mut self, part: Part, from: usize, to: usize) {
        let narrow = |n: usize| u8::try_from(n).unwrap_or(0);
        self.parts[self.part_count] = Part { first: narrow(from), count: narrow(to - from), ..part };
        self.part_count += 1;
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

    fn push(&mut self, value: u8, start: u32, end: u32) {
        if let Some(slot) = self.digits.get_mut(self.digit_count) {
            *slot = Digit { value, start, end };
            self.digit_count += 1;
        }
    }

    /// A number in words: one digit, a teen, tens with or without a digit, a repeated digit, hundreds and thousands.
    fn said(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<(usize, bool)> {
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

    fn judge(&mut self, tokens: &Tokens<'_>, first: usize) {
        let last = self.parts[self.part_count - 1].after as usize;
        self.masked = starred::is_tail(tokens, first, last);
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn may_begin(token: Token) -> bool {
    match token.kind {
        Kind::Digits => true,
        Kind::Word => token.flags & flag::NUMBER != 0,
        Kind::Mark | Kind::Mask | Kind::Edge => false,
    }
}

fn digit_follows(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap <= Gap::Space && may_begin(token)
}

pub(crate) fn word_is(tokens: &Tokens<'_>, token: Token, word: &str) -> bool {
    token.kind == Kind::Word && tokens.str(token).eq_ignore_ascii_case(word)
}
