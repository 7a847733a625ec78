//! The items of a secret said aloud: a letter, a number, the name of a mark, a word about case, another word.

use super::piece::{Piece, PieceKind, Pieces};
use super::shape::Shape;
use super::word_list::class;
use crate::detect::{WordList, flags};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenKind, fold};

/// Hesitations of a speaker who spells.
static HESITATIONS: WordList = WordList::new(&["uh", "um", "er", "erm", "ehm", "euh", "äh", "eh", "hm"]);

/// Whether a number counts what follows it: "12 months", "twelve+ characters".
pub(super) fn is_counted(pieces: &Pieces<'_, '_>, at: usize, piece: Piece) -> bool {
    let next = pieces.at(at + 1);
    let has_plus = || {
        let (tokens, first) = (pieces.tokens, piece.first as usize);
        let is_number = tokens.at(first).kind == TokenKind::Digits || flags(tokens.at(first)) & flag::NUMBER != 0;
        piece.after == piece.first + 2 && tokens.at(first + 1).is_mark(b'+') && is_number
    };
    (piece.kind == PieceKind::Number || piece.kind == PieceKind::Segment && has_plus())
        && next.kind == PieceKind::Word
        && (next.is(class::TIME | class::THING) || flags(pieces.tokens.at(next.first as usize)) & flag::UNIT != 0)
}

/// An item of a secret said aloud.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Letter,
    Number,
    Symbol,
    Case,
    Word,
}

/// Whether a letter, a number, the name of a mark or a word about case begins at a piece.
fn begins_item(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let piece = pieces.at(at);
    let flags = flags(pieces.tokens.at(piece.first as usize));
    piece.kind == PieceKind::Letter
        || is_nato(pieces, at)
        || is_one(pieces, at, Some(Item::Number))
        || piece.kind == PieceKind::Number && flags & flag::FILLER == 0
        || piece.is(class::SYMBOL) && (!piece.is(class::PREPOSITION) || pieces.is_word(at + 1, &["sign"]))
        || piece.is(class::CASE)
        || piece.kind == PieceKind::Word && flags & (flag::OH | flag::REPEAT | flag::SPELLING_ALPHABET) != 0
}

/// Pieces of the host of a mail address that is said aloud.
const MAX_HOST: usize = 12;

/// Whether a letter that is no word of a sentence begins at a piece.
fn begins_letter(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let is_letter = pieces.at(at).kind == PieceKind::Letter && !pieces.is_word(at, &["a", "i", "e", "o", "u", "y"]);
    is_letter || is_nato(pieces, at) && begins_item(pieces, at + 1)
}

/// Whether what begins at a piece is spelled: a letter or a word about case, and another item of a secret after it.
pub(super) fn begins_spelling(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let (piece, next) = (pieces.at(at), pieces.at(at + 1));
    let is_letter = piece.kind == PieceKind::Letter || is_nato(pieces, at);
    let is_case = piece.is(class::CASE) && (next.kind == PieceKind::Letter || is_nato(pieces, at + 1));
    is_letter && (begins_item(pieces, at + 1) || explained_end(pieces, at).is_some())
        || is_case
        || piece.is(class::CASE) && next.is_content() && begins_item(pieces, at + 2)
}

