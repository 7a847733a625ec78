//! The words of a question as a set of classes, with what depends on their order.

use super::words::{class, classes};
use crate::detect::{flags, is_one_of};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// The classes of the words of a message.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
#[derive(Default)]
pub(super) struct Bag {
    classes: u32,
    /// Whether "back" is a noun: "the back", "off the back".
    pub(super) has_noun_place: bool,
    /// Whether a code is described only as a small one: "the little code".
    pub(super) has_small_code: bool,
    /// Whether the message speaks of a code, with or without an article.
    pub(super) has_code_word: bool,
    /// Whether the message speaks of a PIN by its name in Canada, Mexico and Switzerland.
    pub(super) has_nip: bool,
    /// Whether the message speaks of a change: "changed it", "reset you".
    pub(super) has_change: bool,
    /// Whether the message speaks of an account.
    pub(super) has_account: bool,
    /// Whether the message speaks of a code that was sent or that changes: "the code we texted you".
    pub(super) is_one_time: bool,
    /// Whether the message says how to read something out: "letter by letter".
    pub(super) is_spelled_out: bool,
    /// Whether the message speaks of a passcode.
    pub(super) has_passcode: bool,
    /// Whether a number of digits is asked for: "four numbers", "a six digit code".
    pub(super) has_digit_count: bool,
    /// Whether "what" or "which" is followed by no noun: "what did you", "was tippen Sie", "vous mettez quoi".
    pub(super) has_open_what: bool,
    /// Whether the message asks for an amount, a count or a time: "how many", "what year", "wann".
    pub(super) asks_for_amount: bool,
    /// Whether the message has the form of a statement: "you gave", "it protects", "not your birthday please".
    pub(super) is_statement: bool,
}

impl Bag {
    /// The words of a message from a token on.
    pub(super) fn of(tokens: &Tokens<'_>, from: usize) -> Self {
        let mut bag = Self::default();
        let mut before = 0;
        for at in from..tokens.len() {
            let token = tokens.at(at);
            let word = if token.kind == TokenKind::Word { classes(tokens.str(token)) } else { 0 };
            bag.classes |= word;
            bag.add_pair(tokens, at, before, word);
            before = word;
        }
        let is_request = bag.has(class::REQUEST | class::WHAT);
        let has_subject = is_one_of(tokens, tokens.at(0), &SUBJECTS) && !is_request;
        bag.is_statement = has_subject || is_one_of(tokens, tokens.at(0), &NEGATIONS);
        bag
    }

    /// Adds what a word says together with its neighbours.
    fn add_pair(&mut self, tokens: &Tokens<'_>, at: usize, before: u32, word: u32) {
        let (previous, next) = (tokens.before(at), tokens.at(at + 1));
        let next_classes = || if next.kind == TokenKind::Word { classes(tokens.str(next)) } else { 0 };
        if word & class::NOUN_PLACE != 0 {
            self.has_noun_place |= is_one_of(tokens, previous, &["the", "its", "your", "on", "off"]);
        }
        self.has_code_word |= is_one_of(tokens, tokens.at(at), &CODE_WORDS);
        self.has_nip |= is_one_of(tokens, tokens.at(at), &["nip"]);
        self.has_change |= is_one_of(tokens, tokens.at(at), &["changed", "reset", "resetting", "set"]);
        self.has_account |= is_one_of(tokens, tokens.at(at), &ACCOUNTS);
        self.is_one_time |=
            is_one_of(tokens, tokens.at(at), &["authenticator", "texted", "sms", "emailed", "messaged"]);
        self.is_spelled_out |=
            is_one_of(tokens, tokens.at(at), &["letter", "character"]) && is_one_of(tokens, next, &["by"]);
        self.has_passcode |= is_one_of(tokens, tokens.at(at), &["passcode", "passcodes"]);
        // "where you sign", but not "how do you sign in"
        let signs =
            is_one_of(tokens, tokens.at(at), &["sign"]) && !is_one_of(tokens, next, &["in", "on", "up", "into"]);
        self.has_noun_place |= signs && is_one_of(tokens, previous, &["you", "to", "we"]);
        // "on the flip side"
        self.has_noun_place |=
            is_one_of(tokens, tokens.at(at), &["side"]) && is_one_of(tokens, previous, &["flip", "other"]);
        if word & class::CODE != 0 && at > 0 {
            self.has_small_code |= is_one_of(tokens, previous, &SMALL);
            let is_part =
                at > 1 && is_one_of(tokens, tokens.at(at - 2), &["last", "final", "first", "ending", "other"]);
            self.has_digit_count |= is_digit_count(tokens, previous) && !is_part;
        }
        if word & class::WHAT != 0 {
            let ends = next.kind != TokenKind::Word;
            self.has_open_what |= ends && before & (class::ENTER | class::TYPE | class::OPEN) != 0
                || next_classes() & class::OPEN != 0
                || next_classes() & (class::ENTER | class::TYPE) != 0
                    && !is_one_of(tokens, next, &["type", "key", "use"])
                || next.is_mark(b'\'')
                || is_one_of(tokens, next, &["one", "else"]);
            self.asks_for_amount |= next_classes() & class::QUANTITY != 0;
        }
        let is_counted_digits = || {
            let noun = tokens.at(at + 2);
            noun.kind == TokenKind::Word
                && classes(tokens.str(noun)) & (class::CODE | class::SPELLING | class::WORD) != 0
        };
        self.asks_for_amount |= word & class::HOW != 0 && next_classes() & class::MEASURE != 0 && !is_counted_digits()
            || word & class::AMOUNT != 0
                && next_classes() & (class::CODE | class::SPELLING) == 0
                && !is_counted_digits()
            || is_one_of(tokens, tokens.at(at), &["when"])
                && is_one_of(tokens, next, &["did", "was", "were", "is", "do", "does", "will", "are"]);
    }

