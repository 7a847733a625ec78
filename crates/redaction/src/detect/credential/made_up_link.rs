//! Links of values that somebody made up, by sentences that do not speak of secrets: what is written on a piece of paper,
//! a question for one of its letters, a correction, what an account or a lock opens with.

use super::naming::{Link, Naming};
use super::piece::{PieceKind, Pieces};
use super::shape::Shape;
use super::word_list::class;
use crate::tokenize::Gap;

/// What people write a secret on, or the device whose label shows it.
const SURFACES: [&str; 46] = [
    "paper",
    "sticker",
    "label",
    "note",
    "notes",
    "sheet",
    "slip",
    "badge",
    "leaflet",
    "post-it",
    "postit",
    "sticky",
    "printout",
    "whiteboard",
    "notebook",
    "papel",
    "pegatina",
    "etiqueta",
    "hoja",
    "nota",
    "cartel",
    "router",
    "módem",
    "modem",
    "papier",
    "feuille",
    "étiquette",
    "etiquette",
    "boîte",
    "boitier",
    "boîtier",
    "zettel",
    "aufkleber",
    "blatt",
    "schild",
    "box",
    "adesivo",
    "folha",
    "bilhete",
    "foglio",
    "foglietto",
    "etichetta",
    "biglietto",
    "bigliettino",
    "adesivi",
    "wall",
];
/// Verbs of what is written, and of reading it.
const WRITTEN: [&str; 30] = [
    "say", "says", "saying", "said", "reads", "read", "shows", "dice", "pone", "ponía", "leo", "lee", "dit", "marqué",
    "marque", "écrit", "ecrit", "lis", "steht", "stand", "lese", "diz", "escrito", "leio", "leggo", "scritto",
    "written", "printed", "has", "c'è",
];
/// Pieces before a verb of what is written in which its surface is.
const REACH: usize = 9;

/// Whether a word says what is written on a surface before it: "the sticker says", "en el router pone".
pub(super) fn is_written_on(pieces: &Pieces<'_, '_>, verb: usize) -> bool {
    pieces.is_word(verb, &WRITTEN)
        && (verb.saturating_sub(REACH)..verb)
            .rev()
            .take_while(|at| !pieces.at(*at).is_mark(b'.'))
            .any(|at| pieces.is_word(at, &SURFACES))
}

/// The parts of a value that people ask about: "the o", "the symbol", "the capital".
fn is_character(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const NOUNS: [&str; 14] = [
        "character",
        "letter",
        "symbol",
        "digit",
        "zero",
        "zeros",
        "capital",
        "capitals",
        "dash",
        "dot",
        "underscore",
        "letra",
        "lettre",
        "buchstabe",
    ];
    let piece = pieces.at(at);
    piece.kind == PieceKind::Letter && piece.classes == 0
        || pieces.is_word(at, &["o", "i", "l", "0", "1"])
        || pieces.is_word(at, &NOUNS)
}

/// Whether the word at a piece makes the value after it the place of a letter: "is the 0 in".
fn is_place_of_character(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const IN: [&str; 6] = ["in", "of", "en", "dans", "em", "nel"];
    let before = at.wrapping_sub(1);
    pieces.is_word(at, &IN) && is_character(pieces, before) && pieces.at(before.wrapping_sub(1)).is(class::DETERMINER)
}

/// Nouns of an account or a lock, which is what it opens with: "root is", "the parental lock is".
const OPENED: [&str; 22] = [
    "root",
    "admin",
    "administrator",
    "lock",
    "login",
    "logon",
    "in",
    "on",
    "sign-in",
    "sign-on",
    "log-in",
    "log-on",
    "passkey",
    "key",
    "access",
    "wifi",
    "acceso",
    "accès",
    "acces",
    "zugang",
    "acesso",
    "accesso",
];

/// Whether the subject directly before a verb is an account or a lock.
pub(super) fn is_opened_by(pieces: &Pieces<'_, '_>, verb: usize) -> bool {
    let is_skipped = |at: usize| pieces.at(at).kind == PieceKind::Word && pieces.at(at).is(class::ADVERB);
    let Some(noun) = (verb.saturating_sub(3)..verb).rev().find(|at| !is_skipped(*at) || pieces.is_word(*at, &OPENED))
    else {
        return false;
    };
    // "the sign in is", but "the check in is"
    let is_particle = pieces.is_word(noun, &["in", "on"]);
    let signs = || pieces.is_word(noun.wrapping_sub(1), &["sign", "log"]);
    // The cue of a code can end in the noun: "the parental lock is".
    let is_lock = pieces.at(noun).kind == PieceKind::OtherCue && pieces.str(noun).ends_with(" lock");
    is_lock || pieces.is_word(noun, &OPENED) && (!is_particle || signs())
}

