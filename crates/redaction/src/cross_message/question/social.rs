//! Questions for a social security number in other words: by who gave it, or by the form that it is for.

use crate::detect::is_one_of;
use crate::tokenize::Tokens;

/// Who gave the number.
const GIVERS: [&str; 10] = [
    "government",
    "federal",
    "taxpayer",
    "irs",
    "ssa",
    "feds",
    "state",
    "washington",
    "gubernamental",
    "contribuyente",
];
/// What is given.
const NUMBERS: [&str; 10] =
    ["number", "numbers", "digits", "id", "identifier", "figures", "numero", "nr", "one", "nine"];
/// What the number is for: forms and benefits of the United States.
const FORMS: [&str; 11] =
    ["1099", "w2", "w9", "w4", "i9", "unemployment", "payroll", "fafsa", "withholding", "disability", "survivor"];
/// Words that make a number another one.
const OTHERS: [&str; 21] = [
    "phone",
    "telephone",
    "fax",
    "reference",
    "confirmation",
    "claim",
    "case",
    "order",
    "invoice",
    "employee",
    "passport",
    "licence",
    "license",
    "account",
    "routing",
    "employer",
    "ein",
    "policy",
    "plan",
    "badge",
    "tax",
];
/// Words between who gave a number and the number.
const REACH: usize = 3;
/// Words between a form and the number for it.
const FORM_REACH: usize = 10;

/// Whether a message asks for the number that the government gave somebody, or for the number on a tax or benefit form.
pub(super) fn asks_for_social(tokens: &Tokens<'_>) -> bool {
    let is = |at: usize, words: &[&str]| is_one_of(tokens, tokens.at(at), words);
    let is_near = |number: usize, words: &[&str], reach: usize| {
        (number.saturating_sub(reach)..=number + reach).any(|near| is(near, words) || is_form(tokens, near, words))
    };
    let is_own = |at: usize| !is(at.wrapping_sub(1), &OTHERS);
    let is_number = |at: usize| is(at, &NUMBERS[..7]) && is_own(at);
    let is_given = |at: usize| is(at, &NUMBERS) && is_own(at) && is_near(at, &GIVERS, REACH);
    let is_on_form = |at: usize| is_number(at) && is_near(at, &FORMS, FORM_REACH) && asks_what(tokens);
    (0..tokens.len()).any(|at| is_given(at) || is_on_form(at))
}

/// Whether a message asks what something is.
fn asks_what(tokens: &Tokens<'_>) -> bool {
    const WORDS: [&str; 9] = ["what", "which", "whats", "your", "need", "give", "tell", "que", "cual"];
    tokens.as_slice().iter().any(|token| is_one_of(tokens, *token, &WORDS))
}

/// Whether the tokens from one on are the name of a form in two parts: "w-2", "1099".
fn is_form(tokens: &Tokens<'_>, at: usize, words: &[&str]) -> bool {
    let (first, second, third) =
        (tokens.str(tokens.at(at)), tokens.str(tokens.at(at + 1)), tokens.str(tokens.at(at + 2)));
    let is_letter = first.eq_ignore_ascii_case("w") || first.eq_ignore_ascii_case("i");
    let digit = if second == "-" { third } else { second };
    words.contains(&first) || words.contains(&"w2") && is_letter && matches!(digit, "2" | "9" | "4")
}
