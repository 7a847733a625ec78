//! Replies to a message that repeats a value: "no 4821", "yes 4821", "4821 the last digit is different". And messages
//! that reject an answer or ask to repeat it.

use crate::detect::is_one_of;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::{Token, TokenKind, Tokens};

/// Words that open such a reply.
const OPENINGS: [&str; 40] = [
    "no", "nope", "nah", "not", "wrong", "sorry", "wait", "actually", "yes", "yeah", "yep", "correct", "right", "sure",
    "si", "sí", "non", "oui", "nein", "ja", "não", "nao", "sim", "perdon", "perdón", "pardon", "scusi", "falsch",
    "stimmt", "exacto", "exact", "genau", "esatto", "isso", "errado", "it", "its", "should", "oops", "hmm",
];
/// Words of such a reply, or of a repetition, wherever they stand.
const CORRECTIONS: [&str; 30] = [
    "cheers",
    "noted",
    "gotcha",
    "thank",
    "thanks",
    "gracias",
    "merci",
    "danke",
    "different",
    "instead",
    "wrong",
    "correction",
    "misheard",
    "falsch",
    "faux",
    "mal",
    "errado",
    "sbagliato",
    "diferente",
    "mistake",
    "swapped",
    "flipped",
    "mixed",
    "reversed",
    "switched",
    "backwards",
    "vertauscht",
    "invertito",
    "invertido",
    "inverse",
];
/// Tokens of the longest such reply.
const MAX_TOKENS: usize = 24;
/// Tokens at the start of a reply in which the opening word is.
const MAX_BEFORE_OPENING: usize = 3;
/// Codes of which one is taken for the other: a message that repeats a PIN says only how long it is.
const CODES: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::PIN]);
/// Words that reject an answer or ask to repeat it.
const REJECTIONS: [&str; 44] = [
    "another",
    "other",
    "different",
    "needs",
    "weak",
    "same",
    "taken",
    "guess",
    "predictable",
    "obvious",
    "short",
    "choose",
    "already",
    "otra",
    "otro",
    "autre",
    "anderes",
    "outra",
    "altra",
    "again",
    "repeat",
    "declined",
    "invalid",
    "valid",
    "wrong",
    "incorrect",
    "rejected",
    "sure",
    "recheck",
    "expired",
    "missing",
    "failed",
    "fails",
    "typo",
    "error",
    "match",
    "confirm",
    "taking",
    "refused",
    "slowly",
    "slower",
    "nochmal",
    "encore",
    "ancora",
];
/// Two words that ask to repeat an answer: "once more", "one more time".
const PAIRS: [(&str, &str); 12] = [
    ("once", "more"),
    ("more", "time"),
    ("it", "back"),
    ("that", "back"),
    ("another", "go"),
    ("una", "vez"),
    ("otra", "vez"),
    ("une", "fois"),
    ("noch", "einmal"),
    ("mais", "vez"),
    ("outra", "vez"),
    ("una", "volta"),
];
/// Tokens of the longest message that is little more than "no".
const MAX_NO_TOKENS: usize = 3;
/// Entities whose values are repeated and corrected as a whole.
const REPEATED: EntitySet =
    CODES.or(EntitySet::from_slice(&[Entity::SSN, Entity::ONE_TIME_PASSCODE, Entity::PASSWORD]));

/// The entities that a reply to a message can give, if the message names these and holds a value.
pub(super) fn repeated_entities(named: EntitySet) -> EntitySet {
    let repeated = named.and(REPEATED);
    if repeated.contains(Entity::PIN) { repeated.or(CODES) } else { repeated }
}

/// Whether a text confirms or corrects what the message before it says.
pub(super) fn is_reply(tokens: &Tokens<'_>) -> bool {
    let is = |token: &Token, words: &[&str]| token.kind == TokenKind::Word && is_one_of(tokens, *token, words);
    let words = tokens.as_slice();
    words.len() <= MAX_TOKENS
        && (words.iter().take(MAX_BEFORE_OPENING).any(|token| is(token, &OPENINGS))
            || words.iter().any(|token| is(token, &CORRECTIONS)))
}

