//! Words of a text that say that nine digits are a social security number: a short label, an authority or a tax return.

use crate::detect::{DetectorInput, is_one_of};
use crate::entity::Entity;
use crate::numbers::slice::RunSlice;
use crate::tokenize::affix::begins_with;
use crate::tokenize::{Token, TokenKind, Tokens};

/// Whether the word before digits names them: "name leila dob 4/4/80 ss 505520021". The German word is longer than those of
/// the lexicon.
pub(super) fn is_labelled_ssn(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    const GERMAN: &str = "sozialversicherungsn";
    let (tokens, first) = (input.tokens, slice.first_token());
    let is_german = |at: usize| begins_with(tokens.str(tokens.at(at)), &[GERMAN]);
    is_one_of(tokens, slice.token_before(), &["ss", "soc"]) || (first.saturating_sub(3)..first).any(is_german)
}

/// Whether the text around a number says that somebody filed the tax return of a person: "filed a return under my name".
pub(super) fn is_of_tax_return(input: &DetectorInput<'_, '_>, number: usize) -> bool {
    const FILED: [&str; 4] = ["filed", "file", "filing", "files"];
    const RETURNS: [&str; 4] = ["return", "returns", "tax", "taxes"];
    const REACH: usize = 4;
    let (tokens, tax) = (input.tokens, [Entity::US_EIN, Entity::US_ITIN]);
    let is_return = |at: usize| is_one_of(tokens, tokens.at(at), &RETURNS);
    let is_filed = |at: usize| is_one_of(tokens, tokens.at(at), &FILED) && (at + 1..at + 1 + REACH).any(is_return);
    let names_other =
        || input.cues_near(number).iter().any(|cue| tax.iter().any(|entity| cue.entities.contains(*entity)));
    tokens.near(number).any(is_filed) && !names_other()
}

/// Whether the text around a number speaks of an authority or a check that asks for a social security number.
pub(super) fn speaks_of_identity(tokens: &Tokens<'_>, number: usize) -> bool {
    const WORDS: [&str; 12] = [
        "fafsa",
        "irs",
        "ssa",
        "identity",
        "taxpayer",
        "verified",
        "background",
        "bureau",
        "payroll",
        "medicaid",
        "dependents",
        "credit",
    ];
    tokens.near(number).any(|at| is_one_of(tokens, tokens.at(at), &WORDS))
}

/// Whether the text around a number has digits grouped as a social security number.
pub(super) fn has_written_ssn(tokens: &Tokens<'_>, number: usize) -> bool {
    let is_digits = |token: Token, count: u16| token.kind == TokenKind::Digits && token.digit_count() == count;
    let near = tokens.as_slice().get(tokens.near(number)).unwrap_or_default();
    near.windows(5).any(|five| match five {
        [a, mark, b, other, c] => {
            let is_joined = mark.is_mark(b'-') && other.is_mark(b'-') || mark.is_mark(b'.') && other.is_mark(b'.');
            is_digits(*a, 3) && is_digits(*b, 2) && is_digits(*c, 4) && is_joined
        }
        _ => false,
    })
}
