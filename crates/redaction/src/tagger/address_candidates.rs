//! The tokens that can be part of a street address. The tagger decides which of them are.

use super::candidate_set::{ADDRESS, CandidateSet};
use super::view::View;
use super::word_class::WordClass as C;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens between a house number and the word for the street after it.
const MAX_TO_STREET: usize = 7;
/// Maximum tokens between the word for the street and the house number after it.
const MAX_FROM_STREET: usize = 5;
/// Tokens after the street or number that can belong to the address.
const TAIL: usize = 6;

/// Marks the candidates of a text.
pub(super) fn mark(view: &mut View<'_, '_>, set: &mut CandidateSet) {
    let tokens = view.tokens;
    // Only a street with a named house has no number, and its type is in the lexicon.
    let has_number = !tokens.number_range().is_empty();
    for (at, token) in tokens.as_slice().iter().enumerate() {
        if is_seed_word(*token) || has_number && is_unknown_word(*token) || is_box(tokens, *token) {
            mark_around(view, set, at);
        }
    }
    if view.asked.address && tokens.len() <= super::view::MAX_ANSWER_TOKENS {
        (0..tokens.len()).for_each(|at| set.add(at, ADDRESS));
    }
}

/// Whether a word can be a word for a street, a dwelling or a post box, by its flags.
fn is_seed_word(token: Token) -> bool {
    token.flags & (flag::STREET | flag::DWELLING) != 0
}

#[inline]
fn is_box(tokens: &Tokens<'_>, token: Token) -> bool {
    token.byte_len() == 3 && tokens.str(token).eq_ignore_ascii_case("box")
}

/// Whether the lexicon does not have a word. Its class decides.
fn is_unknown_word(token: Token) -> bool {
    token.kind == TokenKind::Word && token.slot() == 0 && token.byte_len() > 1
}

fn mark_around(view: &mut View<'_, '_>, set: &mut CandidateSet, at: usize) {
    let attributes = view.at(at);
    let is_dwelling = matches!(attributes.class, C::Dwelling | C::PostBox);
    if !attributes.is_street && !is_dwelling {
        return;
    }
    set.has_address_word = true;
    let before = number_before(view, at);
    let after = number_after(view, at);
    let house = if attributes.is_street { named_house(view, at) } else { None };
    let first = match (before, house) {
        (Some(a), Some(b)) => a.min(b),
        (Some(a), None) | (None, Some(a)) => a,
        (None, None) if after.is_some() => street_start(view, at),
        (None, None) => return,
    };
    let first = number_start(view, first);
    let last = after.filter(|_| before.is_none() || is_dwelling).unwrap_or(at).max(at);
    (first..(last + 1 + TAIL).min(view.tokens.len())).for_each(|at| set.add(at, ADDRESS));
}

/// The nearest number before a token, in the same paragraph and sentence.
fn number_before(view: &View<'_, '_>, at: usize) -> Option<usize> {
    for before in (at.saturating_sub(MAX_TO_STREET)..at).rev() {
        if view.tokens.at(before).is_mark(b'?') || view.tokens.at(before + 1).gap >= Gap::Paragraph {
            return None;
        }
        if is_number(view.tokens.at(before)) {
            return Some(before);
        }
    }
    None
}

/// The nearest number after a token, in the same paragraph and sentence.
fn number_after(view: &View<'_, '_>, at: usize) -> Option<usize> {
    for after in at + 1..at + 1 + MAX_FROM_STREET {
        let token = view.tokens.at(after);
        if token.kind == TokenKind::Edge || token.is_mark(b'?') || token.gap >= Gap::Paragraph {
            return None;
        }
        if is_number(token) {
            return Some(after);
        }
    }
    None
}

fn is_number(token: Token) -> bool {
    token.kind == TokenKind::Digits && token.digit_count() <= 6 || token.flags & flag::NUMBER != 0
}

/// The first token of the name of a house before a street: "Rose Cottage, Church Lane".
fn named_house(view: &mut View<'_, '_>, street: usize) -> Option<usize> {
    let range = street.saturating_sub(MAX_FROM_STREET)..street;
    let house = range.rev().find(|at| view.class(*at) == C::House)?;
    Some(house.saturating_sub(3))
}

/// The first token of a street whose number comes after it: up to four words before the type of the street.
fn street_start(view: &mut View<'_, '_>, at: usize) -> usize {
    if view.class(at) == C::StreetPrefix { at.saturating_sub(1) } else { at.saturating_sub(4) }
}

/// The first token of a number with what belongs to it: "Flat 3, 12", "3-115", "twelve forty two".
fn number_start(view: &mut View<'_, '_>, mut at: usize) -> usize {
    for _ in 0..TAIL {
        let before = at.wrapping_sub(1);
        let token = view.tokens.before(at);
        let is_part = match token.kind {
            TokenKind::Digits => token.digit_count() <= 6,
            TokenKind::Mark => [b',', b'/', b'-', b'.', b'#'].iter().any(|mark| token.is_mark(*mark)),
            TokenKind::Word => {
                token.flags & (flag::NUMBER | flag::DWELLING | flag::AND) != 0
                    || matches!(view.class(before), C::Dwelling | C::Direction | C::PostBox | C::House)
                    || token.byte_len() == 1
            }
            TokenKind::Mask | TokenKind::Edge => false,
        };
        if !is_part {
            break;
        }
        at = before;
    }
    at
}
