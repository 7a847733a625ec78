//! Words that say that a number was not accepted or has an error.

use super::is_one_of;
use crate::tokenize::Tokens;

/// Tokens on either side of a number in which such words count.
const SCOPE: usize = 14;
/// The words.
const REJECTION: [&str; 28] = [
    "invalid",
    "valid",
    "declined",
    "refused",
    "rejected",
    "typo",
    "digit",
    "misread",
    "wrong",
    "incorrect",
    "fails",
    "failed",
    "validation",
    "checksum",
    "mistake",
    "error",
    "valido",
    "valida",
    "refuse",
    "fehler",
    "ungultig",
    "invalido",
    "inválido",
    "válido",
    "refusé",
    "ungültig",
    "exist",
    "wont",
];

/// Whether words beside the tokens `first..after` say that a number was not accepted or has an error.
pub(super) fn is_rejected(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    (first.saturating_sub(SCOPE)..after + SCOPE).any(|at| is_one_of(tokens, tokens.at(at), &REJECTION))
}
