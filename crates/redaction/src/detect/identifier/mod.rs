//! Identifiers of letters and digits that the registry defines by shape and check digits.

mod starts;
mod token_bitmap;
mod token_limits;

use super::internet::is_cued_or_expected;
use super::{DetectorInput, cue_link, is_connector};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::catalog::Mask;
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::registry::lookup::IdentifierSet;
use crate::registry::{Grouping, Identifier, MAX_IDENTIFIER_LENGTH, Strength};
use crate::span::DetectionReason;
use crate::tables::iban::iban_country;
use crate::tokenize::{Gap, TokenKind, Tokens, fold};
use crate::validate::vat;
pub(crate) use starts::is_code_like;
use starts::is_inner_separator;
use token_limits::{MAX_LEADING_DIGIT_TOKENS, MAX_TOKENS};

/// Looks at every sequence of letter and digit groups that begins at the start of a segment.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let lettered = input.identifiers.with_letters();
    if lettered.is_empty() {
        return;
    }
    let identifiable = || if has_evidence(input) { lettered } else { lettered.excluding_weak() };
    let (mut possible, mut from) = (None, 0);
    starts::for_each_start(input.tokens, |at| {
        if at >= from {
            from = detect_longest(input, *possible.get_or_insert_with(identifiable), at, out);
        }
    });
}

/// Whether a cue, an earlier message or the length of the message can prove an identifier whose check digits are not
/// enough.
fn has_evidence(input: &DetectorInput<'_, '_>) -> bool {
    !input.cues().is_empty()
        || !input.expected_entities.is_empty()
        || input.tokens.len() <= MAX_TOKENS + cue_link::MAX_SURROUNDING_TOKENS
}

/// Letters and digits from a token on, with the identifiers that are still possible.
struct PartialIdentifier {
    compact: [u8; MAX_IDENTIFIER_LENGTH],
    length: usize,
    possible: IdentifierSet,
    /// Separators so far, and the start of the group after the last one.
    separators: usize,
    group_start: usize,
    letters: bool,
    digits: bool,
}

impl PartialIdentifier {
    /// Adds a separator; false if no identifier has this separator there.
    fn add_separator(&mut self, mark: u8) -> bool {
        self.possible = self.possible.with_separator(mark);
        // The first two letters are final once they are read.
        if self.group_start < 2 {
            if self.length >= 2 && !vat::starts_with_country_prefix(&self.compact[..self.length]) {
                self.possible = self.possible.excluding_any_grouping();
            }
            if iban_country([self.compact[0], self.compact[1]]).is_none() {
                self.possible = self.possible.excluding_equal_groups();
            }
        }
        self.possible = self.possible.with_group_length(self.separators, self.length - self.group_start);
        self.separators += 1;
        self.group_start = self.length;
        self.possible.can_be_longer(self.length)
    }

    /// Adds a token; false if no identifier can continue with it.
    fn add_token(&mut self, tokens: &Tokens<'_>, at: usize) -> bool {
        let token = tokens.at(at);
        let Some(length) = append_compact(tokens, at, &mut self.compact, self.length) else { return false };
        if token.kind == TokenKind::Word
            && self.length < vat::DIGIT_POSITIONS.end
            && length > vat::DIGIT_POSITIONS.start
        {
            self.possible = self.possible.excluding_any_grouping();
        }
        self.length = length;
        self.letters |= token.kind == TokenKind::Word;
        self.digits |= token.kind == TokenKind::Digits;
        !self.possible.is_empty()
    }
}

/// Reports the longest identifier that begins at a token; returns the token to continue from.
#[inline(never)]
fn detect_longest(input: &DetectorInput<'_, '_>, possible: IdentifierSet, first: usize, out: &mut Candidates) -> usize {
    let tokens = input.tokens;
    let mut partial = PartialIdentifier {
        compact: [0; MAX_IDENTIFIER_LENGTH],
        length: 0,
        possible,
        separators: 0,
        group_start: 0,
        letters: false,
        digits: false,
    };
    let mut best = None;
    let mut at = first;
    while at < first + MAX_TOKENS {
        let token = tokens.at(at);
        if !token.is_alphanumeric() {
            if at == first || !is_inner_separator(tokens, at) || !partial.add_separator(token.mark()) {
                break;
            }
            at += 1;
            continue;
        }
        if at > first
            && token.gap != Gap::None
            && (token.gap > Gap::Space || !is_code_like(tokens, at) || !partial.add_separator(b' '))
        {
            break;
        }
        if !partial.add_token(tokens, at) || !partial.letters && at - first >= MAX_LEADING_DIGIT_TOKENS {
            break;
        }
        at += 1;
        if partial.letters && partial.digits && ends_segment(tokens, at) {
            best = identify(input, first, at, &partial).map(|found| (found, at)).or(best);
        }
    }
    let Some(((entity, reason, evidence), after)) = best else { return first + 1 };
    push(tokens, first, after, entity, reason, evidence, out);
    if evidence == EvidenceRank::Checksum && out.active().contains(entity) { after } else { first + 1 }
}

fn append_compact(
    tokens: &Tokens<'_>,
    at: usize,
    compact: &mut [u8; MAX_IDENTIFIER_LENGTH],
    mut length: usize,
) -> Option<usize> {
    let token = tokens.at(at);
    let raw = tokens.text.as_bytes().get(token.start as usize..token.end as usize)?;
    let free = compact.get_mut(length..)?;
    let mut all_bytes = 0;
    for (slot, byte) in free.iter_mut().zip(raw) {
        *slot = byte.to_ascii_uppercase();
        all_bytes |= byte;
    }
    if all_bytes.is_ascii() && raw.len() <= free.len() {
        return Some(length + raw.len());
    }
    for c in tokens.str(token).chars() {
        match fold::to_compact_ascii(c) {
            Some(byte) => {
                *compact.get_mut(length)? = byte;
                length += 1;
            }
            None if fold::fold(c) == fold::FoldedChar::Ignorable => {}
            None => return None,
        }
    }
    Some(length)
}

