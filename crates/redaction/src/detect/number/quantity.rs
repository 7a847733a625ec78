//! Quantities: digits that count or measure and identify nobody.

use crate::detect::{flags, foreign_date, is_one_of};
use crate::numbers::Separator;
use crate::numbers::slice::RunSlice;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};

/// Whether the slice is an IPv4 address: four groups of up to three digits with dots between.
pub(super) fn is_ip_address(slice: RunSlice<'_, '_>) -> bool {
    slice.groups().len() == 4
        && slice.is_joined_by(b'.')
        && slice.groups().iter().all(|p| p.digit_count <= 3)
        && slice.loosest_separator() <= Separator::Punctuation
}

/// Whether the slice is money, a percentage, a measure, a clock time, an ordinal or a year.
pub(super) fn is_quantity(slice: RunSlice<'_, '_>) -> bool {
    let (before, next) = (slice.token_before(), slice.token_after());
    let own = slice.tokens.at(slice.first_token());
    // "nine eight seven three star": the key beside the zero.
    // In North America, "pound" is the key with the hash. An amount is not said digit by digit.
    let is_single = slice.groups().iter().all(|group| group.digit_count == 1 && !group.compound);
    let is_key = slice.all_spoken()
        && slice.len() >= 4
        && (is_one_of(slice.tokens, next, &["star"]) || is_one_of(slice.tokens, next, &["pound"]) && is_single);
    let has_unit =
        next.gap <= Gap::Space && !is_key && flags(next) & (flag::UNIT | flag::DIGIT_SUFFIX | flag::SCALE) != 0
            || next.is_mark(b'%')
            || next.is_mark(b'$') && next.gap == Gap::None;
    let is_counted = counts_later(slice);
    let is_half_of_day = matches!(slice.tokens.str(next), "a" | "p")
        && next.gap <= Gap::Space
        && slice.tokens.str(slice.tokens.at(slice.end_token() + 1)) == "m";
    let is_time = is_half_of_day
        || next.is_mark(b':')
            && next.gap == Gap::None
            && slice.tokens.at(slice.end_token() + 1).kind == TokenKind::Digits
            && slice.tokens.at(slice.end_token() + 1).gap == Gap::None
        || before.is_mark(b':')
            && own.gap == Gap::None
            && slice.tokens.before(slice.first_token().saturating_sub(1)).kind == TokenKind::Digits;
    let is_decimal = slice.groups().iter().skip(1).any(|p| p.mark == b',' && p.separator < Separator::Pause);
    let is_day = slice.len() <= 4 && flags(before) & flag::MONTH != 0 && own.gap <= Gap::Space;
    is_money(slice)
        || has_unit
        || is_counted
        || is_time
        || is_decimal
        || is_day
        || flags(before) & flag::HUGE != 0
        || is_year(slice)
        || is_border_of_time(slice)
        || is_tax_form(slice)
        || is_part_of_amount(slice)
        || is_count_of_others(slice)
        || is_hour_of_day(slice)
        || is_example(slice)
}

/// Whether the slice is a time of day: "eleven fifteen in the morning".
fn is_hour_of_day(slice: RunSlice<'_, '_>) -> bool {
    let word = |n: usize| slice.tokens.at(slice.end_token() + n);
    let is_hour = match *slice.compact() {
        [hour] | [hour, b'0'..=b'5', _] => hour != b'0',
        [b'0'..=b'1', _] | [b'0'..=b'1', _, b'0'..=b'5', _] => true,
        _ => false,
    };
    is_hour
        && is_one_of(slice.tokens, word(0), &["in"])
        && is_one_of(slice.tokens, word(1), &["the"])
        && is_one_of(slice.tokens, word(2), &["morning", "afternoon", "evening"])
}

/// Whether the slice only shows how a number may look: "1234 style".
fn is_example(slice: RunSlice<'_, '_>) -> bool {
    is_one_of(slice.tokens, slice.token_after(), &["style", "ish", "esque", "lookalike"])
}

/// Whether the slice is the hour at which something ends or begins: "until ten forty-five", "after five forty seven".
fn is_border_of_time(slice: RunSlice<'_, '_>) -> bool {
    let is_hour = match *slice.compact() {
        [hour, tens, _] => hour != b'0' && tens <= b'5',
        [b'0'..=b'1', _, tens, _] | [b'2', b'0'..=b'4', tens, _] => tens <= b'5',
        _ => false,
    };
    let is_date = slice.is_joined_by(b'/') || slice.is_joined_by(b'-');
    let is_before = |words: &[&str]| is_one_of(slice.tokens, slice.token_before(), words);
    let is_border = is_before(&["till", "until", "til", "hasta", "jusqu'à", "fino"])
        || slice.all_spoken() && is_before(&["after", "before"]);
    is_hour && !is_date && is_border
}

/// Whether the slice is the name of a form for taxes in the United States: "the ssn on my 1099 is wrong".
fn is_tax_form(slice: RunSlice<'_, '_>) -> bool {
    const FORMS: [&[u8]; 4] = [b"1040", b"1095", b"1098", b"1099"];
    let is_thing =
        || is_one_of(slice.tokens, slice.token_before(), &["form", "the", "my", "a", "your", "her", "his", "our"]);
    FORMS.contains(&slice.compact()) && !slice.any_spoken() && is_thing()
}

