//! The features of pieces: what the first layer of the network adds up.

use super::piece::{self, Piece, PieceKind};
use crate::cross_message::utterance::{Speaker, Utterance};
use crate::tokenize::{TokenBuffer, TokenizedText, Tokens};

/// Number of kinds: padding, those of [`PieceKind`], and four that begin a message.
pub const KINDS: usize = 13;
/// Number of digit counts; the last stands for all larger ones.
pub const DIGIT_COUNTS: usize = MAX_DIGITS as usize + 1;
const MAX_DIGITS: u8 = 15;
/// Number of kinds of letter case.
pub const CASES: usize = 5;
/// Number of rows for groups of three letters. Row 0 stands for no group.
pub const GRAM_ROWS: usize = GRAM_HASHES as usize + 1;
const GRAM_HASHES: u16 = 4096;
/// Maximum number of groups of three letters that count for a piece.
pub const MAX_GRAMS: usize = 8;
/// Maximum number of earlier messages that the classifier reads.
const MAX_MESSAGES: usize = 2;
/// Maximum number of pieces of an earlier message: those at its end.
const MAX_EARLIER_PIECES: usize = 32;

/// The features of a piece, or of the place where a message begins.
#[derive(Clone, Copy, Debug)]
pub struct PieceFeatures {
    /// First byte in its message; equal to `end` where a message begins.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// Hash of the word; 0 if the piece is no word.
    pub word: u32,
    /// Rows of the first groups of three letters, the rest is 0.
    pub grams: [u16; MAX_GRAMS],
    /// Below [`KINDS`].
    pub kind: u8,
    /// Below [`DIGIT_COUNTS`].
    pub digits: u8,
    /// Below [`CASES`].
    pub case: u8,
    /// Whether the piece is part of the text, not of an earlier message.
    pub is_current: bool,
}

impl PieceFeatures {
    /// Whether the piece is a word and no number.
    pub(super) fn is_word(&self) -> bool {
        self.kind == PieceKind::Word as u8
    }

    /// Whether the piece is a mark.
    pub(super) fn is_mark(&self) -> bool {
        self.kind == PieceKind::Mark as u8
    }

    /// Whether the piece is a number word or a letter by itself, as of a code said aloud.
    pub(super) fn is_symbol(&self) -> bool {
        self.kind == PieceKind::NumberWord as u8 || self.is_word() && self.end - self.start == 1
    }
}

/// The kind of the place where the text begins.
const TEXT_BEGINS: u8 = 12;

/// The features of the last of these earlier messages, in order.
pub(super) fn of_context(context: &[Utterance<'_>]) -> Vec<PieceFeatures> {
    let mut out = Vec::new();
    for message in &context[context.len().saturating_sub(MAX_MESSAGES)..] {
        let mut buffer = TokenBuffer::new();
        let text = TokenizedText::new(message.text, &mut buffer);
        out.push(beginning(match message.speaker {
            Speaker::Same => 9,
            Speaker::Other => 10,
            Speaker::Unknown => 11,
        }));
        let tokens = text.tokens();
        let pieces = piece::pieces(&tokens);
        let last = &pieces[pieces.len().saturating_sub(MAX_EARLIER_PIECES)..];
        out.extend(last.iter().map(|piece| of_piece(&tokens, piece, false)));
    }
    out
}

/// Adds the place where a text begins, and its pieces.
pub(super) fn push_text(tokens: &Tokens<'_>, pieces: &[Piece], out: &mut Vec<PieceFeatures>) {
    out.reserve(pieces.len() + 1);
    out.push(beginning(TEXT_BEGINS));
    out.extend(pieces.iter().map(|piece| of_piece(tokens, piece, true)));
}

const fn beginning(kind: u8) -> PieceFeatures {
    let grams = [0; MAX_GRAMS];
    PieceFeatures { start: 0, end: 0, word: 0, grams, kind, digits: 0, case: 0, is_current: kind == TEXT_BEGINS }
}

fn of_piece(tokens: &Tokens<'_>, piece: &Piece, is_current: bool) -> PieceFeatures {
    let text = tokens.between(piece.start, piece.end);
    let is_word = matches!(piece.kind, PieceKind::Word | PieceKind::NumberWord);
    let has_letters = is_word || matches!(piece.kind, PieceKind::LettersAndDigits | PieceKind::Mixed);
    let hash = if has_letters { WordHash::of(text) } else { WordHash::default() };
    PieceFeatures {
        start: piece.start,
        end: piece.end,
        word: if is_word { hash.word } else { 0 },
        grams: hash.grams,
        kind: piece.kind as u8,
        digits: u8::try_from(piece.digits).unwrap_or(u8::MAX).min(MAX_DIGITS),
        case: if has_letters { case(text) } else { 0 },
        is_current,
    }
}

/// The hash of a word in lower case, and the rows of its groups of three letters.
#[derive(Default)]
struct WordHash {
    word: u32,
    grams: [u16; MAX_GRAMS],
}

impl WordHash {
    fn of(text: &str) -> Self {
        let (mut hash, mut grams) = (Hash::START, [0; MAX_GRAMS]);
        let mut last = [None, Some(Hash::START.letter('<'))];
        let mut rows = grams.iter_mut();
        for letter in text.chars().flat_map(char::to_lowercase).map(straight).chain(['>']) {
            if letter != '>' {
                hash = hash.letter(letter);
            }
            // The hash of the two letters before, and of the one before.
            let [pair, single] = last;
            if let Some(pair) = pair
                && let Some(row) = rows.next()
            {
                *row = 1 + pair.letter(letter).remainder(GRAM_HASHES);
            }
            last = [single.map(|single| single.letter(letter)), Some(Hash::START.letter(letter))];
        }
        Self { word: hash.0.max(1), grams }
    }
}

fn straight(letter: char) -> char {
    if letter == '\u{2019}' { '\'' } else { letter }
}

/// The hash of Fowler, Noll and Vo (FNV-1a) of the letters so far.
#[derive(Clone, Copy)]
struct Hash(u32);

impl Hash {
    const START: Self = Self(0x811c_9dc5);
    const PRIME: u32 = 0x0100_0193;

    /// The remainder of a division by a power of two.
    fn remainder(self, divisor: u16) -> u16 {
        let [low, high, ..] = self.0.to_le_bytes();
        u16::from_le_bytes([low, high]) % divisor
    }

    fn letter(self, letter: char) -> Self {
        let mut buffer = [0; 4];
        let bytes = letter.encode_utf8(&mut buffer).bytes();
        Self(bytes.fold(self.0, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(Self::PRIME)))
    }
}

/// 1 for lower case, 2 for upper case, 3 for a capital before lower case or alone, 4 for any other.
fn case(text: &str) -> u8 {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let (upper, lower) =
        letters().fold(
            (0, 0),
            |(upper, lower), letter| if letter.is_uppercase() { (upper + 1, lower) } else { (upper, lower + 1) },
        );
    let begins_upper = letters().next().is_some_and(char::is_uppercase);
    match (upper, lower) {
        (0, 0) => 0,
        (0, _) => 1,
        (1, _) if begins_upper => 3,
        (_, 0) => 2,
        _ => 4,
    }
}
