//! Words that end what is said before an answer, so that a rare word after them is a clause of its own: "i hate giving this
//! out but moonflower", "off the top of my head moonflower".

use super::piece::{Piece, PieceKind, Pieces};
use super::shape::Shape;
use crate::tokenize::Gap;

/// The last words of what people say before an answer.
const ENDS: [&str; 34] = [
    "but",
    "so",
    "reckon",
    "guess",
    "suppose",
    "think",
    "believe",
    "imagine",
    "mistaken",
    "wrong",
    "right",
    "second",
    "sec",
    "moment",
    "minute",
    "see",
    "look",
    "ready",
    "hi",
    "hello",
    "sir",
    "madam",
    "mate",
    "head",
    "memory",
    "correctly",
    "then",
    "here",
    "already",
    "please",
    "thing",
    "on",
    "and",
    "course",
];
/// Those of them that only end such a phrase after one of some words.
const PHRASES: [(&str, &[&str]); 4] = [
    ("on", &["go", "hang", "hold", "come"]),
    ("thing", &["sure"]),
    ("and", &[""]),
    ("so", &["", "think", "ok", "okay"]),
];

/// Whether the word at a piece, directly before a value, ends what is said before an answer, and nothing follows the value
/// in its clause.
pub(super) fn ends_preamble(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let (value, next) = (pieces.at(at + 1), pieces.at(at + 2));
    let is_rare = matches!(value.shape, Shape::Rare | Shape::Number)
        && value.kind != PieceKind::Number
        && value.gap == Gap::Space;
    let ends = |piece: Piece| matches!(piece.kind, PieceKind::Mark(_)) || piece.gap >= Gap::Line;
    let is_phrase = |(word, before): &(&str, &[&str])| {
        !pieces.is_word(at, &[word]) || at > 0 && pieces.is_word(at - 1, before) || at == 0 && before.contains(&"")
    };
    is_rare && ends(next) && !next.is_mark(b'?') && pieces.is_word(at, &ENDS) && PHRASES.iter().all(is_phrase)
}
