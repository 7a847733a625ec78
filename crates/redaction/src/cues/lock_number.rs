//! Numbers of locks that nothing else names: "back door 3758, server room 7949", "cassetta delle chiavi: 4471", "the shed
//! opens with 4471", "I said 4471 for the phone line".

use super::code_number::CodeNumber;
use super::cue::Cue;
use super::other_meaning::has_other_meaning;
use super::words::{cue, is, is_number_word};
use crate::entity::Entity;
use crate::tables::access_words::{class, classes_at};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Digits of the number of a lock.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=8;
/// Tokens on either side of a lock in which another one with its number is.
const LIST_REACH: usize = 12;
/// Tokens before a number in which the lock is that the number opens.
const LOCK_REACH: usize = 10;
/// Words between "for" and what a number is for.
const MAX_BETWEEN: usize = 3;
/// Nouns that are locked only if a word before them says which one it is: "server room".
const ROOMS: [&str; 6] = ["room", "sala", "salle", "raum", "stanza", "cupboard"];
/// Doors and rooms in one word.
const DOORS: [&str; 8] =
    ["hintertur", "vordertur", "nebentur", "seitentur", "kellertur", "serverraum", "technikraum", "lagerraum"];
/// What keys are kept in, before the word for the keys.
const BOXES: [&str; 8] = ["caja", "cajita", "boite", "boitier", "coffret", "cassetta", "caixa", "cofre"];
const KEYS: [&str; 6] = ["llaves", "cles", "clefs", "chiavi", "chaves", "key"];
const WITH: [&str; 6] = ["with", "con", "avec", "mit", "com", "w"];
/// Verbs of saying or setting a number, directly before it.
const GIVEN: [&str; 13] =
    ["said", "say", "use", "used", "set", "chose", "picked", "dije", "elegi", "gesagt", "disse", "detto", "choisi"];

/// The cue of a number of a lock. It ends where the number begins.
pub(super) fn cue_before(tokens: &Tokens<'_>, code: &CodeNumber) -> Option<Cue> {
    let number = code.first;
    let before = number.checked_sub(1).filter(|_| DIGITS.contains(&code.digits))?;
    if !may_introduce(tokens, before) {
        return None;
    }
    let is_lock = is_listed(tokens, code)
        || is_of_key_box(tokens, number)
        || !has_other_meaning(tokens, code) && (opens_lock(tokens, number) || is_given_for_lock(tokens, code));
    is_lock.then(|| cue(before, number, Entity::PIN.bit(), false))
}

/// Whether a token can be directly before the number of a lock.
fn may_introduce(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.is_mark(b':')
        || token.flags & flag::COPULA != 0
        || is(tokens, token, &WITH)
        || is(tokens, token, &GIVEN)
        || is_lock(tokens, at)
}

/// Whether a lock is directly before a number, and the number of another one is near: "back door 3758, shed 7949", "am
/// tor drücken wir 3758, an der garage 7949".
fn is_listed(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let is_number = |at: usize| {
        let token = tokens.at(at);
        token.kind == TokenKind::Digits && DIGITS.contains(&usize::from(token.digit_count())) && token.gap == Gap::Space
    };
    let is_pair = |at: usize| at > 0 && is_number(at) && ends_item(tokens, at + 1) && is_lock(tokens, at - 1);
    let is_key = |at: usize| classes_at(tokens, at) & class::KEY != 0;
    let is_said = |at: usize| tokens.at(at).kind == TokenKind::Word && is_number_word(tokens.at(at));
    let is_keyed = |at: usize| (is_number(at) || is_said(at)) && (at.saturating_sub(2)..at).any(is_key);
    let before = code.first.saturating_sub(LIST_REACH)..code.first;
    code.first > 0
        && is_lock(tokens, code.first - 1)
        && tokens.at(code.first).gap == Gap::Space
        && ends_item(tokens, code.after)
        && (before.into_iter().any(|at| is_pair(at) || is_keyed(at))
            || (code.after..code.after + LIST_REACH).any(is_pair))
}

/// Whether an item of a list ends before a token.
fn ends_item(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at);
    next.kind == TokenKind::Mark || next.kind != TokenKind::Word && next.gap != Gap::None
}

/// Whether the noun at a token is something that is locked.
fn is_lock(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_room = is(tokens, tokens.at(at), &ROOMS);
    let is_told_apart = || at > 0 && tokens.at(at).gap == Gap::Space && tokens.before(at).kind == TokenKind::Word;
    is_room && is_told_apart() || is(tokens, tokens.at(at), &DOORS) || classes_at(tokens, at) & class::GUARD != 0
}

/// Whether a box for keys and a joint are directly before a number: "caja de llaves: 4471".
fn is_of_key_box(tokens: &Tokens<'_>, number: usize) -> bool {
    const REACH: usize = 5;
    let joint = tokens.before(number);
    let is_joint = joint.is_mark(b':') || joint.flags & flag::COPULA != 0;
    let from = number.saturating_sub(REACH);
    let is_box = |at: usize| is(tokens, tokens.at(at), &BOXES);
    is_joint && (from..number).any(|at| is(tokens, tokens.at(at), &KEYS) && (from.saturating_sub(2)..at).any(is_box))
}

/// Whether the words before a number say that something opens with it: "der schlüsselkasten geht mit 4471 auf".
fn opens_lock(tokens: &Tokens<'_>, number: usize) -> bool {
    const OPENING: [&str; 5] = ["geht", "apri", "aprono", "abren", "offnet"];
    let opens = |at: usize| classes_at(tokens, at) & class::LOCK != 0 || is(tokens, tokens.at(at), &OPENING);
    let from = number.saturating_sub(LOCK_REACH);
    let is_box = |at: usize| is(tokens, tokens.at(at), &BOXES);
    is(tokens, tokens.before(number), &WITH)
        && (from..number).any(opens)
        && (from..number).any(|at| classes_at(tokens, at) & (class::GUARD | class::SITE) != 0 || is_box(at))
}

/// Whether a number is said to be for a lock or for banking by telephone: "I said 4471 for the phone line".
fn is_given_for_lock(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const FOR: [&str; 7] = ["for", "para", "pra", "pour", "fur", "per", "pro"];
    const LINES: [&str; 5] = ["line", "banking", "linea", "ligne", "linha"];
    let is_line = |at: usize| classes_at(tokens, at) & class::CALL != 0 && is(tokens, tokens.at(at + 1), &LINES);
    let from = code.after + 1;
    is(tokens, tokens.before(code.first), &GIVEN)
        && is(tokens, tokens.at(code.after), &FOR)
        && tokens.at(code.after).gap <= Gap::Space
        && (from..from + MAX_BETWEEN)
            .take_while(|at| tokens.at(*at).kind == TokenKind::Word && tokens.at(*at).gap <= Gap::Space)
            .any(|at| classes_at(tokens, at) & class::GUARD != 0 || is_line(at))
}
