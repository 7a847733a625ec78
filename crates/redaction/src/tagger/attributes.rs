//! The attributes of a token that the features of the tagger are made of.

use super::folded_word::{FoldedWord, Shape};
use super::word_class::{WordClass, has_street_ending};
use super::word_lists::{Lexical, look_up};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// The attributes of one token.
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    /// Lists and shape of a word, or the kind of another token. 0 if the attributes are not computed yet.
    pub(super) kind: u8,
    pub(super) class: WordClass,
    pub(super) lexical: Lexical,
    /// Whether the first letter is a capital.
    pub(super) is_capital: bool,
    /// Whether the token is a word for a street.
    pub(super) is_street: bool,
}

/// What the tagger must not see of a token in training, so that it learns from the rest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Withheld {
    /// The word itself.
    pub(super) word: bool,
    /// The lists of names that have the word.
    pub(super) lists: bool,
}

const KIND_EDGE: u8 = 101;
const KIND_MASK: u8 = 100;
const KIND_MARK: u8 = 80;
const KIND_DIGITS: u8 = 70;
const KIND_NUMBER_WORD: u8 = 50;
pub(super) const KIND_FILLER: u8 = 63;

impl Attributes {
    /// The attributes of no token, not computed yet.
    pub(super) const UNKNOWN: Self =
        Self { kind: 0, class: WordClass::Other, lexical: Lexical::Common, is_capital: false, is_street: false };

    /// The attributes of the position beyond the ends of a text.
    pub(super) const EDGE: Self = Self { kind: KIND_EDGE, ..Self::UNKNOWN };

    pub(super) fn new(tokens: &Tokens<'_>, token: Token, withheld: Withheld) -> Self {
        match token.kind {
            TokenKind::Word => Self::of_word(&FoldedWord::new(tokens.text, token), token, withheld),
            TokenKind::Digits => Self { kind: KIND_DIGITS + short_count(token), ..Self::UNKNOWN },
            TokenKind::Mark => Self { kind: KIND_MARK + mark_kind(token.mark()), ..Self::UNKNOWN },
            TokenKind::Mask => Self { kind: KIND_MASK, ..Self::UNKNOWN },
            TokenKind::Edge => Self::EDGE,
        }
    }

    fn of_word(word: &FoldedWord, token: Token, withheld: Withheld) -> Self {
        let (lists, class) = look_up(word.key());
        let lexical = if withheld.lists { lists.lexical_outside_names() } else { lists.lexical() };
        let Shape { number, is_capital } = word.shape;
        let is_street = token.flags & flag::STREET != 0
            || matches!(class, WordClass::StreetPrefix | WordClass::StreetSuffix)
            || has_street_ending(word.letters());
        let kind = number_kind(token, is_capital).unwrap_or(1 + lexical as u8 * 6 + number);
        Self { kind, class, lexical, is_capital, is_street }
    }

    /// The class if the word has one, else the kind.
    pub(super) fn class_or_kind(self) -> u32 {
        if self.class == WordClass::Other { u32::from(self.kind) } else { 128 + self.class as u32 }
    }
}

/// A hash of a token: of the lower-case word without accents, of a mark, or of the length of a number.
pub(super) fn word_hash(tokens: &Tokens<'_>, token: Token) -> u32 {
    match token.kind {
        TokenKind::Word => FoldedWord::new(tokens.text, token).hash() | 1 << 31,
        TokenKind::Digits => u32::from(short_count(token)) + 2,
        TokenKind::Mark => u32::from(token.mark()) + 16,
        TokenKind::Mask => 10,
        TokenKind::Edge => EDGE_HASH,
    }
}

/// The hash of the position beyond the ends of a text.
pub(super) const EDGE_HASH: u32 = 1;

/// Hashes of the first letters of a word and of the last. All are 0 for other tokens.
pub(super) struct Affixes {
    /// Of the first three letters.
    pub(super) prefix: u32,
    /// Of the last three letters, and of the last two.
    pub(super) suffixes: [u32; 2],
}

impl Affixes {
    pub(super) fn of(tokens: &Tokens<'_>, token: Token) -> Self {
        if token.kind != TokenKind::Word {
            return Self { prefix: 0, suffixes: [0; 2] };
        }
        let word = FoldedWord::new(tokens.text, token);
        Self { prefix: word.prefix(), suffixes: [word.suffix(3), word.suffix(2)] }
    }
}

/// The digits of a number, at most seven.
fn short_count(token: Token) -> u8 {
    low_byte(token.digit_count().min(7).into())
}

/// The kind of a word that counts, or belongs to a street or date.
fn number_kind(token: Token, is_capital: bool) -> Option<u8> {
    const ANY_KIND: u32 =
        flag::NUMBER | flag::ORDINAL | flag::STREET | flag::DWELLING | flag::MONTH | flag::WEEKDAY | flag::FILLER;
    const KINDS: [u32; 12] = [
        flag::DIGIT,
        flag::TEEN,
        flag::TENS,
        flag::SCALE,
        flag::REPEAT,
        flag::OH,
        flag::ORDINAL,
        flag::STREET,
        flag::DWELLING,
        flag::MONTH,
        flag::WEEKDAY,
        flag::FILLER,
    ];
    if token.flags & ANY_KIND == 0 {
        return None;
    }
    let at = KINDS.iter().position(|kind| token.flags & kind != 0)?;
    let kind = KIND_NUMBER_WORD + low_byte(at);
    let capital_kind = match at {
        7 => 64,
        9 => 65,
        11 => KIND_FILLER,
        _ => kind,
    };
    Some(match at {
        11 => KIND_FILLER,
        _ if is_capital => capital_kind,
        _ => kind,
    })
}

/// The kind of a mark, from 0 to 15.
fn mark_kind(mark: u8) -> u8 {
    const MARKS: &[u8] = b".,'-/:#()@\"?!&;";
    low_byte(MARKS.iter().position(|known| *known == mark).unwrap_or(MARKS.len()))
}

#[expect(clippy::cast_possible_truncation, reason = "callers pass numbers below 256, or want the low byte")]
const fn low_byte(n: usize) -> u8 {
    n as u8
}
