//! Cues of several words that are recognised by their grammar: where a code stands on a card, how many digits it has,
//! and "the code".

use super::code_number;
use super::cue::Cue;
use super::keypad;
use super::other_meaning::has_other_meaning;
use super::sole_code::sole_code;
use super::words::{OR, cue, is, is_in, is_number_word};
use crate::detect::WordList;
use crate::entity::{Entity, EntitySet};
use crate::numbers::is_number_among_numbers;
use crate::tables::access_words::{class, classes_at};
use crate::tokenize::lexicon::{self, word_id, word_ids};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Whether a cue is "the code" without more: the code of a card if the talk is of a card, else at most a one-time code.
pub(crate) fn is_bare_code(cue: &Cue) -> bool {
    cue.needs_connector && cue.entities.contains(Entity::CVV)
}

/// The side of a card with its code, as a noun: a determiner or preposition is before it.
const SIDES: [u16; 11] = word_ids([
    "back",
    "reverse",
    "rear",
    "signature",
    "strip",
    "flipside",
    "dos",
    "verso",
    "reverso",
    "retro",
    "ruckseite",
]);
/// The side of a card with its code, as an adverb.
const BEHIND: [u16; 8] = word_ids(["dietro", "detras", "atras", "tras", "derriere", "hinten", "hintendrauf", "behind"]);
const ENGLISH_BEHIND: u16 = word_id("behind");
const FRONT: [u16; 2] = word_ids(["front", "vorne"]);
const COUNTED: [u16; 9] =
    word_ids(["digit", "digits", "numbers", "figures", "chiffres", "cifre", "cifras", "digitos", "ziffern"]);
const CODE: u16 = word_id("code");
const CV: u16 = word_id("cv");

/// Digits of the code of most cards.
const CODE_DIGITS: usize = 3;
/// Tokens on either side of a side of a card that can say that it is one.
const SCOPE: usize = 7;

/// The cue of this file at a token.
pub(super) fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let word = tokens.at(at).slot();
    if tokens.at(at).kind != TokenKind::Word || word == 0 {
        return None;
    }
    if SIDES.contains(&word) || BEHIND.contains(&word) || FRONT.contains(&word) {
        return side_cue(tokens, at);
    }
    if COUNTED.contains(&word) {
        return count_cue(tokens, at);
    }
    if PART_HEADS.contains(&word) {
        return part_cue(tokens, at);
    }
    // "cv2", which is two tokens
    if word == CV {
        let next = tokens.at(at + 1);
        let is_code = next.gap == Gap::None && next.kind == TokenKind::Digits && tokens.str(next) == "2";
        return is_code.then(|| cue(at, at + 2, Entity::CVV.bit(), false));
    }
    (word == CODE).then(|| code_cue(tokens, at)).flatten()
}

const DETERMINERS: [&str; 33] = [
    "the", "its", "my", "your", "his", "her", "that", "this", "la", "le", "el", "il", "der", "al", "del", "sul", "au",
    "no", "du", "na", "our", "mi", "tu", "su", "ma", "ta", "sa", "votre", "meiner", "ihrer", "minha", "sua", "mia",
];
const PREPOSITIONS: [&str; 16] =
    ["on", "at", "by", "from", "near", "of", "in", "over", "to", "en", "por", "auf", "del", "de", "a", "da"];

