//! Questions for the number that opens something or lets somebody in, in everyday words: what is guarded, and what people
//! press, set or remember for it. "pick a new one for your locker", "what did the engineer set on the thermostat".

use super::bag::Bag;
use super::words;
use crate::entity::{Entity, EntitySet};
use crate::tables::access_words::{class, classes_at};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Entities whose names a question for such a number may hold: a code, the telephone or the card that it goes with.
const COMPATIBLE: EntitySet = EntitySet::from_slice(&[
    Entity::PIN,
    Entity::CVV,
    Entity::PASSWORD,
    Entity::ONE_TIME_PASSCODE,
    Entity::SECURITY_ANSWER,
    Entity::PHONE_NUMBER,
    Entity::CREDIT_CARD_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::BANK_ACCOUNT_NUMBER,
    Entity::PERSON_NAME,
    Entity::IMEI,
    // The German "ein".
    Entity::US_EIN,
    Entity::US_DRIVER_LICENSE,
    Entity::UK_DRIVING_LICENCE,
]);
/// Verbs of what people do with such a number: they key it in, choose it or set it.
const ACTS: u64 = class::KEY | class::CHOOSE | class::SET;
/// Words between a number and what it is for.
const MAX_BETWEEN: usize = 4;

/// What the words of a message say about a number that lets somebody in.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
#[derive(Default)]
struct Words {
    classes: u64,
    /// Different words for what is guarded.
    guards: usize,
    /// Whether something that takes a code only if it is locked is spoken of.
    has_weak_guard: bool,
    /// Whether "number" is for something that is guarded, or is owned: "the number for the gate", "your number".
    has_number_of_guard: bool,
    /// Whether people key in, set or choose what "what", "which" or "one" stands for.
    has_open_object: bool,
    /// Whether "what number" or "which digits" is asked for.
    has_what_number: bool,
    /// Whether "che codice" is asked for. The Italian "che" before any other word begins a clause.
    has_what_code: bool,
    /// Whether "phone line" is spoken of.
    has_phone_line: bool,
    /// Whether "access code" is spoken of.
    has_access_code: bool,
    /// Whether "which four" is asked for.
    has_what_count: bool,
    /// Whether single digits of a few are asked for: "the first and third of your four".
    has_places: bool,
}

/// Whether a message without a value, whose cues name these entities, asks for a number that opens something or lets
/// somebody in.
pub(super) fn asks_for_access_code(tokens: &Tokens<'_>, bag: &Bag, named: EntitySet) -> bool {
    if !named.is_subset(COMPATIBLE) || bag.asks_for_amount {
        return false;
    }
    let words = Words::of(tokens);
    if words.has(class::OTHER) || bag.has(words::class::ONE_TIME | words::class::SCRATCH) {
        return false;
    }
    let asks = tokens.text.contains('?')
        || words.has_number_of_guard
        || bag.has(words::class::WHAT | words::class::REQUEST | words::class::YOUR | words::class::HOW)
        || words.has(class::CHOOSE | class::REMEMBER)
        || words.has_what_code;
    let is_of_way_in = bag.has(words::class::HOW) && words.is_of_entry();
    asks && (words.has_places || is_of_way_in || words.is_of_guard() || words.is_of_caller() || words.is_keyed())
}

impl Words {
    fn of(tokens: &Tokens<'_>) -> Self {
        let mut words = Self::default();
        for at in 0..tokens.len() {
            let own = classes_at(tokens, at);
            let is_what = is_what(tokens, at);
            words.classes |= own;
            // "the garage phone number", "the door number"
            let is_named_number = own & class::GUARD != 0 && classes_at(tokens, at + 1) & class::NUMBER != 0;
            words.guards += usize::from(own & class::GUARD != 0 && !is_named_number);
            words.has_weak_guard |= own & class::WEAK_GUARD != 0;
            words.has_number_of_guard |= own & class::NUMBER != 0 && is_for_guard(tokens, at);
            words.has_number_of_guard |= own & class::GOES != 0 && goes_with(tokens, at);
            words.has_open_object |= own & ACTS != 0 && has_open_object(tokens, at);
            words.has_access_code |= own & class::ACCESS != 0 && classes_at(tokens, at + 1) & class::CODE != 0;
            words.has_what_code |= own & class::CODE != 0 && at > 0 && tokens.str(tokens.before(at)) == "che";
            words.has_phone_line |= own & class::CALL != 0 && tokens.str(tokens.at(at + 1)) == "line";
            words.has_what_number |= is_what && is_number(classes_at(tokens, at + 1));
            words.has_what_count |= is_what && is_count(tokens, at + 1);
            words.has_places |= own & class::PLACE != 0 && is_places(tokens, at);
        }
        words
    }

    fn has(&self, classes: u64) -> bool {
        self.classes & classes != 0
    }

    /// Whether people act on what they are asked for: they press, set or choose it, or know it by heart.
    fn has_act(&self) -> bool {
        self.has(class::KEY | class::CHOOSE | class::SET | class::REMEMBER | class::USE)
    }

    /// "how does the driver get into the yard"
    fn is_of_entry(&self) -> bool {
        let is_place = self.guards > 0 || self.has(class::SITE) || self.has(class::VISITOR) && self.has(class::IN);
        self.has(class::ENTER) && is_place
    }

