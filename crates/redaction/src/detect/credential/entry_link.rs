//! Links of sentences in which somebody enters or says a secret without a verb of entering directly before it: "i did X
//! and it opened", "write down X", "it won't open without X", "say the word X".

use super::naming::{Link, Naming};
use super::piece::{Piece, PieceKind, Pieces};
use super::shape::Shape;
use super::word_list::class;

const SPELLING: [&str; 4] = ["spell", "spelled", "spelt", "spelling"];
const WRITING: [&str; 5] = ["write", "wrote", "written", "put", "note"];
const WITHOUT: [&str; 7] = ["without", "unless", "sin", "sans", "ohne", "sem", "senza"];
const OPENING: [&str; 15] = [
    "open", "opens", "opened", "unlock", "unlocks", "extract", "unzip", "abre", "abrir", "ouvre", "ouvrir", "offnen",
    "öffnen", "apre", "aprire",
];
/// Pieces before "without" in which a verb of opening is.
const REACH: usize = 6;
/// Nouns for a secret that is a word.
const WORD_NOUNS: [&str; 7] = ["word", "phrase", "palabra", "mot", "wort", "palavra", "parola"];

/// The link by the word at a piece, directly before a value; `None` if it makes none of these.
pub(super) fn entry_link(pieces: &Pieces<'_, '_>, at: usize, word: Piece) -> Option<Naming> {
    let (value, before) = (pieces.at(at + 1), at.wrapping_sub(1));
    let is_done = pieces.is_word(at, &["did", "do"]) && pieces.is_word(before, &["i", "we", "he", "she"]);
    let is_spelled = word.is(class::PRONOUN) && pieces.is_word(before, &SPELLING) && value.kind != PieceKind::Segment;
    let is_written = pieces.is_word(at, &["down"]) && pieces.is_word(before, &WRITING);
    let is_the_word = pieces.is_word(at, &WORD_NOUNS) && pieces.at(before).is(class::DETERMINER | class::ADVERB);
    // "i did bridge hyphen umbrella"
    let joins = |at: usize| pieces.at(at).kind == PieceKind::Number || pieces.at(at).is(class::SYMBOL);
    if is_done && (value.shape != Shape::Common || joins(at + 2))
        || is_spelled
        || is_written
        || is_the_word && value.shape >= Shape::Number
    {
        return Some(Naming::new(Link::Entered, None));
    }
    let opens = || (at.saturating_sub(REACH)..at).any(|at| pieces.is_word(at, &OPENING));
    (pieces.is_word(at, &WITHOUT) && opens()).then_some(Naming::new(Link::PronounChange, None))
}
