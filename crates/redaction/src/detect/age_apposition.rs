//! Ages that stand beside the person: "Mrs Hale, 82, lives alone", "Rosa Diaz (23)", "mi padre, de 80 años".

use super::{flags, is_one_of, person};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words for years in the plural.
const YEARS: [&str; 8] = ["años", "anos", "ans", "anni", "jahre", "jahren", "years", "yrs"];
/// Words after years that are those of something else: "de 20 años de garantía".
const OF_SOMETHING: [&str; 10] = ["de", "d", "di", "con", "com", "avec", "mit", "of", "ago", "lang"];
/// Words between a person and an age in years: "mon fils de 12 ans".
const BEFORE_YEARS: [&str; 3] = ["de", "di", "von"];

/// Whether the number at the tokens `first..after` is the age of the person before it.
pub(super) fn is_age(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let Some(link) = first.checked_sub(1) else { return false };
    let (number, mark) = (tokens.at(first), tokens.at(link));
    if number.kind != TokenKind::Digits || after != first + 1 || tokens.str(number).starts_with('0') {
        return false;
    }
    let years = years_end(tokens, after);
    let end = years.unwrap_or(after);
    if mark.is_mark(b'(') {
        return tokens.at(end).is_mark(b')') && is_person_before(tokens, link, years.is_some());
    }
    if mark.is_mark(b',') {
        return (years.is_some() || ends_apposition(tokens, after)) && is_person_before(tokens, link, years.is_some());
    }
    let person = link - usize::from(link > 0 && tokens.before(link).is_mark(b','));
    years.is_some() && is_one_of(tokens, mark, &BEFORE_YEARS) && is_person_before(tokens, person, true)
}

/// Whether a person stands before a token. One who is only a relation needs a word for years.
fn is_person_before(tokens: &Tokens<'_>, end: usize, has_years: bool) -> bool {
    person::ends_before(tokens, end) || has_years && person::is_relation_before(tokens, end)
}

/// The token after the years of an age. "20 años de garantía" and "10 Jahre Kundin" are no age.
fn years_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let next = tokens.at(at + 1);
    let begins_noun = next.gap <= Gap::Space && tokens.str(next).starts_with(char::is_uppercase);
    let is_of_something = is_one_of(tokens, next, &OF_SOMETHING) || next.kind == TokenKind::Word && begins_noun;
    (is_one_of(tokens, tokens.at(at), &YEARS) && !is_of_something).then_some(at + 1)
}

/// Whether a number between commas ends there: nothing follows that it counts.
fn ends_apposition(tokens: &Tokens<'_>, after: usize) -> bool {
    let next = tokens.at(after);
    match next.kind {
        TokenKind::Edge => true,
        TokenKind::Mark => {
            let is_end = [b',', b'.', b';', b')', b'?', b'!'].iter().any(|mark| next.is_mark(*mark));
            is_end && next.gap == Gap::None && tokens.at(after + 1).gap != Gap::None
                || is_end && tokens.at(after + 1).kind == TokenKind::Edge
        }
        TokenKind::Word => next.gap >= Gap::Line || flags(next) & flag::AND != 0,
        TokenKind::Digits | TokenKind::Mask => false,
    }
}
