//! Calendar dates with the month in letters: "March 7, 1990", "the fifth of may nineteen eighty", "5-MAY-2021".

use super::date_year::{short_year_end, year_end};
use super::token_words::flags;
use super::{foreign_date, is_among, is_one_of};
use crate::numbers::{foreign_tens, is_number_among_numbers};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens, lexicon};
use crate::validate::number;

/// Token ranges of the dates of a text, in order.
#[derive(Default)]
pub(crate) struct Dates(pub(super) Vec<(usize, usize)>);

/// How a token range overlaps the dates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateOverlap {
    Disjoint,
    Inside,
    Partial,
}

impl Dates {
    /// Whether a token belongs to a date.
    pub(crate) fn covers(&self, token: usize) -> bool {
        self.overlap(token, token + 1) == DateOverlap::Inside
    }

    pub(crate) fn overlap(&self, first: usize, after: usize) -> DateOverlap {
        let touching = self.0.partition_point(|(_, a)| *a <= first);
        match self.0.get(touching).filter(|(f, _)| *f < after) {
            None => DateOverlap::Disjoint,
            Some((f, a)) if *f <= first && after <= *a => DateOverlap::Inside,
            Some(_) => DateOverlap::Partial,
        }
    }
}

/// Finds the dates of a text.
#[inline(never)]
pub(crate) fn find(tokens: &Tokens<'_>) -> Dates {
    let mut dates = Dates::default();
    let mut done = 0;
    for (at, token) in tokens.as_slice().iter().enumerate() {
        if at < done || flags(*token) & flag::MONTH == 0 || is_number(tokens, at) {
            continue;
        }
        if let Some((first, after)) = date_around(tokens, at, done) {
            done = after;
            dates.0.push((first, after));
        }
    }
    dates
}

/// Whether the name of a month is a number: the "sept" of "trente sept".
fn is_number(tokens: &Tokens<'_>, month: usize) -> bool {
    let ends_tens = || month.checked_sub(1).and_then(|at| foreign_tens(tokens, at)).is_some_and(|(_, end)| end > month);
    is_number_among_numbers(tokens, month) || ends_tens()
}

/// The date around a month, as a range of tokens.
fn date_around(tokens: &Tokens<'_>, month: usize, done: usize) -> Option<(usize, usize)> {
    let before = day_before(tokens, month, done);
    let place = after_marks(tokens, month + 1);
    let day = if before.is_none() { day_after(tokens, place) } else { None };
    let after_day = day.unwrap_or_else(|| after_full_stop(tokens, month + 1));
    let year = year_place(tokens, after_day);
    let has_day = before.is_some() || day.is_some();
    let short_year = || short_year_end(tokens, year).filter(|_| has_day);
    // "october twenty thirty one": no twentieth of October.
    let year_of_month = || year_end(tokens, place).filter(|end| *end > after_day);
    let end_of_year = year_end(tokens, year).or_else(short_year).or_else(year_of_month);
    let (first, after) = (before.unwrap_or(month), end_of_year.unwrap_or(after_day));
    let is_other = || is_appointment(tokens, first, after) || is_count(tokens, month, after) || is_verb(tokens, month);
    (end_of_year.is_some() || has_day && !is_other()).then_some((first, after))
}

/// The token after the full stop of an abbreviated month.
fn after_full_stop(tokens: &Tokens<'_>, after: usize) -> usize {
    after + usize::from(tokens.at(after).is_mark(b'.'))
}

/// The token after the marks between a month and what follows it: "may slash", "aug. ".
fn after_marks(tokens: &Tokens<'_>, after: usize) -> usize {
    let after = after_full_stop(tokens, after);
    after + usize::from(is_separator(tokens, after) || is_word(tokens, after, "slash"))
}

fn is_separator(tokens: &Tokens<'_>, at: usize) -> bool {
    [b'-', b'/', b','].iter().any(|mark| tokens.at(at).is_mark(*mark))
}

/// The token after a day that follows its month.
fn day_after(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let foreign = foreign_date::day_end(tokens, at).filter(|_| tokens.at(at).gap <= Gap::Wide);
    day_end(tokens, at).max(foreign).filter(|end| !is_clock(tokens, *end))
}

/// The token at which a year begins that follows a day or month: "may 5, 1990", "july fourth in the year nineteen eighty two".
fn year_place(tokens: &Tokens<'_>, after: usize) -> usize {
    let first = after + usize::from(is_separator(tokens, after));
    let is_before_year =
        |at: &usize| tokens.at(*at).gap <= Gap::Space && is_one_of(tokens, tokens.at(*at), &BEFORE_YEAR);
    first + (first..first + BEFORE_YEAR.len()).take_while(is_before_year).count()
}

