//! Devices that take a code: "the key box won't open i tried 4821", "gate wants 0295". The name of a device is a cue for
//! a PIN only beside a number that somebody keys in, since most numbers beside a device count or name it.

use super::cue::Cue;
use super::devices::DEVICES;
use super::grammar_heads::KEYED_VERBS;
use super::word_set::WordSet;
use super::words::{cue, is, is_number_word};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

static DEVICE_SET: WordSet = WordSet::of(&[&DEVICES]);
const DIAL_VERBS: [&str; 3] = ["dial", "dialled", "dialed"];
static DIAL_SET: WordSet = WordSet::of(&[&DIAL_VERBS]);
/// Words that are a device only before one of these nouns.
const COMPOUNDS: [(&str, &[&str]); 2] = [("key", &["box", "safe", "pad"]), ("charging", &["station", "point", "post"])];
/// Words before "safe" that make it a noun.
const OWNERS: [&str; 9] = ["the", "my", "our", "your", "this", "room", "hotel", "wall", "gun"];
/// Nouns that a device describes. Their own cues say what the number is.
const NUMBER_NOUNS: [&str; 8] = ["code", "codes", "number", "numbers", "no", "pin", "panel", "id"];
/// Further verbs whose object is what somebody keys in.
const DIALLED_VERBS: [&str; 9] = ["key", "did", "dial", "dialled", "dialed", "ate", "reads", "tapé", "fatto"];
/// Verbs whose object is a code only after "with", and only after a negation: "opened with 3583", "won't take 2398".
const OPENED: [&str; 4] = ["open", "opens", "opened", "unlocks"];
const TAKEN: [&str; 3] = ["take", "accept", "like"];
/// What somebody presses after a code: "0298 then hash".
const CONFIRMATIONS: [&str; 9] = ["hash", "pound", "star", "enter", "ok", "swipe", "bell", "green", "raute"];
/// Tokens on either side of a device in which the number is.
const REACH: usize = 14;
/// Tokens between a verb and the number.
const MAX_AFTER_VERB: usize = 3;
/// Tokens from a device to a number that a verb or colon joins to it.
const MAX_AFTER_DEVICE: usize = 4;
/// Tokens between the number and what somebody presses after it.
const MAX_BEFORE_CONFIRMATION: usize = 5;
/// Tokens between a number and the device that it is put in.
const MAX_BEFORE_PLACE: usize = 5;
/// Digits of a code.
const DIGITS: std::ops::RangeInclusive<u16> = 4..=8;
/// Number words of a spoken code.
const MIN_WORDS: usize = 3;

/// Whether a word is the name of a device.
pub(super) fn is_device(token: Token) -> bool {
    DEVICE_SET.contains(token)
}

/// The cue of a device that somebody gives a code to.
pub(super) fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let (device, next) = (tokens.at(at), tokens.at(at + 1));
    if !is_device(device) {
        return None;
    }
    let nouns = COMPOUNDS.iter().find(|(word, _)| is(tokens, device, &[word]));
    let is_device = match nouns {
        Some((_, nouns)) => next.gap <= Gap::Space && is(tokens, next, nouns),
        None => !is(tokens, device, &["safe"]) || at > 0 && is(tokens, tokens.before(at), &OWNERS),
    };
    let end = at + 1 + usize::from(nouns.is_some());
    let next = tokens.at(end);
    // "the alarm code", "gate number 4"
    let is_modifier = next.gap <= Gap::Space && is(tokens, next, &NUMBER_NOUNS);
    let from = at.saturating_sub(REACH);
    let has_code = || (from..at + REACH).any(|number| is_code_of(tokens, number, at));
    (is_device && !is_modifier && (is_before_code(tokens, at, end) || has_code()))
        .then(|| cue(at, end, Entity::PIN.bit(), false))
}

/// The cue of "dial" before the code of a device, which is no telephone number: "the safe is by the porch, dial 4821".
pub(super) fn dial_cue(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let is_dial = DIAL_SET.contains(tokens.at(at)) && is(tokens, tokens.at(at), &DIAL_VERBS);
    let near = at.saturating_sub(REACH)..at + REACH;
    let is_of_device = || near.into_iter().any(|near| is_device(tokens.at(near)));
    (is_dial && code_end(tokens, at + 1).is_some() && is_of_device()).then(|| cue(at, at + 1, Entity::PIN.bit(), false))
}

