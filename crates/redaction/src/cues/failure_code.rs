//! Codes by which a program or a machine says what went wrong: "it fails with code 40017", "it comes back with 40017".

use super::words::{is, token_before_joints};
use crate::tokenize::Tokens;

/// Verbs of a failure, which nobody says of a code that was typed.
const FAILS: [&str; 22] = [
    "fails",
    "failing",
    "crashes",
    "crashed",
    "crashing",
    "aborts",
    "aborted",
    "exits",
    "exited",
    "hangs",
    "freezes",
    "terminates",
    "errors",
    "errored",
    "bricht",
    "stürzt",
    "falla",
    "plante",
    "falha",
    "fallisce",
    "bugs",
    "dies",
];
/// Verbs of an answer, before "back".
const COMES: [&str; 8] = ["comes", "came", "come", "coming", "throws", "bounces", "bounced", "reports"];
/// Words between such a verb and the number.
const JOINTS: [&str; 21] = [
    "with", "on", "at", "an", "a", "the", "code", "status", "error", "message", "number", "back", "mit", "con", "avec",
    "com", "codigo", "codice", "exit", "always", "out",
];
/// Most words between them.
const MAX_JOINTS: usize = 4;

/// Whether the words before a number are a verb of failing and what joins the number to it.
pub(super) fn is_failure_code(tokens: &Tokens<'_>, first: usize) -> bool {
    let is_joint = |at: &usize| is(tokens, tokens.at(*at), &JOINTS) || tokens.at(*at).is_mark(b':');
    let Some(verb) = token_before_joints(first, MAX_JOINTS, is_joint) else { return false };
    let returns =
        || is(tokens, tokens.at(verb), &COMES) && is(tokens, tokens.at(verb + 1), &["back", "with", "an", "a"]);
    verb + 1 < first && (is(tokens, tokens.at(verb), &FAILS) || returns())
}
