//! Codes that let somebody in, by what they open or whom they are for: "the code for the yard", "gate code", "a code for
//! the driver", "le code d'alarme". The phrase is a cue by itself; the number can stand anywhere behind it.

use super::code_number::CodeNumber;
use super::cue::Cue;
use super::grammar_heads::{ACCESS_CODES, CODE_NOUNS};
use super::other_meaning::has_other_meaning;
use super::word_set::WordSet;
use super::words::{cue, is};
use crate::entity::Entity;
use crate::tables::access_words::{class, classes_at};
use crate::tables::other_codes::OTHER_CODES;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

static ACCESS_CODE_SET: WordSet = WordSet::of(&[&ACCESS_CODES]);
static NOUN_SET: WordSet = WordSet::of(&[&CODE_NOUNS]);

/// What a code keeps people out of, where its name stands before the noun. "building code" and "machine code" are others.
const BEFORE_NOUN: [&str; 52] = [
    "shower",
    "showers",
    "laundry",
    "gym",
    "pool",
    "sauna",
    "toilet",
    "bathroom",
    "washroom",
    "block",
    "boathouse",
    "clubhouse",
    "box",
    "cabinet",
    "cupboard",
    "panel",
    "duress",
    "arming",
    "disarm",
    "disarming",
    "keyholder",
    "engineer",
    "room",
    "gate",
    "door",
    "yard",
    "courtyard",
    "entry",
    "entrance",
    "garage",
    "alarm",
    "disarm",
    "barrier",
    "lobby",
    "stairwell",
    "shed",
    "lockbox",
    "keysafe",
    "keybox",
    "locker",
    "safe",
    "storage",
    "depot",
    "warehouse",
    "compound",
    "shutter",
    "carpark",
    "intercom",
    "entryphone",
    "padlock",
    "turnstile",
    "bikeshed",
];
/// Homes and other places, whose names also stand before the numbers of others.
const HOMES: [&str; 12] = [
    "room",
    "box",
    "cupboard",
    "cabinet",
    "flat",
    "house",
    "apartment",
    "apartamento",
    "appartement",
    "maison",
    "wohnung",
    "appartamento",
];
/// Words that join a code to what it opens, beside those of [`class::FOR`].
const LINKS: [&str; 16] =
    ["d", "a", "al", "au", "aux", "en", "dans", "zum", "zur", "im", "an", "auf", "dell", "dall", "pra", "pro"];
/// Words before the verb of what a code is for.
const TO: [&str; 8] = ["to", "para", "pra", "pour", "per", "zum", "um", "a"];
/// Words that end a verb of getting in: "to get in", "um reinzukommen".
const IN: [&str; 8] = ["in", "into", "inside", "up", "through", "rein", "hinein", "dentro"];
/// Words before the noun that make the code another one, beside [`OTHER_CODES`].
const OTHERS: [&str; 37] = [
    "confirmation",
    "verification",
    "activation",
    "reference",
    "gift",
    "referral",
    "dress",
    "booking",
    "tracking",
    "product",
    "item",
    "part",
    "article",
    "stock",
    "colour",
    "color",
    "paint",
    "qr",
    "bar",
    "source",
    "tax",
    "building",
    "model",
    "order",
    "return",
    "refund",
    "fiscal",
    "fiscale",
    "producto",
    "produto",
    "prodotto",
    "articolo",
    "articulo",
    "artigo",
    "produit",
    "barras",
    "barre",
];
/// Words between a code and what it opens.
const MAX_BETWEEN: usize = 4;

/// Whether a word before the noun makes the code another one.
fn is_other_word(tokens: &Tokens<'_>, token: Token) -> bool {
    is(tokens, token, &OTHERS) || is(tokens, token, &OTHER_CODES)
}

/// The cue of a code that lets somebody in, whose noun is at a token.
pub(super) fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let token = tokens.at(at);
    if ACCESS_CODE_SET.contains(token) {
        return Some(cue(at, at + 1, Entity::PIN.bit(), false));
    }
    if !NOUN_SET.contains(token) {
        return None;
    }
    let has_modifier = at > 0 && token.gap <= Gap::Space && tokens.before(at).kind == TokenKind::Word;
    if has_modifier && is_other_word(tokens, tokens.before(at)) {
        return None;
    }
    if let Some(end) = opened_end(tokens, at).or_else(|| entered_end(tokens, at)) {
        return Some(cue(at, end, Entity::PIN.bit(), false));
    }
    let is_named_before = has_modifier && is_of_entrance(tokens, at - 1);
    if is_named_before {
        return Some(cue(at - 1, at + 1, Entity::PIN.bit(), false));
    }
    is_after_purpose(tokens, at).then(|| cue(at, at + 1, Entity::PIN.bit(), false))
}

/// Whether the noun at a token says what a code opens: "yard", "building access".
fn is_of_entrance(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_site = || at > 0 && tokens.at(at).gap <= Gap::Space && classes_at(tokens, at - 1) & OPENED != 0;
    let is_box = || at > 0 && is(tokens, tokens.at(at), &["box"]) && is(tokens, tokens.at(at - 1), &["key", "lock"]);
    is_box() || is(tokens, tokens.at(at), &BEFORE_NOUN) || is(tokens, tokens.at(at), &["access", "door"]) && is_site()
}

/// Whether the words before a noun say what people need it for: "to get into the yard the code is", "para entrar al
/// edificio hay un código".
fn is_after_purpose(tokens: &Tokens<'_>, noun: usize) -> bool {
    const BEFORE: usize = 12;
    (noun.saturating_sub(BEFORE)..noun).any(|at| {
        is(tokens, tokens.at(at), &TO)
            && classes_at(tokens, at + 1) & class::ENTER != 0
            && (at + 2..noun.min(at + 2 + MAX_BETWEEN)).any(|place| classes_at(tokens, place) & OPENED != 0)
    })
}

