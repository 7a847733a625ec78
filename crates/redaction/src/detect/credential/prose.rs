//! Words of a sentence that tells no secret: "let me find my glasses", in languages whose everyday words no list has whole.

use super::answer::is_main_clause;
use super::naming::{Link, Naming};
use super::piece::{PieceKind, Pieces};
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use super::word_list::class;
use crate::detect::foreign_date::year_end;
use crate::tokenize::Gap;
use crate::tokenize::near::near;

/// Words outside a value that no list has, with which a message is a sentence about something else.
const MIN_OTHER_WORDS: usize = 2;
/// Tokens of a year before its last part: the "mil novecentos" of "mil novecentos e oito".
const MAX_YEAR_BEGINNING: usize = 2;

impl Search<'_, '_, '_> {
    /// Whether a plain word of an answer is one of several words of a sentence that the list does not have. One of them
    /// alone may be the secret, which nothing tells from the others.
    pub(super) fn is_in_prose(&self, value: Value, naming: Naming) -> bool {
        let pieces = self.pieces;
        let is_small = |at: usize| pieces.str(at).bytes().skip(1).all(|byte| !byte.is_ascii_uppercase());
        let is_plain = value.shape < Shape::Number
            && !value.is_spoken
            && !value.is_security_answer
            && (value.first..value.after).all(is_small);
        let is_loose = matches!(naming.link, Link::Clause | Link::Absent | Link::With) && naming.entity.is_none();
        let is_other = |at: &usize| !(value.first..value.after).contains(at) && pieces.at(*at).is_content();
        is_plain
            && is_loose
            && !stands_apart(pieces, value)
            && near(value.first, pieces.len()).filter(is_other).count() >= MIN_OTHER_WORDS
    }
}

/// Whether a value that nothing names is a year or a time of day said aloud: "em dois mil e nove", "drei uhr zehn".
pub(super) fn is_spoken_time(pieces: &Pieces<'_, '_>, value: Value, naming: Naming) -> bool {
    let (first, end) = (pieces.at(value.first).first as usize, pieces.before(value.after).after as usize);
    // The "em" before a year is also the name of a letter. A value can be the end of a year, without its "mil".
    let is_before_year = pieces.is_word(value.first, &["em", "en", "in", "jahrgang", "jahr", "anno", "ano", "año"]);
    let mut starts = first.saturating_sub(MAX_YEAR_BEGINNING)..=first + usize::from(is_before_year);
    let is_of_day = || value.is_spoken && (value.first..value.after).any(|at| pieces.is_word(at, &["uhr"]));
    naming.entity.is_none()
        && (is_of_day() || starts.any(|at| year_end(pieces.tokens, at).is_some_and(|year| year >= end)))
}

/// Whether marks or words that only open or close an answer are on both sides of a value.
fn stands_apart(pieces: &Pieces<'_, '_>, value: Value) -> bool {
    let next = pieces.at(value.after);
    let ends = matches!(next.kind, PieceKind::Mark(_))
        || next.gap >= Gap::Line
        || next.is(class::CONJUNCTION | class::CLOSING | class::DOUBT | class::CASE | class::SYMBOL);
    ends && is_main_clause(pieces, value)
}
