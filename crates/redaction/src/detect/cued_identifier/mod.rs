//! Identifiers of letters and digits after their own cue, written or said aloud, whatever their check digit: people
//! misread them, and speech recognition mishears them. "VAT number DE 123 456 789", "n i number q q one two three four
//! five six c", "iban d e eight nine three seven".

mod uncued;
mod value;

use super::identifier::last_four;
use super::{DetectorInput, flags, is_connector};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::catalog::Mask;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::identifier_outlines::OUTLINES;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};
use value::{MAX_LENGTH, skip_separators};
pub(super) use value::{MAX_TOKENS, Value, WORDS_BETWEEN, is_prose_letter};

/// The entities of this file.
pub(crate) const OUTLINED_ENTITIES: EntitySet = {
    let (mut set, mut at) = (EntitySet::empty(), 0);
    while at < OUTLINES.len() {
        set.insert(OUTLINES[at].entity);
        at += 1;
    }
    set
};

/// Maximum tokens between a cue and its value.
const MAX_CONNECTOR_TOKENS: usize = 10;
/// Characters that a value may miss or have too many.
const MAX_MISCOUNT: usize = 1;

/// Looks for an identifier after every cue for one, and in an answer to an earlier question.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let set = cue.entities.and(OUTLINED_ENTITIES).and(out.active());
        if set.is_empty() {
            continue;
        }
        let (first, end) = (cue.first_token as usize, cue.end_token as usize);
        let found = value_start(input.tokens, end, 0)
            .is_some_and(|first| push(input.tokens, first, set, DetectionReason::Cue, out));
        if !found {
            push_near(input, first, end, set, out);
        }
    }
    let set = input.expected_entities.and(OUTLINED_ENTITIES).and(out.active());
    if !set.is_empty()
        && let Some(first) = answer_start(input.tokens)
    {
        push(input.tokens, first, set, DetectionReason::EarlierCue, out);
    }
    uncued::detect(input, out);
    if out.active().contains(Entity::IN_GSTIN) && out.active().contains(Entity::IN_PAN) {
        remove_contained(out);
    }
}

/// Removes a permanent account number that is a part of a GSTIN: characters 3 to 12 of a GSTIN are that of its holder.
fn remove_contained(out: &mut Candidates) {
    let holders = out.as_slice().iter().filter(|candidate| candidate.entity == Entity::IN_GSTIN);
    let mut ranges: Vec<_> = holders.map(|candidate| candidate.start..candidate.end).collect();
    if !ranges.is_empty() {
        ranges.sort_by_key(|range| range.end);
        out.remove_within(Entity::IN_PAN, &ranges);
    }
}

/// Tokens on either side of a cue in which a written identifier may stand apart from it.
const MAX_DISTANCE: usize = 16;

/// Reports a written identifier with all its letters and digits near a cue: "iban for my aunt in spain DE44…", "1FTGW… is
/// no valid VIN".
fn push_near(input: &DetectorInput<'_, '_>, first: usize, end: usize, set: EntitySet, out: &mut Candidates) {
    let tokens = input.tokens;
    let is_start = |at: &usize| {
        let (token, next) = (tokens.at(*at), tokens.at(at + 1));
        let is_joined = next.gap == Gap::None && next.is_alphanumeric() && next.kind != token.kind;
        let is_capitals = tokens.str(token).bytes().all(|b| b.is_ascii_uppercase());
        let is_grouped =
            next.kind == TokenKind::Digits && next.gap <= Gap::Space || next.is_mark(b'-') && next.gap == Gap::None;
        token.gap != Gap::None
            && token.is_alphanumeric()
            && (is_joined || is_capitals && token.byte_len() > 1 && is_grouped)
    };
    let has_cue = |at: usize| input.last_cue_before(at + 1).is_some_and(|cue| at < cue.end_token as usize);
    let after = (end..end + MAX_DISTANCE).take_while(|at| !has_cue(*at) && tokens.at(*at).gap < Gap::Paragraph);
    let before = (first.saturating_sub(MAX_DISTANCE)..first).rev().take_while(|at| !has_cue(*at));
    for at in after.chain(before).filter(is_start) {
        let value = Value::read(tokens, at);
        let outlines = OUTLINES.iter().filter(|outline| set.contains(outline.entity));
        let fits = outlines.filter_map(|outline| value.fitting_end(|compact| outline.fits(compact))).max();
        if fits.is_some() && push(tokens, at, set, DetectionReason::Cue, out) {
            return;
        }
    }
}

