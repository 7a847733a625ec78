//! The token classifier: a learned second opinion on secrets and a few identifiers.
//!
//! A small convolutional network reads the pieces of a text and of the last two messages before it. It gives each piece
//! of the text a score for each entity. It finds values that no word of the rules names: in sentences that nobody wrote
//! down before, the words around a value still tell what it is. `docs/classifier.md` describes its data and its figures.

#[cfg_attr(
    not(feature = "training"),
    expect(unreachable_pub, reason = "the program that trains the classifier reads features")
)]
mod features;
mod gate;
mod network;
mod piece;
mod relative_position;
mod screen;
#[cfg(feature = "training")]
pub mod training;
mod values;
mod weights;

use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::card_floor::is_part_of_number;
use crate::cross_message::utterance::Utterance;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::{TokenizedText, Tokens};
use features::PieceFeatures;
use piece::{Piece, PieceKind};
use screen::Screen;
use std::ops::Range;
use values::{SECRETS, ScoredText, Value, is_known_word, is_other_number, is_rejectable};

/// The entities that the classifier finds. `docs/classifier.md` says how they were chosen.
const ENTITIES: EntitySet = EntitySet::from_slice(&[
    Entity::PASSWORD,
    Entity::PIN,
    Entity::CVV,
    Entity::SSN,
    Entity::SECURITY_ANSWER,
    Entity::CRYPTO_ADDRESS,
    Entity::PASSPORT_NUMBER,
    Entity::UK_NINO,
    Entity::AU_TFN,
    Entity::CA_POSTAL_CODE,
]);
/// Maximum number of pieces of a text that may be an answer to an earlier message.
const MAX_ANSWER_PIECES: usize = 40;
/// Maximum number of tokens of a text that the classifier reads: some five times those of a long message.
const MAX_TOKENS: usize = 512;

/// Minimum number of known words in a text and the messages before it. The classifier judges by words, so a number alone
/// tells it nothing. One of them must stand in the text, unless a message before asks for a secret.
const MIN_WORDS: usize = 2;
/// Minimum bytes of such a word.
const MIN_WORD_BYTES: u32 = 3;

/// Bytes of the digits of a card number that stay readable.
const TAIL_BYTES: u32 = 4;
/// Maximum number of pieces by which a value extends on either side of what the network must read.
const MAX_EXTENSION: usize = 16;

/// Same as [`revise`], for a text to which no earlier message matters by the rules. `None` if it may be an answer by the
/// screen: then the classifier must read it with the messages before it.
pub(crate) fn revise_alone(text: &TokenizedText<'_>, out: &mut Candidates) -> Option<()> {
    let tokens = text.tokens();
    let Some(view) = View::new((text, &tokens), &[], false, out) else { return Some(()) };
    if view.may_be_answer() {
        return None;
    }
    view.revise(out);
    Some(())
}

/// Adds the values that only the classifier finds to the candidates of the rules, and removes candidates that are no
/// values. `asks_for_words` tells whether an earlier message asks for a secret, which may be words.
pub(crate) fn revise(text: &TokenizedText<'_>, context: &[Utterance<'_>], asks_for_words: bool, out: &mut Candidates) {
    let tokens = text.tokens();
    if let Some(view) = View::new((text, &tokens), context, asks_for_words, out) {
        view.revise(out);
    }
}

/// A text as the classifier sees it.
struct View<'r, 't> {
    tokens: &'r Tokens<'t>,
    /// The pieces of the text.
    pieces: Vec<Piece>,
    /// Those of the earlier messages and of the text.
    features: Vec<PieceFeatures>,
    /// The first piece of the text among the features.
    first: usize,
    active: EntitySet,
    asks_for_words: bool,
    /// Whether the text or a question before it may name a secret in words.
    may_be_words: bool,
    /// The pieces of the text with the shape of a value that no rule has found.
    shaped: Vec<usize>,
    screen: Screen,
}

