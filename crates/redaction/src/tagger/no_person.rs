//! Words that the tagger takes for the name of a person and that are none: "hey chief", "the team from Procurement".

use super::view::View;
use super::word_class::WordClass as C;
use crate::detect::is_one_of;
use crate::tokenize::{TokenKind, Tokens};
use std::ops::Range;

/// Words with which people address each other.
const FORMS_OF_ADDRESS: [&str; 22] = [
    "buddy", "chief", "mate", "pal", "boss", "bro", "dude", "dear", "hun", "babe", "folks", "guys", "team", "champ",
    "amigo", "amiga", "jefe", "chef", "kumpel", "leute", "pessoal", "ragazzi",
];
/// Departments and nouns that begin with a capital in a sentence or title, or in German.
const NOUNS: [&str; 17] = [
    "procurement",
    "finance",
    "payroll",
    "logistics",
    "compliance",
    "facilities",
    "purchasing",
    "marketing",
    "legal",
    "warehouse",
    "dispatch",
    "accounts",
    "flash",
    "clearance",
    "fragen",
    "rückfragen",
    "probleme",
];
/// Last words of the names of places.
const PLACES: [&str; 12] = [
    "bay",
    "beach",
    "island",
    "islands",
    "county",
    "falls",
    "mountains",
    "peninsula",
    "harbour",
    "harbor",
    "airport",
    "valley",
];

/// Whether a found name is a word of address or of a department, begins with a brand, or is the name of a place.
pub(super) fn names_no_person(view: &mut View<'_, '_>, found: &Range<usize>) -> bool {
    let tokens = view.tokens;
    let (first, last) = (tokens.at(found.start), tokens.before(found.end));
    if found.len() == 1 {
        let is_number = tokens.str(first).ends_with("nummer");
        return is_number || is_form_of_address(tokens, found.start) || is_one_of(tokens, first, &NOUNS);
    }
    let is_brand = view.class(found.start) == C::Brand && !view.at(found.start).lexical.is_listed();
    let is_place = last.kind == TokenKind::Word
        && is_one_of(tokens, last, &PLACES)
        && view.at(found.end - 1).is_capital
        && is_one_of(tokens, tokens.before(found.start), &BEFORE_PLACES);
    is_brand || is_place
}

/// Whether people address each other with the word at a token, in small letters.
pub(crate) fn is_form_of_address(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.at(at);
    is_one_of(tokens, word, &FORMS_OF_ADDRESS) && !tokens.str(word).starts_with(char::is_uppercase)
}

/// Words before the name of a place: "near Saint Helena Bay".
const BEFORE_PLACES: [&str; 14] =
    ["saint", "st", "san", "santa", "near", "in", "to", "at", "from", "around", "the", "of", "off", "visit"];
