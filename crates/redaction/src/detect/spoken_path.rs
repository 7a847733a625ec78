//! The path and the query of a web address said aloud: "forward slash login", "slash track question mark id equals a b seven".

use super::is_one_of;
use super::spelled_code::symbol;
use super::token_words::is_spoken;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum tokens of a path.
const MAX_TOKENS: usize = 48;
/// Words that join the parts of a path after its first mark.
const JOINTS: [&str; 9] = ["dash", "hyphen", "underscore", "hash", "hashtag", "equals", "equal", "dot", "percent"];

/// The token after a path that begins at a token; the token itself if none begins there.
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

/// The token after the mark before a part of a path.
fn mark_end(tokens: &Tokens<'_>, at: usize, is_inside: bool) -> Option<usize> {
    let token = tokens.at(at);
    let is = |at: usize, words: &[&str]| tokens.at(at).gap <= Gap::Space && is_one_of(tokens, tokens.at(at), words);
    if token.gap > Gap::Space {
        return None;
    }
    match () {
        () if is_spoken(token, b'/') => Some(at + 1),
        () if is(at, &["forward", "back"]) && is_spoken(tokens.at(at + 1), b'/') => Some(at + 2),
        () if is(at, &["question"]) && is(at + 1, &["mark"]) => Some(at + 2),
        () if is_inside && is(at, &JOINTS) => Some(at + 1),
        () => None,
    }
}

/// The token after a word, or after letters and digits said one by one.
fn part_end(tokens: &Tokens<'_>, first: usize) -> usize {
    let is_part = |at: usize| tokens.at(at).gap <= Gap::Space && tokens.at(at).is_alphanumeric();
    let next = |at: &usize| symbol(tokens, *at).filter(|_| is_part(*at)).map(|(.., after)| after);
    let spelled = std::iter::successors(Some(first), next).take(MAX_TOKENS).last().unwrap_or(first);
    let is_word = spelled == first && tokens.at(first).kind != TokenKind::Mark && is_part(first);
    if is_word { first + 1 } else { spelled }
}
