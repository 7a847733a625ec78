//! Links by the words after a possible value.

use super::naming::{Link, Naming};
use super::piece::{PieceKind, Pieces};
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;

/// Verbs of how a secret fares.
pub(super) const FUNCTIONING: [&str; 10] =
    ["worked", "works", "opens", "opened", "unlocks", "unlocked", "expired", "stopped", "fails", "failed"];

/// Whether the words after a value say how a secret fared: "X is what i tried", "X was rejected".
pub(super) fn is_judged(pieces: &Pieces<'_, '_>, after: usize) -> bool {
    // "X <- this is what i set"
    let is_pointer = |at: usize| {
        matches!(pieces.at(at).kind, PieceKind::Mark(b'<' | b'-' | b'^' | b'?')) || pieces.at(at).is(class::PRONOUN)
    };
    // "would X! be ok"
    let after = after + usize::from(pieces.at(after).is_mark(b'!') && pieces.at(after).gap == Gap::None);
    let after = (after..after + 4).find(|at| !is_pointer(*at) || pieces.at(*at).is(class::COPULA)).unwrap_or(after);
    let (verb, next) = (pieces.at(after), pieces.at(after + 1));
    let is_verb = (verb.is(class::COPULA | class::AUXILIARY) || pieces.is_word(after, &["got", "gets"]))
        && verb.kind == PieceKind::Word
        && verb.gap == Gap::Space;
    let is_what = next.is(class::QUESTION)
        && (after + 2..after + 7).any(|at| {
            pieces.at(at).is(class::ENTER | class::CHANGE | class::TELL)
                || pieces.is_word(at, &["have", "got", "agreed", "hold"])
        });
    let is_fitness =
        |at: usize| pieces.is_word(at, &["ok", "okay", "fine", "enough", "strong", "weak", "secure", "valid", "good"]);
    // "X be ok", "X be "too weak""
    let skipped = |at: &usize| pieces.at(*at).is_mark(b'"') || pieces.is_word(*at, &["too", "not", "really", "good"]);
    let judgement = (after + 1..after + 4).find(|at| !skipped(at)).unwrap_or(after + 1);
    let would_be = verb.is(class::AUXILIARY) && pieces.is_word(after + 1, &["be"]) && is_fitness(after + 2);
    if is_fitness(after) || verb.is(class::COPULA) && is_fitness(judgement) || would_be {
        return true;
    }
    let is_state = next.is(class::STATE | class::TELL) && !next.is(class::PREPOSITION)
        || next.is(class::NEGATION | class::ADVERB)
            && pieces.at(after + 2).is(class::STATE | class::TELL | class::OTHER);
    // "X geht nicht", "X doesn't work"
    let is_failure = verb.kind == PieceKind::Word
        && verb.gap == Gap::Space
        && (verb.is(class::OTHER) && next.is(class::NEGATION)
            || verb.is(class::NEGATION)
                && (next.is(class::OTHER) || pieces.is_word(after + 1, &["do", "let", "get", "work"])));
    let functions = verb.gap == Gap::Space && pieces.is_word(after, &FUNCTIONING);
    let is_meant = pieces.is_word(after, &["mean"]) && pieces.is_word(after.wrapping_sub(1), &["i"]);
    is_verb && (is_what || is_state) || is_failure || functions || is_meant
}

/// The entity that the words after a value name: "X is my password", "X as the password", "X for the user name".
pub(super) fn naming_after(pieces: &Pieces<'_, '_>, after: usize) -> Option<Naming> {
    const MAX_AFTER: usize = 6;
    if is_in_second_field(pieces, after) {
        return Some(Naming::new(Link::NamedAfter, Some(Entity::PASSWORD)));
    }
    let mut has_link = false;
    for at in after..after + MAX_AFTER {
        let piece = pieces.at(at);
        if at > after && piece.gap >= Gap::Line {
            return None;
        }
        match piece.kind {
            PieceKind::Cue(entity) => return has_link.then_some(Naming::new(Link::NamedAfter, Some(entity))),
            PieceKind::OtherCue => return has_link.then_some(Naming::OTHER),
            PieceKind::Mark(b'"' | b'\'' | b')' | b']') => {}
            PieceKind::Word | PieceKind::Letter => {
                let is_link = piece.is(class::COPULA)
                    || pieces.is_word(at, &["as", "for", "como", "comme", "als", "come", "per", "para", "pour", "de"]);
                let is_noun_phrase =
                    piece.is(class::DETERMINER | class::VERSION | class::ADVERB | class::NEGATION | class::THING)
                        || piece.is_content();
                let is_verb = piece.is(class::AUXILIARY | class::COPULA);
                let fits = if has_link { is_noun_phrase || is_verb } else { is_link || is_verb };
                if !fits || piece.is(class::PRONOUN) && !piece.is(class::DETERMINER | class::COPULA) {
                    return None;
                }
                has_link |= is_link;
            }
            PieceKind::Segment | PieceKind::Number | PieceKind::Mark(_) | PieceKind::Address | PieceKind::Mask => {
                return None;
            }
        }
    }
    None
}

/// Whether the words at a piece name the field of the password: "in the second box".
fn is_in_second_field(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const SECOND: [&str; 14] = [
        "second",
        "2nd",
        "bottom",
        "lower",
        "other",
        "next",
        "segundo",
        "segunda",
        "deuxième",
        "deuxieme",
        "zweite",
        "untere",
        "secondo",
        "seconda",
    ];
    const FIELDS: [&str; 14] = [
        "box",
        "field",
        "bit",
        "line",
        "campo",
        "casilla",
        "case",
        "champ",
        "feld",
        "kästchen",
        "kastchen",
        "caixa",
        "casella",
        "window",
    ];
    pieces.is_word(at, &["in", "into", "en", "dans", "no", "nel", "nella", "na"])
        && (at + 1..=at + 2).any(|at| pieces.is_word(at, &SECOND) && pieces.is_word(at + 1, &FIELDS))
}

/// Whether the verb before a value tells of the past or of a plan: "it used to be X", "it should be X".
pub(super) fn is_past_or_modal(pieces: &Pieces<'_, '_>, first: usize) -> bool {
    const VERBS: [&str; 10] = ["was", "be", "been", "were", "era", "war", "était", "etait", "foi", "ser"];
    (first.saturating_sub(3)..first).any(|at| pieces.is_word(at, &VERBS))
}