/// The first token of an identifier that can answer a question: it opens the message, or nothing but words that lead to
/// an answer is before it.
pub(crate) fn answer_start(tokens: &Tokens<'_>) -> Option<usize> {
    let first = value_start(tokens, 0, flag::STOPWORD | flag::COPULA)?;
    let value = Value::read(tokens, first);
    OUTLINES.iter().any(|outline| value.fitting_end(|compact| outline.fits(compact)).is_some()).then_some(first)
}

/// The first token of a value that only connectors, and words with one of the flags `skipped`, precede.
fn value_start(tokens: &Tokens<'_>, from: usize, skipped: u32) -> Option<usize> {
    for at in from..from + MAX_CONNECTOR_TOKENS {
        let token = tokens.at(at);
        if at > from && token.gap >= Gap::Paragraph {
            break;
        }
        let is_contraction_end = tokens.before(at).is_mark(b'\'') && token.gap == Gap::None && at > from;
        if !is_contraction_end && begins_value(tokens, at) {
            return Some(at);
        }
        if !(is_connector(tokens, at) || flags(token) & skipped != 0 || is_contraction_end) {
            break;
        }
    }
    None
}

/// Whether a value may begin at a token: a symbol or a group, and another one after it.
fn begins_value(tokens: &Tokens<'_>, at: usize) -> bool {
    let mut value = Value::new(at);
    value.add(tokens, at).is_some_and(|after| {
        let next = skip_separators(tokens, after);
        tokens.at(at).byte_len() >= MIN_WHOLE_BYTES || value.add(tokens, next).is_some()
    })
}

/// Bytes of a token that needs no other one to begin a value.
const MIN_WHOLE_BYTES: usize = 8;

/// Reports the identifier that begins at a token; false if none does.
fn push(tokens: &Tokens<'_>, first: usize, set: EntitySet, reason: DetectionReason, out: &mut Candidates) -> bool {
    let value = Value::read(tokens, first);
    let outlines = || OUTLINES.iter().filter(|outline| set.contains(outline.entity));
    let longest = outlines()
        .filter_map(|outline| Some((value.fitting_end(|c| outline.fits(c))?, outline.entity)))
        .max_by_key(|(after, _)| *after);
    let miscounted = || {
        let is_own = reason == DetectionReason::Cue && set.bits().is_power_of_two() && value.group_count > 0;
        let tolerance = if value.is_corrected { MAX_LENGTH } else { MAX_MISCOUNT };
        let compact = value.compact();
        outlines()
            .find(|outline| is_own && outline.almost_fits(compact, tolerance))
            .map(|outline| (value.end_token(), outline.entity))
    };
    let found = longest.or_else(miscounted);
    if let Some((after, entity)) = found {
        let (start, end) = (tokens.at(first).start, tokens.before(after).end);
        let is_written = (first..after).all(|at| tokens.at(at).byte_len() == 1 || !is_number_word(tokens.at(at)));
        let keeps_tail = entity.row().mask == Mask::KeepLast4 && value.length >= MIN_LENGTH_WITH_TAIL && is_written;
        let visible_from = if keeps_tail { last_four(tokens.between(start, end), start) } else { end };
        out.push(Candidate { start, end, visible_from, entity, reason, evidence: EvidenceRank::Cue });
    }
    found.is_some()
}

/// Letters and digits of the shortest value whose last four stay readable.
const MIN_LENGTH_WITH_TAIL: usize = 8;

fn is_number_word(token: Token) -> bool {
    token.kind == TokenKind::Word && token.flags & (flag::NUMBER | flag::SPELLING_ALPHABET) != 0
}

/// Whether a text may hold such an identifier as an answer.
pub(crate) fn may_answer(tokens: &Tokens<'_>, active: EntitySet) -> bool {
    active.intersects(OUTLINED_ENTITIES) && answer_start(tokens).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_has_room_in_a_value() {
        assert!(OUTLINES.iter().all(|outline| outline.lengths.1 <= MAX_LENGTH && outline.lengths.0 > 0));
    }
}
