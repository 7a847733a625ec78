//! Nouns that say of a number before them that it was the wrong one: the telephone of "6189 no wait that's my phone 7022".
//! Such a noun does not name the number behind it.

use super::words::{is, is_number_or_mask};
use crate::tokenize::Tokens;
use crate::tokenize::words::flag;

/// Words that take back what was said.
const CORRECTIONS: [&str; 26] = [
    "no",
    "nope",
    "wait",
    "sorry",
    "hold",
    "hang",
    "oops",
    "whoops",
    "scratch",
    "perdon",
    "perdona",
    "espera",
    "espere",
    "non",
    "pardon",
    "attends",
    "attendez",
    "nein",
    "warte",
    "entschuldigung",
    "nao",
    "desculpa",
    "desculpe",
    "scusi",
    "scusa",
    "aspetti",
];
/// Words for the number that was said.
const THAT: [&str; 18] = [
    "that", "thats", "this", "those", "was", "ese", "esa", "eso", "este", "c", "ca", "das", "isso", "esse", "essa",
    "quello", "quella", "questo",
];
/// Tokens from a noun back to the verb before it, and from the number to the words that take it back.
const REACH: usize = 5;

/// Whether the noun at a token is said of a number before it, which is taken back.
pub(crate) fn names_number_before(tokens: &Tokens<'_>, noun: usize) -> bool {
    let is_verb = |at: &usize| {
        let token = tokens.at(*at);
        token.flags & flag::COPULA != 0 || is(tokens, token, &["s", "thats", "est", "e", "es", "ist", "was"])
    };
    let is_that = |at: usize| is(tokens, tokens.at(at), &THAT);
    (noun.saturating_sub(REACH)..noun).rev().filter(is_verb).any(|verb| {
        let that = (verb.saturating_sub(2)..=verb).find(|at| is_that(*at));
        that.is_some_and(|that| is_after_correction(tokens, that))
    })
}

/// Whether a number and words that take it back are directly before a token.
fn is_after_correction(tokens: &Tokens<'_>, at: usize) -> bool {
    let from = at.saturating_sub(REACH);
    let correction = (from..at).rev().find(|near| is(tokens, tokens.at(*near), &CORRECTIONS));
    correction
        .is_some_and(|correction| (from.saturating_sub(1)..correction).any(|near| is_number_or_mask(tokens.at(near))))
}
