//! Names by the form of a document: the people of a meeting, a surname with a comma and a given name, and the last line of a
//! message.

use super::is_one_of;
use super::name_words::{NameTest, name_end};
use super::person;
use super::token_words::WordList;
use crate::tagger::Listing;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words before a colon and the people of a meeting.
pub(super) const ATTENDANCE_WORDS: [&str; 23] = [
    "present",
    "attendees",
    "attending",
    "attended",
    "apologies",
    "absent",
    "participants",
    "anwesend",
    "anwesende",
    "teilnehmer",
    "teilnehmende",
    "entschuldigt",
    "presentes",
    "asistentes",
    "ausentes",
    "participantes",
    "présents",
    "absents",
    "excusés",
    "participants",
    "presenti",
    "assenti",
    "partecipanti",
];
static ATTENDANCE: WordList = WordList::new(&ATTENDANCE_WORDS);
/// Maximum people of a meeting that are looked at.
const MAX_ITEMS: usize = 24;

/// Calls `push` for each name after the word for the people of a meeting, if one is at a token.
pub(super) fn detect_items(tokens: &Tokens<'_>, at: usize, mut push: impl FnMut(usize, usize)) {
    if !ATTENDANCE.has(tokens, tokens.at(at)) || !tokens.at(at + 1).is_mark(b':') {
        return;
    }
    let mut first = at + 2;
    for _ in 0..MAX_ITEMS {
        first += usize::from(Listing::of(tokens, first).is_title());
        let Some(end) = name_end(tokens, first, NameTest::Listed) else { break };
        push(first, end);
        first = item_end(tokens, end);
    }
}

/// The token after the comma or "and" that ends an item of a list: "Rosa Diaz (remote), ".
fn item_end(tokens: &Tokens<'_>, end: usize) -> usize {
    let has_note = tokens.at(end).is_mark(b'(') && tokens.at(end + 2).is_mark(b')');
    let at = if has_note { end + 3 } else { end };
    let is_comma = tokens.at(at).is_mark(b',') || tokens.at(at).is_mark(b';');
    let after = at + usize::from(is_comma);
    after + usize::from(is_one_of(tokens, tokens.at(after), &["and", "y", "et", "und", "e"]))
}

/// The name that begins at a token with the surname, a comma and the given name: "1. Diaz, Rosa", "then Diaz, Rosa, born".
pub(super) fn inverted_name(tokens: &Tokens<'_>, at: usize) -> Option<(usize, usize)> {
    let given = at + 2;
    let (comma, token) = (tokens.at(at + 1), tokens.at(given));
    if !comma.is_mark(b',') || token.gap != Gap::Space || !Listing::of(tokens, given).is_capital() {
        return None;
    }
    let surname = Listing::of(tokens, at);
    let is_given = Listing::of(tokens, given).is_given_name();
    let is_listed = surname.is_capital() && surname.is_name() && surname.is_plain();
    let next = tokens.at(given + 1);
    let ends = next.is_mark(b',') || next.is_mark(b';') || next.is_mark(b'(');
    let is_item = || person::follows_surname(tokens, given);
    (ends && is_given && (is_listed || is_item())).then_some((at, given + 1))
}

/// Maximum tokens of a line that is a signature.
const MAX_SIGNATURE_TOKENS: usize = 6;

/// The name that is the last line of a message, alone or before "x".
pub(super) fn signature(tokens: &Tokens<'_>) -> Option<(usize, usize)> {
    let last = tokens.len();
    let first =
        (last.saturating_sub(MAX_SIGNATURE_TOKENS).max(1)..last).rev().find(|at| tokens.at(*at).gap >= Gap::Line)?;
    let is_kiss = |at: usize| is_one_of(tokens, tokens.at(at), &["x", "xx", "xxx", "xo", "xoxo"]);
    let has_kiss = is_kiss(last - 1);
    let end = name_end(tokens, first, if has_kiss { NameTest::Unlisted } else { NameTest::Listed })?;
    let is_closed = (end..last).all(|at| is_kiss(at) || tokens.at(at).is_mark(b'.') || tokens.at(at).is_mark(b','));
    let is_listed = (first..end).all(|at| tokens.at(at).kind != TokenKind::Word || is_name_of_signature(tokens, at));
    let is_sole = has_kiss && end == first + 1 && tokens.at(first).byte_len() > 2;
    (is_closed && (is_listed || is_sole)).then_some((first, end))
}

/// Whether a word of a signature is in a list of names, or an initial or particle.
fn is_name_of_signature(tokens: &Tokens<'_>, at: usize) -> bool {
    let listing = Listing::of(tokens, at);
    listing.may_be_name() || listing.is_particle() || tokens.at(at).byte_len() == 1
}