    /// Whether the message asks for a code that somebody keys in: "which code did you type".
    pub(super) fn asks_for_keyed_code(&self) -> bool {
        let is_entered = self.has_open_what && self.has(class::ENTER) || self.has(class::WHAT) && self.has(class::TYPE);
        let opens_device = self.has(class::ENTER | class::TYPE) && self.has(class::DEVICE) && self.has(class::WHAT);
        self.has_code_word && (is_entered || opens_device) && !self.has(class::CARD)
    }

    /// Whether the message has a word of one of these classes.
    pub(super) fn has(&self, classes: u32) -> bool {
        self.classes & classes != 0
    }

    /// Whether the message has a word of each of these classes.
    pub(super) fn has_all(&self, each: &[u32]) -> bool {
        each.iter().all(|classes| self.has(*classes))
    }
}

/// Words for a code that somebody keys in.
const CODE_WORDS: [&str; 11] = [
    "code",
    "codigo",
    "código",
    "codice",
    "combination",
    "combo",
    "kombination",
    "combinación",
    "combinaison",
    "combinação",
    "combinazione",
];
/// Words for an account with a code of its own.
const ACCOUNTS: [&str; 12] = [
    "account",
    "pension",
    "policy",
    "profile",
    "membership",
    "konto",
    "cuenta",
    "compte",
    "conta",
    "conto",
    "subscription",
    "line",
];
/// Words for the size of a code.
const SMALL: [&str; 16] = [
    "little",
    "small",
    "short",
    "tiny",
    "wee",
    "pequeño",
    "pequeno",
    "petit",
    "petits",
    "kleine",
    "kleinen",
    "piccolo",
    "piccoli",
    "pequenos",
    "codiguito",
    "extra",
];

/// Whether a token says how many digits a code has: "four", "6", "sechs".
fn is_digit_count(tokens: &Tokens<'_>, token: Token) -> bool {
    const COUNTS: [&str; 15] = [
        "cuatro",
        "quatro",
        "quattro",
        "quatre",
        "vier",
        "cinco",
        "cinq",
        "cinque",
        "fünf",
        "seis",
        "six",
        "sei",
        "sechs",
        "cuatros",
        "vierstellige",
    ];
    let is_written = token.kind == TokenKind::Digits && matches!(tokens.str(token), "4" | "5" | "6");
    let is_english = flags(token) & flag::DIGIT != 0 && is_one_of(tokens, token, &["four", "five", "six"]);
    is_written || is_english || is_one_of(tokens, token, &COUNTS)
}

/// Words that begin a statement, or a reply to a question that says only which one is meant.
const SUBJECTS: [&str; 34] = [
    "for", "from", "of", "in", "on", "para", "pour", "für", "per", "auf", "it", "its", "that", "thats", "this", "you",
    "we", "they", "i", "only", "el", "la", "eso", "es", "ce", "c", "vous", "das", "nur", "isso", "é", "quello", "lei",
    "the",
];
/// Words that begin a rejection.
const NEGATIONS: [&str; 9] = ["no", "not", "nope", "nicht", "nein", "pas", "non", "não", "nao"];
