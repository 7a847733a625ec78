//! What people say while they look for the next digits: "um", "you know", "let me see".

use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Phrases that only fill time, in lower case. An apostrophe is a word border.
const PHRASES: [&[&str]; 24] = [
    &["you", "know"],
    &["i", "mean"],
    &["let", "me", "see"],
    &["let", "me", "check"],
    &["let", "s", "see"],
    &["hold", "on"],
    &["hang", "on"],
    &["one", "moment"],
    &["one", "second"],
    &["one", "sec"],
    &["just", "a", "second"],
    &["just", "a", "moment"],
    &["just", "a", "sec"],
    &["give", "me", "a", "second"],
    &["give", "me", "a", "sec"],
    &["give", "me", "a", "moment"],
    &["wait", "a", "second"],
    &["wait", "a", "minute"],
    &["bear", "with", "me"],
    &["a", "second"],
    &["a", "moment"],
    &["where", "was", "i"],
    &["sort", "of"],
    &["and", "then"],
];

/// The first letters of the phrases, and bytes of the longest first word.
const HEAD_LETTERS: [u8; 11] = *b"yilhojgwbas";
const MAX_HEAD_BYTES: usize = 5;

/// The token after a hesitation that begins at a token, without the marks after it.
pub(super) fn end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let word = tokens.str(tokens.at(at)).as_bytes();
    let may_begin =
        word.len() <= MAX_HEAD_BYTES && word.first().is_some_and(|first| HEAD_LETTERS.contains(&(first | 0x20)));
    let phrase = may_begin.then(|| PHRASES.iter().find_map(|words| phrase_end(tokens, at, words))).flatten();
    phrase.or_else(|| (tokens.at(at).flags & flag::FILLER != 0).then_some(at + 1))
}

fn phrase_end(tokens: &Tokens<'_>, at: usize, words: &[&str]) -> Option<usize> {
    let mut next = at;
    for (nth, word) in words.iter().enumerate() {
        let apostrophe = tokens.at(next);
        if nth > 0 && apostrophe.kind == TokenKind::Mark && matches!(tokens.str(apostrophe), "'" | "\u{2019}") {
            next += 1;
        }
        let token = tokens.at(next);
        if token.kind != TokenKind::Word
            || nth > 0 && token.gap >= Gap::Line
            || !word.eq_ignore_ascii_case(tokens.str(token))
        {
            return None;
        }
        next += 1;
    }
    Some(next)
}
