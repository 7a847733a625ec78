//! Calendar dates with the month in letters: "March 7, 1990", "the fifth of may nineteen eighty", "5-MAY-2021".

use super::announced::{Taken, announcements};
use super::{Page, flags};
use crate::candidate::{Candidates, Proof};
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Tokens, lexicon};
use crate::validate::number;

/// Token ranges of the dates of a text, in order.
#[derive(Default)]
pub(crate) struct Dates(Vec<(usize, usize)>);

/// How a stretch of tokens lies to the dates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lies {
    Apart,
    Inside,
    Across,
}

impl Dates {
    pub(crate) fn lie(&self, first: usize, after: usize) -> Lies {
        let touching = self.0.partition_point(|(_, a)| *a <= first);
        match self.0.get(touching).filter(|(f, _)| *f < after) {
            None => Lies::Apart,
            Some((f, a)) if *f <= first && after <= *a => Lies::Inside,
            Some(_) => Lies::Across,
        }
    }
}

/// Finds the dates of a text.
#[inline(never)]
pub(crate) fn find(tokens: &Tokens<'_>) -> Dates {
    let mut dates = Dates::default();
    let mut done = 0;
    for (at, token) in tokens.all().iter().enumerate() {
        if at < done || flags(*token) & flag::MONTH == 0 {
            continue;
        }
        if let Some((first, after)) = around(tokens, at, done) {
            done = after;
            dates.0.push((first, after));
        }
    }
    dates
}

/// Entities that dates are.
pub(crate) const DATES: EntitySet = EntitySet::of(&[Entity::DATE, Entity::DOB, Entity::CARD_EXPIRATION_DATE]);

/// Hands the dates over, as dates of birth where a cue or question says so.
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    if !out.wants(DATES) {
        return;
    }
    for (first, after) in &page.dates().0 {
        let (start, end) = (page.tokens.at(*first).start, page.tokens.before(*after).end);
        let cue = announcements(page, *first, *after, Taken::default()).next();
        if let Some(a) = cue
            && a.set.contains(Entity::CARD_EXPIRATION_DATE)
            && out.active().contains(Entity::CARD_EXPIRATION_DATE)
        {
            out.whole(start, end, Entity::CARD_EXPIRATION_DATE, Reason::Cue, Proof::Cue);
            continue;
        }
        let reason = match cue {
            Some(a) if a.set.contains(Entity::DOB) => Some(Reason::Cue),
            _ if page.armed.contains(Entity::DOB) => Some(Reason::EarlierCue),
            _ => None,
        };
        match reason {
            Some(reason) if out.active().contains(Entity::DOB) => {
                out.whole(start, end, Entity::DOB, reason, Proof::Cue);
            }
            _ => out.whole(start, end, Entity::DATE, Reason::Shape, Proof::Shape),
        }
    }
}

/// The date around a month, as a range of tokens.
fn around(tokens: &Tokens<'_>, month: usize, done: usize) -> Option<(usize, usize)> {
    let before = day_before(tokens, month, done);
    let mut after = month + 1;
    let (mut known, mut with_year) = (before.is_some(), false);
    if tokens.at(after).is_mark(b'.') {
        after += 1;
    }
    let dashed = tokens.at(after).is_mark(b'-') || tokens.at(after).is_mark(b'/') || tokens.at(after).is_mark(b',');
    let place = after + usize::from(dashed);
    if before.is_none()
        && let Some(end) = day(tokens, place)
        && !is_clock(tokens, end)
    {
        known = true;
        after = end;
    }
    let comma =
        usize::from(tokens.at(after).is_mark(b',') || tokens.at(after).is_mark(b'-') || tokens.at(after).is_mark(b'/'));
    if let Some(end) = year(tokens, after + comma) {
        known = true;
        with_year = true;
        after = end;
    }
    let first = before.unwrap_or(month);
    (known && (with_year || !is_appointment(tokens, first, after))).then_some((first, after))
}

/// A day without a year beside a weekday, "today" or a time of day is when to meet, which names nobody.
fn is_appointment(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let weekday = |at: usize| {
        flags(tokens.at(at)) & flag::WEEKDAY != 0 || is_word(tokens, at, "today") || is_word(tokens, at, "tomorrow")
    };
    let comma = usize::from(first > 0 && tokens.before(first).is_mark(b','));
    let before = first.checked_sub(1 + comma).is_some_and(weekday);
    let at = is_word(tokens, after, "at") && tokens.at(after + 1).kind == Kind::Digits;
    before || at || weekday(after)
}