/// "on the back", "back of the card", "by the signature strip", "au dos", "hinten drauf".
fn side_cue(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let (word, before, next) = (tokens.at(at).slot(), tokens.before(at), tokens.at(at + 1));
    // "reading that back"
    let is_pronoun = is(tokens, before, &["it", "that", "this", "them", "those", "these", "you"]);
    let verb = at.checked_sub(1 + usize::from(is_pronoun)).map(|verb| tokens.at(verb));
    if verb.is_some_and(|verb| is(tokens, verb, &["read", "reading", "repeat", "repeating"])) {
        return None;
    }
    // "my boss is standing behind me"
    if word == ENGLISH_BEHIND && is(tokens, next, &["me", "us", "you", "him", "her", "them"]) {
        return None;
    }
    let has_determiner = is(tokens, before, &DETERMINERS) && tokens.at(at).gap == Gap::Space;
    let has_preposition = is(tokens, before, &PREPOSITIONS) && tokens.at(at).gap == Gap::Space;
    // "back is 355"
    let is_subject = || next.flags & flag::COPULA != 0 && touches_short_number(tokens, at, at + 1);
    let is_noun = has_determiner
        || has_preposition
        || is_subject()
        || BEHIND.contains(&word) && !(word == ENGLISH_BEHIND && next.kind == TokenKind::Digits)
        || is(tokens, next, &["of", "says"])
        || next.kind == TokenKind::Digits && is_after_expiry(tokens, at)
        || next.is_mark(b':')
        || is(tokens, next, &["strip", "stripe", "panel", "bit", "part", "code", "number", "numbers", "digits"]);
    if !is_noun {
        return None;
    }
    // "hinten an der garage", "vorne am tor"
    if (at + 1..at + 4).any(|near| classes_at(tokens, near) & (class::GUARD | class::SITE) != 0) {
        return None;
    }
    // "front code", "back number"
    if is(tokens, next, &["code", "number", "digits", "numbers"])
        && next.gap == Gap::Space
        && !is(tokens, before, &["call"])
    {
        return Some(cue(at, at + 2, Entity::CVV.bit(), false));
    }
    let mut first = at - usize::from(has_determiner || has_preposition);
    first -= usize::from(has_determiner && first > 0 && is(tokens, tokens.before(first), &PREPOSITIONS));
    let mut end = at + 1;
    while is(
        tokens,
        tokens.at(end),
        &["side", "strip", "stripe", "panel", "line", "box", "bit", "part", "area", "drauf"],
    ) {
        end += 1;
    }
    let (of, article, owner) = (tokens.at(end), tokens.at(end + 1), tokens.at(end + 2));
    if is(tokens, of, &["of", "de", "do", "da", "del", "della", "der"]) && of.gap == Gap::Space {
        let has_article = is(tokens, article, &DETERMINERS);
        let owner = if has_article { owner } else { article };
        if !is(tokens, owner, &CARD_NOUNS) {
            return None;
        }
        end += 2 + usize::from(has_article);
    } else if is(tokens, of, &DETERMINERS) && is(tokens, article, &CARD_NOUNS) {
        end += 2;
    } else if word == ENGLISH_BEHIND && is(tokens, of, &DETERMINERS)
        || of.kind == TokenKind::Word && of.gap <= Gap::Space && !ends_noun(tokens, of)
    {
        return None;
    }
    let scope = || (first.saturating_sub(SCOPE)..first).chain(end..end + SCOPE).map(|place| tokens.at(place));
    let is_front = FRONT.contains(&word);
    let counts = if is_front { &["four", "4", "vier"][..] } else { &CODE_NOUNS[..] };
    let evidence = |token: Token| {
        is(tokens, token, counts)
            || token.kind == TokenKind::Digits
                && (if is_front { &["4"][..] } else { &["3", "4"] }).contains(&tokens.str(token))
            || is(tokens, token, &["amex"])
            || !is_front && is(tokens, token, &CARD_NOUNS[..3])
    };
    let has_sole = || sole_code(tokens, None).is_some_and(|code| code.number.digits == CODE_DIGITS);
    (scope().any(evidence) || !is_front && (touches_short_number(tokens, first, end) || has_sole()))
        .then(|| cue(first, end, Entity::CVV.bit(), false))
}

/// Whether the words before a token give the expiry date of a card: "exp 09/27 back 123".
fn is_after_expiry(tokens: &Tokens<'_>, at: usize) -> bool {
    const WORDS: [&str; 7] = ["exp", "expiry", "expires", "valid", "thru", "vence", "scad"];
    (at.saturating_sub(SCOPE)..at).any(|near| is(tokens, tokens.at(near), &WORDS))
}

