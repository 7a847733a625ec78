//! The path and the query of a web address said aloud: "forward slash login", "slash track question mark id equals a b seven".

use super::is_one_of;
use super::spelled_code::{is_prose_word, symbol};
use super::token_words::is_spoken;
use crate::tokenize::{Gap, Tokens};

/// Tokens after which no new part of a path begins, and the most symbols of a part.
const MAX_TOKENS: usize = 48;
const MAX_SYMBOLS: usize = 48;
/// Words for marks that are read inside a path, and do not begin one.
const INNER_MARKS: [&str; 11] =
    ["dash", "hyphen", "underscore", "hash", "hashtag", "equals", "equal", "dot", "percent", "ampersand", "plus"];

/// The token after the path that begins at `first`; `first` if none does.
pub(super) fn end(tokens: &Tokens<'_>, first: usize) -> usize {
    let mut end = first;
    while end < first + MAX_TOKENS {
        let Some(part) = mark_end(tokens, end, end > first) else { break };
        let after = part_end(tokens, part);
        if after == part {
            break;
        }
        end = after;
    }
    end
}

/// The token after the mark before a part of a path; `None` without one. Some marks count only `inside` a path.
fn mark_end(tokens: &Tokens<'_>, at: usize, inside: bool) -> Option<usize> {
    let is_near = |at: usize| tokens.at(at).gap <= Gap::Space;
    let is = |at: usize, words: &[&str]| is_near(at) && is_one_of(tokens, tokens.at(at), words);
    let is_slash = |at: usize| is_near(at) && is_spoken(tokens.at(at), b'/');
    match () {
        () if is_slash(at) => Some(at + 1),
        () if is(at, &["forward", "back"]) && is_slash(at + 1) => Some(at + 2),
        () if is(at, &["question"]) && is(at + 1, &["mark"]) => Some(at + 2),
        () if inside && is(at, &INNER_MARKS) => Some(at + 1),
        () => None,
    }
}

/// The token after a part: a word or a written number, and the letters and digits said one by one in its place or after it.
fn part_end(tokens: &Tokens<'_>, first: usize) -> usize {
    let is_part = |at: usize| tokens.at(at).gap <= Gap::Space && tokens.at(at).is_alphanumeric();
    let after_symbol = |at: &usize| {
        let (.., after) = symbol(tokens, *at).filter(|_| is_part(*at))?;
        (!is_prose_word(tokens, *at, after)).then_some(after)
    };
    let after_symbols =
        |from: usize| std::iter::successors(Some(from), after_symbol).take(MAX_SYMBOLS).last().unwrap_or(from);
    match after_symbols(first) {
        after if after > first => after,
        _ if !is_part(first) => first,
        _ => after_symbols(first + 1),
    }
}
