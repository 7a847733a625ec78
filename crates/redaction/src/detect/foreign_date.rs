//! Days and years of dates in Spanish, French, German, Portuguese and Italian: "veinte de mayo de mil novecientos setenta y
//! ocho", "elften April neunzehnhundertsechsundneunzig".

use super::is_one_of;
use crate::numbers::foreign_below_hundred;
use crate::tokenize::affix::{begins_with, ends_with};
use crate::tokenize::{Gap, TokenKind, Tokens};

/// The last day of a month.
const LAST_DAY: u8 = 31;
const FIRST_DAYS: [&str; 8] = ["premier", "1er", "primero", "primo", "primeiro", "ersten", "erster", "erste"];
const TWO: [&str; 6] = ["dos", "deux", "dois", "duas", "due", "zwei"];
const THOUSAND: [&str; 5] = ["mil", "mille", "mila", "tausend", "mile"];
const NINE: [&str; 2] = ["neuf", "neun"];
const HUNDREDS: [&str; 7] = ["cent", "cents", "hundert", "novecientos", "novecentos", "novecento", "novecientas"];
/// Beginnings of years that are one word.
const YEAR_BEGINNINGS: [&str; 6] =
    ["neunzehnhundert", "zweitausend", "millenovecento", "duemila", "milnovecientos", "dosmil"];
/// Endings of German ordinal numbers.
const ORDINAL_ENDINGS: [&str; 4] = ["ten", "ter", "te", "tes"];
/// Beginnings of German ordinal numbers up to the thirty-first.
const ORDINAL_BEGINNINGS: [&str; 18] = [
    "zwei", "drit", "vier", "fünf", "fuenf", "funf", "sechs", "sieb", "ach", "neun", "zehn", "elf", "zwölf", "zwoelf",
    "zwolf", "drei", "ein", "dreiß",
];
/// Bytes of the shortest German ordinal number.
const MIN_ORDINAL_BYTES: usize = 5;

/// The token after a day that begins at a token; `None` if it is no number from 1 to 31.
pub(super) fn day_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if is_one_of(tokens, token, &FIRST_DAYS) || is_german_ordinal(tokens, at) {
        return Some(at + 1);
    }
    let (value, end) = foreign_below_hundred(tokens, at)?;
    (1..=LAST_DAY).contains(&value).then_some(end)
}

fn is_german_ordinal(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let word = tokens.str(token);
    token.kind == TokenKind::Word
        && word.len() >= MIN_ORDINAL_BYTES
        && ends_with(word, &ORDINAL_ENDINGS)
        && begins_with(word, &ORDINAL_BEGINNINGS)
}

/// The token after a year from 1900 to 2099 that begins at a token.
pub(super) fn year_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word || token.gap > Gap::Wide {
        return None;
    }
    if begins_with(tokens.str(token), &YEAR_BEGINNINGS) {
        return Some(at + 1);
    }
    let is = |at: usize, words: &[&str]| tokens.at(at).gap <= Gap::Space && is_one_of(tokens, tokens.at(at), words);
    if is_one_of(tokens, token, &TWO) && is(at + 1, &THOUSAND) {
        return Some(below_hundred_end(tokens, at + 2).unwrap_or(at + 2));
    }
    let hundreds = at + 1 + usize::from(is(at + 1, &NINE));
    if is_one_of(tokens, token, &THOUSAND) && is(hundreds, &HUNDREDS) {
        return Some(below_hundred_end(tokens, hundreds + 1).unwrap_or(hundreds + 1));
    }
    None
}

/// The token after a number below 100, with a word for "and" before it or without one.
fn below_hundred_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let place = at + usize::from(is_one_of(tokens, tokens.at(at), &["e", "y", "et", "und"]));
    let (_, end) = foreign_below_hundred(tokens, place).filter(|_| tokens.at(place).gap <= Gap::Space)?;
    Some(end)
}
