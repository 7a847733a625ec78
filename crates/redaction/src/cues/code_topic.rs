//! Talk about a code without its name: somebody keys a number in at a door or gets in with it, has changed it, or has said
//! it before. Of a number that is only "it", the length says which code it is.

use super::code_number::CodeNumber;
use super::cue::Cue;
use super::keyed_code::stands_alone;
use super::number_labels::LABELS;
use super::other_meaning::has_other_meaning;
use super::words::{OR, cue, is, is_in, is_number_or_mask};
use crate::entity::Entity;
use crate::tables::access_words::{class, classes_at};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Tokens of the longest message that is read so.
const MAX_TOKENS: usize = 90;
/// Digits of the shortest PIN.
const MIN_PIN_DIGITS: usize = 4;
/// Tokens before a number in which the verb of keying it in is, and after it.
const KEY_REACH: usize = 4;
/// Words for several PINs, which are no cue by themselves since people pin things.
const PINS: [&str; 3] = ["pins", "nips", "pincodes"];

/// The cue before a number that can only be such a code. It ends where the number begins.
pub(super) fn cue_before(tokens: &Tokens<'_>, code: &CodeNumber) -> Option<Cue> {
    let verb = code.first.checked_sub(1).filter(|_| tokens.len() <= MAX_TOKENS)?;
    let is_part = tokens.at(code.first).gap == Gap::None;
    if is_part || !stands_alone(tokens, code) || is_round_or_year(tokens, code) {
        return None;
    }
    let is_pin = || code.digits >= MIN_PIN_DIGITS && (is_of_entrance(tokens, code) || is_changed(tokens, code));
    let is_unnamed = || says_it(tokens, code) && is_dictated(tokens, code) && !names_other(tokens, code);
    let entity = match () {
        () if is_pin() => Entity::PIN,
        () if is_unnamed() => code.entity(),
        () => return None,
    };
    // Few numbers come as far as here, and what else they mean takes longest to see.
    let is_other = is_of_other(tokens, code) || has_other_meaning(tokens, code);
    (!is_other).then(|| cue(verb, code.first, entity.bit(), false))
}

/// Whether digits are a round number, as amounts are, or a year.
fn is_round_or_year(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let token = tokens.at(code.first);
    let digits = tokens.str(token).as_bytes();
    let is_year = matches!(digits, [b'1', b'9', _, _] | [b'2', b'0', _, _]);
    token.kind == TokenKind::Digits && (is_year || digits.ends_with(b"00") && !digits.starts_with(b"0"))
}

/// Whether a message names a number of another kind anywhere, or has other parts of a long one beside three digits.
fn names_other(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const OTHERS: [&str; 10] = ["social", "ssn", "flight", "gate", "id", "license", "cvc", "cvv", "cvn", "csc"];
    let is_outside = |at: &usize| !(code.first..code.after).contains(at);
    let is_digit = |at: usize| tokens.at(at).flags & flag::NUMBER != 0;
    let is_number = |at: usize| {
        let token = tokens.at(at);
        token.kind == TokenKind::Digits && token.digit_count() > 1 || is_digit(at) && is_digit(at + 1)
    };
    let mut outside = (0..tokens.len()).filter(is_outside);
    let is_short = code.digits < MIN_PIN_DIGITS;
    outside.any(|at| {
        is_in(tokens, tokens.at(at), &LABELS) || is(tokens, tokens.at(at), &OTHERS) || is_short && is_number(at)
    })
}

/// Whether a number is keyed in at an entrance, lets somebody in, or is what all use as their PIN.
fn is_of_entrance(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let has = |classes: u64| (0..tokens.len()).any(|at| classes_at(tokens, at) & classes != 0);
    is_keyed(tokens, code, class::CODE) && has(class::GUARD)
        || is_keyed(tokens, code, 0) && has(class::SITE)
        || follows_copula(tokens, code) && says_entry(tokens)
        || follows_use(tokens, code) && names_pins(tokens)
}

/// Whether "use", or "is", is right before a number.
fn follows_use(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    follows_copula(tokens, code) || classes_at(tokens, code.first - 1) & (class::USE | class::KEY | class::SET) != 0
}

/// Whether a noun that has another number is right before digits.
fn is_of_other(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const REACH: usize = 4;
    let first = code.first;
    (first.saturating_sub(REACH)..first).any(|at| classes_at(tokens, at) & class::OTHER != 0)
}

fn names_pins(tokens: &Tokens<'_>) -> bool {
    tokens.as_slice().iter().any(|token| is(tokens, *token, &PINS))
}

/// Whether somebody keys in a number, or it follows a noun of these classes.
fn is_keyed(tokens: &Tokens<'_>, code: &CodeNumber, noun: u64) -> bool {
    let (first, after) = (code.first, code.after);
    let is_verb = |at: usize| classes_at(tokens, at) & class::KEY != 0 && tokens.at(at).kind == TokenKind::Word;
    let is_noun = |at: usize| classes_at(tokens, at) & noun != 0;
    (first.saturating_sub(KEY_REACH)..first).any(|at| is_verb(at) || is_noun(at)) || is_verb(after)
}

