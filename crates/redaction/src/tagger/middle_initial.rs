//! Names with the initial of a middle name: "astrid c braun". The letter hides from the model that both words are one name.

use super::candidate_set::{CandidateSet, NAME};
use super::found::Found;
use super::view::View;
use super::word_lists::Lexical;
use crate::entity::Entity;
use crate::tokenize::{Gap, TokenKind};

/// Letters that are words of a language.
const WORDS: &[u8] = b"aeiouy";

/// Adds the names around an initial to what was found, or extends the one that ends with it.
pub(super) fn add(view: &mut View<'_, '_>, set: &CandidateSet, found: &mut Vec<Found>) {
    let mut after = 0;
    while let Some(first) = set.next(after, NAME) {
        after = first + 1;
        let is_name = matches!(view.at(first).lexical, Lexical::GivenName | Lexical::GivenAndSurname)
            || found.iter().any(|value| value.tokens.contains(&first) && value.tokens.end == first + 2);
        if !is_name || !is_initial(view, first + 1) || !is_last_name(view, set, first + 2) {
            continue;
        }
        let tokens = first..first + 3;
        match found.iter_mut().find(|value| value.tokens.start < tokens.end && tokens.start < value.tokens.end) {
            Some(value) if value.entity == Entity::PERSON_NAME => value.tokens.end = value.tokens.end.max(tokens.end),
            Some(_) => {}
            None => found.push(Found { entity: Entity::PERSON_NAME, tokens }),
        }
        after = first + 3;
    }
    found.sort_by_key(|value| value.tokens.start);
}

fn is_initial(view: &View<'_, '_>, at: usize) -> bool {
    let token = view.tokens.at(at);
    let letter = view.tokens.str(token).as_bytes().first().map_or(b'a', u8::to_ascii_lowercase);
    token.kind == TokenKind::Word && token.byte_len() == 1 && token.gap == Gap::Space && !WORDS.contains(&letter)
}

fn is_last_name(view: &mut View<'_, '_>, set: &CandidateSet, at: usize) -> bool {
    let token = view.tokens.at(at);
    let is_listed = matches!(view.at(at).lexical, Lexical::Surname | Lexical::GivenAndSurname | Lexical::GivenName);
    let is_unknown = view.at(at).lexical == Lexical::Unknown && token.slot() == 0;
    token.kind == TokenKind::Word && token.gap == Gap::Space && (is_listed || is_unknown || set.has(at, NAME))
}
