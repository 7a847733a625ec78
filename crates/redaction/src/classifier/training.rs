//! The features of labelled texts, for the program that trains the classifier. Not part of the API of the crate.

use super::features;
pub use super::features::{CASES, DIGIT_COUNTS, GRAM_ROWS, KINDS, MAX_GRAMS, PieceFeatures};
use super::piece;
use crate::cross_message::utterance::Utterance;
use crate::tokenize::{TokenBuffer, TokenizedText};

/// The features of the last earlier messages and of a text, in order.
#[must_use]
pub fn piece_features(text: &str, context: &[Utterance<'_>]) -> Vec<PieceFeatures> {
    let mut buffer = TokenBuffer::new();
    let tokenized = TokenizedText::new(text, &mut buffer);
    let mut pieces = features::of_context(context);
    let tokens = tokenized.tokens();
    features::push_text(&tokens, &piece::pieces(&tokens), &mut pieces);
    pieces
}