/// The item at a piece, after the item `last`, and the piece after it.
pub(super) fn item(pieces: &Pieces<'_, '_>, at: usize, last: Option<Item>) -> Option<(Item, usize)> {
    let (piece, next) = (pieces.at(at), pieces.at(at + 1));
    let flags = flags(pieces.tokens.at(piece.first as usize));
    let follows = matches!(last, Some(Item::Letter | Item::Case | Item::Number | Item::Symbol));
    // "C - 4 - A - Y"
    let is_mark = next.is_mark(b'-') || next.is_mark(b',');
    let is_listed = is_mark && piece.kind == PieceKind::Letter && (last.is_some() || piece.classes == 0);
    let joins = begins_item(pieces, skip_hesitation(pieces, at + 1 + usize::from(is_listed)));
    if piece.is(class::CASE) {
        let is_size = piece.is(class::STATE) && !pieces.is_word(at, &["uppercase", "lowercase"]);
        let is_noun = last.is_none() && pieces.is_word(at, &["case", "space", "spaces", "spaced"]);
        let applies = next.kind == PieceKind::Letter
            || is_nato(pieces, at + 1)
            || !is_size && (joins || next.is_content())
            || next.is_content() && begins_item(pieces, at + 2);
        if !is_noun && applies {
            return Some((Item::Case, at + 1));
        }
    }
    if piece.kind == PieceKind::Letter {
        let is_word = piece.classes != 0
            && matches!(
                pieces.str(at),
                "a" | "i" | "I" | "A" | "e" | "o" | "y" | "u" | "à" | "é" | "è" | "s" | "m" | "t"
            );
        let explained = explained_end(pieces, at);
        let is_letter = !is_word
            || explained.is_some()
            || last == Some(Item::Case)
            // These are words only after an apostrophe: "b r o n c o s have you got that"
            || follows && pieces.is_word(at, &["s", "m", "t"])
            || joins && (follows || last.is_none() && !pieces.is_word(at, &["é", "è"]))
            || follows && (next.is_edge() || last == Some(Item::Letter) && ends_run(next))
            // "t u n o with a dollar", but "s t o a place"
            || last == Some(Item::Letter)
                && next.is(class::PREPOSITION)
                && !next.is(class::NEGATION)
                && !pieces.is_word(at, &["a", "i"])
            // "w t r t u no sorry"
            || last == Some(Item::Letter)
                && next.is(class::NEGATION | class::ADVERB)
                && !pieces.is_word(at, &["a", "e", "i", "u", "y"]);
        return is_letter.then(|| (Item::Letter, explained.unwrap_or(at + 1)));
    }
    if is_one(pieces, at, last) {
        return Some((Item::Number, at + 1));
    }
    if piece.kind == PieceKind::Number
        && (flags != 0 || piece.classes == 0 || last.is_some() || joins)
        && (flags & flag::FILLER == 0 || last == Some(Item::Number) && joins)
        || flags & flag::REPEAT != 0 && joins
        || flags & flag::OH != 0
            && (follows || joins || next.is_edge() && pieces.at(at.wrapping_sub(2)).is(class::CASE))
    {
        return Some((Item::Number, at + 1));
    }
    let is_percent =
        || pieces.is_word(at, &["por", "per", "pour"]) && pieces.is_word(at + 1, &["cento", "ciento", "cent"]);
    if follows && is_percent() {
        return Some((Item::Symbol, at + 2));
    }
    // "six at h x", but no address and no time
    if follows
        && pieces.is_word(at, &["at"])
        && begins_letter(pieces, at + 1)
        && !(at..at + MAX_HOST).any(|at| pieces.is_word(at, &["dot"]))
    {
        return Some((Item::Symbol, at + 1));
    }
    if piece.is(class::SYMBOL) {
        return symbol_end(pieces, at, last).map(|after| (Item::Symbol, after));
    }
    if is_nato(pieces, at) && (joins || follows) {
        return Some((Item::Letter, at + 1));
    }
    // "26 mins"
    let is_unit = last == Some(Item::Number) && flags & flag::UNIT != 0;
    let is_word = !is_unit && piece.is_content() || piece.kind == PieceKind::Segment && piece.shape > Shape::None;
    let may_begin = || joins || next.is_content() && begins_item(pieces, at + 2);
    (is_word
        && (follows && (last != Some(Item::Number) || joins || next.is_edge() || is_last_and(pieces, at + 1))
            || last.is_none() && may_begin()
            || last == Some(Item::Word) && joins))
        .then_some((Item::Word, at + 1))
}

/// Whether a piece can be the first item of a secret said aloud: it is no word of the grammar that only joins items or says
/// something of them.
pub(super) fn may_be_first(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const ITEMS: u32 = flag::OH | flag::REPEAT | flag::SPELLING_ALPHABET;
    let piece = pieces.at(at);
    !matches!(piece.kind, PieceKind::Word | PieceKind::Mark(_))
        || piece.is_content()
        || piece.is(class::CASE | class::SYMBOL)
        || flags(pieces.tokens.at(piece.first as usize)) & ITEMS != 0
        || is_article(pieces, at)
}

/// Whether the "and" at a piece ends a text: a speech recogniser writes the mark "&" so.
fn is_last_and(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    pieces.is_word(at, &["and"]) && pieces.at(at + 1).is_edge()
}

/// Whether a piece is an article that can be the number one. Each of these words is a pronoun or a filler too.
fn is_article(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    static ARTICLES: WordList = WordList::new(&["un", "une", "um", "uma", "uno", "una", "ein"]);
    let piece = pieces.at(at);
    matches!(piece.kind, PieceKind::Word | PieceKind::Number)
        && piece.is(class::DETERMINER)
        && pieces.is_in(at, &ARTICLES)
}

/// Whether a piece is an article that is the number one: the "un" of "un deux" and the "um" of "quatro um".
fn is_one(pieces: &Pieces<'_, '_>, at: usize, last: Option<Item>) -> bool {
    let is_foreign = |at: usize| {
        let piece = pieces.at(at);
        piece.kind == PieceKind::Number
            && (piece.is(class::NUMBER) || flags(pieces.tokens.at(piece.first as usize)) & flag::NUMBER == 0)
    };
    if !is_article(pieces, at) {
        return false;
    }
    let ends = pieces.at(at + 1).is_edge() || matches!(pieces.at(at + 1).kind, PieceKind::Mark(_));
    let follows = is_foreign(at.wrapping_sub(1))
        || pieces.is_word(at.wrapping_sub(1), &["e", "y", "et", "und"]) && is_foreign(at.wrapping_sub(2));
    // "p un l"
    let is_spelled = || last == Some(Item::Letter) && begins_letter(pieces, at + 1) && !pieces.is_in(at, &HESITATIONS);
    is_foreign(at + 1)
        || is_spelled()
        || last == Some(Item::Number) && follows && (ends || pieces.at(at + 1).is(class::CONJUNCTION))
}