/// Whether a segment ends before a token.
fn ends_segment(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap != Gap::None
        || !token.is_alphanumeric() && token.kind != TokenKind::Mask && !token.is_mark(b'_') && !token.is_mark(b'@')
}

fn identify(
    input: &DetectorInput<'_, '_>,
    first: usize,
    after: usize,
    partial: &PartialIdentifier,
) -> Option<(Entity, DetectionReason, EvidenceRank)> {
    let compact = &partial.compact[..partial.length];
    let possible = partial.possible.with_separator_count(partial.separators);
    if !possible.has_length(compact.len()) {
        return None;
    }
    let tokens = input.tokens;
    let raw = tokens.between(tokens.at(first).start, tokens.before(after).end).as_bytes();
    let is_unbroken = raw.iter().all(u8::is_ascii_alphanumeric);
    let has_usual_form = |i: &Identifier| i.grouping.permits_with(raw, || is_unbroken);
    possible
        .iter_with_length(compact.len())
        .filter(|(i, _)| {
            // For even groups the check runs first: it compares the length first, which costs less than the groups.
            let has_even_groups = matches!(i.grouping, Grouping::EqualGroups(_));
            (has_even_groups || has_usual_form(i)) && (i.validator)(compact) && (!has_even_groups || has_usual_form(i))
        })
        .filter_map(|(i, entity)| {
            find_evidence(input, first, after, i, entity, raw).map(|(reason, evidence)| (entity, reason, evidence))
        })
        .min_by_key(|(entity, _, evidence)| (*evidence, *entity))
}

fn find_evidence(
    input: &DetectorInput<'_, '_>,
    first: usize,
    after: usize,
    identifier: &Identifier,
    entity: Entity,
    raw: &[u8],
) -> Option<(DetectionReason, EvidenceRank)> {
    let is_grouped = identifier.grouping.is_grouped(raw);
    match identifier.strength {
        Strength::Strong if is_of_record(input, first, entity) => {
            return Some((DetectionReason::Shape, EvidenceRank::AnyNumber));
        }
        Strength::Strong => return Some((DetectionReason::Checksum, EvidenceRank::Checksum)),
        Strength::Formatted if is_grouped => return Some((DetectionReason::Shape, EvidenceRank::Shape)),
        Strength::Formatted | Strength::Weak => {}
    }
    let (before, own) = (input.tokens.before(first), input.tokens.at(first));
    if before.kind == TokenKind::Digits && own.gap <= Gap::Space {
        return None;
    }
    if is_cued_or_expected(input, first, after, entity.bit()) {
        return Some((DetectionReason::Cue, EvidenceRank::Cue));
    }
    let is_unbroken = raw.iter().all(u8::is_ascii_alphanumeric) || is_grouped;
    (is_unbroken && cue_link::is_whole_message(input.tokens, first, after, false))
        .then_some((DetectionReason::Shape, EvidenceRank::WholeMessage))
}

/// Entities of records, whose numbers pass the check of a national identifier or passport by chance.
const RECORDS: EntitySet = EntitySet::from_slice(&[
    Entity::ORDER_NUMBER,
    Entity::BOOKING_REFERENCE,
    Entity::POLICY_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::HEALTH_PLAN_ID,
    Entity::MEDICAL_RECORD_NUMBER,
]);
/// Entities with one check character, which one record in ten or twenty passes.
const CHANCE: EntitySet = EntitySet::from_slice(&[
    Entity::EU_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::AFRICA_NATIONAL_ID,
    Entity::LATAM_NATIONAL_ID,
    Entity::PASSPORT_NUMBER,
]);
/// Maximum tokens between the name of a record and its number.
const MAX_CONNECTORS: usize = 4;

/// Whether the cue right before a token names the number of a record, and no identifier of this entity.
fn is_of_record(input: &DetectorInput<'_, '_>, first: usize, entity: Entity) -> bool {
    let is_direct = |cue: &Cue| {
        let end = cue.end_token as usize;
        end <= first && first - end <= MAX_CONNECTORS && (end..first).all(|at| is_connector(input.tokens, at))
    };
    let names_record = |cue: &Cue| cue.entities.intersects(RECORDS) && !cue.entities.contains(entity);
    // "RFC for the factura: …"
    let is_named = || input.cues_near_before(first).iter().any(|cue| cue.entities.contains(entity));
    CHANCE.contains(entity)
        && !is_named()
        && input.last_cue_before(first).is_some_and(|cue| names_record(cue) && is_direct(cue))
}

fn push(
    tokens: &Tokens<'_>,
    first: usize,
    after: usize,
    entity: Entity,
    reason: DetectionReason,
    evidence: EvidenceRank,
    out: &mut Candidates,
) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let visible_from =
        if entity.row().mask == Mask::KeepLast4 { last_four(tokens.between(start, end), start) } else { end };
    out.push(Candidate { start, end, visible_from, entity, reason, evidence });
}

/// The byte from which the last four digits or letters stay readable.
pub(super) fn last_four(raw: &str, start: u32) -> u32 {
    let mut left = 4;
    for (at, c) in raw.char_indices().rev() {
        left -= usize::from(fold::to_compact_ascii(c).is_some());
        if left == 0 {
            return start + u32::try_from(at).unwrap_or(0);
        }
    }
    start
}
