//! Letters and numbers said aloud: what a token stands for among them.

use super::{WordList, flags, is_one_of, joined};
use crate::numbers;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// The bit that marks a symbol as a letter.
pub(super) const LETTER_BIT: u8 = 0x80;

/// The letter (as [`LETTER_BIT`] and its ASCII code) or the number below 100 at a token, the count of its letters or
/// digits, and the token after it.
#[inline]
pub(super) fn symbol(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize, usize)> {
    if may_be_symbol(tokens, at) { symbol_at(tokens, at) } else { None }
}

/// Whether a token may be a letter or a number. Most words are told apart so.
#[inline]
fn may_be_symbol(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.as_slice().get(at).is_some_and(|token| match token.kind {
        TokenKind::Digits => token.digit_count() == 1,
        TokenKind::Word => {
            token.byte_len() == 1
                || token.flags & SAID_WORDS != 0
                || SAID_NAMES.has(tokens, *token)
                || numbers::is_ambiguous(*token)
        }
        TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => false,
    })
}

/// Same as [`symbol`].
fn symbol_at(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize, usize)> {
    let token = tokens.at(at);
    if token.gap >= Gap::Line && at > 0 {
        return None;
    }
    if token.kind == TokenKind::Digits {
        return (token.digit_count() == 1)
            .then(|| (tokens.str(token).bytes().next().map_or(0, |b| b.wrapping_sub(b'0') % 10), 1, at + 1));
    }
    let flags = flags(token);
    if flags & SAID_WORDS == 0 && token.byte_len() > 1 {
        return symbol_of_word(tokens, at, token);
    }
    let (entry, follows) = (lexicon::entry(token.slot()), tokens.at(at + 1));
    if flags & flag::REPEAT != 0 {
        // Two repeat words in a row ("double double") repeat nothing, so the recursion is one level deep.
        let repeatable = follows.gap == Gap::Space && self::flags(follows) & flag::REPEAT == 0;
        return (if repeatable { symbol(tokens, at + 1) } else { None })
            .filter(|u| u.1 == 1)
            .map(|u| (u.0, usize::from(entry.value), u.2));
    }
    if flags & (flag::DIGIT | flag::TEEN | flag::TENS) != 0
        && let Some((value, after)) = numbers::foreign_tens(tokens, at)
    {
        return Some((value, 2, after));
    }
    if flags & (flag::DIGIT | flag::OH) != 0 {
        return Some((entry.value, 1, at + 1));
    }
    if flags & flag::TENS != 0 {
        let joined = self::flags(follows) & flag::DIGIT != 0
            && lexicon::entry(follows.slot()).value > 0
            && follows.gap <= Gap::Space;
        let value = if joined { lexicon::entry(follows.slot()).value } else { 0 };
        return Some((entry.value + value, 2, at + 1 + usize::from(joined)));
    }
    if flags & flag::TEEN != 0 {
        return Some((entry.value, 2, at + 1));
    }
    letter(tokens, at, token)
}

/// Names of letters that are no words of a sentence, and the letters.
const NAMES: [&str; 14] =
    ["zed", "zee", "aitch", "haitch", "jay", "kay", "vee", "tee", "pee", "dee", "ess", "eff", "bee", "queue"];
const LETTERS: [u8; NAMES.len()] = *b"zzhhjkvtpdsfbq";
/// Words before a letter that say whether it is large.
const CASES: [&str; 7] = ["capital", "uppercase", "lowercase", "caps", "cap", "upper", "lower"];

const NAMES_AND_CASES: [&str; NAMES.len() + CASES.len()] = joined(&[&NAMES, &CASES]);
/// The words of [`NAMES`] and [`CASES`].
static SAID_NAMES: WordList = WordList::new(&NAMES_AND_CASES);

/// The letter after a word of [`CASES`].
fn cased_letter(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize, usize)> {
    // "upper case b"
    let letter_at = at + usize::from(is_one_of(tokens, tokens.at(at), &["case", "letter"]));
    let token = tokens.at(letter_at);
    if token.gap == Gap::Space { letter(tokens, letter_at, token) } else { None }
}

/// What a word stands for that is no number and of no spelling alphabet: "capital b", "zed", "elf" among German numbers.
fn symbol_of_word(tokens: &Tokens<'_>, at: usize, token: Token) -> Option<(u8, usize, usize)> {
    if !SAID_NAMES.has(tokens, token) {
        return numbers::ambiguous_number(tokens, at).map(|value| (value, if value < 10 { 1 } else { 2 }, at + 1));
    }
    let word = tokens.str(token);
    let Some(name) = NAMES.iter().position(|name| name.eq_ignore_ascii_case(word)) else {
        return cased_letter(tokens, at + 1);
    };
    let letter = LETTERS.get(name).filter(|_| !touches_letter(tokens, at))?;
    Some((LETTER_BIT + letter, 1, at + 1))
}

