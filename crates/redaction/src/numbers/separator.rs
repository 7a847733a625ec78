//! Separators: the tokens that may lie between two digit groups of a run.

use super::digit_group::Separator;
use super::foreign_numbers::{ambiguous_number, is_ambiguous};
use super::number_token::is_word;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// Number of tokens after a group within which the next group must begin.
const MAX_SEPARATOR_TOKENS: usize = 4;

/// Words that may occur inside a run.
const INNER_WORDS: u32 = flag::NUMBER | flag::FILLER | flag::AND | flag::SPOKEN_MARK;
/// Marks that may occur inside a run, one bit each.
const INNER_MARKS: u64 = 1 << b'-' | 1 << b'.' | 1 << b'/' | 1 << b'(' | 1 << b')' | 1 << b'+' | 1 << b',';

/// Whether a token ends a run.
#[expect(clippy::needless_bitwise_bool, reason = "a branch on the kind of a token is unpredictable")]
pub(super) fn ends_run(token: Token) -> bool {
    (token.kind == TokenKind::Word) & (token.flags & INNER_WORDS == 0) & !is_ambiguous(token)
        | (token.kind == TokenKind::Mark) & ((token.mark() >= 64) | (INNER_MARKS >> (token.mark() & 63) & 1 == 0))
        | (token.kind == TokenKind::Mask)
        | (token.gap == Gap::Paragraph)
}

/// Whether a word after a full stop begins a sentence: "2687. One of them".
fn begins_sentence(tokens: &Tokens<'_>, word: Token) -> bool {
    word.gap >= Gap::Space && tokens.str(word).starts_with(|c: char| c.is_ascii_uppercase())
}

/// The first token of the next group of a run that ends before `end`, with the separator and its mark.
pub(super) fn next_group(tokens: &Tokens<'_>, end: usize) -> Option<(usize, Separator, u8)> {
    let (mut separator, mut mark, mut fillers, mut at) = (Separator::Adjacent, 0, 0, end);
    while at < end + MAX_SEPARATOR_TOKENS {
        let token = tokens.at(at);
        separator = separator.max(match token.gap {
            Gap::None if at == end => Separator::Adjacent,
            Gap::None => Separator::Punctuation,
            Gap::Space => Separator::Space,
            Gap::Wide => Separator::Pause,
            Gap::Line => Separator::Break,
            Gap::Paragraph => return None,
        });
        if token.kind == TokenKind::Digits {
            return Some((at, separator, mark));
        }
        if token.kind == TokenKind::Mark {
            let byte = token.mark();
            match byte {
                b'-' | b'.' | b'/' | b'(' | b')' | b'+' if token.byte_len() <= 3 => {
                    separator = separator.max(Separator::Punctuation);
                }
                b',' => separator = separator.max(Separator::Pause),
                _ => return None,
            }
            mark = if mark == 0 || byte != b' ' { byte } else { mark };
        } else if token.kind == TokenKind::Word {
            let flags = token.flags;
            if flags & flag::NUMBER != 0 || ambiguous_number(tokens, at).is_some() {
                if mark == b'.' && begins_sentence(tokens, token) {
                    return None;
                }
                return Some((at, separator, mark));
            }
            if flags & flag::FILLER != 0 && fillers < 2 && !is_word(tokens, token, "so") {
                fillers += 1;
                separator = separator.max(Separator::Pause);
            } else if flags & flag::AND != 0 && fillers < 2 {
                fillers += 1;
                let then = tokens.at(at + 1);
                separator =
                    separator.max(if is_word(tokens, then, "then") { Separator::Pause } else { Separator::Break });
            } else if flags & flag::SPOKEN_MARK != 0 && matches!(lexicon::entry(token.slot()).value, b'-' | b'/') {
                separator = separator.max(Separator::Space);
                mark = lexicon::entry(token.slot()).value;
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
