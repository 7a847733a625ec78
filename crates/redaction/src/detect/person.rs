//! People as a text names them: by a form of address, by what they are to the speaker, or by words of the lists of
//! names.

use crate::tagger::Listing;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum tokens of a name with its title.
const MAX_NAME_TOKENS: usize = 7;
/// Maximum tokens from what a person is to the speaker to the name: "my brother, the younger one".
const MAX_RELATION_TOKENS: usize = 2;
/// Tokens before a name in which a street shows that the name is that of the street.
const MAX_STREET_TOKENS: usize = 3;

/// Whether a person is named right before a token. The name has a title, stands after what the person is to the
/// speaker, has a given name and a surname, or is written with the surname first.
pub(super) fn ends_before(tokens: &Tokens<'_>, end: usize) -> bool {
    let first = name_start(tokens, end);
    first < end
        && (is_titled(tokens, first, end) || names_person(tokens, first, end) && !is_of_street(tokens, first, end))
}

/// Whether the word before a token is a person beside the speaker: "my husband", "mein Sohn".
pub(super) fn is_relation_before(tokens: &Tokens<'_>, end: usize) -> bool {
    end > 0 && tokens.at(end).gap <= Gap::Space && Listing::of(tokens, end - 1).is_relation()
}

/// The first token of the words in front of a token that can be a name; that token if there are none.
fn name_start(tokens: &Tokens<'_>, end: usize) -> usize {
    let mut first = end;
    while first > 0 && end - first < MAX_NAME_TOKENS {
        let at = first - 1;
        let is_close = first == end || tokens.at(first).gap <= Gap::Space;
        if !is_close || !is_name_token(tokens, at) {
            break;
        }
        first = at;
    }
    while first < end && !is_name_word(tokens, first) {
        first += 1;
    }
    if first < end && is_name_word(tokens, end - 1) { first } else { end }
}

/// Whether a token can be part of a name: a word, or a mark between the parts of one.
fn is_name_token(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let joins = (token.is_mark(b'-') || token.is_mark(b'\'')) && tokens.at(at + 1).gap == Gap::None;
    let abbreviates = token.is_mark(b'.') && tokens.before(at).byte_len() <= MAX_ABBREVIATION_BYTES;
    let is_mark = token.gap == Gap::None && (joins || abbreviates);
    is_mark || is_name_word(tokens, at) || Listing::of(tokens, at).is_particle()
}

/// Bytes of the longest initial or title before a full stop: "Frau Dipl."
const MAX_ABBREVIATION_BYTES: usize = 4;

/// Whether a word has a capital, or is a name and no ordinary word.
fn is_name_word(tokens: &Tokens<'_>, at: usize) -> bool {
    let listing = Listing::of(tokens, at);
    tokens.at(at).kind == TokenKind::Word && (listing.is_capital() || listing.is_name() || listing.is_title())
}

/// Whether a form of address stands before a name or begins it. The "Dr" at the end of "Cedar Dr" is none.
fn is_titled(tokens: &Tokens<'_>, first: usize, end: usize) -> bool {
    (first.saturating_sub(1)..end - 1).any(|at| Listing::of(tokens, at).is_title())
}

fn names_person(tokens: &Tokens<'_>, first: usize, end: usize) -> bool {
    let is_word = |at: &usize| tokens.at(*at).kind == TokenKind::Word && tokens.at(*at).byte_len() > 1;
    let words = || (first..end).filter(is_word).map(|at| Listing::of(tokens, at));
    if words().any(|word| word.is_of_thing() && !word.is_given_name()) {
        return false;
    }
    let before = (first.saturating_sub(1 + MAX_RELATION_TOKENS)..first).rev().find(|at| !is_link(tokens, *at));
    let is_related = before.is_some_and(|at| Listing::of(tokens, at).is_relation())
        || Listing::of(tokens, first).is_relation() && first + 1 < end;
    let has_given_name = words().any(Listing::is_given_name);
    let has_surname = words().next_back().is_some_and(|last| last.is_name() || last.is_unknown());
    let begins_name = words().next().is_some_and(Listing::may_be_name) && has_surname;
    let is_full = (has_given_name || begins_name) && words().count() >= 2;
    let is_known = has_given_name || words().all(|word| word.is_unknown() || word.may_be_name());
    is_related || is_full || is_known && follows_surname(tokens, first)
}

/// Whether a token may stand between what a person is to the speaker and the name.
fn is_link(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.at(at).is_mark(b',') || tokens.at(at).is_mark(b'.')
}

/// Whether a surname and a comma stand before a given name, at the beginning of an item of a list: "1. Diaz, Rosa".
pub(super) fn follows_surname(tokens: &Tokens<'_>, given: usize) -> bool {
    let Some(surname) = given.checked_sub(2).filter(|_| tokens.before(given).is_mark(b',')) else { return false };
    let listing = Listing::of(tokens, surname);
    let before = tokens.before(surname);
    let begins_item = tokens.at(surname).gap >= Gap::Line
        || before.kind == TokenKind::Edge
        || [b'.', b')', b';', b':', b'-'].iter().any(|mark| before.is_mark(*mark));
    let is_sure = Listing::of(tokens, given).is_given_name();
    let is_surname = listing.is_name() || is_sure && (listing.is_unknown() || listing.may_be_name());
    listing.is_capital() && listing.is_plain() && is_surname && begins_item
}

/// Whether a name is that of a street: "Calle Juan Bravo, 32".
fn is_of_street(tokens: &Tokens<'_>, first: usize, end: usize) -> bool {
    let from = first.saturating_sub(MAX_STREET_TOKENS);
    let is_abbreviated = |at: usize| tokens.at(at).byte_len() == 1 && tokens.at(at + 1).is_mark(b'/');
    (from..end).any(|at| Listing::of(tokens, at).is_street() || at < first && is_abbreviated(at))
}