/// The letter that a value of [`symbol`] stands for, in upper case; `None` for a number.
pub(super) fn spelled_letter(value: u8) -> Option<u8> {
    value.checked_sub(LETTER_BIT).map(|letter| letter.to_ascii_uppercase())
}

/// A single letter, the name of a letter in the spelling alphabet, or a letter with a word that begins with it.
fn letter(tokens: &Tokens<'_>, at: usize, token: Token) -> Option<(u8, usize, usize)> {
    if flags(token) & flag::SPELLING_ALPHABET != 0 {
        return Some((LETTER_BIT + lexicon::entry(token.slot()).value, 1, at + 1));
    }
    let Some(byte) = single_letter(tokens, token) else { return symbol_of_word(tokens, at, token) };
    let is_x_ray =
        byte == b'x' && tokens.at(at + 1).is_mark(b'-') && tokens.str(tokens.at(at + 2)).eq_ignore_ascii_case("ray");
    if is_x_ray {
        return Some((LETTER_BIT + b'x', 1, at + 3));
    }
    let end = || explanation_end(tokens, at, byte).unwrap_or(at + 1);
    (!touches_letter(tokens, at)).then(|| (LETTER_BIT + byte, 1, end()))
}

/// Whether something touches the word at a token on the left, or a letter or digit on the right, as in "c'est".
fn touches_letter(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    let is_elided = next.is_mark(b'\'') && tokens.at(at + 2).gap == Gap::None;
    tokens.at(at).gap == Gap::None && at > 0 || next.gap == Gap::None && (next.is_alphanumeric() || is_elided)
}

pub(super) fn single_letter(tokens: &Tokens<'_>, token: Token) -> Option<u8> {
    let byte = tokens.str(token).bytes().next().filter(|_| token.kind == TokenKind::Word && token.byte_len() == 1)?;
    byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase())
}

/// Words that stand for letters and digits said aloud, or between them.
pub(super) const SAID_WORDS: u32 = flag::NUMBER | flag::SPELLING_ALPHABET | flag::REPEAT | flag::FILLER | flag::OH;
/// Words that join a letter to the word that explains it.
const EXPLANATION_LINKS: [&str; 9] = ["for", "like", "in", "as", "de", "come", "como", "comme", "wie"];

/// Whether a token of letters said aloud, of which token `first` is the first, joins a letter to its explanation or may be that:
/// the "in" and the "boy" of "b as in boy".
pub(super) fn is_explanation(tokens: &Tokens<'_>, at: usize, first: usize) -> bool {
    let is_link = |token: Token| is_one_of(tokens, token, &EXPLANATION_LINKS);
    is_link(tokens.at(at)) || at > first && is_link(tokens.before(at))
}

/// The token after the word that explains the letter at a token: "as in bravo", "for november", "like apple".
fn explanation_end(tokens: &Tokens<'_>, at: usize, letter: u8) -> Option<usize> {
    let is = |place: usize, word: &str| {
        tokens.str(tokens.at(place)).eq_ignore_ascii_case(word) && tokens.at(place).gap == Gap::Space
    };
    let word = match () {
        () if is(at + 1, "as") && is(at + 2, "in") => at + 3,
        () if EXPLANATION_LINKS.iter().any(|link| is(at + 1, link)) => at + 2,
        // "b bravo"
        () if flags(tokens.at(at + 1)) & flag::SPELLING_ALPHABET != 0 => at + 1,
        () => return None,
    };
    let token = tokens.at(word);
    let begins = tokens.str(token).bytes().next().is_some_and(|b| b.eq_ignore_ascii_case(&letter));
    (token.kind == TokenKind::Word && token.gap == Gap::Space && token.byte_len() > 1 && begins).then_some(word + 1)
}

/// The first token of an explained letter that ends before token `end`.
pub(super) fn explained_letter_start(tokens: &Tokens<'_>, end: usize) -> Option<usize> {
    [3, 4].into_iter().filter_map(|length| end.checked_sub(length)).find(|first| {
        single_letter(tokens, tokens.at(*first))
            .is_some_and(|letter| explanation_end(tokens, *first, letter) == Some(end))
    })
}
