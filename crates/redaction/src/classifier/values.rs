//! From the scores of pieces to values, and to candidates of the rules that are no values.

use super::features::PieceFeatures;
use super::network::{Scores, States};
use crate::candidate::Candidate;
use crate::cues::{is_explained_number, is_round_or_year, means_something_else};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::topic_words::{class, classes_at};
use crate::tokenize::Tokens;

/// What the score of a secret must exceed that of no entity by, in 1/256, so that a piece is part of a value. The odds are
/// then 20 to 1 by the measure of the training.
const FINDS_SECRET: i32 = 3 * 256;
/// The same, for the other entities.
const FINDS_OTHER: i32 = 5 * 256;
/// The same, for a number that words beside it explain, a long number, a known word, and a card code where nothing speaks of
/// a card.
const FINDS_DOUBTFUL: i32 = 7 * 256;
/// Digits of most PINs.
const USUAL_PIN_DIGITS: u8 = 4;
/// The same, for a piece beside one of the same value.
const CONTINUES: i32 = 0;
/// What the score of no entity must exceed that of all entities by, in 1/256, so that a candidate of the rules is no
/// value. The odds are then 400 to 1.
const REJECTS: i32 = 6 * 256;
/// Secrets that people tell in sentences of every kind.
const SECRETS: EntitySet =
    EntitySet::from_slice(&[Entity::PASSWORD, Entity::PIN, Entity::CVV, Entity::SSN, Entity::SECURITY_ANSWER]);

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
    /// The place of the first piece, and of the first state, among the pieces of all messages.
    pub(super) first: usize,
    pub(super) first_state: usize,
}

impl ScoredText<'_, '_> {
    /// The entity with the best score at a piece, and by how much it exceeds that of no entity.
    fn best(&self, at: usize) -> Option<(Entity, i32)> {
        let scores: Scores = self.states.scores((self.first + at).checked_sub(self.first_state)?)?;
        let ranked = EntitySet::all().iter().zip(&scores[1..]).max_by_key(|(_, score)| **score);
        ranked.map(|(entity, score)| (entity, score.saturating_sub(scores[0])))
    }

    /// The values of active entities with one of these pieces in them.
    pub(super) fn values(&self, seeds: &[usize], active: EntitySet) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for seed in seeds.iter().copied() {
            let is_in_last = values.last().is_some_and(|last| self.pieces[seed].start < last.end);
            let Some((entity, margin)) = self.best(seed).filter(|_| !is_in_last) else { continue };
            if !active.contains(entity) || !self.finds(entity, seed, margin) {
                continue;
            }
            let continues = |at: &usize| self.best(*at).is_some_and(|best| best.0 == entity && best.1 >= CONTINUES);
            let start = (0..seed).rev().take_while(continues).last().unwrap_or(seed);
            let end = (seed + 1..self.pieces.len()).take_while(continues).last().unwrap_or(seed);
            if fits(entity, &self.pieces[start..=end]) {
                values.push(Value { start: self.pieces[start].start, end: self.pieces[end].end, entity });
            }
        }
        values
    }

    /// Whether the network is sure enough of an entity at a piece.
    fn finds(&self, entity: Entity, at: usize, margin: i32) -> bool {
        let first = self.tokens.as_slice().partition_point(|token| token.start < self.pieces[at].start);
        if !SECRETS.contains(entity) {
            return margin >= FINDS_OTHER;
        }
        let is_doubtful = self.pieces[at].is_known_word()
            || is_explained_number(self.tokens, first)
            || entity == Entity::CVV && !self.speaks_of_card()
            || entity == Entity::PIN && self.pieces[at].digits > USUAL_PIN_DIGITS;
        let least = if is_doubtful { FINDS_DOUBTFUL } else { FINDS_SECRET };
        margin >= least && !is_round_or_year(self.tokens, first) && !means_something_else(self.tokens, first)
    }

    /// Whether the text has a word for a card, for what is printed on it, or for digits.
    fn speaks_of_card(&self) -> bool {
        const CARD: u64 = class::CARD | class::PRINT | class::SIDE | class::DIGITS;
        (0..self.tokens.len()).any(|at| classes_at(self.tokens, at) & CARD != 0)
    }

    /// Whether no piece of a candidate of the rules is part of a value.
    pub(super) fn rejects(&self, candidate: &Candidate) -> bool {
        let is_no_value = |at: usize| self.best(at).is_some_and(|(_, margin)| margin < -REJECTS);
        let first = self.pieces.partition_point(|piece| piece.end <= candidate.start);
        let after = self.pieces.partition_point(|piece| piece.start < candidate.end);
        is_rejectable(candidate) && (first..after).all(|at| self.pieces[at].is_known_word() && is_no_value(at))
    }
}

/// Whether these pieces are long enough for a value, and have no more digits than it can have. A number word counts as one
/// digit at least.
fn fits(entity: Entity, pieces: &[PieceFeatures]) -> bool {
    const MIN_BYTES: u32 = 4;
    const MIN_SYMBOLS: usize = 3;
    let digits: u32 = pieces.iter().map(|piece| u32::from(piece.digits)).sum();
    let symbols = pieces.iter().filter(|piece| piece.is_symbol()).count();
    match entity {
        Entity::PASSWORD => {
            let is_letter = |piece: &PieceFeatures| piece.is_symbol() && piece.is_word();
            pieces.iter().map(|piece| piece.end - piece.start).sum::<u32>() >= MIN_BYTES
                && !pieces.iter().all(is_letter)
        }
        Entity::SECURITY_ANSWER => true,
        Entity::CVV => (3..=4).contains(&digits) || digits == 0 && symbols >= MIN_SYMBOLS,
        Entity::SSN => digits == 9 || digits == 0 && symbols >= 7,
        Entity::PIN => (3..=9).contains(&digits) || digits == 0 && symbols >= MIN_SYMBOLS,
        _ => digits > 0 || symbols >= MIN_SYMBOLS,
    }
}

/// Whether the network can reject a candidate of the rules: a word or words that only a question makes a password.
pub(super) fn is_rejectable(candidate: &Candidate) -> bool {
    candidate.entity == Entity::PASSWORD && candidate.reason == DetectionReason::EarlierCue
}
