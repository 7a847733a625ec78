//! Coordinates said aloud: "forty seven point six two zero minus one twenty two point three four nine".

use crate::detect::is_one_of;
use crate::detect::token_words::is_spoken;
use crate::numbers::is_number_token;
use crate::tokenize::{Gap, Tokens};

/// Digits after the point of a latitude or a longitude. Fewer are measures, times or amounts.
const MIN_DECIMALS: usize = 3;
/// Tokens of the longest pair of coordinates.
const MAX_TOKENS: usize = 48;
const SIGNS: [&str; 5] = ["minus", "negative", "menos", "moins", "meno"];
/// Words between a latitude and a longitude.
const JOINTS: [&str; 7] = ["and", "by", "comma", "north", "south", "latitude", "degrees"];

/// The tokens of a latitude and a longitude of which the first point is at `point`.
pub(super) fn around(tokens: &Tokens<'_>, point: usize) -> Option<(usize, usize)> {
    let is_number = |at: usize| is_number_token(tokens.at(at)) && tokens.at(at).gap <= Gap::Space;
    let is_point = |at: usize| is_spoken(tokens.at(at), b'.') && tokens.at(at).gap <= Gap::Space;
    let mut first = point;
    while first > 0 && point - first < MAX_TOKENS && is_number_token(tokens.before(first)) {
        first -= 1;
        if tokens.at(first).gap > Gap::Space {
            break;
        }
    }
    let numbers_after = |from: usize| (from..from + MAX_TOKENS).take_while(|at| is_number(*at)).count();
    let decimals = numbers_after(point + 1);
    let mut second = point + 1 + decimals;
    let is_between = |at: usize| is_one_of(tokens, tokens.at(at), &JOINTS) || tokens.at(at).is_mark(b',');
    second += usize::from(is_between(second));
    let has_sign = is_one_of(tokens, tokens.at(second), &SIGNS);
    second += usize::from(has_sign);
    second += numbers_after(second);
    let last = numbers_after(second + 1);
    let is_pair = first < point && decimals >= MIN_DECIMALS && is_point(second) && last >= MIN_DECIMALS;
    let is_signed = first > 0 && is_one_of(tokens, tokens.before(first), &SIGNS);
    is_pair.then_some((first - usize::from(is_signed), second + 1 + last))
}
