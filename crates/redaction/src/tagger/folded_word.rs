//! A word in lower-case letters without accents, with its shape.

use crate::tables::word_set;
use crate::tokenize::lexicon::{MAX_KEY_LETTERS, word_key};
use crate::tokenize::{Token, load_sixteen};

/// Maximum letters of a word that the tagger reads.
const MAX_LETTERS: usize = 24;

/// A word in lower-case letters without accents, cut to [`MAX_LETTERS`].
pub(super) struct FoldedWord {
    letters: [u8; MAX_LETTERS],
    length: usize,
    key: u128,
    pub(super) shape: Shape,
}

/// How a word is written.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// From 0 to 5: small letters, one capital first, capitals, mixed, one letter (capital or small).
    pub(super) number: u8,
    /// Whether the first letter is a capital.
    pub(super) is_capital: bool,
}

/// Each byte with the given bit set.
const fn bytes_with(bit: u32) -> u128 {
    u128::from_le_bytes([1; MAX_KEY_LETTERS]) << bit
}

impl FoldedWord {
    /// The word at a token of a text.
    pub(super) fn new(text: &str, word: Token) -> Self {
        let length = word.byte_len();
        if (1..=MAX_KEY_LETTERS).contains(&length) {
            let used = u128::MAX >> (8 * (MAX_KEY_LETTERS - length));
            let bytes = load_sixteen(text.as_bytes(), word.start as usize) & used;
            if bytes & bytes_with(7) == 0 {
                return Self::of_ascii(bytes, used, length);
            }
        }
        Self::of_text(text.get(word.start as usize..word.end as usize).unwrap_or_default())
    }

    /// A word of ASCII letters, as a number. `used` has the bits of its bytes.
    #[inline]
    fn of_ascii(bytes: u128, used: u128, length: usize) -> Self {
        let key = bytes | bytes_with(5) & used;
        let capitals = key & !bytes & bytes_with(5);
        let mut letters = [0; MAX_LETTERS];
        letters[..MAX_KEY_LETTERS].copy_from_slice(&key.to_le_bytes());
        let is_capital = capitals & 0xff != 0;
        let number = match (is_capital, (capitals >> 8).count_ones() as usize) {
            (true, _) if length == 1 => 4,
            (false, _) if length == 1 => 5,
            (false, 0) => 0,
            (true, 0) => 1,
            (true, later) if later == length - 1 => 2,
            _ => 3,
        };
        Self { letters, length, key, shape: Shape { number, is_capital } }
    }

    #[inline(never)]
    fn of_text(text: &str) -> Self {
        let is_capital = text.starts_with(char::is_uppercase);
        let mut word = Self {
            letters: [0; MAX_LETTERS],
            length: 0,
            key: 0,
            shape: Shape { number: shape_number(text, is_capital), is_capital },
        };
        let letters = text.chars().filter(|c| !matches!(c, '\u{300}'..='\u{36f}'));
        for (letter, slot) in letters.zip(word.letters.iter_mut()) {
            *slot = match letter {
                'a'..='z' => low_byte(letter),
                'A'..='Z' => low_byte(letter) + 32,
                '\u{c0}'..='\u{17f}' => LATIN[letter as usize - 0xc0],
                _ => low_byte(letter) | 0x80,
            };
            word.length += 1;
        }
        word.key = word_key(word.letters());
        word
    }

    pub(super) fn letters(&self) -> &[u8] {
        &self.letters[..self.length]
    }

    /// The key of the word for its lists; 0 if it has none.
    pub(super) fn key(&self) -> u128 {
        self.key
    }

    pub(super) fn hash(&self) -> u32 {
        word_set::hash(self.letters())
    }

    /// A hash of the first three letters.
    pub(super) fn prefix(&self) -> u32 {
        self.letters().iter().take(3).fold(5, |hash, byte| hash << 8 | u32::from(*byte))
    }

    /// A hash of the last letters.
    pub(super) fn suffix(&self, length: usize) -> u32 {
        let letters = self.letters();
        letters[letters.len().saturating_sub(length)..].iter().fold(7, |hash, byte| hash << 8 | u32::from(*byte))
    }
}

/// The base letters of the characters from U+00C0 to U+017F, in small letters.
const LATIN: &[u8; 192] =
    b"aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuytyaaaaaaccccccccddddeeeeeeeeeegg\
    gggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// [`Shape::number`] of a word with letters outside ASCII, or with many letters.
fn shape_number(text: &str, is_capital: bool) -> u8 {
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

#[expect(clippy::cast_possible_truncation, reason = "the low byte is wanted")]
const fn low_byte(letter: char) -> u8 {
    letter as u32 as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn a_short_word_of_ascii_letters_is_read_like_any_other() {
        for text in ["a", "B", "Ox", "iPhone", "McDonald", "IBM", "sixteenlettersab", "SixteenLettersAB"] {
            for text in [text.to_owned(), format!("so {text} is"), format!("{text} and what follows in the text")] {
                let mut buffer = TokenBuffer::new();
                for token in TokenizedText::new(&text, &mut buffer).tokens().as_slice() {
                    let (short, long) = (
                        FoldedWord::new(&text, *token),
                        FoldedWord::of_text(&text[token.start as usize..token.end as usize]),
                    );
                    assert_eq!((short.letters(), short.key()), (long.letters(), long.key()), "{text}");
                    assert_eq!(short.shape.number, long.shape.number, "{text}");
                    assert_eq!(short.shape.is_capital, long.shape.is_capital, "{text}");
                }
            }
        }
    }
}
