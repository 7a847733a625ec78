//! The attributes of a token that the features of the tagger are made of.

use super::word_class::{WordClass, class_of, has_street_ending};
use crate::tables::word_set::{COMMON_WORD_SET, GIVEN_NAME_SET, HashedWord, ORDINARY_GIVEN_NAME_SET, SURNAME_SET};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// The attributes of one token.
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    /// Hash of the lower-case word without accents, of a mark or of the length of a number; 0 if the word is withheld.
    pub(super) word: u32,
    /// Hash of the last three letters, and of the last two.
    pub(super) suffixes: [u32; 2],
    /// Hash of the first three letters.
    pub(super) prefix: u32,
    /// Lists and shape of a word, or the kind of another token. 0 if the attributes are not computed yet.
    pub(super) kind: u8,
    pub(super) class: WordClass,
    pub(super) lexical: Lexical,
    /// Whether the first letter is a capital.
    pub(super) is_capital: bool,
    /// Whether the token is a word for a street.
    pub(super) is_street: bool,
}

/// The lists that have a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Lexical {
    Unknown,
    Common,
    GivenName,
    Surname,
    GivenAndSurname,
    /// A given name or surname that is also a common word.
    CommonName,
}

impl Lexical {
    /// Whether the word is in a list of names.
    pub(super) fn is_listed(self) -> bool {
        !matches!(self, Self::Unknown | Self::Common)
    }
}

/// What the tagger must not see of a token in training, so that it learns from the rest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Withheld {
    /// The word itself.
    pub(super) word: bool,
    /// The lists of names that have the word.
    pub(super) lists: bool,
}

pub(super) const KIND_EDGE: u8 = 101;
const KIND_MASK: u8 = 100;
const KIND_MARK: u8 = 80;
const KIND_DIGITS: u8 = 70;
const KIND_NUMBER_WORD: u8 = 50;
pub(super) const KIND_FILLER: u8 = 63;

impl Attributes {
    /// The attributes of no token, not computed yet.
    pub(super) const UNKNOWN: Self = Self {
        word: 0,
        suffixes: [0; 2],
        prefix: 0,
        kind: 0,
        class: WordClass::Other,
        lexical: Lexical::Common,
        is_capital: false,
        is_street: false,
    };

    /// The attributes of the position beyond the ends of a text.
    pub(super) const EDGE: Self = Self { word: 1, kind: KIND_EDGE, ..Self::UNKNOWN };

    pub(super) fn new(tokens: &Tokens<'_>, token: Token, withheld: Withheld) -> Self {
        match token.kind {
            TokenKind::Word => Self::of_word(tokens.str(token), token, withheld),
            TokenKind::Digits => {
                let count = token.digit_count().min(7);
                Self { word: u32::from(count) + 2, kind: KIND_DIGITS + low_byte(count.into()), ..Self::UNKNOWN }
            }
            TokenKind::Mark => {
                Self { word: u32::from(token.mark()) + 16, kind: KIND_MARK + mark_kind(token.mark()), ..Self::UNKNOWN }
            }
            TokenKind::Mask => Self { word: 10, kind: KIND_MASK, ..Self::UNKNOWN },
            TokenKind::Edge => Self::EDGE,
        }
    }

    fn of_word(text: &str, token: Token, withheld: Withheld) -> Self {
        let mut letters = [0; MAX_LETTERS];
        let word = fold_word(text, &mut letters);
        let hashed = HashedWord::new(word);
        let is_capital = text.starts_with(char::is_uppercase);
        let lexical = if withheld.lists { lexical_outside_names(hashed) } else { lexical(hashed) };
        let class = class_of(hashed);
        let is_street = token.flags & flag::STREET != 0
            || matches!(class, WordClass::StreetPrefix | WordClass::StreetSuffix)
            || has_street_ending(word);
        let shape = shape(text, is_capital);
        let kind = number_kind(token, is_capital).unwrap_or(1 + lexical as u8 * 6 + shape);
        Self {
            word: if withheld.word { 0 } else { hashed.hash() | 1 << 31 },
            suffixes: [tail_hash(word, 3), tail_hash(word, 2)],
            prefix: head_hash(word),
            kind,
            class,
            lexical,
            is_capital,
            is_street,
        }
    }

