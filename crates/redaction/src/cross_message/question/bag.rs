//! The words of a message as a set of classes, with what depends on their order.

use super::secret_words;
use super::words::{class, classes_at};
use crate::detect::is_one_of;
use crate::tokenize::{Token, TokenKind, Tokens};

/// The classes of the words of a message.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
#[derive(Default)]
pub(super) struct Bag {
    classes: u64,
    /// The classes of words of questions for a password.
    secret_classes: u64,
    /// Whether the message speaks of "the sign-in".
    pub(super) has_sign_in: bool,
    /// Whether the message names the back of a card by a word that also means something else: "the back", "where you
    /// signed", "the flip side".
    pub(super) has_noun_place: bool,
    /// Whether the message speaks of "the little code".
    pub(super) has_small_code: bool,
    /// Whether a number of digits is asked for: "four numbers", "a six digit code".
    pub(super) has_digit_count: bool,
    /// Whether "what" or "which" is followed by no noun: "what did you", "was tippen Sie", "vous mettez quoi".
    pub(super) has_open_what: bool,
    /// Whether "what" is the object of a verb of typing: "was tragen Sie", "vous mettez quoi".
    pub(super) has_typed_what: bool,
    /// Whether the message asks for an amount, a count or a time: "how many", "what year", "wann".
    pub(super) asks_for_amount: bool,
    /// Whether the message begins with a question for an amount, a count or a time.
    begins_with_amount: bool,
    /// Whether the message asks for something else after its first words.
    asks_on: bool,
    /// Whether the message asks how many digits or letters something has.
    pub(super) asks_for_length: bool,
    /// Whether the message asks for a number in parts: "four digits at a time".
    pub(super) has_turns: bool,
    /// Whether the message speaks of the field after another one: "and underneath", "the other bit".
    pub(super) has_next_field: bool,
    /// Whether the message says how to read something out: "letter by letter".
    pub(super) is_spelled_out: bool,
    /// Whether the message says that something named before is stored: "we don't save that".
    pub(super) stores_it: bool,
    /// Whether the message has the form of a statement: "you gave", "it protects", "not your birthday please".
    pub(super) is_statement: bool,
    /// Whether the message begins as the name of a place does: "on the back", "and the strip".
    pub(super) begins_with_place: bool,
}

/// The words around a place in a message, with their classes.
struct Window<'w, 't> {
    tokens: &'w Tokens<'t>,
    at: usize,
    /// The classes of the two words before, of the word, and of the two words after.
    classes: [u64; 5],
}

impl Window<'_, '_> {
    fn is(&self, offset: isize, class: u64) -> bool {
        let index = usize::try_from(offset + 2).unwrap_or(usize::MAX);
        self.classes.get(index).is_some_and(|classes| classes & class != 0)
    }

    fn token(&self, offset: usize) -> Token {
        self.tokens.at(self.at + offset)
    }

    fn is_word(&self, offset: usize, word: &str) -> bool {
        self.tokens.str(self.token(offset)).eq_ignore_ascii_case(word)
    }
}

/// Tokens that can precede the first word of a question: "and so how long".
const MAX_OPENING_TOKENS: usize = 2;

impl Bag {
    /// The words of a message from a token on.
    pub(super) fn of(tokens: &Tokens<'_>, from: usize) -> Self {
        let mut bag = Self::default();
        let mut window = Window { tokens, at: from, classes: [0; 5] };
        window.classes = [0, 0, classes_at(tokens, from), classes_at(tokens, from + 1), classes_at(tokens, from + 2)];
        while window.at < tokens.len() {
            bag.classes |= window.classes[2];
            bag.secret_classes |= secret_words::classes_at(tokens, window.at);
            bag.add(&window);
            window.classes.rotate_left(1);
            window.at += 1;
            window.classes[4] = classes_at(tokens, window.at + 2);
        }
        let first = classes_at(tokens, 0);
        let is_request = bag.has(class::REQUEST | class::WHAT);
        bag.begins_with_place = first & class::BEFORE_PLACE != 0;
        bag.is_statement = first & class::SUBJECT != 0 && !is_request || first & class::REJECTION != 0;
        bag
    }

