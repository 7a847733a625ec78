//! Secrets said aloud: words, letters, number words and the names of marks.

use super::piece::{PieceKind, Pieces};
use super::shape::Shape;
use super::spoken_item::{Item, is_counted, is_secret_mark, is_separator, item, may_be_first};
use super::word_list::class;
use crate::detect::flags;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};

/// Maximum pieces of a secret said aloud.
const MAX_SPOKEN: usize = 60;

/// A secret said aloud.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoken {
    /// Piece after the last.
    pub(super) after: usize,
    pub(super) shape: Shape,
    /// Whether it is spelled letter by letter, with numbers or at length.
    pub(super) is_spelled: bool,
    /// Whether it consists of letters and words alone, as a name does that is spelled.
    pub(super) may_be_name: bool,
}

/// Whether pieces are a time of day: "nine a m", "six twenty two p m".
fn is_time(pieces: &Pieces<'_, '_>, first: usize, after: usize) -> bool {
    after >= first + 3
        && pieces.is_word(after - 1, &["m"])
        && pieces.is_word(after - 2, &["a", "p"])
        && (first..after - 2).all(|at| pieces.at(at).kind == PieceKind::Number)
}

/// What a secret said aloud consists of.
#[derive(Default)]
struct Content {
    letters: usize,
    digits: usize,
    numbers: usize,
    symbols: usize,
    cases: usize,
    words: usize,
    /// Names of marks that are said in secrets alone: "underscore", "question mark".
    marks: usize,
    rare: bool,
}

impl Content {
    fn add(&mut self, pieces: &Pieces<'_, '_>, at: usize, item: Item) {
        let piece = pieces.at(at);
        let token = pieces.tokens.at(piece.first as usize);
        match item {
            Item::Letter => self.letters += 1,
            Item::Number => {
                self.numbers += 1;
                self.digits += if token.kind == TokenKind::Digits { usize::from(token.digit_count()) } else { 1 };
            }
            Item::Symbol => {
                self.symbols += 1;
                self.marks += usize::from(is_secret_mark(pieces, at));
            }
            Item::Case => self.cases += 1,
            Item::Word => {
                self.words += 1;
                self.rare |= piece.shape >= Shape::Rare;
            }
        }
    }

    fn shape(&self) -> Shape {
        let items = self.letters + self.numbers + self.symbols + self.words;
        match () {
            () if self.letters >= 3 && (self.cases > 0 || self.marks > 0) => Shape::Strong,
            () if self.marks > 0 && self.words + self.letters > 0 && (self.numbers > 0 || self.cases > 0) => {
                Shape::Strong
            }
            () if self.cases > 0 && self.symbols > 0 && self.numbers >= 2 && self.words == 1 => Shape::Strong,
            () if self.cases > 0 && (self.words > 0 || self.letters > 0 && items >= 2) => Shape::Mixed,
            () if self.letters >= 3 || self.letters >= 2 && self.numbers > 0 => Shape::Mixed,
            () if self.symbols > 0 && self.words + self.letters > 0 && self.numbers > 0 => Shape::Mixed,
            () if self.symbols > 0 && self.words >= 2 => Shape::Number,
            () if self.words > 0 && self.numbers > 0 && self.rare => Shape::Mixed,
            () if self.words > 0 && (self.numbers >= 2 || self.digits >= 2) => Shape::Number,
            () if self.words == 1 && self.numbers == 1 && self.letters + self.symbols + self.cases == 0 => {
                Shape::Common
            }
            () if self.words == 0 && self.letters == 0 && self.symbols == 0 && self.digits >= 4 => Shape::Number,
            () => Shape::None,
        }
    }
}

/// A secret said aloud: words, letters, number words and the names of marks, with "capital" and "as in" between.
pub(super) fn spoken(pieces: &Pieces<'_, '_>, first: usize) -> Option<Spoken> {
    if !may_be_first(pieces, first) {
        return None;
    }
    // "i'm a hundred percent"
    let is_scale = |at: usize| flags(pieces.tokens.at(pieces.at(at).first as usize)) & flag::SCALE != 0;
    if pieces.is_word(first, &["a"]) && is_scale(first + 1)
        || is_scale(first) && pieces.is_word(first.wrapping_sub(1), &["a"])
    {
        return None;
    }
    // "the new one X"
    if pieces.is_word(first, &["one"]) && pieces.before(first).is(class::VERSION) {
        return None;
    }
    let (mut at, mut after, mut content, mut last) = (first, first, Content::default(), None);
    while at < first + MAX_SPOKEN {
        let piece = pieces.at(at);
        if at > first && piece.gap > Gap::Line || piece.is_edge() {
            break;
        }
        if let Some((item, next)) = item(pieces, at, last) {
            content.add(pieces, at, item);
            (at, after, last) = (next, next, Some(item));
        } else if last.is_some() && is_separator(pieces, at, piece) {
            at += 1;
        } else {
            break;
        }
    }
    // A speech recogniser writes the mark "&" as "and".
    let is_end = |at: usize| pieces.at(at).is_edge() || pieces.is_word(at, &["and"]);
    if content.words + content.letters > 0 && pieces.is_word(after, &["and"]) && is_end(after + 1) {
        after += 1;
        content.symbols += 1;
    }
    if after < first + 2 || is_time(pieces, first, after) || is_counted(pieces, after - 1, pieces.before(after)) {
        return None;
    }
    // "the clinic one is closed"
    let is_elliptic = pieces.is_word(after - 1, &["one"])
        && after == first + 2
        && pieces.at(after).is(class::COPULA)
        && pieces.before(first).is(class::DETERMINER);
    if is_elliptic {
        return None;
    }
    // "sunflower exclamation mark"
    let ends_in_mark = last == Some(Item::Symbol) && content.marks == 1 && content.words == 1 && content.rare;
    let shape = if ends_in_mark { content.shape().max(Shape::Number) } else { content.shape() };
    let is_spelled = content.letters >= 3
        && content.letters + content.numbers >= 5
        && content.letters + content.numbers > content.words
        && (content.numbers > 0 || content.letters >= 6);
    let may_be_name = content.letters > 0 && content.numbers + content.symbols + content.cases == 0;
    (shape > Shape::None).then_some(Spoken { after, shape, is_spelled, may_be_name })
}
