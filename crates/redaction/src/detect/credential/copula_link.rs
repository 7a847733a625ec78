//! Links by a verb that says what something is or was: "my password is X", "it used to be X", "the parental lock is X".

use super::made_up_link::{is_former, is_long_number, is_made_up, is_opened_by, unnamed_link};
use super::naming::{Link, Naming};
use super::piece::{Piece, Pieces};
use super::subject::{Subject, is_planned, subject};
use super::verb_object::is_second_verb;
use super::word_list::class;
use crate::tokenize::Gap;

/// The link by the verb at a piece, directly before a value.
pub(super) fn copula_link(pieces: &Pieces<'_, '_>, at: usize, word: Piece) -> Naming {
    if is_second_verb(pieces, at) {
        return Naming::ABSENT;
    }
    match subject(pieces, at) {
        Subject::Cue(entity) => Naming::new(Link::NamedSubject, Some(entity)),
        Subject::Unknown | Subject::Other
            if (is_made_up(pieces, at + 1) || is_long_number(pieces, at + 1)) && is_opened_by(pieces, at) =>
        {
            Naming::new(Link::PronounSubject, None)
        }
        // "the Wi-Fi is X": people name the network and tell its password. Only its marks tell it from a name.
        Subject::Unknown | Subject::Other
            if has_secret_mark(pieces, at + 1) && is_network(pieces, at.wrapping_sub(1)) =>
        {
            Naming::new(Link::PronounSubject, None)
        }
        Subject::Other => Naming::OTHER,
        Subject::Pronoun => Naming::new(Link::PronounSubject, None),
        Subject::Unknown if word.is(class::PRONOUN) && !pieces.is_word(at, &["es"]) => {
            Naming::new(Link::PronounSubject, None)
        }
        // "ist es noch X", "sigue siendo X"
        Subject::Unknown
            if pieces.is_word(at, &["es"]) && pieces.is_word(at.wrapping_sub(1), &["ist", "war"])
                || pieces.is_word(at, &["siendo"]) =>
        {
            Naming::new(Link::PronounSubject, None)
        }
        // "used to be X"
        Subject::Unknown if is_made_up(pieces, at + 1) && is_former(pieces, at) => {
            Naming::new(Link::PronounSubject, None)
        }
        // "so must be X", "it's going to be X"
        Subject::Unknown
            if pieces.is_word(at, &["be"]) && (pieces.before(at).is(class::AUXILIARY) || is_planned(pieces, at)) =>
        {
            Naming::new(Link::PronounSubject, None)
        }
        Subject::Unknown if is_made_up(pieces, at + 1) => unnamed_link(pieces, at).unwrap_or(Naming::ABSENT),
        Subject::Unknown => Naming::ABSENT,
    }
}

/// Whether a piece is the word for a wireless network.
fn is_network(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    pieces.is_word(at, &["wifi", "wi-fi", "wlan", "hotspot"])
        || pieces.is_word(at, &["fi"]) && pieces.is_word(at.wrapping_sub(2), &["wi"])
}

/// Whether what somebody made up at a piece has a mark that names of networks do not have.
fn has_secret_mark(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let touches = |n: usize| pieces.at(at + n).gap == Gap::None && pieces.at(at + n).is_mark(b'!');
    is_made_up(pieces, at) && (pieces.str(at).contains(['!', '@', '#', '$', '%', '&', '*', '?', '+']) || touches(1))
}
