//! Answers: to security questions, to questions for something else, and those that deny that there is a password.

use super::naming::ends_clause;
use super::piece::{PieceKind, Pieces, SECRETS};
use super::shape::Shape;
use super::value::Value;
use super::word_list::class;
use crate::detect::Expectation;
use crate::entity::Entity;
use crate::tables::word_set::GIVEN_NAME_SET;
use crate::tokenize::Gap;

/// Maximum words of an answer to a security question.
const MAX_ANSWER_WORDS: usize = 6;

/// An answer of several words that begins at a piece: "a red Honda", "St Mary's Primary".
pub(super) fn security_answer(pieces: &Pieces<'_, '_>, first: usize) -> Option<Value> {
    const NO_ANSWER: u32 = class::AUXILIARY
        | class::NEGATION
        | class::QUESTION
        | class::INTERJECTION
        | class::STATE
        | class::TELL
        | class::DOUBT
        | class::COPULA
        | class::CONJUNCTION
        | class::CLOSING;
    let mut after = first;
    let (mut rare, mut content) = (false, false);
    while after < first + MAX_ANSWER_WORDS {
        let piece = pieces.at(after);
        let word = pieces.str(after);
        let is_name = piece.kind == PieceKind::Word && (GIVEN_NAME_SET.contains(word) || is_title(word));
        let is_possessive = pieces.is_word(after, &["my", "the", "a", "of", "de", "la", "le", "el", "du"]);
        let is_part = match piece.kind {
            PieceKind::Word | PieceKind::Letter => {
                is_possessive
                    || is_name
                    || !piece.is(NO_ANSWER | class::PRONOUN | class::ADVERB | class::PREPOSITION | class::ENTER)
            }
            PieceKind::Segment => piece.shape > Shape::None,
            PieceKind::Number
            | PieceKind::Cue(_)
            | PieceKind::OtherCue
            | PieceKind::Mark(_)
            | PieceKind::Address
            | PieceKind::Mask => false,
        };
        if !is_part || after > first && piece.gap != Gap::Space {
            break;
        }
        rare |= piece.shape >= Shape::Rare;
        content |= piece.is_content() || GIVEN_NAME_SET.contains(word);
        after += 1;
    }
    let begins_with_article = pieces.at(first).is(class::DETERMINER);
    let is_subject = begins_with_article && pieces.at(after).is(class::COPULA | class::AUXILIARY);
    let is_topic = begins_with_article && !rare;
    (content && !is_subject && !is_topic).then_some(Value {
        first,
        after,
        shape: if rare { Shape::Rare } else { Shape::Common },
        is_spoken: false,
        is_spelled: false,
        may_be_name: false,
        is_security_answer: true,
    })
}

/// Whether a word is the title before a name: "Mr", "St".
fn is_title(word: &str) -> bool {
    ["mr", "mrs", "ms", "miss", "dr", "st", "saint", "mt", "sir"].iter().any(|title| word.eq_ignore_ascii_case(title))
}

/// Whether only hesitations and marks are before a value, or only closing words after it.
pub(super) fn is_main_clause(pieces: &Pieces<'_, '_>, value: Value) -> bool {
    let is_filler = |at: usize| {
        let piece = pieces.at(at);
        // "a ver eh X"
        let begins_look = pieces.is_word(at, &["a"]) && pieces.is_word(at + 1, &["ver"]);
        matches!(piece.kind, PieceKind::Mark(_)) || piece.is(class::INTERJECTION | class::CLOSING) || begins_look
    };
    let next = pieces.at(value.after);
    let ends = ends_clause(next) || next.gap >= Gap::Line || next.is_edge();
    (0..value.first).all(is_filler) && (ends || !next.is_content())
        || ends && (value.after..pieces.len()).all(is_filler)
}

/// Whether earlier messages ask for other entities, and for no secret. A PIN that is asked for may turn out a password.
pub(super) fn asks_for_other(expected: Expectation) -> bool {
    let asked = expected.entities;
    let may_be_secret = expected.names_secret && asked == Entity::PIN.bit();
    !asked.is_empty() && !asked.intersects(SECRETS) && !may_be_secret
}

/// Whether a text says that there is no password, or refuses to tell it: "no password", "não passo senha". "It's not the
/// password" only denies that a value is the one.
pub(super) fn denies_password(pieces: &Pieces<'_, '_>) -> bool {
    const MAX_BETWEEN: usize = 2;
    let is_denied = |cue: usize| {
        (1..=MAX_BETWEEN + 1).filter(|n| *n <= cue).any(|n| {
            let denies = pieces.at(cue - n).is(class::NEGATION)
                || pieces.is_word(cue - n, &["without", "sin", "sans", "ohne", "sem", "senza"]);
            let verb = pieces.at(cue - n + 1);
            denies && (n == 1 || !verb.is(class::DETERMINER | class::COPULA) && verb.kind == PieceKind::Word)
        })
    };
    (1..pieces.len()).any(|at| pieces.at(at).cue() == Some(Entity::PASSWORD) && is_denied(at))
}
