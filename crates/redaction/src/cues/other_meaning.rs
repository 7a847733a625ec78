//! Words beside a number that give it a meaning other than that of a code: what it counts, what it names, when it was.

use super::code_number::CodeNumber;
use super::date_time::says_when;
use super::failure_code::is_failure_code;
use super::measure::{is_limit, is_measure};
use super::number_labels::LABELS;
use super::taken_back::names_number_before;
use super::thing_name::is_part_of_name;
use super::words::{is, is_in};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Tokens before a number in which a noun that it names is.
const REACH: usize = 4;
/// Letters of the longest noun that is shortened with a full stop: "apt. 4".
const MAX_ABBREVIATION: usize = 3;
/// Words between such a noun and its number.
const JOINTS: [&str; 18] = [
    "number", "no", "nr", "num", "numero", "nummer", "n", "is", "was", "of", "de", "code", "codigo", "codice", "the",
    "es", "e", "id",
];
/// Words in the plural, or like it, that follow a number which they do not count.
const NOT_COUNTED: [&str; 26] = [
    "yes",
    "cheers",
    "perhaps",
    "thats",
    "always",
    "this",
    "does",
    "pls",
    "thanks",
    "its",
    "plus",
    "sometimes",
    "as",
    "is",
    "was",
    "has",
    "please",
    "pues",
    "mais",
    "mas",
    "dans",
    "sans",
    "tres",
    "isso",
    "alors",
    "puis",
];
/// Tokens after a number in which the type of its street is.
const STREET_REACH: usize = 4;

/// Whether words beside a number say that it is no code.
pub(crate) fn has_other_meaning(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    is_amount(tokens, code)
        || is_labelled(tokens, code.first)
        || says_when(tokens, code)
        || is_counted(tokens, code)
        || is_measure(tokens, code)
        || is_part_of_name(tokens, code)
        || is_failure_code(tokens, code.first)
}

/// Whether a number measures something, belongs to a name, is a limit or says why something failed, whatever names it.
pub(crate) fn is_of_thing(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    is_measure(tokens, code)
        || is_part_of_name(tokens, code)
        || is_failure_code(tokens, code.first)
        || is_limit(tokens, code.first)
}

/// Whether a number is said as an amount is: "two thousand four hundred".
pub(super) fn has_scale(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    (code.first..code.after).any(|at| tokens.at(at).flags & (flag::SCALE | flag::HUGE) != 0)
}

fn is_amount(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let (before, next) = (tokens.before(code.first), tokens.at(code.after));
    let is_sign = |token: Token| {
        token.is_mark(b'$')
            || token.is_mark(b'%')
            || matches!(tokens.str(token), "€" | "£" | "EUR" | "USD" | "GBP" | "R$")
    };
    let is_quantity = next.flags & (flag::UNIT | flag::SCALE | flag::HUGE | flag::MONTH | flag::DIGIT_SUFFIX) != 0
        && !is(tokens, next, &["star"])
        && next.gap <= Gap::Space;
    is_sign(before) || is_sign(next) || is_quantity || is_after_month(tokens, code.first)
}

/// Whether the words before a number are a month, or a month and its day: "Apr 11, 2019".
fn is_after_month(tokens: &Tokens<'_>, first: usize) -> bool {
    const REACH: usize = 3;
    (first.saturating_sub(REACH)..first).any(|at| {
        let is_day = |token: Token| token.kind == TokenKind::Digits && token.digit_count() <= 2 || token.is_mark(b',');
        tokens.at(at).flags & flag::MONTH != 0 && (at + 1..first).all(|at| is_day(tokens.at(at)))
    })
}

/// Whether a noun before a number names what it numbers: "order 4821", "flat number 1204".
fn is_labelled(tokens: &Tokens<'_>, first: usize) -> bool {
    let is_joint = |at: usize| {
        let token = tokens.at(at);
        // "flat no. 1204", but not "same as my old flat. 1204"
        let is_short = || at > 0 && tokens.before(at).byte_len() <= MAX_ABBREVIATION;
        token.is_mark(b'#') || token.is_mark(b':') || token.is_mark(b'.') && is_short() || is(tokens, token, &JOINTS)
    };
    let label = (first.saturating_sub(REACH)..first).rev().find(|at| !is_joint(*at));
    label.is_some_and(|at| {
        (is_in(tokens, tokens.at(at), &LABELS) || is_place_number(tokens, at))
            && !is_particle(tokens, at)
            && !is_code_of_place(tokens, at)
            && !is_time_of_code(tokens, at, first)
            && tokens.at(at + 1).gap <= Gap::Space
            && !names_number_before(tokens, at)
    }) || first > 0 && tokens.before(first).is_mark(b'#')
        || first > 1 && is_street_name(tokens, first)
}