const CARD_NOUNS: [&str; 14] = [
    "card",
    "amex",
    "visa",
    "it",
    "thing",
    "mastercard",
    "debit",
    "credit",
    "plastic",
    "tarjeta",
    "carte",
    "karte",
    "cartao",
    "carta",
];
const CODE_NOUNS: [&str; 30] = [
    "code",
    "number",
    "numbers",
    "digit",
    "digits",
    "figures",
    "three",
    "security",
    "cvv",
    "cvc",
    "ones",
    "codigo",
    "numero",
    "numeros",
    "digitos",
    "tres",
    "cifras",
    "trois",
    "chiffres",
    "cryptogramme",
    "drei",
    "ziffern",
    "nummer",
    "zahl",
    "zahlen",
    "codice",
    "cifre",
    "tre",
    "printed",
    "last",
];

/// Whether a word can follow the noun "back": the noun is not part of "back seat".
fn ends_noun(tokens: &Tokens<'_>, next: Token) -> bool {
    const GRAMMAR: u32 =
        flag::CONNECTOR | flag::COPULA | flag::STOPWORD | flag::AND | flag::FILLER | flag::NUMBER | flag::CUE_HEAD;
    next.flags & GRAMMAR != 0 && !keypad::is_device(next)
        || lexicon::is_foreign_connector(next.slot())
        || is(tokens, next, &SUBJECTS)
}

/// Words that begin what is said of a side of a card, beside those of grammar: "derrière j'ai", "detrás tengo".
const SUBJECTS: [&str; 29] = [
    "steht", "near", "where", "r", "hay", "aparece", "auf", "c", "est", "pone", "tem", "j", "il", "on", "tengo", "leo",
    "veo", "eu", "tenho", "ho", "leggo", "ich", "habe", "ce", "there", "i", "once", "again", "twice",
];

/// Whether a number of three or four digits is right before or after tokens.
fn touches_short_number(tokens: &Tokens<'_>, first: usize, end: usize) -> bool {
    let is_short = |token: Token| token.kind == TokenKind::Digits && matches!(token.digit_count(), 3 | 4);
    let is_number = |at: usize| is_number_word(tokens.at(at)) || is_number_among_numbers(tokens, at);
    let spoken = |at: usize| (at..at + 2).all(is_number);
    let is_link = |at: &usize| {
        let token = tokens.at(*at);
        token.is_mark(b':') || token.is_mark(b'\'') || token.kind == TokenKind::Word && !is_number_word(token)
    };
    let after = end + (end..end + MAX_LINK_TOKENS).take_while(is_link).count();
    let before = first - (first.saturating_sub(MAX_LINK_TOKENS)..first).rev().take_while(is_link).count();
    // "derrière il y a 450 places"
    let is_other = code_number::at(tokens, after).is_some_and(|code| has_other_meaning(tokens, &code));
    let is_before = before >= 1 && is_short(tokens.at(before - 1)) || before >= 2 && spoken(before - 2);
    is_before || !is_other && (is_short(tokens.at(after)) || spoken(after))
}

/// Tokens between a side of a card and a number.
const MAX_LINK_TOKENS: usize = 4;

