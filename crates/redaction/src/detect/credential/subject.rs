//! The subject of a verb: what a value is said of.

use super::piece::{PieceKind, Pieces};
use super::shape::Shape;
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;

/// Maximum pieces between a value and the words that name it.
pub(super) const MAX_DISTANCE: usize = 12;

/// What the subject of a verb is.
pub(super) enum Subject {
    /// A cue for a secret.
    Cue(Entity),
    /// A cue for another entity.
    Other,
    /// "It", "mine", "the old one".
    Pronoun,
    /// None of these.
    Unknown,
}

/// Pronouns for persons: no secret is said of them.
const PERSONS: [&str; 8] = ["i", "you", "he", "she", "we", "they", "who", "u"];

/// The subject of the verb or mark at a piece.
pub(super) fn subject(pieces: &Pieces<'_, '_>, verb: usize) -> Subject {
    let mut found = Subject::Unknown;
    if pieces.is_word(verb, &["am", "'m", "'re"]) || pieces.is_word(verb - usize::from(verb > 0), &PERSONS) {
        return Subject::Unknown;
    }
    for at in (verb.saturating_sub(MAX_DISTANCE)..verb).rev() {
        let piece = pieces.at(at);
        match piece.kind {
            PieceKind::Cue(_) if is_field_name(pieces, at) => {}
            PieceKind::Cue(entity) => return Subject::Cue(entity),
            PieceKind::OtherCue if !pieces.at(at + 1).is(class::PRONOUN) => {
                // "the password for my account is X": the noun after a preposition is no subject.
                if !is_modifier(pieces, at) {
                    return Subject::Other;
                }
            }
            PieceKind::Mark(mark) if !matches!(mark, b')' | b'(' | b'\'' | b'"' | b'/') => break,
            PieceKind::Mask | PieceKind::Address => break,
            PieceKind::Word | PieceKind::Letter => {
                // "the key for it is X"
                if piece.is(class::WEAK_CUE) && !matches!(found, Subject::Unknown) {
                    return Subject::Pronoun;
                }
                if matches!(found, Subject::Unknown)
                    && piece.is(class::PRONOUN | class::VERSION | class::WEAK_CUE)
                    && !piece.is(class::DETERMINER)
                    || at + 1 == verb && piece.is(class::PRONOUN)
                {
                    found = Subject::Pronoun;
                }
                // "what i have is X"
                let is_owner = pieces.is_word(at, &["i"])
                    && pieces.at(at + 1).is(class::AUXILIARY | class::ENTER)
                    && at + 2 == verb;
                if matches!(found, Subject::Unknown) && (is_whole(pieces, at) || is_owner) {
                    found = Subject::Pronoun;
                }
                if piece.is(class::CONJUNCTION)
                    && !piece.is(class::COPULA | class::DETERMINER)
                    && !pieces.is_word(at, &["that", "and", "or", "which", "que"])
                {
                    break;
                }
            }
            // "the staff one is X"
            PieceKind::Number if at + 1 == verb && pieces.is_word(at, &["one"]) => found = Subject::Pronoun,
            PieceKind::Segment | PieceKind::Number if piece.shape >= Shape::Number => break,
            PieceKind::Segment | PieceKind::Number | PieceKind::Mark(_) | PieceKind::OtherCue => {}
        }
        let is_predicate =
            piece.is(class::COPULA) && at + 1 < verb && !pieces.at(at + 1).is(class::COPULA | class::ADVERB);
        // "the following passphrase was sent to all wards: X"
        let is_colon = pieces.at(verb).is_mark(b':') && !pieces.before(verb).is(class::STATE);
        if piece.gap >= Gap::Line || is_predicate && !is_colon {
            break;
        }
    }
    // "é uma frase né é X": a language without subject pronouns says only the verb.
    let is_bare = pieces.is_word(verb, &["é", "è", "es", "era", "foi", "fue"])
        && (pieces.before(verb).is(class::INTERJECTION) || pieces.before(verb).is_mark(b','));
    if is_bare && matches!(found, Subject::Unknown) {
        return Subject::Pronoun;
    }
    let opens = (0..verb).all(|at| pieces.at(at).is(class::INTERJECTION));
    if opens { Subject::Pronoun } else { found }
}

/// Whether a noun stands for the whole of what is asked for: "the whole word", "the full thing".
fn is_whole(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    pieces.is_word(at, &["word", "thing", "phrase", "string", "lot"])
        && pieces.is_word(at.wrapping_sub(1), &["whole", "full", "entire", "complete", "actual", "secret"])
}

/// Whether a cue only tells which field of a form is meant: "the username box", "el campo usuario".
pub(super) fn is_field_name(pieces: &Pieces<'_, '_>, cue: usize) -> bool {
    const FIELDS: [&str; 5] = ["box", "field", "bar", "column", "feld"];
    const FIELDS_OF: [&str; 6] = ["campo", "casilla", "champ", "case", "casella", "feld"];
    pieces.is_word(cue + 1, &FIELDS)
        || (1..=3).any(|n| pieces.is_word(cue.wrapping_sub(n), &FIELDS_OF))
            && pieces.at(cue.wrapping_sub(1)).kind == PieceKind::Word
}

/// Whether the noun at a piece follows a preposition: the "account" of "the password for my account".
pub(super) fn is_modifier(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const REACH: usize = 7;
    let is_noun_phrase = |at: &usize| {
        let piece = pieces.at(*at);
        piece.kind == PieceKind::Word && !piece.is(class::AUXILIARY | class::CONJUNCTION | class::PRONOUN)
            || piece.is(class::DETERMINER)
            || piece.is(class::COPULA) && piece.kind == PieceKind::Word && pieces.str(*at).starts_with('\'')
    };
    let is_preposition = |at: usize| {
        let piece = pieces.at(at);
        piece.is(class::PREPOSITION) || pieces.is_word(at, &["of", "for", "to"])
    };
    (at.saturating_sub(3)..at).any(is_preposition)
        || (at.saturating_sub(REACH)..at).rev().take_while(is_noun_phrase).any(is_preposition)
}

/// Whether the words before a "be" say what something will be: "it's going to be".
pub(super) fn is_planned(pieces: &Pieces<'_, '_>, be: usize) -> bool {
    pieces.is_word(be.wrapping_sub(1), &["to"])
        && pieces.is_word(be.wrapping_sub(2), &["going", "gonna", "supposed", "meant", "has", "needs"])
        && (be.saturating_sub(5)..be).any(|at| pieces.is_word(at, &["it", "its", "that", "one"]))
}
