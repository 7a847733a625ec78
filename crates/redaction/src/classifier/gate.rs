//! Which texts the classifier looks at: those that show something with the shape of a value of an active entity.

use super::piece::{Piece, PieceKind};
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens::is_mask_tail;
use crate::tokenize::words::flag;
use crate::tokenize::{TokenizedText, Tokens};

/// The classifier's entities whose values can be words.
pub(super) const WORD_VALUED: EntitySet = EntitySet::from_slice(&[Entity::PASSWORD, Entity::SECURITY_ANSWER]);
/// Flags of words that name a value in words.
const WORD_VALUE_CUES: u32 = flag::SECRET_WORD | flag::WORD_VALUE_CUE;
/// Numbers of digits with which a number is read. Longer ones are accounts and telephone numbers for the most part.
const DIGIT_COUNTS: std::ops::RangeInclusive<u32> = 3..=9;
/// Digits of a card number that stay readable.
const TAIL_DIGITS: u32 = 4;
/// The fewest asterisks of a masked card number. A masked secret has eight.
const MIN_ASTERISKS: usize = 9;
/// Ends of a name that has something: "C3PO's".
const GENITIVES: [&str; 2] = ["'s", "\u{2019}s"];
/// Marks of data that programs write, in which names of fields tell what a value is.
const IN_DATA: [char; 4] = ['"', '{', '}', '\\'];

/// Whether a text can have a value in words, by its own words.
pub(super) fn may_have_word_values(text: &TokenizedText<'_>, active: EntitySet) -> bool {
    text.features.word_flags & WORD_VALUE_CUES != 0 && active.intersects(WORD_VALUED)
}

/// The pieces of a text with the shape of a value, in order. Pieces that a candidate covers have none. Words have one if
/// `may_be_words`.
pub(super) fn shaped(tokens: &Tokens<'_>, pieces: &[Piece], covered: &[bool], may_be_words: bool) -> Vec<usize> {
    let mut shaped = Vec::new();
    let (mut at, mut asterisks) = (0, 0);
    while at < pieces.len() {
        if pieces[at].kind == PieceKind::Masked {
            asterisks += tokens.between(pieces[at].start, pieces[at].end).matches('*').count();
        }
        let after = number_end(pieces, covered, at);
        if after > at {
            let count = pieces[at..after].iter().map(digits).fold(0, u32::saturating_add);
            let (first, end) = (tokens.first_from(pieces[at].start), tokens.first_from(pieces[after - 1].end));
            let may_be_tail = count == TAIL_DIGITS && asterisks >= MIN_ASTERISKS || is_mask_tail(tokens, first, end);
            if DIGIT_COUNTS.contains(&count) && !may_be_tail {
                shaped.extend(at..after);
            }
            at = after;
            continue;
        }
        let is_shaped = !covered[at]
            && match pieces[at].kind {
                PieceKind::LettersAndDigits => true,
                PieceKind::Mixed => {
                    let text = tokens.between(pieces[at].start, pieces[at].end);
                    text.contains(char::is_alphabetic)
                        && !text.contains(IN_DATA)
                        && !GENITIVES.iter().any(|end| text.ends_with(end))
                }
                PieceKind::Word => may_be_words,
                PieceKind::Digits
                | PieceKind::NumberWord
                | PieceKind::Mark
                | PieceKind::Grouped
                | PieceKind::Masked => false,
            };
        shaped.extend(is_shaped.then_some(at));
        at += 1;
    }
    shaped
}

/// The piece after the number that begins at a piece; that piece itself if none begins there. A mark between two groups is
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