/// Whether a word for a year only says since when a code is used: "last year 4821, this year 7730".
fn is_time_of_code(tokens: &Tokens<'_>, at: usize, number: usize) -> bool {
    let is_year = matches!(tokens.str(tokens.at(number)).as_bytes(), [b'1', b'9', _, _] | [b'2', b'0', _, _]);
    is(tokens, tokens.at(at), &["year"])
        && !is_year
        && at > 0
        && is(tokens, tokens.before(at), &["last", "this", "next", "previous", "every", "each"])
}

/// Whether a door or a plot is named by its number: "door number 1462".
pub(super) fn is_place_number(tokens: &Tokens<'_>, at: usize) -> bool {
    is(tokens, tokens.at(at), &["door", "plot", "bay", "pitch", "berth", "stand"])
        && is(tokens, tokens.at(at + 1), &["number", "no", "nr"])
}

/// Whether a place has its own code: "store code: 4821".
fn is_code_of_place(tokens: &Tokens<'_>, at: usize) -> bool {
    const PLACES: [&str; 9] = ["store", "shop", "house", "flat", "apartment", "room", "unit", "block", "floor"];
    is(tokens, tokens.at(at), &PLACES) && is(tokens, tokens.at(at + 1), &["code"])
}

/// Whether a word of approximation belongs to the verb before it and its object: "i turn it around 104", "flip that over".
fn is_particle(tokens: &Tokens<'_>, at: usize) -> bool {
    const PARTICLES: [&str; 4] = ["around", "about", "over", "under"];
    const OBJECTS: [&str; 6] = ["it", "that", "this", "them", "card", "one"];
    at > 0 && is(tokens, tokens.at(at), &PARTICLES) && is(tokens, tokens.before(at), &OBJECTS)
}

/// Whether the words before a number are the name of a street: "rua augusta 1500", "Hauptstraße 112".
fn is_street_name(tokens: &Tokens<'_>, first: usize) -> bool {
    const BEFORE: [&str; 16] = [
        "rua",
        "rue",
        "calle",
        "via",
        "avenida",
        "avenue",
        "avda",
        "plaza",
        "praca",
        "piazza",
        "viale",
        "corso",
        "largo",
        "boulevard",
        "impasse",
        "travessa",
    ];
    const ENDINGS: [&str; 7] = ["strasse", "straße", "str", "weg", "platz", "gasse", "allee"];
    let name = tokens.before(first);
    let is_name = name.kind == TokenKind::Word && name.byte_len() > 4 && tokens.at(first).gap <= Gap::Space;
    let text = tokens.str(name).to_lowercase();
    is_name && (is(tokens, tokens.at(first - 2), &BEFORE) || ENDINGS.iter().any(|ending| text.ends_with(ending)))
}

/// Whether a noun after a number is what it counts, or its street.
fn is_counted(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const GRAMMAR: u32 = flag::STOPWORD | flag::CONNECTOR | flag::COPULA | flag::AND | flag::FILLER | flag::NUMBER;
    const STREETS: [&str; 10] =
        ["street", "avenue", "ave", "road", "lane", "boulevard", "blvd", "terrace", "crescent", "drive"];
    let next = tokens.at(code.after);
    if next.kind != TokenKind::Word || next.gap > Gap::Space {
        return false;
    }
    let words = (code.after..code.after + STREET_REACH)
        .take_while(|at| tokens.at(*at).kind == TokenKind::Word && tokens.at(*at).gap <= Gap::Space);
    // "1462 elm street"
    let is_name = tokens.at(code.first).kind == TokenKind::Digits && next.flags & GRAMMAR == 0;
    let is_street = words.into_iter().any(|at| {
        tokens.at(at).flags & flag::STREET != 0 && tokens.str(tokens.at(code.after)).starts_with(char::is_uppercase)
            || is_name && at > code.after && is(tokens, tokens.at(at), &STREETS)
    });
    let text = tokens.str(next);
    let is_plural = tokens.at(code.first).kind == TokenKind::Digits
        && text.len() > 3
        && text.ends_with('s')
        && !text.ends_with("ss")
        && next.flags & GRAMMAR == 0
        && !is(tokens, next, &NOT_COUNTED);
    is_street || is_plural
}