/// Whether the slice is an amount with cents, or what stands before them: "a hotel took 250.04 bucks", "1.224,50 euros".
fn is_part_of_amount(slice: RunSlice<'_, '_>) -> bool {
    const SPENDING: [&str; 8] = ["spent", "paid", "took", "cost", "costs", "charged", "pagué", "payé"];
    let (mark, cents) = (slice.token_after(), slice.tokens.at(slice.end_token() + 1));
    let has_cents = (mark.is_mark(b'.') || mark.is_mark(b','))
        && mark.gap == Gap::None
        && cents.gap == Gap::None
        && cents.kind == TokenKind::Digits
        && cents.digit_count() == 2;
    let unit = slice.tokens.at(slice.end_token() + 2);
    let has_unit = flags(unit) & flag::UNIT != 0 || slice.tokens.str(unit) == "€" || unit.is_mark(b'$');
    let is_spent = is_one_of(slice.tokens, slice.token_before(), &SPENDING);
    let has_own_cents = slice.groups().len() == 2
        && slice.groups().last().is_some_and(|cents| cents.digit_count == 2 && matches!(cents.mark, b'.' | b','))
        && slice.loosest_separator() < Separator::Pause;
    has_own_cents && is_spent || has_cents && (has_unit && unit.gap <= Gap::Space || is_spent)
}

/// Whether the slice counts what was named before: "about twenty-seven of them".
pub(super) fn is_count_of_others(slice: RunSlice<'_, '_>) -> bool {
    let others = slice.tokens.at(slice.end_token() + 1);
    slice.len() <= 4
        && is_one_of(slice.tokens, slice.token_after(), &["of"])
        && is_one_of(slice.tokens, others, &["them", "these", "those"])
}

/// Whether the slice is an amount said aloud with a scale: "two thousand four hundred dollars".
pub(super) fn is_spoken_amount(slice: RunSlice<'_, '_>) -> bool {
    let has_scale = || (slice.first_token()..slice.end_token()).any(|at| flags(slice.tokens.at(at)) & flag::SCALE != 0);
    flags(slice.token_after()) & flag::UNIT != 0 && slice.all_spoken() && has_scale()
}

/// Whether more number words follow, with a scale among all of them, and then a unit: the "two thousand" of "two
/// thousand four hundred dollars".
fn counts_later(slice: RunSlice<'_, '_>) -> bool {
    const MAX_WORDS: usize = 8;
    let word = |at: usize| slice.tokens.at(at);
    let from = slice.end_token();
    let is_part = |at: &usize| flags(word(*at)) & (flag::NUMBER | flag::AND) != 0 && word(*at).gap <= Gap::Space;
    let words = (from..from + MAX_WORDS).take_while(is_part).count();
    let has_scale = words > 0 && (slice.first_token()..from + words).any(|at| flags(word(at)) & flag::SCALE != 0);
    has_scale && flags(word(from + words)) & flag::UNIT != 0
}

/// Whether the slice is a rating or how long something is open: "10/10", "24/7".
pub(super) fn is_rating(slice: RunSlice<'_, '_>) -> bool {
    let is_open = slice.compact() == b"247";
    let is_of_ten = matches!(slice.compact(), [b'0'..=b'9', b'1', b'0'] | b"1010" | [b'1'..=b'5', b'5'] | b"100100");
    slice.groups().len() == 2
        && slice.is_joined_by(b'/')
        && !slice.any_spoken()
        && slice.loosest_separator() <= Separator::Punctuation
        && (is_open || is_of_ten)
}

/// Whether the slice as a whole is an amount of money with its separators: "$4,181.50".
pub(super) fn is_one_amount(slice: RunSlice<'_, '_>) -> bool {
    let is_tight = (slice.first_token() + 1..slice.end_token()).all(|at| slice.tokens.at(at).gap == Gap::None);
    slice.token_before().is_mark(b'$') && is_tight && slice.groups().len() > 1
}

/// Words before a year.
const BEFORE_YEARS: [&str; 11] =
    ["in", "since", "during", "year", "spent", "en", "desde", "depuis", "em", "seit", "anno"];

/// Whether the slice is a year, as in "in 2020" and "since nineteen ninety-nine".
fn is_year(slice: RunSlice<'_, '_>) -> bool {
    let ends_in = slice.first_token().checked_sub(2).is_some_and(|at| {
        is_one_of(slice.tokens, slice.tokens.at(at), &["ends", "ending", "end", "finishing", "finishes"])
    });
    // "two thousand and nine"
    let is_with_thousand = matches!(slice.compact(), b"20000" | [b'2', b'0', b'0', b'0', _]) && slice.has_amount_word();
    let is_four = matches!(slice.compact(), [b'1', b'9', _, _] | [b'2', b'0', _, _]);
    !ends_in
        && (is_four || is_with_thousand)
        && (slice.groups().len() == 1 || slice.any_spoken())
        && is_one_of(slice.tokens, slice.token_before(), &BEFORE_YEARS)
        || is_end_of_year(slice)
}

/// Whether the slice is the end of a year said in another language: the "novecientos ocho" of "mil novecientos ocho".
fn is_end_of_year(slice: RunSlice<'_, '_>) -> bool {
    const MAX_BEFORE: usize = 2;
    let first = slice.first_token();
    slice.all_spoken()
        && (1..=MAX_BEFORE.min(first))
            .any(|n| foreign_date::year_end(slice.tokens, first - n).is_some_and(|end| end >= slice.end_token()))
}

/// Whether the sign of a currency is directly before the slice.
pub(super) fn is_money(slice: RunSlice<'_, '_>) -> bool {
    let is_sign = matches!(slice.tokens.str(slice.token_before()), "$" | "€" | "£");
    is_sign && slice.tokens.at(slice.first_token()).gap <= Gap::Space
}