/// Whether a lock has its code directly behind it: "alarm 4821, garage 2566".
fn is_before_code(tokens: &Tokens<'_>, device: usize, end: usize) -> bool {
    const LOCKS: [&str; 13] = [
        "alarm",
        "lock",
        "garage",
        "safe",
        "gate",
        "lockbox",
        "keybox",
        "padlock",
        "box",
        "alarma",
        "alarme",
        "candado",
        "alarmanlage",
    ];
    let (code, next) = (tokens.at(end), tokens.at(end + 1));
    let ends = next.kind == TokenKind::Edge || next.is_mark(b',') || next.is_mark(b'.') || next.is_mark(b';');
    is(tokens, tokens.at(device), &LOCKS)
        && code.kind == TokenKind::Digits
        && code.gap == Gap::Space
        && DIGITS.contains(&code.digit_count())
        && (ends || next.gap >= Gap::Line)
}

/// Whether a code begins at a token, and somebody keys it in or the device is said to have it.
fn is_code_of(tokens: &Tokens<'_>, at: usize, device: usize) -> bool {
    let follows = |at: usize| at.checked_sub(MAX_AFTER_DEVICE).is_some_and(|first| (first..at).contains(&device));
    let is_named = || {
        let before = tokens.before(at);
        (before.flags & flag::COPULA != 0 || before.is_mark(b':')) && follows(at)
    };
    code_end(tokens, at).is_some() && (is_keyed(tokens, at) || is_named())
}

/// Whether somebody keys in the number at a token: a verb says so, or the key that is pressed after it.
pub(crate) fn is_keyed(tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(end) = code_end(tokens, at) else { return false };
    let is = |at: usize, words: &[&str]| is(tokens, tokens.at(at), words);
    let is_near = |near: &usize| tokens.at(near + 1).gap <= Gap::Space && tokens.at(*near).kind == TokenKind::Word;
    let mut verbs = (at.saturating_sub(MAX_AFTER_VERB)..at).rev().take_while(is_near);
    verbs.any(|near| is(near, &KEYED_VERBS) || is(near, &DIALLED_VERBS)) && !is_stored(tokens, end)
        || at >= 2 && is(at - 1, &["with"]) && is(at - 2, &OPENED)
        || at >= 3 && is(at - 1, &TAKEN) && is(at - 2, &["t", "not"])
        || (end..end + MAX_BEFORE_CONFIRMATION).any(|after| is(after, &CONFIRMATIONS))
}

/// Whether the words after a number say that it is put away, as in "i put 2000 in the safe".
pub(super) fn is_stored(tokens: &Tokens<'_>, end: usize) -> bool {
    is(tokens, tokens.at(end), &["in", "into"]) && (end..end + MAX_BEFORE_PLACE).any(|near| is_device(tokens.at(near)))
}

/// The token after a number as long as a code, which begins at a token.
fn code_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    const GRAMMAR: u32 = flag::STOPWORD | flag::CONNECTOR | flag::COPULA | flag::AND | flag::FILLER | flag::NUMBER;
    // "4000 visitors"
    let is_counted = |next: Token| {
        let is_noun = next.kind == TokenKind::Word && next.gap == Gap::Space && next.flags & GRAMMAR == 0;
        is_noun && tokens.str(next).ends_with('s')
    };
    let is_amount = |after: usize| {
        let next = tokens.at(after);
        next.flags & flag::UNIT != 0 && !is(tokens, next, &["star"]) || next.is_mark(b'%') || is_counted(next)
    };
    let is_word = |token: Token| token.kind == TokenKind::Word && is_number_word(token);
    let (token, before) = (tokens.at(at), tokens.before(at));
    let end = match token.kind {
        TokenKind::Digits if DIGITS.contains(&token.digit_count()) && !before.is_mark(b'$') => at + 1,
        TokenKind::Word if is_word(token) && (at == 0 || !is_word(before)) => {
            let words = (at..tokens.len()).take_while(|at| is_word(tokens.at(*at))).count();
            at + Some(words).filter(|words| *words >= MIN_WORDS)?
        }
        TokenKind::Word | TokenKind::Digits | TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => return None,
    };
    (!is_amount(end)).then_some(end)
}
