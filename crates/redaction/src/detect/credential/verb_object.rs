//! Verbs beside a secret whose object is something else: the place where it is written, what it is used for.

use super::naming::{Link, Naming};
use super::piece::{PieceKind, Pieces};
use super::shape::Shape;
use super::spoken_item::begins_spelling;
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;

/// The link of a secret that somebody writes on the thing at a piece: "she wrote on the card X". The thing is the place of
/// the value, not its name.
pub(super) fn after_place(pieces: &Pieces<'_, '_>, place: usize, first: usize) -> Option<Naming> {
    const IN: [&str; 18] = [
        "in", "into", "on", "onto", "en", "dans", "sur", "auf", "ins", "no", "na", "em", "nel", "nella", "sul",
        "sulla", "im", "aufs",
    ];
    const MAX_VERB: usize = 5;
    let has_digit = || pieces.str(first).bytes().any(|b| b.is_ascii_digit());
    let shape = pieces.at(first).shape;
    let is_made_up = shape >= Shape::Mixed || shape == Shape::Number && !has_digit() || begins_spelling(pieces, first);
    let preposition = (place.saturating_sub(3)..place).rev().find(|at| pieces.is_word(*at, &IN))?;
    let is_verb = |at: usize| {
        let piece = pieces.at(at);
        piece.is(class::ENTER | class::TELL) && piece.kind == PieceKind::Word || piece.cue() == Some(Entity::PASSWORD)
    };
    let is_written = (preposition.saturating_sub(MAX_VERB)..preposition).any(is_verb);
    (is_made_up && is_written).then_some(Naming::new(Link::Entered, None))
}

/// Whether an "e", which is also "é" without its accent, joins a verb with an object: "esqueci minha senha e siga as".
pub(super) fn is_second_verb(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let (verb, object) = (pieces.at(at + 1), pieces.at(at + 2));
    pieces.is_word(at, &["e"])
        && verb.kind == PieceKind::Word
        && verb.shape < Shape::Number
        && object.is(class::DETERMINER)
        && object.kind == PieceKind::Word
        && object.gap == Gap::Space
}

/// Whether a verb of sending says what something is used for: "use that to send readings".
pub(super) fn is_purpose(pieces: &Pieces<'_, '_>, verb: usize) -> bool {
    const SENDING: [&str; 9] = ["send", "submit", "copy", "add", "select", "fill", "give", "insert", "go"];
    pieces.is_word(verb, &SENDING)
        && pieces.is_word(verb.wrapping_sub(1), &["to"])
        && pieces.at(verb + 1).shape < Shape::Number
}