    /// "did you memorise your digits for the safe", "what do you tap in at the barrier", "pick one for the locker".
    fn is_of_guard(&self) -> bool {
        if self.has(class::SHOWN) && !self.has(ACTS) {
            return false;
        }
        let is_guarded = self.guards > 0 || self.has_number_of_guard || self.has_weak_guard && self.has(class::LOCK);
        let is_let_in = self.has(class::SITE | class::VISITOR) && self.has(class::CODE) && !self.has(class::DIGITS);
        let is_number = self.has(class::CODE)
            || self.has_number_of_guard
            || self.has_what_number && self.has(class::LOCK)
            || self.has_what_count && self.has(class::KEY | class::SET | class::CHOOSE)
            || self.has(class::NUMBER) && (self.has_act() || self.guards > 1);
        let is_open = self.has_open_object && (is_guarded || self.has(class::SITE));
        is_let_in || self.has_access_code || is_open || is_guarded && is_number
    }

    /// "choose one you'll say to us when you call", "a number for telephone banking", "can i take your memorable number".
    fn is_of_caller(&self) -> bool {
        let is_number = self.has(class::CODE | class::NUMBER | class::CALLER_NUMBER);
        let is_secret = self.has(class::MEMORABLE) && is_number;
        let of_service = self.has(class::CALL) && self.has(class::SERVICE) && (is_number || self.has_open_object);
        // "what did you set for the phone line"
        let of_line = self.has_phone_line && self.has_open_object && self.has(class::SET | class::CHOOSE);
        let of_call = self.has(class::CALL)
            && self.has(class::CHOOSE | class::SAY | class::CALLER_NUMBER)
            && (is_number && self.has(class::US | class::CALLER_NUMBER) || self.has_open_object);
        is_secret || of_service || of_line || of_call
    }

    /// "which number did the driver enter", "what number did you give the nursery so grandad can collect", "you also set
    /// digits", "the number that goes with the card".
    fn is_keyed(&self) -> bool {
        let is_entered = self.has_what_number && self.has(class::KEY | class::SET | class::MACHINE);
        let is_shown_to_collect = self.has(class::COLLECT) && self.has(class::GIVE | class::CHOOSE | class::SET);
        let is_number = self.has(class::CODE | class::NUMBER);
        is_entered
            || is_shown_to_collect && is_number
            || self.has(class::SET | class::CHOOSE) && self.has(class::DIGITS)
            || self.has(class::REMEMBER) && self.has(class::DIGITS)
    }
}

fn is_number(classes: u64) -> bool {
    classes & (class::CODE | class::NUMBER) != 0
}

/// Whether the "goes" at a token joins a number to a thing: "the number that goes with it".
fn goes_with(tokens: &Tokens<'_>, at: usize) -> bool {
    const BEFORE: usize = 4;
    classes_at(tokens, at + 1) & class::FOR != 0
        && (at.saturating_sub(BEFORE)..at).any(|near| is_number(classes_at(tokens, near)))
}

/// Whether no noun is at a token: "of your four please".
fn ends_noun(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind != TokenKind::Word || words::classes_at(tokens, at) & words::class::REQUEST != 0
}

/// Whether a word says how many digits a code has.
fn is_count(tokens: &Tokens<'_>, at: usize) -> bool {
    words::classes_at(tokens, at) & words::class::COUNT != 0
}

fn is_what(tokens: &Tokens<'_>, at: usize) -> bool {
    words::classes_at(tokens, at) & words::class::WHAT != 0
}

/// Whether the words after a number say that it is for something that is guarded.
fn is_for_guard(tokens: &Tokens<'_>, number: usize) -> bool {
    let is_word = |at: &usize| tokens.at(*at).kind == TokenKind::Word && tokens.at(*at).gap <= Gap::Space;
    let is_for = classes_at(tokens, number + 1) & class::FOR != 0;
    is_for
        && (number + 2..number + 2 + MAX_BETWEEN)
            .take_while(is_word)
            .any(|at| classes_at(tokens, at) & class::GUARD != 0)
}

/// Whether the verb at a token keys in, sets or chooses what a word without a noun stands for: "what did he set", "what do
/// you press", "pick a new one".
fn has_open_object(tokens: &Tokens<'_>, at: usize) -> bool {
    const REACH: usize = 5;
    let is_bare = |at: usize| {
        let next = tokens.at(at + 1);
        let is_noun = next.kind == TokenKind::Word
            && next.flags & (flag::STOPWORD | flag::COPULA | flag::CONNECTOR) == 0
            && words::classes_at(tokens, at + 1) & (words::class::OPEN | words::class::TYPE | words::class::ENTER) == 0
            && classes_at(tokens, at + 1) & ACTS == 0;
        is_what(tokens, at) && !is_noun
    };
    let is_one = |at: usize| classes_at(tokens, at) & (class::ONE | class::ANYTHING) != 0;
    let is_anything = |at: usize| classes_at(tokens, at) & class::ANYTHING != 0;
    (at.saturating_sub(REACH)..at).any(|near| is_bare(near) || is_anything(near))
        || is_what(tokens, at + 1) && tokens.at(at + 2).kind != TokenKind::Word
        || (at + 1..=at + 4).any(is_one)
}

/// Whether single digits of a few are asked for from the place at a token on: "the first and third", "second, third and last".
fn is_places(tokens: &Tokens<'_>, at: usize) -> bool {
    const REACH: usize = 4;
    let is_place = |at: usize| classes_at(tokens, at) & class::PLACE != 0;
    let has_count = || {
        (at..at + 12).any(|near| {
            let of = classes_at(tokens, near) & class::FOR != 0;
            let count = (near + 1..near + 4).any(|count| is_count(tokens, count) && ends_noun(tokens, count + 1));
            of && count
        })
    };
    (at + 1..at + 1 + REACH).any(is_place) && has_count()
}
