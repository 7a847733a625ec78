//! The letters and digits of an identifier, written or said aloud.

use crate::detect::correction::correction_end;
use crate::detect::spelled_code::{skip_fillers, spelled_letter, symbol};
use crate::detect::{WordList, is_one_of};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens of a value.
pub(in crate::detect) const MAX_TOKENS: usize = 80;
/// Maximum characters of a value.
pub(super) const MAX_LENGTH: usize = 40;

/// Letters and digits from a token on.
pub(in crate::detect) struct Value {
    compact: [u8; MAX_LENGTH],
    pub(super) length: usize,
    /// For each group: the length after it and the token after it.
    groups: [(usize, usize); MAX_LENGTH],
    pub(super) group_count: usize,
    first: usize,
    /// Whether the speaker corrects himself inside: "four five no sorry four six".
    pub(super) is_corrected: bool,
}

impl Value {
    pub(super) const fn new(first: usize) -> Self {
        let (compact, groups) = ([0; MAX_LENGTH], [(0, 0); MAX_LENGTH]);
        Self { compact, length: 0, groups, group_count: 0, first, is_corrected: false }
    }

    pub(in crate::detect) fn read(tokens: &Tokens<'_>, first: usize) -> Self {
        Self::read_before(tokens, first, first + MAX_TOKENS)
    }

    /// The letters and digits of at most [`MAX_TOKENS`] tokens before a token.
    pub(in crate::detect) fn read_before(tokens: &Tokens<'_>, first: usize, end: usize) -> Self {
        let mut value = Self::new(first);
        let mut at = first;
        while at < end.min(first + MAX_TOKENS) {
            let Some(after) = value.add(tokens, at) else {
                let Some(after) = correction_end(tokens, at).filter(|_| value.length > 0) else { break };
                if symbol(tokens, after).is_none() && tokens.at(after).kind != TokenKind::Digits {
                    break;
                }
                value.is_corrected = true;
                at = after;
                continue;
            };
            at = skip_separators(tokens, after);
            if is_next_clause(tokens, after, at) {
                break;
            }
        }
        value
    }

    pub(in crate::detect) fn compact(&self) -> &[u8] {
        &self.compact[..self.length]
    }

    pub(in crate::detect) fn end_token(&self) -> usize {
        self.group_count.checked_sub(1).map_or(self.first, |last| self.groups[last].1)
    }

    /// The token after the longest beginning for which `fits` is true.
    pub(super) fn fitting_end(&self, fits: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let groups = self.groups[..self.group_count].iter().rev();
        groups.filter(|(length, _)| fits(&self.compact[..*length])).map(|(_, after)| *after).next()
    }