/// Whether a number said after a month counts what follows it: "in may twenty people came".
fn is_count(tokens: &Tokens<'_>, month: usize, after: usize) -> bool {
    const COUNTED: [&str; 14] = [
        "of",
        "people",
        "personas",
        "personnes",
        "kunden",
        "leute",
        "pessoas",
        "persone",
        "clienti",
        "von",
        "men",
        "women",
        "days",
        "times",
    ];
    const NO_PLURALS: [&str; 6] = ["thanks", "actually", "please", "yes", "this", "always"];
    let (last, next) = (tokens.before(after), tokens.at(after));
    let is_cardinal = after > month + 1 && flags(last) & (flag::TENS | flag::TEEN | flag::DIGIT) != 0;
    let word = tokens.str(next);
    let is_plural = word.len() > 4 && word.ends_with('s') && next.slot() == 0 && !is_among(word, &NO_PLURALS);
    is_cardinal
        && next.gap == Gap::Space
        && next.kind == TokenKind::Word
        && (flags(next) & flag::UNIT != 0 || is_one_of(tokens, next, &COUNTED) || is_plural)
}

/// Whether "may" or "march" is a verb or a walk: "the second may be better", "the first march against the law".
fn is_verb(tokens: &Tokens<'_>, month: usize) -> bool {
    const AFTER: [&str; 8] = ["be", "not", "have", "well", "also", "against", "through", "want"];
    is_one_of(tokens, tokens.at(month), &["may", "march"]) && is_one_of(tokens, tokens.at(month + 1), &AFTER)
}

/// Whether a day without a year is an appointment, which identifies nobody: it is beside a weekday, "today" or a time
/// of day.
fn is_appointment(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let weekday = |at: usize| {
        flags(tokens.at(at)) & flag::WEEKDAY != 0 || is_word(tokens, at, "today") || is_word(tokens, at, "tomorrow")
    };
    let comma = usize::from(first > 0 && tokens.before(first).is_mark(b','));
    let before = first.checked_sub(1 + comma).is_some_and(weekday);
    let has_time = is_word(tokens, after, "at") && tokens.at(after + 1).kind == TokenKind::Digits;
    before || has_time || weekday(after)
}

/// Whether a number is a time: "4:30", "4 pm".
fn is_clock(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.is_mark(b':') && token.gap == Gap::None || matches!(tokens.str(token), "am" | "pm")
}

/// The first token of a day before a month: "5", "16 th", "the fifth of", "twenty-fifth of".
fn day_before(tokens: &Tokens<'_>, month: usize, done: usize) -> Option<usize> {
    let mut end = month;
    if is_one_of(tokens, tokens.at(end.checked_sub(1)?), &OF)
        || tokens.before(end).is_mark(b'-')
        || tokens.before(end).is_mark(b'/')
        || tokens.before(end).is_mark(b'.')
    {
        end -= 1;
    }
    let is_day =
        |from: &usize| day_end(tokens, *from) == Some(end) || foreign_date::day_end(tokens, *from) == Some(end);
    let first = (done.max(end.saturating_sub(MAX_DAY_TOKENS))..end).find(is_day)?;
    let has_article = first.checked_sub(1).is_some_and(|at| at >= done && is_word(tokens, at, "the"));
    Some(first - usize::from(has_article))
}

/// Words between the parts of a date.
const OF: [&str; 5] = ["of", "de", "di", "del", "do"];
/// Words between a day and month and the year: "july fourth in the year nineteen eighty two", "del año mil".
const BEFORE_YEAR: [&str; 11] = ["of", "de", "di", "del", "do", "in", "the", "year", "año", "ano", "anno"];
/// Maximum tokens of a day: "vingt et un", "vinte e oito".
const MAX_DAY_TOKENS: usize = 3;

fn is_word(tokens: &Tokens<'_>, at: usize, word: &str) -> bool {
    let token = tokens.at(at);
    token.kind == TokenKind::Word && tokens.str(token).eq_ignore_ascii_case(word)
}

/// The token after a day of the month that begins at a token.
fn day_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if at > 0 && token.gap > Gap::Wide {
        return None;
    }
    if is_word(tokens, at, "the") {
        let next = tokens.at(at + 1);
        let is_number = flags(next) & (flag::ORDINAL | flag::TENS) != 0 || next.kind == TokenKind::Digits;
        return if is_number { day_end(tokens, at + 1) } else { None };
    }
    if token.kind == TokenKind::Digits {
        let value = number(tokens.str(token).as_bytes())?;
        let next = tokens.at(at + 1);
        let has_ending = flags(next) & flag::DIGIT_SUFFIX != 0
            && next.gap <= Gap::Space
            && next.byte_len() == 2
            && !is_clock(tokens, at + 1);
        return (token.digit_count() <= 2 && (1..=31).contains(&value)).then_some(at + 1 + usize::from(has_ending));
    }
    let f = flags(token);
    if f & flag::TENS != 0 && lexicon::entry(token.slot()).value <= 30 {
        let dash = usize::from(tokens.at(at + 1).is_mark(b'-'));
        let next = tokens.at(at + 1 + dash);
        let has_unit = flags(next) & (flag::DIGIT | flag::ORDINAL) != 0
            && (1..=9).contains(&lexicon::entry(next.slot()).value)
            && next.gap <= Gap::Space;
        return Some(if has_unit { at + 2 + dash } else { at + 1 });
    }
    let is_number_word = f & (flag::ORDINAL | flag::TEEN | flag::DIGIT) != 0
        && lexicon::entry(token.slot()).value > 0
        && f & flag::OH == 0;
    is_number_word.then_some(at + 1)
}