/// Whether a message speaks of getting in: "the reader couldn't get in", "um reinzukommen".
fn says_entry(tokens: &Tokens<'_>) -> bool {
    const BOTH: u64 = class::ENTER | class::IN;
    (0..tokens.len()).any(|at| {
        let own = classes_at(tokens, at);
        let next = classes_at(tokens, at + 1);
        own & class::ENTER != 0
            && next & class::IN != 0
            && tokens.at(at + 1).gap <= Gap::Space
            && ends_phrase(tokens, at + 2)
            || own & BOTH == BOTH && ends_phrase(tokens, at + 1)
    })
}

/// Whether no place follows the "in" of "get in": "get in touch" is another phrase.
fn ends_phrase(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind != TokenKind::Word
        || token.flags & flag::STOPWORD != 0
        || is(tokens, token, &["again", "today", "yesterday"])
}

/// Whether a number is what "it", "mine" or somebody's words are: "it's", "mine is", "she says", "c'est".
fn says_it(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const GRAMMAR: u32 = flag::STOPWORD | flag::CONNECTOR | flag::FILLER | flag::COPULA;
    const SUBJECTS: [&str; 17] = [
        "it", "its", "mine", "that", "thats", "she", "he", "either", "c", "es", "sie", "er", "ist", "lui", "elle",
        "il", "me",
    ];
    const VERBS: [&str; 12] =
        ["says", "said", "dit", "dice", "diz", "sagt", "either", "its", "been", "s", "be", "should"];
    let first = code.first;
    // The "s" of "g l a y s 4821" is a letter.
    let is_letter = |at: usize| is(tokens, tokens.at(at), &["s"]) && tokens.before(at).kind != TokenKind::Mark;
    let is_verb =
        |at: usize| (tokens.at(at).flags & flag::COPULA != 0 || is(tokens, tokens.at(at), &VERBS)) && !is_letter(at);
    let is_subject = |at: usize| is(tokens, tokens.at(at), &SUBJECTS);
    let first = if is(tokens, tokens.before(first), &OR) { number_start(tokens, first - 1) } else { first };
    let is_grammar = |at: &usize| tokens.at(*at).flags & GRAMMAR != 0 || is_verb(*at);
    let verb = (first.saturating_sub(2)..first).rev().take_while(is_grammar).find(|at| is_verb(*at));
    verb.is_some_and(|verb| is_subject(verb) || (verb.saturating_sub(2)..verb).any(is_subject))
}

/// Tokens of the longest number before another one.
const MAX_NUMBER_TOKENS: usize = 8;

/// The first token of the number that ends before a token.
fn number_start(tokens: &Tokens<'_>, after: usize) -> usize {
    let is_part = |at: &usize| is_number_or_mask(tokens.at(*at));
    after - (after.saturating_sub(MAX_NUMBER_TOKENS)..after).rev().take_while(is_part).count()
}

/// Whether a number is what something was changed from or to, in a sentence without a noun for it: "changed from
/// 4821 to 7730 in branch". The verb has no object, so it is what everybody knows to be meant.
fn is_changed(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const FROM: [&str; 5] = ["from", "frm", "von", "da", "de"];
    const TO: [&str; 6] = ["to", "auf", "a", "para", "zu", "en"];
    const CHANGED: [&str; 12] = [
        "changed",
        "switched",
        "updated",
        "moved",
        "geandert",
        "geändert",
        "gewechselt",
        "cambiado",
        "cambiato",
        "mudado",
        "changé",
        "trocado",
    ];
    const OWN: [&str; 16] =
        ["i", "we", "ive", "have", "just", "had", "he", "she", "and", "been", "it", "ho", "hab", "habe", "ai", "ja"];
    let is_from = |at: usize| {
        at > 0
            && is(tokens, tokens.at(at), &FROM)
            && is(tokens, tokens.before(at), &CHANGED)
            && (at == 1 || is(tokens, tokens.at(at - 2), &OWN))
    };
    let first = code.first;
    if code.digits < MIN_PIN_DIGITS || first < 2 {
        return false;
    }
    if is_from(first - 1) {
        return is(tokens, tokens.at(code.after), &TO) && is_number_or_mask(tokens.at(code.after + 1));
    }
    let start = number_start(tokens, first - 1);
    is(tokens, tokens.before(first), &TO) && start > 1 && start < first - 1 && is_from(start - 1)
}

/// Whether the words before a number are about saying, hearing, reading or remembering it.
fn is_dictated(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const WORDS: [&str; 40] = [
        "told",
        "said",
        "twice",
        "say",
        "saying",
        "repeat",
        "repeated",
        "reading",
        "read",
        "hear",
        "heard",
        "remember",
        "forget",
        "forgot",
        "mine",
        "dicho",
        "digo",
        "repetir",
        "leo",
        "leyendo",
        "recuerdo",
        "olvido",
        "dit",
        "repete",
        "lis",
        "lit",
        "souviens",
        "oublie",
        "gesagt",
        "sage",
        "wiederholen",
        "lese",
        "liest",
        "merken",
        "vergesse",
        "disse",
        "lendo",
        "lembro",
        "detto",
        "ricordo",
    ];
    tokens.near_before(code.first).any(|at| is(tokens, tokens.at(at), &WORDS))
}

/// Whether "is", or "its", is right before a number.
fn follows_copula(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let before = tokens.before(code.first);
    before.flags & flag::COPULA != 0 || is(tokens, before, &["its", "s", "been", "mine"])
}
