//! Reads the tokens of a text as digits and as what lies between them. Every way to write a digit is folded.

use super::markup::{self, Markup};
use super::{hesitation, symbols};
use crate::numbers::{MAX_DIGITS, MAX_GROUPS, NumberRun, RunBuffer, asr_homophones, is_number_token};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, saturating_u32};
use std::mem;
use std::ops::Range;

/// The value of a masked digit.
pub(super) const UNKNOWN: u8 = u8::MAX;

/// Maximum tokens between a homophone and the next spoken digit.
const MAX_HOMOPHONE_DISTANCE: usize = 4;

/// Words after which hesitations are not read: no joint has as many.
const MAX_JOINT_WORDS: usize = 1;

/// A digit with its byte range in its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloorDigit {
    /// 0 to 9, or [`UNKNOWN`].
    pub(super) value: u8,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the message of the digit; 0 within one text.
    pub(super) message: usize,
    /// Whether a group begins with this digit: no digit touches it on the left.
    pub(super) starts_group: bool,
    /// Whether a word lies between the digit before and this one. A mask leaves the word readable, because its asterisks
    /// would count as digits.
    pub(super) follows_word: bool,
    /// Whether the asterisk of an unknown digit may stand for no digit but for a letter of a number word.
    pub(super) is_optional: bool,
}

impl FloorDigit {
    fn known(value: u8, text: Range<u32>, starts_group: bool, follows_word: bool) -> Self {
        let Range { start, end } = text;
        Self { value, start, end, message: 0, starts_group, follows_word, is_optional: false }
    }
}

/// How words such as "for" and "OO" are read, which can mean two things.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpretation {
    /// They are words.
    Words,
    /// They are digits near spoken digits.
    Digits,
    /// They are digits everywhere, since the message is nothing but digits.
    Dictated,
}

/// What the reader has read.
pub(super) enum Part {
    /// Digits, which are now among the digits of the reader.
    Digits,
    /// Signs: punctuation marks, symbols, emoji. Their number.
    Signs(usize),
    /// Asterisks.
    Mask(Token),
    /// A word that stands for no digit.
    Word,
    /// Markup, which says nothing about the digits beside it.
    Markup,
    /// Words that only fill time. Their number.
    Hesitation(usize),
}

/// Reads the tokens of one text.
pub(super) struct Reader<'a, 't> {
    tokens: &'a Tokens<'t>,
    reading: Interpretation,
    buffer: RunBuffer<MAX_DIGITS, MAX_GROUPS>,
    at: usize,
    /// Words since the last digits.
    words: usize,
    /// Whether the next digit touches the last one.
    touches: bool,
    follows_word: bool,
    /// The marker of the next item of a list.
    next_item: u32,
    /// Whether a word was read that another reading takes for digits.
    pub(super) is_ambiguous: bool,
    pub(super) digits: Vec<FloorDigit>,
}

impl<'a, 't> Reader<'a, 't> {
    pub(super) fn new(tokens: &'a Tokens<'t>, reading: Interpretation) -> Self {
        Self {
            tokens,
            reading,
            buffer: RunBuffer::full_size(),
            at: 0,
            words: MAX_JOINT_WORDS + 1,
            touches: false,
            follows_word: false,
            next_item: 1,
            is_ambiguous: false,
            digits: Vec::new(),
        }
    }

    /// Continues at a token.
    pub(super) fn skip_to(&mut self, token: usize) {
        self.at = token;
    }

    /// Reads the next part, with the widest gap before it; `None` at the end of the text.
    pub(super) fn next_part(&mut self) -> Option<(Gap, Part)> {
        let mut gap = Gap::None;
        while self.at < self.tokens.len() {
            let token = self.tokens.at(self.at);
            if let Some((gap_before, part)) = self.skip_markup(token.gap) {
                return Some((gap.max(gap_before), part));
            }
            gap = gap.max(token.gap);
            self.touches &= token.gap == Gap::None;
            let is_digits = self.add_number(token) || token.kind == TokenKind::Word && self.add_word(token);
            if is_digits {
                self.words = 0;
                return Some((gap, Part::Digits));
            }
            let may_hesitate = token.kind == TokenKind::Word && self.words <= MAX_JOINT_WORDS;
            if may_hesitate && let Some(end) = hesitation::end(self.tokens, self.at) {
                let words = end - self.at;
                (self.at, self.touches, self.follows_word) = (end, false, true);
                return Some((gap, Part::Hesitation(words)));
            }
            self.at += 1;
            let text = self.tokens.str(token);
            if !text.is_ascii() && text.chars().all(symbols::is_decoration) {
                continue;
            }
            self.touches = false;
            self.follows_word |= token.kind == TokenKind::Word;
            self.words += usize::from(token.kind == TokenKind::Word);
            let part = match token.kind {
                TokenKind::Mask => Part::Mask(token),
                TokenKind::Mark => Part::Signs(text.chars().count()),
                TokenKind::Word | TokenKind::Digits | TokenKind::Edge => Part::Word,
            };
            return Some((gap, part));
        }
        None
    }