/// "three digits", "3 digit code": the code of a card; "six digit code": a one-time code; "sixteen digits": a card.
fn count_cue(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    // "3-digit"
    let is_hyphenated = at > 1 && tokens.before(at).is_mark(b'-') && tokens.at(at).gap == Gap::None;
    let first = at.checked_sub(1 + usize::from(is_hyphenated))?;
    let count = tokens.at(first);
    if tokens.at(at).gap > Gap::Space {
        return None;
    }
    let is_count = |words: &[&str], digits: &str| {
        is(tokens, count, words) || count.kind == TokenKind::Digits && tokens.str(count) == digits
    };
    let is_part = first > 0 && is(tokens, tokens.before(first), &PARTS);
    let mut is_weak = false;
    let entities = if is_count(&["three", "tres", "trois", "drei", "tre"], "3") {
        Entity::CVV.bit()
    } else if !is_part && is_count(&["four", "cuatro", "quatre", "vier", "quatro", "quattro"], "4") {
        let is_cvv = is_on_front(tokens, at) || is_card_code(tokens, at) || is_three_or_four(tokens, first);
        if is_cvv { Entity::CVV.bit() } else { Entity::PIN.bit() }
    } else if !is_part && is_count(&["six", "seis", "sechs", "sei"], "6") {
        Entity::ONE_TIME_PASSCODE.bit()
    } else if !is_part && is_count(&["nine"], "9") {
        is_weak = true;
        Entity::SSN.bit()
    } else if is_count(&["sixteen", "dieciseis", "seize", "sechzehn", "dezesseis", "sedici"], "16")
        || is_count(&["fifteen"], "15")
    {
        Entity::CREDIT_CARD_NUMBER.bit()
    } else {
        return None;
    };
    // "the last three digits of your phone number" are of another number.
    let of = tokens.at(at + 1);
    let of_other = is(tokens, of, &["of", "de", "del", "du", "da", "do"])
        && !(2..5).any(|n| is(tokens, tokens.at(at + n), &CARD_NOUNS));
    let end = at + 1 + usize::from(is(tokens, of, &["code", "number", "thing", "codigo"]));
    (!of_other).then(|| cue(first, end, entities, is_weak))
}

/// Whether "one" after a count of digits stands for the code of a card that the message names before: "it takes a security
/// code of 3 and my 4 digit one is 3390".
fn is_card_code(tokens: &Tokens<'_>, at: usize) -> bool {
    const NAMES: [&str; 4] = ["security", "cvv", "cvc", "csc"];
    is(tokens, tokens.at(at + 1), &["one"]) && tokens.near_before(at).any(|near| is(tokens, tokens.at(near), &NAMES))
}

/// Whether "three or" is before the "four" at a token: only codes of cards have three digits or four.
fn is_three_or_four(tokens: &Tokens<'_>, four: usize) -> bool {
    const THREE: [&str; 6] = ["three", "tres", "trois", "drei", "três", "tre"];
    let Some(three) = four.checked_sub(2).map(|at| tokens.at(at)) else { return false };
    let is_three = is(tokens, three, &THREE) || three.kind == TokenKind::Digits && tokens.str(three) == "3";
    let joint = tokens.before(four);
    is_three && (is(tokens, joint, &OR) || joint.is_mark(b'/') || joint.is_mark(b'-'))
}

/// Whether the words beside a count of digits say that they stand on the front of a card, where cards of American Express
/// have their code.
fn is_on_front(tokens: &Tokens<'_>, at: usize) -> bool {
    const PLACES: [&str; 4] = ["front", "above", "amex", "vorne"];
    (at.saturating_sub(SCOPE)..at + SCOPE).any(|near| is(tokens, tokens.at(near), &PLACES))
}

/// Words before the digits of another number: "the last four digits".
const PARTS: [&str; 20] = [
    "last",
    "first",
    "final",
    "next",
    "middle",
    "other",
    "second",
    "third",
    "ultimos",
    "ultimas",
    "primeros",
    "primeiros",
    "derniers",
    "premiers",
    "letzten",
    "ersten",
    "ultime",
    "ultimi",
    "prime",
    "primi",
];

/// "the code", "my code": a code that the sentence does not name further.
fn code_cue(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    const BEFORE: [&str; 19] = [
        "the", "my", "your", "that", "this", "a", "sms", "text", "app", "new", "old", "previous", "current", "another",
        "backup", "me", "first", "second", "le",
    ];
    let before = tokens.before(at);
    let next = tokens.at(at + 1);
    let begins = at == 0 || tokens.at(at).gap > Gap::Space || before.kind == TokenKind::Mark;
    let is_named_after = next.kind == TokenKind::Word && next.gap <= Gap::Space && !ends_noun(tokens, next);
    let is_sent = (at.saturating_sub(SCOPE)..at + SCOPE).any(|near| is(tokens, tokens.at(near), &SENT));
    let one_time = if is_sent { Entity::ONE_TIME_PASSCODE.bit() } else { EntitySet::empty() };
    ((begins || is(tokens, before, &BEFORE)) && !is_named_after)
        .then(|| cue(at, at + 1, one_time.or(Entity::CVV.bit()), true))
}

