//! From the scores of pieces to values, and to candidates of the rules that are no values.

use super::features::PieceFeatures;
use super::network::{Scores, States};
use super::weights;
use crate::candidate::Candidate;
use crate::cues::{is_explained_number, is_round_or_year, means_something_else};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::topic_words::{class, classes_at};
use crate::tokenize::Tokens;
use std::ops::Range;

/// What the score of a secret must exceed that of no entity by, in 1/256, so that a piece is part of a value. The odds are
/// then 20 to 1 by the measure of the training.
const FINDS_SECRET: i32 = 3 * 256;
/// The same, for the other entities, and for a password where nothing names a secret.
const FINDS_OTHER: i32 = 5 * 256;
/// The same, for a secret that is a number which words beside it explain, a long PIN, a known word, or a card code where
/// nothing speaks of a card.
const FINDS_DOUBTFUL: i32 = 7 * 256;
/// The same, for a piece beside one of the same value.
const CONTINUES: i32 = 0;
/// What the score of no entity must exceed that of all entities by, in 1/256, so that a candidate of the rules is no
/// value. The odds are then 400 to 1.
const REJECTS: i32 = 6 * 256;
/// Digits of most PINs.
const USUAL_PIN_DIGITS: u8 = 4;
/// Secrets that people tell in sentences of every kind: less must speak for them, and a number that means something else is
/// none of them.
pub(super) const SECRETS: EntitySet =
    EntitySet::from_slice(&[Entity::PASSWORD, Entity::PIN, Entity::CVV, Entity::SSN, Entity::SECURITY_ANSWER]);

/// Whether a number at a token counts, measures, tells a time, or is a year or a round number. Such a number is no secret.
pub(super) fn is_other_number(tokens: &Tokens<'_>, first: usize) -> bool {
    is_round_or_year(tokens, first) || means_something_else(tokens, first)
}

/// A value that the classifier found. Offsets are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) entity: Entity,
}

/// The text and the states of its pieces.
pub(super) struct ScoredText<'p, 't> {
    pub(super) tokens: &'p Tokens<'t>,
    /// The pieces of the text.
    pub(super) pieces: &'p [PieceFeatures],
    pub(super) states: &'p States,
    /// The pieces whose states are exact.
    pub(super) scored: Range<usize>,
    /// The place of the first piece of the text among those of all messages.
    pub(super) first: usize,
    /// The place of the first state among the pieces of all messages.
    pub(super) first_state: usize,
    /// Whether the text or a question before it may name a secret in words.
    pub(super) may_be_words: bool,
}

impl ScoredText<'_, '_> {
    /// The entity with the best score at a piece, active or not, and by how much it exceeds that of no entity. `None` for a
    /// piece that the network has not read.
    fn best(&self, at: usize) -> Option<(Entity, i32)> {
        if !self.scored.contains(&at) {
            return None;
        }
        let scores: Scores = self.states.scores((self.first + at).checked_sub(self.first_state)?)?;
        let ranked = EntitySet::all().iter().zip(&scores[1..]).max_by_key(|(_, score)| **score);
        ranked.map(|(entity, score)| (entity, score.saturating_sub(scores[0])))
    }

    /// The values of active entities: for each run of pieces of one entity, a value if it has one of the `seeds` in it. They
    /// are in order.
    pub(super) fn values(&self, seeds: &[usize], active: EntitySet) -> Vec<Value> {
        let (mut values, mut read) = (Vec::new(), 0);
        for seed in seeds.iter().copied() {
            let Some((entity, margin)) = self.best(seed).filter(|_| seed >= read) else { continue };
            if !active.contains(entity) || !self.finds(entity, seed, margin) {
                continue;
            }
            let continues = |at: &usize| self.best(*at).is_some_and(|best| best.0 == entity && best.1 >= CONTINUES);
            let first = (read..seed).rev().take_while(continues).last().unwrap_or(seed);
            read = 1 + (seed + 1..self.pieces.len()).take_while(continues).last().unwrap_or(seed);
            let run = trim_marks(&self.pieces[first..read]);
            if let ([begin, ..], [.., end]) = (run, run)
                && fits(entity, run)
            {
                values.push(Value { start: begin.start, end: end.end, entity });
            }
        }
        values
    }