    /// Reads the markup at the next token, with the gap that counts before it.
    fn skip_markup(&mut self, gap: Gap) -> Option<(Gap, Part)> {
        let found = match markup::at(self.tokens, self.at) {
            None => {
                let end = markup::list_marker_end(self.tokens, self.at, self.next_item)?;
                self.next_item += 1;
                Markup::Inline(end)
            }
            Some(found) => found,
        };
        let (end, gap) = match found {
            Markup::Inline(end) => (end, gap),
            Markup::Label(end) => (end, Gap::Space),
            Markup::Digit(end, value) => {
                let (start, last) = (self.tokens.at(self.at).start, self.tokens.at(end - 1).end);
                self.push(value, start, last);
                (self.at, self.words) = (end, 0);
                return Some((gap, Part::Digits));
            }
        };
        (self.at, self.touches, self.follows_word) = (end, false, true);
        Some((gap, Part::Markup))
    }

    /// Adds written digits or a number word.
    fn add_number(&mut self, token: Token) -> bool {
        if !is_number_token(token) {
            return false;
        }
        let mut run = NumberRun::new(&mut self.buffer);
        let Some(end) = run.read_one_group(self.tokens, self.at) else {
            return token.flags & flag::OH != 0 && self.add_whole(token, 0);
        };
        let is_written = token.kind == TokenKind::Digits;
        let mut state = (self.touches && is_written, mem::take(&mut self.follows_word));
        self.digits.extend(run.digits().iter().map(|digit| {
            let (touches, follows_word) = mem::replace(&mut state, (true, false));
            FloorDigit::known(digit.value, digit.start..digit.end, !touches, follows_word)
        }));
        (self.at, self.touches) = (end, is_written);
        true
    }

    /// Adds the digits of a word of symbols, of a homophone, or of letters that look like digits.
    fn add_word(&mut self, token: Token) -> bool {
        let word = self.tokens.str(token);
        if !word.is_ascii() {
            return self.add_symbols(token, word);
        }
        let homophone = asr_homophones::value(token)
            .filter(|_| self.reading == Interpretation::Dictated || self.is_near_spoken_digit());
        if homophone.is_none() && !self.looks_like_digits(word) {
            return false;
        }
        self.is_ambiguous = true;
        if self.reading == Interpretation::Words {
            return false;
        }
        if let Some(value) = homophone {
            return self.add_whole(token, value);
        }
        for (start, byte) in (token.start..).zip(word.bytes()) {
            self.push(symbols::look_alike(byte).unwrap_or(0), start, start + 1);
        }
        self.at += 1;
        true
    }

    /// Whether a word has only letters that look like digits. A single letter must touch a digit.
    fn looks_like_digits(&self, word: &str) -> bool {
        let touches_digit = || {
            let next = self.tokens.at(self.at + 1);
            self.touches || next.gap == Gap::None && next.kind == TokenKind::Digits
        };
        word.bytes().all(|byte| symbols::look_alike(byte).is_some()) && (word.len() > 1 || touches_digit())
    }

    /// Index of the token that was read last.
    pub(super) fn last_token(&self) -> usize {
        self.at.saturating_sub(1)
    }

    /// Whether the word that was read last touches a digit.
    pub(super) fn last_touches_digit(&self) -> bool {
        let (word, next) = (self.tokens.before(self.at), self.tokens.at(self.at));
        let before = self.tokens.before(self.at.wrapping_sub(1));
        word.gap == Gap::None && before.kind == TokenKind::Digits
            || next.gap == Gap::None && next.kind == TokenKind::Digits
    }

    /// Whether a spoken digit or another homophone is near, with only words and signs between.
    fn is_near_spoken_digit(&self) -> bool {
        let before =
            (1..=MAX_HOMOPHONE_DISTANCE).map(|distance| self.tokens.before((self.at + 1).saturating_sub(distance)));
        let after = (1..=MAX_HOMOPHONE_DISTANCE).map(|distance| self.tokens.at(self.at + distance));
        let is_between = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Mark);
        before.take_while(is_between).any(is_spoken_digit) || after.take_while(is_between).any(is_spoken_digit)
    }

    fn add_symbols(&mut self, token: Token, word: &str) -> bool {
        let numbers = || word.chars().filter_map(symbols::number);
        let others = word.chars().filter(|c| symbols::number(*c).is_none());
        if numbers().next().is_none() || others.into_iter().any(|c| !symbols::is_decoration(c)) {
            return false;
        }
        let mut start = token.start;
        for c in word.chars() {
            let end = start + saturating_u32(c.len_utf8());
            if let Some(number) = symbols::number(c) {
                if number >= 10 {
                    self.push(number / 10, start, end);
                }
                self.push(number % 10, start, end);
            }
            start = end;
        }
        self.at += 1;
        true
    }

    /// Adds a whole token as one digit and a group.
    fn add_whole(&mut self, token: Token, value: u8) -> bool {
        self.touches = false;
        self.push(value, token.start, token.end);
        (self.at, self.touches) = (self.at + 1, false);
        true
    }

    fn push(&mut self, value: u8, start: u32, end: u32) {
        let follows_word = mem::take(&mut self.follows_word);
        self.digits.push(FloorDigit::known(value, start..end, !self.touches, follows_word));
        self.touches = true;
    }

    /// Adds a digit that a mask hides.
    pub(super) fn push_masked(&mut self, mask: Token, is_optional: bool) {
        self.push(UNKNOWN, mask.start, mask.end);
        if let Some(digit) = self.digits.last_mut() {
            digit.is_optional = is_optional;
        }
    }
}

/// Whether a word is a digit in speech, or what speech recognition may write for one.
fn is_spoken_digit(token: Token) -> bool {
    token.flags & (flag::DIGIT | flag::OH) != 0 || asr_homophones::value(token).is_some()
}