/// "4:30" and "4 pm" are times.
fn is_clock(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.is_mark(b':') && token.gap == Gap::None || matches!(tokens.str(token), "am" | "pm")
}

/// The first token of a day before a month: "5", "16 th", "the fifth of", "twenty-fifth of".
fn day_before(tokens: &Tokens<'_>, month: usize, done: usize) -> Option<usize> {
    let mut end = month;
    if is_word(tokens, end.checked_sub(1)?, "of")
        || tokens.before(end).is_mark(b'-')
        || tokens.before(end).is_mark(b'/')
        || tokens.before(end).is_mark(b'.')
    {
        end -= 1;
    }
    let first = (done.max(end.saturating_sub(3))..end).find(|from| day(tokens, *from) == Some(end))?;
    let the = first.checked_sub(1).is_some_and(|at| at >= done && is_word(tokens, at, "the"));
    Some(first - usize::from(the))
}

fn is_word(tokens: &Tokens<'_>, at: usize, word: &str) -> bool {
    let token = tokens.at(at);
    token.kind == Kind::Word && tokens.str(token).eq_ignore_ascii_case(word)
}

/// The token after a day of the month that begins at a token.
fn day(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if token.gap > Gap::Wide {
        return None;
    }
    if is_word(tokens, at, "the") {
        let next = tokens.at(at + 1);
        let numbered = flags(next) & (flag::ORDINAL | flag::TENS) != 0 || next.kind == Kind::Digits;
        return if numbered { day(tokens, at + 1) } else { None };
    }
    if token.kind == Kind::Digits {
        let value = number(tokens.str(token).as_bytes())?;
        let next = tokens.at(at + 1);
        let ending =
            flags(next) & flag::ENDING != 0 && next.gap <= Gap::Space && next.bytes() == 2 && !is_clock(tokens, at + 1);
        return (token.code <= 2 && (1..=31).contains(&value)).then_some(at + 1 + usize::from(ending));
    }
    let f = flags(token);
    if f & flag::TENS != 0 && lexicon::entry(token.code).value <= 30 {
        let dash = usize::from(tokens.at(at + 1).is_mark(b'-'));
        let next = tokens.at(at + 1 + dash);
        let unit = flags(next) & (flag::DIGIT | flag::ORDINAL) != 0
            && (1..=9).contains(&lexicon::entry(next.code).value)
            && next.gap <= Gap::Space;
        return Some(if unit { at + 2 + dash } else { at + 1 });
    }
    let named = f & (flag::ORDINAL | flag::TEEN | flag::DIGIT) != 0
        && lexicon::entry(token.code).value > 0
        && f & flag::OH == 0;
    named.then_some(at + 1)
}

/// The token after a year that begins at a token: "1980", "nineteen eighty five", "two thousand one".
fn year(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    if token.gap > Gap::Wide {
        return None;
    }
    if token.kind == Kind::Digits {
        let value = number(tokens.str(token).as_bytes())?;
        let short = token.code == 2 && tokens.before(at).kind == Kind::Mark;
        return (token.code == 4 && (1900..=2099).contains(&value) || short).then_some(at + 1);
    }
    let value = |at: usize| lexicon::entry(tokens.at(at).code).value;
    let is = |at: usize, flag: u32| flags(tokens.at(at)) & flag != 0 && tokens.at(at).gap <= Gap::Space;
    let two_digits = |at: usize| {
        if is(at, flag::TENS) {
            Some(at + 1 + usize::from(is(at + 1, flag::DIGIT)))
        } else {
            (is(at, flag::TEEN)).then_some(at + 1)
        }
    };
    if is(at, flag::TEEN | flag::TENS) && matches!(value(at), 19 | 20) {
        let zero = is(at + 1, flag::OH) && is(at + 2, flag::DIGIT);
        return two_digits(at + 1)
            .or(zero.then_some(at + 3))
            .or((is(at + 1, flag::SCALE) && value(at) == 19).then_some(at + 2));
    }
    if is(at, flag::DIGIT) && value(at) == 2 && is(at + 1, flag::SCALE) && value(at + 1) == 3 {
        let and = at + 2 + usize::from(is(at + 2, flag::AND));
        let unit = is(and, flag::DIGIT).then_some(and + 1);
        return Some(two_digits(and).or(unit).unwrap_or(at + 2));
    }
    None
}