/// Whether the words before a "be" say what something was: "used to be".
pub(super) fn is_former(pieces: &Pieces<'_, '_>, be: usize) -> bool {
    pieces.is_word(be.wrapping_sub(1), &["to"]) && pieces.is_word(be.wrapping_sub(2), &["used"])
}

/// Whether a piece is a number of five to ten digits.
pub(super) fn is_long_number(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let text = pieces.str(at);
    (5..=10).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Names of the encryption of a wireless network, before its key on a label: "WPA2".
const ENCRYPTIONS: [&str; 4] = ["wpa", "wpa2", "wpa3", "psk"];

/// Whether a piece is the name of an encryption before a key.
pub(super) fn is_encryption(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let mut names = (at.saturating_sub(1)..=at).rev();
    names.any(|at| pieces.is_word(at, &ENCRYPTIONS))
}

/// Whether the pieces from `first` on are what somebody made up, written or said aloud.
pub(super) fn is_made_up(pieces: &Pieces<'_, '_>, first: usize) -> bool {
    let (value, next) = (pieces.at(first), pieces.at(first + 1));
    let joins = next.kind == PieceKind::Number || next.is(class::SYMBOL) && next.kind == PieceKind::Word;
    value.shape >= Shape::Mixed || value.is_content() && joins && next.gap == Gap::Space
}

/// Whether the word at a piece says that somebody tells or learns what stands after it: "he yelled X", "texted me X", "hat mir
/// X gegeben".
fn is_said(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const SAYING: [&str; 19] = [
        "scribbled",
        "scribbles",
        "jotted",
        "yelled",
        "shouted",
        "whispered",
        "guessed",
        "sharing",
        "know",
        "knows",
        "dictated",
        "memorised",
        "memorized",
        "pasting",
        "copying",
        "texted",
        "emailed",
        "messaged",
        "sent",
    ];
    const GIVEN: [&str; 6] = ["gegeben", "geschickt", "gesagt", "diktiert", "genannt", "aufgeschrieben"];
    let (before, value) = (at.wrapping_sub(1), pieces.at(at + 1));
    if value.shape < Shape::Mixed {
        return false;
    }
    let is_told = pieces.is_word(at, &["me", "us", "him", "her", "them"])
        && (pieces.at(before).is(class::TELL) || pieces.is_word(before, &SAYING));
    let is_given = pieces.is_word(at, &["mir", "uns", "ihm", "ihr"])
        && pieces.at(before).is(class::AUXILIARY)
        && pieces.is_word(at + 2, &GIVEN);
    let is_there = pieces.is_word(at, &["steht", "stand"]) && pieces.is_word(before, &["da", "hier", "dort"]);
    let is_used = pieces.is_word(at, &["using"]) && pieces.is_word(before, &["of"]);
    pieces.is_word(at, &SAYING) || is_told || is_given || is_there || is_used
}

/// The link of a value that somebody made up by the word at a piece, directly before it.
pub(super) fn unnamed_link(pieces: &Pieces<'_, '_>, at: usize) -> Option<Naming> {
    let before = at.wrapping_sub(1);
    if is_written_on(pieces, at) || is_place_of_character(pieces, at) {
        return Some(Naming::new(Link::Entered, None));
    }
    // "fat fingered it. meant X not Y"
    let opens_clause =
        at == 0 || matches!(pieces.at(before).kind, PieceKind::Mark(_)) || pieces.at(before).is(class::INTERJECTION);
    let is_correction = pieces.is_word(at, &["meant", "mean"]) && opens_clause && pieces.at(at + 2).is(class::NEGATION);
    // "swapped it out for X"
    let is_object = |at: usize| pieces.is_word(at, &["it", "that", "mine", "this", "one"]);
    let is_swap = pieces.is_word(at, &["for", "to"])
        && pieces.is_word(before, &["out", "over", "back"])
        && is_object(before.wrapping_sub(1))
        && pieces.at(before.wrapping_sub(2)).is(class::CHANGE);
    // "reset the administrator, new value X"
    let is_value =
        pieces.is_word(at, &["value", "valor", "valeur", "wert", "valore"]) && pieces.at(before).is(class::VERSION);
    if is_said(pieces, at) {
        return Some(Naming::new(Link::Entered, None));
    }
    if is_correction || is_swap || is_value {
        return Some(Naming::new(Link::PronounChange, None));
    }
    None
}