impl<'r, 't> View<'r, 't> {
    /// `None` if there is nothing for the classifier to find or to reject.
    fn new(
        (text, tokens): (&TokenizedText<'t>, &'r Tokens<'t>),
        context: &[Utterance<'_>],
        asks_for_words: bool,
        out: &mut Candidates,
    ) -> Option<Self> {
        let active = out.active().and(ENTITIES);
        let may_be_words =
            gate::may_have_word_values(text, active) || asks_for_words && active.intersects(gate::WORD_VALUED);
        let has_rejectable = out.as_slice().iter().any(is_rejectable);
        let is_possible = may_be_words || has_rejectable || text.has_numbers();
        if active.is_empty() || !is_possible || tokens.len() > MAX_TOKENS || is_part_of_number(text) {
            return None;
        }
        let of_text = piece::pieces(tokens);
        let mut covered = vec![false; of_text.len()];
        for candidate in out.as_slice() {
            covered[pieces_in(&of_text, candidate)].fill(true);
        }
        let is_other = |at: usize| {
            let piece = &of_text[at];
            active.is_subset(SECRETS)
                && piece.kind.is_number()
                && is_other_number(tokens, tokens.first_from(piece.start))
        };
        let mut shaped = gate::shaped(tokens, &of_text, &covered, may_be_words);
        shaped.retain(|at| !is_other(*at));
        if !shaped.is_empty() {
            // Once other values are masked, the screen or the network may judge a piece in another way, so the masked text
            // must be read again.
            out.record_open_tokens();
        }
        if shaped.is_empty() && !has_rejectable {
            return None;
        }
        let mut features = features::of_context(context);
        let begins = features.len();
        features::push_text(tokens, &of_text, &mut features);
        let screen = Screen::of(&features, begins, active);
        Some(Self {
            tokens,
            pieces: of_text,
            features,
            first: begins + 1,
            active,
            asks_for_words,
            may_be_words,
            shaped,
            screen,
        })
    }

    /// Whether the text is short and has a piece that an earlier message could make a value.
    fn may_be_answer(&self) -> bool {
        self.pieces.len() <= MAX_ANSWER_PIECES && self.shaped.iter().any(|at| self.screen.may_become_value(*at))
    }

    fn revise(&self, out: &mut Candidates) {
        let is_word = |piece: &&PieceFeatures| is_known_word(piece) && piece.end - piece.start >= MIN_WORD_BYTES;
        let says_words = self.features[self.first..].iter().any(|piece| is_word(&piece));
        if !(says_words || self.asks_for_words)
            || self.features.iter().filter(is_word).take(MIN_WORDS).count() < MIN_WORDS
        {
            return;
        }
        let text = &self.pieces;
        let seeds: Vec<_> = self
            .shaped
            .iter()
            .copied()
            .filter(|at| self.screen.must_read(*at, self.pieces[*at].kind == PieceKind::Word))
            .collect();
        let rejectable =
            out.as_slice().iter().filter(|found| is_rejectable(found)).flat_map(|found| pieces_in(text, found));
        let bounds = |(least, most): (usize, usize), at: usize| (least.min(at), most.max(at));
        let (least, most) = seeds.iter().copied().chain(rejectable).fold((usize::MAX, 0), bounds);
        if least > most {
            return;
        }
        let scored = least.saturating_sub(MAX_EXTENSION)..(most + 1 + MAX_EXTENSION).min(text.len());
        // A score depends on the pieces within reach, of which some are of earlier messages.
        let first_state = (self.first + scored.start).saturating_sub(network::REACH);
        let end = (self.first + scored.end + network::REACH).min(self.features.len());
        let states = network::States::of(&self.features[first_state..end]);
        let pieces = &self.features[self.first..];
        let scored = ScoredText {
            tokens: self.tokens,
            pieces,
            states: &states,
            scored,
            first: self.first,
            first_state,
            may_be_words: self.may_be_words,
        };
        let values = scored.values(&seeds, self.active);
        out.retain(|candidate| !scored.rejects(candidate, pieces_in(text, candidate)));
        for value in values {
            report(value, out);
        }
    }
}

/// The pieces of a text that a candidate covers in part or whole.
fn pieces_in(text: &[Piece], candidate: &Candidate) -> Range<usize> {
    let first = text.partition_point(|piece| piece.end <= candidate.start);
    first..text.partition_point(|piece| piece.start < candidate.end).max(first)
}

/// Adds a value. One that overlaps a candidate is left out, because the rules know borders and entities better, unless it
/// extends one of its own entity. So is a PIN or card code of four digits beside a card number, of which it may be the part
/// that stays readable.
fn report(value: Value, out: &mut Candidates) {
    let Value { start, end, entity } = value;
    let may_be_tail = end - start == TAIL_BYTES && (entity == Entity::PIN || entity == Entity::CVV);
    let blocks = |found: &Candidate| {
        let overlaps = found.start < end && start < found.end;
        let extends = found.entity == entity && start <= found.start && found.end <= end;
        overlaps && !extends || may_be_tail && found.entity == Entity::CREDIT_CARD_NUMBER
    };
    if !out.as_slice().iter().any(blocks) {
        out.push_fully_masked(start, end, entity, DetectionReason::Model, EvidenceRank::Model);
    }
}
