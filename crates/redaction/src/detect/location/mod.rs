//! Locations: street addresses, post boxes, postal codes beside the name of a state, and coordinates.

mod coordinates;
mod partial_address;
mod spoken_coordinates;
mod street;
mod zip;

pub(crate) use zip::follows_street;

use super::DetectorInput;
use super::token_words::is_spoken;
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::lexicon::word_id;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TextFeatures, Token, TokenKind, Tokens};

/// Looks for coordinates that are said aloud.
pub(crate) fn detect_spoken_coordinates(tokens: &Tokens<'_>, out: &mut Candidates) {
    let mut at = 0;
    while out.is_any_active(Entity::GEO_COORDINATES.bit()) && at < tokens.len() {
        let pair = if is_spoken(tokens.at(at), b'.') { spoken_coordinates::around(tokens, at) } else { None };
        let Some((first, after)) = pair else {
            at += 1;
            continue;
        };
        let (start, end) = (tokens.at(first).start, tokens.before(after).end);
        out.push_fully_masked(start, end, Entity::GEO_COORDINATES, DetectionReason::Shape, EvidenceRank::Checksum);
        at = after;
    }
}

const ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::STREET_ADDRESS, Entity::ZIP_CODE, Entity::GEO_COORDINATES]);
/// Looks at every number and every "box".
pub(crate) fn detect(input: &DetectorInput<'_, '_>, features: &TextFeatures, out: &mut Candidates) {
    if !out.is_any_active(ENTITIES) {
        return;
    }
    let tokens = input.tokens;
    let numbers = tokens.digit_range();
    let mut at = numbers.start.saturating_sub(1);
    while let Some(skipped) = tokens.as_slice().get(at..numbers.end).and_then(|rest| rest.iter().position(is_start)) {
        at += skipped;
        let token = tokens.at(at);
        if token.kind == TokenKind::Digits {
            let street = if token.digit_count() <= 6 && features.word_flags & flag::STREET != 0 {
                street::street_end(input, at)
            } else {
                None
            };
            if let Some(after) = street {
                let after = street::address_end(tokens, after);
                push_address(tokens, (at, after), out);
                at = after;
                continue;
            }
            if let Some(first) = partial_address::dwelling_number_start(tokens, at) {
                push_address(tokens, (first, at + 1), out);
                at += 1;
                continue;
            }
            zip::detect(tokens, at, out);
            if let Some(after) = coordinates::coordinates_end(tokens, at) {
                let start = tokens.at(at - usize::from(coordinates::follows_minus(tokens, at))).start;
                out.push_fully_masked(
                    start,
                    tokens.before(after).end,
                    Entity::GEO_COORDINATES,
                    DetectionReason::Shape,
                    EvidenceRank::Checksum,
                );
                at = after;
                continue;
            }
        } else if is_po_box(tokens, at) {
            let after = partial_address::post_office_end(tokens, at + 2);
            push_address(tokens, (po_box_start(tokens, at), after), out);
            at = after;
            continue;
        }
        at += 1;
    }
}

fn push_address(tokens: &Tokens<'_>, (first, after): (usize, usize), out: &mut Candidates) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    out.push_fully_masked(start, end, Entity::STREET_ADDRESS, DetectionReason::Shape, EvidenceRank::Shape);
}

/// Whether a token is digits or the word "box".
fn is_start(token: &Token) -> bool {
    // Without `||` and `&&`: a branch on the kind of a token is unpredictable.
    (token.kind == TokenKind::Digits) | (token.kind == TokenKind::Word) & (token.slot() == BOX)
}

/// The word "box".
const BOX: u16 = word_id("box");

/// Whether "box 123" begins at a token, with "p o" or a military unit before it.
fn is_po_box(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind == TokenKind::Word
        && token.slot() == BOX
        && tokens.at(at + 1).kind == TokenKind::Digits
        && tokens.at(at + 1).gap <= Gap::Space
        && po_box_start(tokens, at) < at
}

fn po_box_start(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut first = partial_address::box_unit_start(tokens, at).unwrap_or(at);
    while first > 0 && at - first < 4 {
        let before = tokens.at(first - 1);
        let is_part = before.is_mark(b'.')
            || before.kind == TokenKind::Word
                && ["p", "o", "po"].iter().any(|w| tokens.str(before).eq_ignore_ascii_case(w));
        if !is_part || tokens.at(first).gap > Gap::Space {
            break;
        }
        first -= 1;
    }
    first
}