/// The token after what the code at a token opens, or whom it lets in: "for the side gate", "del portal", "for the driver".
fn opened_end(tokens: &Tokens<'_>, noun: usize) -> Option<usize> {
    let link = tokens.at(noun + 1);
    // "code portail", "codice cancello"
    let is_noun =
        !is(tokens, tokens.at(noun), &["codes"]) && classes_at(tokens, noun + 1) & (class::GUARD | class::SITE) != 0;
    if is_noun && link.gap == Gap::Space && link.flags & flag::COPULA == 0 {
        return Some(noun + 2);
    }
    let is_for = classes_at(tokens, noun + 1) & class::FOR != 0;
    if link.gap > Gap::Space || !(is_for || is(tokens, link, &LINKS)) {
        return None;
    }
    let place = (noun + 2..noun + 2 + MAX_BETWEEN)
        .take_while(|at| is_inside(tokens, *at))
        .find(|at| classes_at(tokens, *at) & OPENED != 0 || is(tokens, tokens.at(*at), &HOMES))?;
    // "the code for the washing machine error"
    let next = classes_at(tokens, place + 1);
    (!(next & class::OTHER != 0 && tokens.at(place + 1).gap <= Gap::Space)).then_some(place + 1)
}

/// The token after the verb of getting in that a code is for: "to get into the shed", "para entrar".
fn entered_end(tokens: &Tokens<'_>, noun: usize) -> Option<usize> {
    if !is(tokens, tokens.at(noun + 1), &TO) {
        return None;
    }
    let is_verb = |at: &usize| classes_at(tokens, *at) & ENTRY != 0;
    let verb = (noun + 2..noun + 2 + MAX_BETWEEN).take_while(|at| is_inside(tokens, *at)).find(is_verb)?;
    let mut end = verb + 1;
    end += usize::from(is(tokens, tokens.at(end), &IN));
    let is_opened = |at: &usize| classes_at(tokens, *at) & OPENED != 0;
    let place = (end..end + MAX_BETWEEN).take_while(|at| is_inside(tokens, *at)).find(is_opened);
    let next = tokens.at(end);
    let ends = next.kind != TokenKind::Word
        || next.gap > Gap::Space
        || next.flags & flag::COPULA != 0
        || is(tokens, next, &["e", "es", "est", "ist", "c", "lautet"]);
    place.map(|place| place + 1).or_else(|| ends.then_some(end))
}

/// The cue before a number that somebody keys in to get in: "pour entrer tapez 8890", "am tor bitte 7719 eingeben". It ends
/// where the number begins.
pub(super) fn keyed_cue(tokens: &Tokens<'_>, code: &CodeNumber) -> Option<Cue> {
    const SCOPE: usize = 10;
    let number = code.first;
    let verb = number.checked_sub(1)?;
    let is_key = |at: usize| classes_at(tokens, at) & class::KEY != 0 && tokens.at(at).gap <= Gap::Space;
    // The number can be longer than one token only if it is spoken, and then its end is not known yet.
    let is_inverted =
        || verb > 0 && is(tokens, tokens.at(verb), &["wir", "ich", "man", "sie", "du", "ihr"]) && is_key(verb - 1);
    let is_keyed = || is_key(verb) || is_inverted() || is_key(number + 1);
    let guards = class::GUARD | class::SITE;
    let is_of_entrance = || {
        let mut near = number.saturating_sub(SCOPE)..number + SCOPE;
        near.any(|at| {
            let is_purpose = is(tokens, tokens.at(at), &TO) && classes_at(tokens, at + 1) & ENTRY != 0;
            is_purpose || classes_at(tokens, at) & guards != 0
        })
    };
    let is_code = code.digits >= MIN_DIGITS
        && (opens(tokens, code.after) || is_keyed() && is_of_entrance() && !has_other_meaning(tokens, code));
    is_code.then(|| cue(verb, number, Entity::PIN.bit(), false))
}

/// Whether the words from a token on say that what is before them opens something: "4471 opens it".
fn opens(tokens: &Tokens<'_>, after: usize) -> bool {
    const VERBS: [&str; 7] = ["opens", "unlocks", "abre", "ouvre", "offnet", "apre", "disarms"];
    const OBJECTS: [&str; 12] = ["it", "the", "that", "them", "la", "el", "le", "das", "die", "o", "il", "both"];
    is(tokens, tokens.at(after), &VERBS) && is(tokens, tokens.at(after + 1), &OBJECTS)
}

/// Digits of the shortest PIN.
const MIN_DIGITS: usize = 4;
/// Verbs of getting in.
const ENTRY: u64 = class::ENTER | class::LOCK;
/// What a code opens, and whom it lets in.
const OPENED: u64 = class::GUARD | class::SITE | class::VISITOR;

/// Whether a token can stand between a code and what it opens.
fn is_inside(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let is_joint = token.is_mark(b'\'') || token.is_mark(b'-') || tokens.str(token) == "’";
    let is_other = || classes_at(tokens, at) & class::OTHER != 0 || is_other_word(tokens, token);
    let is_opened = || classes_at(tokens, at) & OPENED != 0 || is(tokens, token, &HOMES);
    let is_word = || is_opened() || !is_other() && token.flags & flag::COPULA == 0;
    token.gap <= Gap::Space && (is_joint || token.kind == TokenKind::Word && is_word())
}