/// Whether a message rejects an answer or asks to repeat it.
pub(super) fn asks_again(tokens: &Tokens<'_>) -> bool {
    let is_no = || is_one_of(tokens, tokens.at(0), &["no", "nope", "nein", "non", "não", "nao"]);
    let is_pair = |at: usize| {
        PAIRS.iter().any(|(first, second)| {
            is_one_of(tokens, tokens.at(at), &[first]) && is_one_of(tokens, tokens.at(at + 1), &[second])
        })
    };
    tokens.as_slice().iter().any(|token| is_one_of(tokens, *token, &REJECTIONS))
        || (0..tokens.len()).any(is_pair)
        || is_not_heard(tokens)
        || tokens.len() <= MAX_NO_TOKENS && is_no()
}

/// Whether a message says that its writer did not hear or write down what was said: "sorry?", "i missed that".
fn is_not_heard(tokens: &Tokens<'_>) -> bool {
    const PARDON: [&str; 6] = ["sorry", "pardon", "what", "eh", "huh", "come"];
    const VERBS: [&str; 11] =
        ["missed", "catch", "hear", "get", "understand", "follow", "note", "write", "read", "see", "remember"];
    let is_negated = |at: usize| at > 0 && is_one_of(tokens, tokens.at(at - 1), &["t", "not", "didnt", "couldnt"]);
    let is_object = |at: usize| is_one_of(tokens, tokens.at(at), &["that", "it", "you", "this"]);
    let is_missed = |at: usize| {
        is_one_of(tokens, tokens.at(at), &VERBS)
            && is_object(at + 1)
            && (is_negated(at) || is_one_of(tokens, tokens.at(at), &["missed"]))
    };
    tokens.len() <= MAX_NO_TOKENS && is_one_of(tokens, tokens.at(0), &PARDON) && tokens.text.contains('?')
        || (0..tokens.len()).any(is_missed)
}

/// Whether a message denies that an answer was right, whatever else it says: "thanks, that isn't the current one".
pub(super) fn denies_answer(tokens: &Tokens<'_>) -> bool {
    const NEGATIONS: [&str; 9] = ["not", "isnt", "isn", "t", "doesnt", "doesn", "wasnt", "wasn", "no"];
    const RIGHT: [&str; 16] = [
        "current",
        "right",
        "correct",
        "valid",
        "it",
        "matching",
        "match",
        "recognised",
        "recognized",
        "accepted",
        "working",
        "work",
        "found",
        "same",
        "good",
        "one",
    ];
    const REACH: usize = 3;
    (0..tokens.len()).any(|at| {
        is_one_of(tokens, tokens.at(at), &NEGATIONS)
            && (at + 1..at + 1 + REACH).any(|near| is_one_of(tokens, tokens.at(near), &RIGHT))
    })
}

/// Whether a message asks for the next part of a value: "and the second part", "what's the rest".
pub(super) fn asks_for_next_part(tokens: &Tokens<'_>) -> bool {
    const PLACES: [&str; 11] =
        ["second", "next", "last", "other", "third", "final", "remaining", "latter", "2nd", "3rd", "missing"];
    const PARTS: [&str; 8] = ["part", "half", "bit", "piece", "chunk", "section", "word", "portion"];
    (0..tokens.len()).any(|at| {
        is_one_of(tokens, tokens.at(at), &PLACES) && is_one_of(tokens, tokens.at(at + 1), &PARTS)
            || is_one_of(tokens, tokens.at(at), &["the"]) && is_one_of(tokens, tokens.at(at + 1), &["rest"])
    })
}

/// Whether a text corrects a value that was given before: "my bad, 4821".
pub(super) fn is_correction(tokens: &Tokens<'_>) -> bool {
    const WORDS: [&str; 19] = [
        "sorry",
        "oops",
        "whoops",
        "bad",
        "mistake",
        "mean",
        "meant",
        "typo",
        "correction",
        "perdón",
        "perdon",
        "pardon",
        "scusi",
        "scusa",
        "desculpa",
        "desculpe",
        "entschuldigung",
        "misread",
        "mistyped",
    ];
    tokens.len() <= MAX_TOKENS && tokens.as_slice().iter().any(|token| is_one_of(tokens, *token, &WORDS))
}