    /// Adds the letters or digits at a token; returns the token after them, or `None` if the token has none.
    pub(super) fn add(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<usize> {
        let token = tokens.at(at);
        if at > self.first && token.gap >= Gap::Line {
            return None;
        }
        let is_segment = token.kind == TokenKind::Digits || is_code_group(tokens, at, self.length);
        let after = if is_segment {
            self.push_bytes(tokens.str(token).as_bytes())?;
            at + 1
        } else {
            let (value, times, after) = symbol(tokens, at)?;
            self.push_symbol(value, times)?;
            after
        };
        let inside = tokens.at(after).gap == Gap::None && tokens.at(after).is_alphanumeric();
        if !inside {
            *self.groups.get_mut(self.group_count)? = (self.length, after);
            self.group_count += 1;
        }
        Some(after)
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let slots = self.compact.get_mut(self.length..self.length + bytes.len())?;
        if !bytes.is_ascii() {
            return None;
        }
        for (slot, byte) in slots.iter_mut().zip(bytes) {
            *slot = byte.to_ascii_uppercase();
        }
        self.length += bytes.len();
        Some(())
    }

    /// Adds a letter or a number below 100, `times` times.
    fn push_symbol(&mut self, value: u8, times: usize) -> Option<()> {
        let units = b'0' + value % 10;
        let repeated = match spelled_letter(value) {
            Some(letter) => [letter; MAX_REPEATS],
            None if value >= 10 => return self.push_bytes(&[b'0' + value / 10 % 10, units]),
            None => [units; MAX_REPEATS],
        };
        self.push_bytes(repeated.get(..times)?)
    }
}

/// Whether a single letter after "and" is a word of the next clause: the "I" of "2734 11165 8 and I am the second".
fn is_next_clause(tokens: &Tokens<'_>, after: usize, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    at > after
        && (after..at).any(|skipped| is_one_of(tokens, tokens.at(skipped), &["and"]))
        && is_one_of(tokens, token, &["i", "a"])
        && (next.is_mark(b'\'')
            || next.kind == TokenKind::Word && next.byte_len() > 1 && symbol(tokens, at + 1).is_none())
}

/// Characters of the longest repetition: "quadruple five".
const MAX_REPEATS: usize = 4;

/// Whether a word is letters of a written value: it touches digits, or is short and stands among digits, or is capitals.
fn is_code_group(tokens: &Tokens<'_>, at: usize, length: usize) -> bool {
    const MAX_BYTES: usize = 6;
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.kind != TokenKind::Word || token.byte_len() > MAX_BYTES || !tokens.str(token).is_ascii() {
        return false;
    }
    let touches = token.gap == Gap::None && tokens.before(at).kind == TokenKind::Digits && at > 0
        || next.gap == Gap::None && next.kind == TokenKind::Digits;
    let is_number_next = |next: Token| {
        next.gap <= Gap::Space
            && (next.kind == TokenKind::Digits || next.flags & (flag::DIGIT | flag::TENS | flag::TEEN) != 0)
    };
    let is_capitals = tokens.str(token).bytes().all(|b| b.is_ascii_uppercase()) && token.byte_len() > 1;
    let is_country = length == 0
        && token.byte_len() == 2
        && is_number_next(next)
        && token.flags & flag::OH == 0
        && !is_one_of(tokens, token, &NEVER_COUNTRIES)
        && !SMALL_WORDS.contains(&tokens.str(token));
    let is_unknown = token.slot() == 0 && token.byte_len() > 1 && !(at > 0 && tokens.before(at).is_mark(b','));
    let is_hyphenated =
        length > 0 && token.gap == Gap::None && tokens.before(at).is_mark(b'-') && next.gap != Gap::None;
    touches
        || is_hyphenated
        || is_capitals && is_near_digits(tokens, at)
        || is_country
        || is_unknown && (is_number_next(next) || length > 2 && token.byte_len() <= 4)
}

/// Words of two letters that lead to a number and are not the country of one.
const NEVER_COUNTRIES: [&str; 9] = ["is", "to", "of", "no", "in", "on", "my", "as", "or"];
/// The same if they are in small letters: "AT" is Austria.
const SMALL_WORDS: [&str; 5] = ["at", "am", "me", "us", "we"];

/// Whether digits are among the tokens right before or after capitals: "SK7 ABCD 12".
fn is_near_digits(tokens: &Tokens<'_>, at: usize) -> bool {
    (at.saturating_sub(2)..=at + 3).any(|near| tokens.at(near).kind == TokenKind::Digits)
}

/// Whether a token is a letter that is a word of the sentence that goes on after it: "ts5744 i think".
pub(in crate::detect) fn is_prose_letter(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    let goes_on = next.kind == TokenKind::Word || next.is_mark(b'\'');
    is_one_of(tokens, tokens.at(at), &["a", "i", "u", "y", "e", "o", "oh"]) && goes_on
}

/// Words between two groups, which say how the next one is written.
pub(in crate::detect) static WORDS_BETWEEN: WordList = WordList::new(&[
    "space",
    "capital",
    "letter",
    "and",
    "then",
    "dot",
    "colon",
    "stroke",
    "uppercase",
    "lowercase",
    "upper",
    "lower",
    "big",
    "small",
    "underscore",
]);

/// The token after what may be between two groups.
pub(super) fn skip_separators(tokens: &Tokens<'_>, at: usize) -> usize {
    let after = skip_fillers(tokens, at);
    let token = tokens.at(after);
    let is_mark =
        token.kind == TokenKind::Mark && token.byte_len() == 1 && matches!(token.mark(), b'/' | b'_' | b':' | b'.');
    let is_word = WORDS_BETWEEN.has(tokens, token);
    let is_inner = is_mark && token.gap == Gap::None && tokens.at(after + 1).gap == Gap::None
        || is_word && token.gap <= Gap::Space;
    if is_inner { skip_fillers(tokens, after + 1) } else { after }
}