/// The piece after a hesitation between two letters.
fn skip_hesitation(pieces: &Pieces<'_, '_>, at: usize) -> usize {
    at + usize::from(pieces.is_in(at, &HESITATIONS))
}

/// Whether the name of a mark at a piece is one that is said in secrets, and not in addresses or amounts.
pub(super) fn is_secret_mark(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const NAMES: [&str; 26] = [
        "underscore",
        "hashtag",
        "exclamation",
        "ampersand",
        "asterisk",
        "tilde",
        "caret",
        "bang",
        "almohadilla",
        "asterisco",
        "exclamacion",
        "interrogacion",
        "arobase",
        "diese",
        "esperluette",
        "etoile",
        "klammeraffe",
        "unterstrich",
        "raute",
        "ausrufezeichen",
        "fragezeichen",
        "cerquilha",
        "sublinhado",
        "cancelletto",
        "chiocciola",
        "underline",
    ];
    let word: String = pieces.str(at).chars().map(|c| fold::strip_accent(c).map_or(c, char::from)).collect();
    NAMES.iter().any(|name| word.eq_ignore_ascii_case(name))
        || pieces.at(at + 1).is(class::SYMBOL_TAIL) && pieces.at(at + 1).kind == PieceKind::Word
}

/// Whether a piece is the name of a letter in the spelling alphabet.
fn is_nato(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    pieces.at(at).kind == PieceKind::Segment && pieces.is_word(at, &["x-ray"])
        || flags(pieces.tokens.at(pieces.at(at).first as usize)) & flag::SPELLING_ALPHABET != 0
}

/// Whether a secret can end before a piece.
fn ends_run(next: Piece) -> bool {
    matches!(next.kind, PieceKind::Mark(_)) || next.is(class::CONJUNCTION | class::PRONOUN | class::INTERJECTION)
}

/// The piece after the name of a mark, such as "question mark".
fn symbol_end(pieces: &Pieces<'_, '_>, at: usize, last: Option<Item>) -> Option<usize> {
    let (piece, next) = (pieces.at(at), pieces.at(at + 1));
    let begins_linked = pieces.is_word(at + 2, &["d", "de"]);
    let has_tail = next.is(class::SYMBOL_TAIL) && !begins_linked;
    let is_bare = !piece.is(class::PREPOSITION | class::PRONOUN | class::QUESTION)
        && (last.is_some() || begins_item(pieces, at + 1) || next.is_content() && !piece.is(class::THING));
    let linked_tail = pieces.is_word(at + 1, &["d", "de", "of"]) && pieces.at(at + 2).is(class::SYMBOL_TAIL);
    match () {
        () if linked_tail => Some(at + 3),
        // "point d'exclamation"
        () if pieces.at(at + 2).is_mark(b'\'') && pieces.at(at + 3).is(class::SYMBOL_TAIL) => Some(at + 4),
        () if has_tail => Some(at + 2),
        () if is_bare => Some(at + 1),
        () => None,
    }
}

/// The piece after "as in bravo", "for november" or "like apple" behind a letter.
fn explained_end(pieces: &Pieces<'_, '_>, at: usize) -> Option<usize> {
    let word = match () {
        () if pieces.is_word(at + 1, &["as"]) && pieces.is_word(at + 2, &["in"]) => at + 3,
        () if pieces.is_word(at + 1, &["for", "like", "wie", "de", "come", "comme"]) => at + 2,
        () => return None,
    };
    let (letter, word_text) = (pieces.str(at), pieces.str(word));
    let begins = letter.bytes().next().zip(word_text.bytes().next()).is_some_and(|(a, b)| a.eq_ignore_ascii_case(&b));
    (begins && word_text.len() > 1).then_some(word + 1)
}

/// Whether a piece can be between two items: a comma, a hyphen, a hesitation, "then", "and".
pub(super) fn is_separator(pieces: &Pieces<'_, '_>, at: usize, piece: Piece) -> bool {
    const WORDS: [&str; 6] = ["then", "and", "y", "et", "und", "e"];
    let is_word = matches!(piece.kind, PieceKind::Word | PieceKind::Letter)
        && (pieces.is_word(at, &WORDS) || pieces.is_in(at, &HESITATIONS));
    let begins = || begins_item(pieces, at + 1) || pieces.is_word(at + 1, &["and"]) && begins_item(pieces, at + 2);
    (piece.is_mark(b',') || piece.is_mark(b'-') || is_word) && begins()
}
