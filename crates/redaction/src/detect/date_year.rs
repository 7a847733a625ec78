//! The year of a date with the month in letters: "1980", "nineteen eighty five", "two thousand oh one", "eighty two".

use super::foreign_date;
use super::token_words::flags;
use crate::numbers::foreign_below_hundred;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};
use crate::validate::number;

/// The last day of a month. A greater number after a day and a month is a year.
const LAST_DAY: u8 = 31;

fn value(tokens: &Tokens<'_>, at: usize) -> u8 {
    lexicon::entry(tokens.at(at).slot()).value
}

/// Whether a word with one of these flags follows a word.
fn is(tokens: &Tokens<'_>, at: usize, flag: u32) -> bool {
    flags(tokens.at(at)) & flag != 0 && tokens.at(at).gap <= Gap::Space
}

/// The token after the last two digits of a year that are said after a day and a month: "eighth of may ninety one", "july fourth
/// oh one", "4. Juli zweiundachtzig", "4th of july '82".
pub(super) fn short_year_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    const MAY_FOLLOW: u32 = flag::AND | flag::STOPWORD | flag::CONNECTOR | flag::COPULA | flag::FILLER;
    let is_written =
        |token: Token| token.kind == TokenKind::Digits && token.digit_count() == 2 && token.gap == Gap::None;
    if tokens.at(at).is_mark(b'\'') && is_written(tokens.at(at + 1)) {
        return Some(at + 2);
    }
    let is_zero = |at: usize| is(tokens, at, flag::OH) || is(tokens, at, flag::DIGIT) && value(tokens, at) == 0;
    let of_century = || (is_zero(at) && is(tokens, at + 1, flag::DIGIT)).then_some(at + 2);
    let english = || two_digits(tokens, at).filter(|(year, _)| *year > LAST_DAY);
    let foreign = || foreign_below_hundred(tokens, at).filter(|(year, _)| *year > LAST_DAY);
    let longest = |a: Option<(u8, usize)>, b: Option<(u8, usize)>| a.into_iter().chain(b).map(|(_, end)| end).max();
    let is_near = tokens.at(at).gap <= Gap::Space;
    let end = longest(english(), foreign()).filter(|_| is_near).or_else(of_century)?;
    let next = tokens.at(end);
    let may_follow =
        flags(next) & MAY_FOLLOW != 0 && flags(next) & flag::UNIT == 0 && !tokens.str(next).eq_ignore_ascii_case("of");
    (next.kind != TokenKind::Word || may_follow || next.gap >= Gap::Line).then_some(end)
}

/// A number from 10 to 99 in one word or two, with a hyphen between or not, and the token after it.
fn two_digits(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    if is(tokens, at, flag::TENS) {
        let hyphen = tokens.at(at + 1).is_mark(b'-') && tokens.at(at + 1).gap == Gap::None;
        let unit = at + 1 + usize::from(hyphen);
        let has_unit = is(tokens, unit, flag::DIGIT) && value(tokens, unit) > 0;
        return Some(if has_unit {
            (value(tokens, at) + value(tokens, unit), unit + 1)
        } else {
            (value(tokens, at), at + 1)
        });
    }
    is(tokens, at, flag::TEEN).then(|| (value(tokens, at), at + 1))
}

/// The token after a year that begins at a token: "1980", "nineteen eighty five", "two thousand one", "one nine eight two".
pub(super) fn year_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if token.gap > Gap::Wide {
        return None;
    }
    if token.kind == TokenKind::Digits {
        let year = number(tokens.str(token).as_bytes())?;
        let is_short = token.digit_count() == 2 && tokens.before(at).kind == TokenKind::Mark;
        return (token.digit_count() == 4 && (1900..=2099).contains(&year) || is_short).then_some(at + 1);
    }
    by_century(tokens, at)
        .or_else(|| by_thousand(tokens, at))
        .or_else(|| by_digits(tokens, at))
        .or_else(|| foreign_date::year_end(tokens, at))
}

/// "nineteen eighty five", "twenty oh one", "nineteen hundred and five", "nineteen 82"
fn by_century(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    if !(is_first(tokens, at, flag::TEEN | flag::TENS) && matches!(value(tokens, at), 19 | 20)) {
        return None;
    }
    let next = tokens.at(at + 1);
    let is_written = next.kind == TokenKind::Digits && next.digit_count() == 2 && next.gap == Gap::Space;
    let zero = is(tokens, at + 1, flag::OH) && is(tokens, at + 2, flag::DIGIT);
    let hundred = || {
        let is_hundred = is(tokens, at + 1, flag::SCALE) && value(tokens, at) == 19;
        is_hundred.then(|| rest_end(tokens, at + 2).unwrap_or(at + 2))
    };
    let two_digits = two_digits(tokens, at + 1).map(|(_, end)| end);
    two_digits.or(is_written.then_some(at + 2)).or(zero.then_some(at + 3)).or_else(hundred)
}

/// "two thousand one", "two thousand and twenty nine", "two thousand oh one"
fn by_thousand(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let is_two = is_first(tokens, at, flag::DIGIT) && value(tokens, at) == 2;
    let is_thousand = is(tokens, at + 1, flag::SCALE) && value(tokens, at + 1) == 3;
    (is_two && is_thousand).then(|| rest_end(tokens, at + 2).unwrap_or(at + 2))
}

/// The token after the last digits of a year behind its hundreds or thousands.
fn rest_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let place = at + usize::from(is(tokens, at, flag::AND));
    let zero = is(tokens, place, flag::OH) && is(tokens, place + 1, flag::DIGIT);
    let unit = is(tokens, place, flag::DIGIT);
    two_digits(tokens, place).map(|(_, end)| end).or(zero.then_some(place + 2)).or(unit.then_some(place + 1))
}

/// "one nine eight two", "two oh two eight"
fn by_digits(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let is_digit = |place: usize| flags(tokens.at(place)) & (flag::DIGIT | flag::OH) != 0;
    let is_joined = (at + 1..at + 4).all(|place| is_digit(place) && tokens.at(place).gap <= Gap::Space);
    let is_year = matches!((value(tokens, at), value(tokens, at + 1)), (1, 9) | (2, 0));
    let ends = !is_digit(at + 4);
    (is_digit(at) && is_joined && is_year && ends).then_some(at + 4)
}

/// Whether the first word of a year has one of these flags. Other than a later word, it may follow a wide gap.
fn is_first(tokens: &Tokens<'_>, at: usize, flag: u32) -> bool {
    flags(tokens.at(at)) & flag != 0
}