    /// Adds what a word says together with its neighbours.
    fn add(&mut self, near: &Window<'_, '_>) {
        if near.is(0, class::NOUN_PLACE | class::SIGN | class::PART) {
            // "where you sign", but not "how do you sign in"
            let signs = near.is(0, class::SIGN)
                && near.is(-1, class::SUBJECT)
                && !["in", "on", "up", "into"].iter().any(|word| near.is_word(1, word));
            self.has_noun_place |= near.is(0, class::NOUN_PLACE) && near.is(-1, class::ARTICLE)
                || signs
                || near.is_word(0, "side") && near.is(-1, class::NOUN_PLACE)
                || near.is_word(0, "side") && near.is(-1, class::OTHER_PART);
            self.has_next_field |=
                near.is(0, class::PART) && near.is(-1, class::OTHER_PART) && !near.is_word(0, "side");
        }
        if near.is(0, class::CODE) {
            let is_written_count = || {
                let before = near.tokens.before(near.at);
                before.kind == TokenKind::Digits && matches!(near.tokens.str(before), "4" | "5" | "6")
            };
            self.has_small_code |= near.is(-1, class::SMALL);
            self.has_digit_count |= (near.is(-1, class::COUNT) || is_written_count()) && !near.is(-2, class::END);
        }
        self.has_next_field |= near.is(0, class::BELOW);
        let is_hyphenated = near.token(1).is_mark(b'-') && near.is_word(2, "in");
        self.has_sign_in |= (near.is_word(0, "sign") || near.is_word(0, "log")) && is_hyphenated;
        self.is_spelled_out |= near.is(0, class::LETTER) && near.is_word(1, "by");
        self.has_turns |= near.is_word(0, "a") && near.is_word(1, "time");
        self.stores_it |= near.is(0, class::STORE) && STORED.iter().any(|word| near.is_word(1, word));
        self.has_open_what |= is_open_what(near);
        self.has_typed_what |= is_typed_what(near);
        self.asks_for_amount |= asks_for_amount(near);
        self.begins_with_amount |= near.at <= MAX_OPENING_TOKENS && asks_for_amount(near);
        self.asks_on |=
            near.at > MAX_OPENING_TOKENS && (near.is(0, class::WHAT | class::REQUEST) || near.is_word(0, "and"));
        self.asks_for_length |= asks_for_length(near);
    }

    /// Whether the message asks for an amount, a count or a time, and for nothing else: "when did you last use the pin".
    pub(super) fn asks_only_for_amount(&self) -> bool {
        self.begins_with_amount && !self.asks_on
    }

    /// Whether the message has a word of one of these classes.
    pub(super) fn has(&self, classes: u64) -> bool {
        self.classes & classes != 0
    }

    /// Whether the message has a word of one of these classes of questions for a password.
    pub(super) fn has_secret(&self, classes: u64) -> bool {
        self.secret_classes & classes != 0
    }

    /// Whether the message has a word of each of these classes.
    pub(super) fn has_all(&self, each: &[u64]) -> bool {
        each.iter().all(|classes| self.has(*classes))
    }
}

/// Pronouns for what is stored.
const STORED: [&str; 12] =
    ["that", "it", "those", "them", "this", "these", "eso", "esto", "ça", "isso", "questo", "quello"];

/// Whether a "what" or "which" stands for the thing itself.
fn is_open_what(near: &Window<'_, '_>) -> bool {
    if !near.is(0, class::WHAT) {
        return false;
    }
    let next = near.token(1);
    let is_verb =
        near.is(1, class::ENTER | class::TYPE) && !["type", "key", "use"].iter().any(|word| near.is_word(1, word));
    next.kind != TokenKind::Word && near.is(-1, class::ENTER | class::TYPE | class::OPEN)
        || near.is(1, class::OPEN)
        || next.is_mark(b'\'')
        || is_verb
        || near.is_word(1, "one")
        || near.is_word(1, "else")
}

/// Whether a "what" is the object of a verb of typing beside it.
fn is_typed_what(near: &Window<'_, '_>) -> bool {
    let is_typed = |at: usize| {
        secret_words::classes_at(near.tokens, at) & secret_words::class::TYPED != 0
            && !is_one_of(near.tokens, near.tokens.at(at), &["type", "key", "use"])
    };
    near.is(0, class::WHAT) && is_typed(near.at + 1) || near.is_word(0, "quoi") && near.at > 0 && is_typed(near.at - 1)
}

/// Whether a word begins a question for a length: "how many digits", "wie viele Zeichen".
fn asks_for_length(near: &Window<'_, '_>) -> bool {
    let is_counted = near.is(1, class::CODE | class::SPELLING | class::LETTER)
        || near.is(2, class::CODE | class::SPELLING | class::LETTER);
    let is_many = near.is_word(1, "many") || near.is_word(1, "viele") || near.is(0, class::AMOUNT);
    is_many && (near.is(0, class::HOW | class::AMOUNT)) && is_counted || near.is_word(0, "length")
}

/// Whether a word begins a question for an amount, a count or a time. "How many digits" asks what a code is like.
fn asks_for_amount(near: &Window<'_, '_>) -> bool {
    let of_digits =
        near.is(1, class::CODE | class::SPELLING) || near.is(2, class::CODE | class::SPELLING | class::WORD);
    let is_moment =
        || ["did", "was", "were", "is", "do", "does", "will", "are"].iter().any(|word| near.is_word(1, word));
    near.is(0, class::WHAT) && near.is(1, class::QUANTITY)
        || near.is(0, class::HOW) && near.is(1, class::MEASURE) && !of_digits
        || near.is(0, class::AMOUNT) && !of_digits
        || near.is_word(0, "when") && is_moment()
}
