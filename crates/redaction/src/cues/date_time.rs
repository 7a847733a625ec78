//! Times, schedules and years: numbers of four digits that say when something is.

use super::code_number::CodeNumber;
use super::words::is;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words between which and a number of four digits it is a year or a time.
const TIMES: [&str; 24] = [
    "at", "by", "until", "till", "around", "before", "after", "um", "gegen", "ab", "alle", "vers", "in", "of", "back",
    "en", "em", "im", "nel", "from", "year", "jahr", "annee", "ano",
];
/// Those of them between which and a number it is a year only.
const YEARS: [&str; 4] = ["year", "jahr", "annee", "ano"];
/// Tokens before a time in which what it switches on is named.
const DEVICE_REACH: usize = 6;

/// Whether digits say when something is: a year, the time of day, or the hour to which a device is set.
pub(super) fn says_when(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    is_time(tokens, code)
        || is_year_of_report(tokens, code)
        || is_year_of_birth(tokens, code)
        || is_clock_time(tokens, code) && (is_habit(tokens, code.after) || is_of_timer(tokens, code.first))
}

/// Whether digits are a year or the time of day.
fn is_time(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let token = tokens.at(code.first);
    if token.kind != TokenKind::Digits || code.digits > 4 || !is(tokens, tokens.before(code.first), &TIMES) {
        return false;
    }
    let is_year = tokens.str(token).parse::<u16>().is_ok_and(|number| (1900..2100).contains(&number));
    is_year || is_clock_time(tokens, code) && !is(tokens, tokens.before(code.first), &YEARS)
}

/// Whether digits can be the time of day: "0630".
fn is_clock_time(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let token = tokens.at(code.first);
    let number = tokens.str(token).parse::<u16>();
    token.kind == TokenKind::Digits && code.digits == 4 && number.is_ok_and(|number| number < 2400 && number % 100 < 60)
}

/// Whether the words from a token on say how often or in which season: "on weekdays", "in winter", "every night".
fn is_habit(tokens: &Tokens<'_>, after: usize) -> bool {
    const WHEN: [&str; 9] = ["in", "on", "at", "during", "every", "each", "most", "the", "over"];
    const PERIODS: [&str; 26] = [
        "winter",
        "summer",
        "spring",
        "autumn",
        "weekday",
        "weekdays",
        "weekend",
        "weekends",
        "morning",
        "mornings",
        "evening",
        "evenings",
        "afternoon",
        "afternoons",
        "night",
        "nights",
        "mondays",
        "tuesdays",
        "wednesdays",
        "thursdays",
        "fridays",
        "saturdays",
        "sundays",
        "daily",
        "holidays",
        "tomorrow",
    ];
    let words = (after..after + 2).take_while(|at| is(tokens, tokens.at(*at), &WHEN)).count();
    is(tokens, tokens.at(after + words), &PERIODS)
}

/// Whether the words before a time are about what comes on by itself: "the heating is set to 0630".
fn is_of_timer(tokens: &Tokens<'_>, first: usize) -> bool {
    const TIMERS: [&str; 30] = [
        "heating",
        "heater",
        "heaters",
        "boiler",
        "radiator",
        "radiators",
        "timer",
        "timers",
        "clock",
        "lights",
        "lighting",
        "lamp",
        "lamps",
        "sprinkler",
        "sprinklers",
        "irrigation",
        "oven",
        "blinds",
        "schedule",
        "scheduled",
        "reminder",
        "wakeup",
        "heizung",
        "calefacción",
        "calefaccion",
        "chauffage",
        "riscaldamento",
        "aquecimento",
        "shift",
        "dishwasher",
    ];
    const LINKS: [&str; 12] = ["to", "for", "is", "on", "off", "from", "at", "starts", "ends", "runs", "auf", "steht"];
    is(tokens, tokens.before(first), &LINKS)
        && (first.saturating_sub(DEVICE_REACH)..first).any(|at| is(tokens, tokens.at(at), &TIMERS))
}

/// Whether "born" is directly before a year. At the end of a message, the year can be the code: "easy, the year i was born
/// 1986".
fn is_year_of_birth(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const BORN: [&str; 9] = ["born", "geboren", "nacido", "nacida", "naci", "nascido", "nascida", "nasci", "dated"];
    matches!(tokens.str(tokens.at(code.first)).as_bytes(), [b'1', b'9', _, _] | [b'2', b'0', _, _])
        && code.first > 0
        && tokens.at(code.after).kind != TokenKind::Edge
        && is(tokens, tokens.before(code.first), &BORN)
}

/// Whether four digits are the year of what somebody did. A code is no adverb of time, so it does not stand between a
/// subject and the rest of its sentence, and no article follows it: "ich hab 2020 den Vertrag gemacht".
fn is_year_of_report(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const BEFORE: [&str; 19] = [
        "ich", "wir", "er", "sie", "man", "mir", "uns", "back", "anno", "jahr", "seit", "since", "around", "depuis",
        "desde", "dal", "early", "late", "before",
    ];
    const ARTICLES: [&str; 20] = [
        "der", "die", "das", "den", "dem", "einen", "eine", "ein", "the", "a", "an", "le", "la", "les", "el", "una",
        "um", "uma", "il", "un",
    ];
    const VERBS: [&str; 5] = ["was", "war", "fue", "foi", "fu"];
    const WHEN: [&str; 7] = ["when", "als", "cuando", "quand", "quando", "the", "das"];
    let (year, next) = (tokens.at(code.first), tokens.at(code.after));
    let is_moment = || is(tokens, next, &VERBS) && is(tokens, tokens.at(code.after + 1), &WHEN);
    year.kind == TokenKind::Digits
        && matches!(tokens.str(year).as_bytes(), [b'1', b'9', _, _] | [b'2', b'0', _, _])
        && next.kind == TokenKind::Word
        && next.gap == Gap::Space
        && (is(tokens, tokens.before(code.first), &BEFORE) || is(tokens, next, &ARTICLES) || is_moment())
}