/// Words that say that a code was sent or is shown by a device.
const SENT: [&str; 14] = [
    "text",
    "texted",
    "sms",
    "sent",
    "phone",
    "email",
    "emailed",
    "app",
    "authenticator",
    "message",
    "received",
    "inbox",
    "arrived",
    "mobile",
];

/// "the first four", "next eight digits please", "middle two": a part of a card number, or of a social security number by
/// its length. "the last four" is a part of any number.
fn part_cue(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let (count, next) = (tokens.at(at + 1), tokens.at(at + 2));
    let is_count = |words: &[&str]| {
        is(tokens, count, words) || count.kind == TokenKind::Digits && words.contains(&tokens.str(count))
    };
    let is_last = tokens.at(at).slot() == LAST;
    if is_last && is_count(&["four", "4"]) && count.gap <= Gap::Space {
        return last_four_cue(tokens, at);
    }
    let entity = if !is_last && is_count(&["four", "4", "six", "6"]) || is_count(&["eight", "8"]) {
        Entity::CREDIT_CARD_NUMBER
    } else if !is_last && is_count(&["three", "3", "two", "2"]) {
        Entity::SSN
    } else {
        return None;
    };
    let has_noun = is(tokens, next, &["digits", "numbers", "digit"]);
    let end = at + 2 + usize::from(has_noun);
    let follows = tokens.at(end);
    let ends = follows.kind != TokenKind::Word && follows.kind != TokenKind::Digits
        || follows.gap > Gap::Space
        || follows.flags & (flag::COPULA | flag::FILLER) != 0
        || is(tokens, follows, &["please", "sir", "first", "then"]);
    (count.gap <= Gap::Space && ends).then(|| cue(at, end, entity.bit(), true))
}

/// "last four": the end of a social security number, unless the message speaks of another number. A card number ends so
/// too, but its last four digits stay readable.
fn last_four_cue(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let has_noun = is(tokens, tokens.at(at + 2), &["digits", "numbers", "digit"]);
    let is_other = tokens.near(at).any(|near| is_in(tokens, tokens.at(near), &NUMBERED));
    // "after the last four it says 4821": the number that follows them is another one.
    let is_passed = at >= 2 && is(tokens, tokens.at(at - 2), &["after", "behind"]);
    (!is_other && !is_passed).then(|| cue(at, at + 2 + usize::from(has_noun), LAST_FOUR, true))
}

/// Entities whose values are named by their last four digits.
pub(crate) const LAST_FOUR: EntitySet = EntitySet::from_slice(&[Entity::SSN, Entity::CREDIT_CARD_NUMBER]);
/// Things with a number other than that of social security.
static NUMBERED: WordList = WordList::new(&[
    "card",
    "cards",
    "visa",
    "amex",
    "mastercard",
    "debit",
    "credit",
    "phone",
    "mobile",
    "cell",
    "telephone",
    "account",
    "acct",
    "iban",
    "order",
    "tracking",
    "serial",
    "imei",
    "vin",
    "member",
    "membership",
    "policy",
    "confirmation",
    "licence",
    "license",
    "passport",
    "bank",
    "routing",
    "plan",
    "ticket",
    "invoice",
    "code",
    "pin",
    "meter",
    "device",
    "parcel",
    "reference",
    "booking",
    "claim",
    "case",
    "receipt",
    "sim",
]);

const PART_HEADS: [u16; 6] = word_ids(["first", "next", "second", "third", "middle", "last"]);
const LAST: u16 = word_id("last");
