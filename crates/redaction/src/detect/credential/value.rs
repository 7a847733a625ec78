//! Where a possible value ends, and its shape: one segment, a passphrase, or a secret said aloud.

use super::piece::{PieceKind, Pieces};
use super::shape::Shape;
use super::spoken::{Spoken, spoken};
use super::spoken_item::{is_counted, may_be_first};
use super::word_class::{is_everyday, listed};
use super::word_list::class;
use crate::detect::flags;
use crate::tokenize::Gap;
use crate::tokenize::words::flag;

/// Maximum pieces of a passphrase.
const MAX_PHRASE: usize = 8;

/// A possible value: pieces `first..after`.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
pub(super) struct Value {
    pub(super) first: usize,
    pub(super) after: usize,
    pub(super) shape: Shape,
    /// Whether the value is said aloud, in letters and number words.
    pub(super) is_spoken: bool,
    /// Whether the value is spelled letter by letter, with numbers or at length.
    pub(super) is_spelled: bool,
    /// Whether the value is spelled in letters alone, as a name is.
    pub(super) may_be_name: bool,
    /// Whether the value can only be the answer to a security question.
    pub(super) is_security_answer: bool,
}

/// The possible values that begin at a piece, the longest first.
pub(super) fn values_at(pieces: &Pieces<'_, '_>, first: usize) -> [Option<Value>; 3] {
    let piece = pieces.at(first);
    // A mark or a word of the grammar, as most pieces are, begins no value.
    if piece.shape == Shape::None && !may_be_first(pieces, first) && !is_noun_too(pieces, first) {
        return [None; 3];
    }
    // "in 2 min"
    let is_unit = pieces.before(first).kind == PieceKind::Number
        && flags(pieces.tokens.at(piece.first as usize)) & flag::UNIT != 0
        && piece.shape < Shape::Mixed;
    let single = (piece.shape > Shape::None && !is_counted(pieces, first, piece) && !is_unit).then_some(Value {
        first,
        after: first + 1,
        shape: piece.shape,
        is_spoken: false,
        is_spelled: false,
        may_be_name: false,
        is_security_answer: false,
    });
    let spoken = spoken(pieces, first).map(|Spoken { after, shape, is_spelled, may_be_name }| Value {
        first,
        after,
        shape,
        is_spoken: true,
        is_spelled,
        may_be_name,
        is_security_answer: false,
    });
    let phrase = if spoken.is_none() { phrase(pieces, first) } else { None };
    [
        spoken,
        phrase,
        single.filter(|single| single.shape >= Shape::Mixed || spoken.is_none_or(|spoken| spoken.after == first + 1)),
    ]
}

/// Several content words in a row.
fn phrase(pieces: &Pieces<'_, '_>, first: usize) -> Option<Value> {
    if continues_phrase(pieces, first) {
        return None;
    }
    let is_part = |at: usize| {
        pieces.at(at).is_content()
            || is_noun_too(pieces, at) && (at == first || pieces.at(at + 1).is_content() || at > first + 1)
    };
    let after = (first..=first + MAX_PHRASE)
        .find(|at| !(is_part(*at) && (*at == first || pieces.at(*at).gap == Gap::Space)))?;
    let words = after - first;
    let rare = (first..after).filter(|at| !is_everyday(pieces.str(*at)) && pieces.str(*at).len() >= 3).count();
    if words < 2 {
        return None;
    }
    let shape = match (words, rare) {
        (2, 2) | (3, 1..) | (4.., 2..) => Shape::Rare,
        (_, 0) if words < 4 => Shape::None,
        _ => Shape::Common,
    };
    Some(Value {
        first,
        after,
        shape,
        is_spoken: false,
        is_spelled: false,
        may_be_name: false,
        is_security_answer: false,
    })
}

/// Whether a word of the grammar is also a noun that people use in a passphrase: the summer that is "been" in French, the
/// star that is a mark.
fn is_noun_too(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const STARS: [&str; 3] = ["etoile", "étoile", "stern"];
    // The classes of the words below.
    if !pieces.at(at).is(class::STATE | class::SYMBOL | class::COPULA) {
        return false;
    }
    let follows_content = || at > 0 && (pieces.before(at).is_content() || pieces.is_word(at - 1, &STARS));
    // "pizza gelato gatto": a noun can end like a participle.
    let ends_like_state = pieces.at(at).classes == class::STATE
        && at > 1
        && pieces.before(at - 1).is_content()
        && pieces.before(at).is_content()
        && pieces.at(at + 1).is_content()
        && flags(pieces.tokens.at(pieces.at(at).first as usize)) == 0
        && listed(pieces.str(at)) == 0;
    ends_like_state || pieces.is_word(at, &STARS) || pieces.is_word(at, &["été", "ete"]) && follows_content()
}

/// A row of two or three everyday words, which can be a secret only as the answer to a question for one.
pub(super) fn common_phrase(pieces: &Pieces<'_, '_>, first: usize) -> Option<Value> {
    if !begins_common_phrase(pieces, first) {
        return None;
    }
    let is_word = |at: &usize| pieces.at(*at).is_content() && (*at == first || pieces.at(*at).gap == Gap::Space);
    let words = (first..=first + MAX_PHRASE).take_while(is_word).count();
    let is_phrase = matches!(words, 2 | 3) && !continues_phrase(pieces, first) && spoken(pieces, first).is_none();
    is_phrase.then_some(Value {
        first,
        after: first + words,
        shape: Shape::Common,
        is_spoken: false,
        is_spelled: false,
        may_be_name: false,
        is_security_answer: false,
    })
}

/// Whether two content words in a row begin at a piece.
pub(super) fn begins_common_phrase(pieces: &Pieces<'_, '_>, first: usize) -> bool {
    pieces.at(first).is_content() && pieces.at(first + 1).is_content()
}

/// Whether the piece before belongs to the same row of content words.
fn continues_phrase(pieces: &Pieces<'_, '_>, first: usize) -> bool {
    pieces.at(first).gap == Gap::Space && first > 0 && pieces.before(first).is_content()
}
