//! Which texts the classifier looks at: those that show something with the shape of a value of an active entity.

use super::piece::{Piece, PieceKind};
use crate::cues::WORD_VALUED;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens::is_mask_tail;
use crate::tokenize::words::flag;
use crate::tokenize::{TokenizedText, Tokens};

/// Entities whose values can be words.
pub(super) const WORDS: EntitySet =
    WORD_VALUED.or(EntitySet::from_slice(&[Entity::PASSWORD, Entity::SECURITY_ANSWER, Entity::USERNAME]));
/// Words that name what values in words are.
const NAMES_OF_WORDS: u32 = flag::SECRET_WORD | flag::WORD_VALUE_CUE;
/// Numbers of digits that a value of the classifier's entities can have in a message.
const LENGTHS: std::ops::RangeInclusive<u32> = 3..=9;
/// The digits of a card number that stay readable, and the asterisks before them in a text that masks the others.
const LAST_FOUR: u32 = 4;
const MIN_HIDDEN: u32 = 8;
/// Ends of a name that has something: "C3PO's".
const GENITIVES: [&str; 2] = ["'s", "\u{2019}s"];
/// Marks of data that programs write, in which names of fields tell what a value is.
const IN_DATA: [char; 4] = ['"', '{', '}', '\\'];

/// Whether a text can have a value in words.
pub(super) fn has_words(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    text.features.word_flags & NAMES_OF_WORDS != 0 && active.intersects(WORDS)
}

/// For each piece of a text, whether it has the shape of a value. Pieces that a candidate covers have
/// none. Words have one if the text can have a value in words.
pub(super) fn shaped(tokens: &Tokens<'_>, pieces: &[Piece], covered: &[bool], has_words: bool) -> Vec<bool> {
    let mut shaped = vec![false; pieces.len()];
    let (mut at, mut hidden) = (0, 0);
    while at < pieces.len() {
        if pieces[at].kind == PieceKind::Masked {
            hidden += pieces[at].end - pieces[at].start;
        }
        let after = number_end(pieces, covered, at);
        if after > at {
            let digits = pieces[at..after].iter().map(digits).fold(0, u32::saturating_add);
            let token = |at: u32| tokens.as_slice().partition_point(|token| token.start < at);
            let (first, end) = (token(pieces[at].start), token(pieces[after - 1].end));
            let may_be_tail = digits == LAST_FOUR && hidden >= MIN_HIDDEN || is_mask_tail(tokens, first, end);
            shaped[at..after].fill(LENGTHS.contains(&digits) && !may_be_tail);
            at = after;
            continue;
        }
        shaped[at] = !covered[at]
            && match pieces[at].kind {
                PieceKind::LettersAndDigits => true,
                PieceKind::Mixed => {
                    let text = tokens.between(pieces[at].start, pieces[at].end);
                    text.contains(char::is_alphabetic)
                        && !text.contains(IN_DATA)
                        && !GENITIVES.iter().any(|end| text.ends_with(end))
                }
                PieceKind::Word => has_words,
                PieceKind::Digits
                | PieceKind::NumberWord
                | PieceKind::Mark
                | PieceKind::Grouped
                | PieceKind::Masked => false,
            };
        at += 1;
    }
    shaped
}

/// The piece after the number that begins at a piece; that piece itself if none begins there. Marks between two groups are
/// part of a number: "(202) 555-0143".
fn number_end(pieces: &[Piece], covered: &[bool], from: usize) -> usize {
    let is_number = |at: usize| pieces.get(at).is_some_and(|piece| piece.kind.is_number()) && !covered[at];
    let is_mark = |at: usize| pieces.get(at).is_some_and(|piece| piece.kind == PieceKind::Mark);
    let mut after = from;
    while is_number(after) || after > from && is_mark(after) && is_number(after + 1) {
        after += 1;
    }
    after
}

/// The number of digits of a piece. A number word counts as one.
fn digits(piece: &Piece) -> u32 {
    if piece.kind == PieceKind::NumberWord { 1 } else { u32::from(piece.digits) }
}