    /// Whether the network is sure enough of an entity at a piece.
    fn finds(&self, entity: Entity, at: usize, margin: i32) -> bool {
        let first = self.tokens.first_from(self.pieces[at].start);
        if !SECRETS.contains(entity) {
            return margin >= FINDS_OTHER;
        }
        let is_doubtful = is_known_word(&self.pieces[at])
            || is_explained_number(self.tokens, first)
            || entity == Entity::CVV && !self.speaks_of_card()
            || entity == Entity::PIN && self.pieces[at].digits > USUAL_PIN_DIGITS;
        let least = match () {
            () if is_doubtful => FINDS_DOUBTFUL,
            () if entity == Entity::PASSWORD && !self.may_be_words => FINDS_OTHER,
            () => FINDS_SECRET,
        };
        margin >= least && !is_other_number(self.tokens, first)
    }

    /// Whether the text has a word for a card, for what is printed on it, or for digits.
    fn speaks_of_card(&self) -> bool {
        const CARD: u64 = class::CARD | class::PRINT | class::SIDE | class::DIGITS;
        (0..self.tokens.len()).any(|at| classes_at(self.tokens, at) & CARD != 0)
    }

    /// Whether all pieces of a candidate of the rules, which are these, are known words and none is part of a value.
    pub(super) fn rejects(&self, candidate: &Candidate, mut pieces: Range<usize>) -> bool {
        let is_no_value = |at: usize| self.best(at).is_some_and(|(_, margin)| margin < -REJECTS);
        let rejects = |at: usize| is_known_word(&self.pieces[at]) && is_no_value(at);
        is_rejectable(candidate) && !pieces.is_empty() && pieces.all(rejects)
    }
}

/// The pieces without marks at either end.
fn trim_marks(mut pieces: &[PieceFeatures]) -> &[PieceFeatures] {
    while let [mark, rest @ ..] = pieces
        && mark.is_mark()
    {
        pieces = rest;
    }
    while let [rest @ .., mark] = pieces
        && mark.is_mark()
    {
        pieces = rest;
    }
    pieces
}

/// Whether a piece is a word that the vocabulary has.
pub(super) fn is_known_word(piece: &PieceFeatures) -> bool {
    piece.is_word() && weights::is_known(piece.word)
}

/// Whether these pieces have as many letters and digits as a value has. A number word or a letter by itself counts as one.
fn fits(entity: Entity, pieces: &[PieceFeatures]) -> bool {
    const MIN_PASSWORD_BYTES: u32 = 4;
    let written: usize = pieces.iter().map(|piece| usize::from(piece.digits)).sum();
    let symbols = written + pieces.iter().filter(|piece| piece.is_symbol()).count();
    let is_letter = |piece: &PieceFeatures| piece.is_symbol() && piece.is_word();
    let bytes: u32 = pieces.iter().map(|piece| piece.end - piece.start).sum();
    match entity {
        Entity::PASSWORD => bytes >= MIN_PASSWORD_BYTES && !pieces.iter().all(is_letter),
        Entity::SECURITY_ANSWER => true,
        Entity::CVV => (3..=4).contains(&symbols),
        // In speech, "forty five" is two words and two digits, but "forty" alone is one word.
        Entity::SSN => (7..=10).contains(&symbols) && (written == 0 || written == 9),
        Entity::PIN => (3..=9).contains(&symbols),
        _ => written > 0 || symbols >= 3,
    }
}

/// Whether the network can reject a candidate of the rules: a word or words that only a question makes a password.
pub(super) fn is_rejectable(candidate: &Candidate) -> bool {
    candidate.entity == Entity::PASSWORD && candidate.reason == DetectionReason::EarlierCue
}
