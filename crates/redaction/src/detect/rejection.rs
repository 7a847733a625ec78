//! Words that say that a number was not accepted or has an error.

use super::WordList;
use crate::tokenize::Tokens;

/// Tokens on either side of a number in which such words count.
const SCOPE: usize = 14;
/// The words.
static REJECTION: WordList = WordList::new(&[
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
]);

/// Whether words beside the tokens `first..after` say that a number was not accepted or has an error.
pub(super) fn is_rejected(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    (first.saturating_sub(SCOPE)..after + SCOPE).any(|at| REJECTION.has(tokens, tokens.at(at)))
}