    /// The class if the word has one, else the kind.
    pub(super) fn class_or_kind(self) -> u32 {
        if self.class == WordClass::Other { u32::from(self.kind) } else { 128 + self.class as u32 }
    }
}

fn lexical(word: HashedWord<'_>) -> Lexical {
    let common = COMMON_WORD_SET.contains_hashed(word);
    let (given, surname) = (GIVEN_NAME_SET.contains_hashed(word), SURNAME_SET.contains_hashed(word));
    match (given, surname) {
        (false, false) if common => Lexical::Common,
        (false, false) => Lexical::Unknown,
        _ if common || ORDINARY_GIVEN_NAME_SET.contains_hashed(word) => Lexical::CommonName,
        (true, true) => Lexical::GivenAndSurname,
        (true, false) => Lexical::GivenName,
        (false, true) => Lexical::Surname,
    }
}

/// As if no list of names had the word.
fn lexical_outside_names(word: HashedWord<'_>) -> Lexical {
    if COMMON_WORD_SET.contains_hashed(word) { Lexical::Common } else { Lexical::Unknown }
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

/// The shape of a word, from 0 to 5: small letters, one capital first, capitals, mixed, one letter (capital or small).
fn shape(text: &str, is_capital: bool) -> u8 {
    if text.is_ascii() && text.len() > 1 {
        let rest = &text.as_bytes()[1..];
        let upper = rest.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        return match (is_capital, upper) {
            (false, 0) => 0,
            (true, 0) => 1,
            (true, _) if upper == rest.len() => 2,
            _ => 3,
        };
    }
    let mut letters = text.chars();
    letters.next();
    let rest = letters.as_str();
    if rest.is_empty() {
        return if is_capital { 4 } else { 5 };
    }
    let (upper, lower) = (rest.chars().any(char::is_uppercase), rest.chars().any(char::is_lowercase));
    match (is_capital, upper, lower) {
        (false, false, _) => 0,
        (true, false, _) => 1,
        (true, true, false) => 2,
        _ => 3,
    }
}

/// The kind of a mark, from 0 to 15.
fn mark_kind(mark: u8) -> u8 {
    const MARKS: &[u8] = b".,'-/:#()@\"?!&;";
    low_byte(MARKS.iter().position(|known| *known == mark).unwrap_or(MARKS.len()))
}

/// Maximum letters of a word that the tagger reads.
const MAX_LETTERS: usize = 24;

/// The base letters of the characters from U+00C0 to U+017F, in small letters.
const LATIN: &[u8; 192] =
    b"aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuytyaaaaaaccccccccddddeeeeeeeeeegg\
    gggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// The lower-case letters of a word without accents, cut to the length of the buffer.
fn fold_word<'b>(text: &str, letters: &'b mut [u8; MAX_LETTERS]) -> &'b [u8] {
    if text.is_ascii() {
        let length = text.len().min(MAX_LETTERS);
        for (slot, byte) in letters.iter_mut().zip(text.bytes()) {
            *slot = byte.to_ascii_lowercase();
        }
        return &letters[..length];
    }
    let mut length = 0;
    for (letter, slot) in text.chars().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).zip(letters.iter_mut()) {
        *slot = match letter {
            'a'..='z' => low_byte(letter as usize),
            'A'..='Z' => low_byte(letter as usize) + 32,
            '\u{c0}'..='\u{17f}' => LATIN[letter as usize - 0xc0],
            _ => low_byte(letter as usize) | 0x80,
        };
        length += 1;
    }
    &letters[..length]
}

fn tail_hash(word: &[u8], length: usize) -> u32 {
    word.iter().skip(word.len().saturating_sub(length)).fold(7, |hash, byte| hash << 8 | u32::from(*byte))
}

fn head_hash(word: &[u8]) -> u32 {
    word.iter().take(3).fold(5, |hash, byte| hash << 8 | u32::from(*byte))
}

#[expect(clippy::cast_possible_truncation, reason = "callers pass numbers below 256, or want the low byte")]
const fn low_byte(n: usize) -> u8 {
    n as u8
}
