//! Reports the values of digits that are found.

use super::quantity::is_quantity;
use super::told_apart::told_apart;
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::catalog::Mask;
use crate::detect::cue_link::{LastValue, cue_links};
use crate::detect::date_report::classify_date;
use crate::detect::digit_format::{MISREADABLE, passes_identifier_check};
use crate::detect::{DetectorInput, date, flags, is_one_of, phone};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind};

/// Entities whose check digit tells them from others that the same words name. The numbers of the other identifiers with
/// check digits have so many forms that one of them fits often.
const PROVED_BY_DIGIT: EntitySet =
    MISREADABLE.without(EntitySet::from_slice(&[Entity::EU_NATIONAL_ID, Entity::VAT_NUMBER])).or(Entity::IMEI.bit());
/// Digits of the shortest PIN.
const MIN_PIN_DIGITS: usize = 4;
/// Digits of the shortest number that a check digit proves.
const MIN_PROVED_DIGITS: usize = 9;

#[inline(never)]
pub(super) fn push_named(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    entities: EntitySet,
    reason: DetectionReason,
    out: &mut Candidates,
) {
    let entities = told_apart(input, slice, entities, out);
    // Of a card code and a PIN, which the same words can name, the length decides.
    let is_pin = entities.contains(Entity::PIN) && entities.contains(Entity::CVV) && slice.len() >= MIN_PIN_DIGITS;
    let entities =
        if is_pin && out.active().contains(Entity::PIN) { entities.without(Entity::CVV.bit()) } else { entities };
    let preferred = (entities.contains(Entity::PIN) && slice.len() >= 5).then(|| {
        entities.iter().find(|e| *e == Entity::ZIP_CODE || *e == Entity::BANK_ACCOUNT_NUMBER && slice.len() >= 7)
    });
    // Of several entities, the check digit decides.
    let is_proved = |entity: &Entity| {
        slice.len() >= MIN_PROVED_DIGITS
            && PROVED_BY_DIGIT.contains(*entity)
            && passes_identifier_check(*entity, slice.compact())
    };
    let several = entities.and(out.active()).bits().count_ones() > 1;
    let preferred = preferred.or_else(|| several.then(|| by_grouping(slice, entities)).filter(Option::is_some));
    let preferred = preferred.or_else(|| several.then(|| entities.iter().find(is_proved)));
    let Some(entity) =
        preferred.flatten().filter(|e| out.active().contains(*e)).or_else(|| entities.and(out.active()).iter().next())
    else {
        return;
    };
    let evidence = if entity == Entity::CREDIT_CARD_NUMBER || entity == Entity::CVV {
        EvidenceRank::PaymentCard
    } else {
        EvidenceRank::Cue
    };
    push(slice, entity, reason, evidence, out);
}

/// The entity that only the written groups of digits show: "20-45-18" is a sort code, not the account beside it.
fn by_grouping(slice: RunSlice<'_, '_>, entities: EntitySet) -> Option<Entity> {
    let is_grouped =
        |lengths: &[u8]| !slice.any_spoken() && slice.is_joined_by(b'-') && slice.has_group_lengths(lengths);
    [(Entity::UK_SORT_CODE, [2, 2, 2].as_slice()), (Entity::AU_BSB, [3, 3].as_slice())]
        .into_iter()
        .find(|(entity, lengths)| entities.contains(*entity) && is_grouped(lengths))
        .map(|(entity, _)| entity)
}

pub(super) fn push(
    slice: RunSlice<'_, '_>,
    entity: Entity,
    reason: DetectionReason,
    evidence: EvidenceRank,
    out: &mut Candidates,
) {
    let keeps_tail = entity.row().mask == Mask::KeepLast4
        && (slice.len() >= 12 || slice.len() >= 8 && entity != Entity::CREDIT_CARD_NUMBER);
    let visible_from = if keeps_tail { slice.last_four_start() } else { slice.end() };
    let start = match entity {
        Entity::PHONE_NUMBER => phone::number_start(slice),
        _ if OF_LETTERS.contains(entity) => slice.tokens.at(with_letters_before(slice)).start,
        _ => slice.start(),
    };
    let (end, visible_from) = match phone::extension_end(slice).filter(|_| entity == Entity::PHONE_NUMBER) {
        Some(end) => (end, end),
        None => (slice.end(), visible_from),
    };
    out.push(Candidate { start, end, visible_from, entity, reason, evidence });
}

#[inline(never)]
pub(super) fn push_date(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue, out: &mut Candidates) {
    let cue = cue_links(input, slice.first_token(), slice.end_token(), last).next();
    let (entity, reason, evidence) = classify_date(input, slice.first_token(), cue, out.active());
    push(slice, entity, reason, evidence, out);
}

/// Entities whose numbers can begin with letters.
const OF_LETTERS: EntitySet = EntitySet::from_slice(&[
    Entity::ACCOUNT_NUMBER,
    Entity::BOOKING_REFERENCE,
    Entity::HEALTH_PLAN_ID,
    Entity::MEDICAL_RECORD_NUMBER,
    Entity::ORDER_NUMBER,
    Entity::PASSPORT_NUMBER,
    Entity::POLICY_NUMBER,
    Entity::US_DRIVER_LICENSE,
    Entity::VAT_NUMBER,
]);

/// The first token of a slice with the letters that touch its digits: "L7965068".
fn with_letters_before(slice: RunSlice<'_, '_>) -> usize {
    let first = slice.first_token();
    let touches = first > 0 && slice.tokens.at(first).gap == Gap::None && is_letters(slice, slice.tokens.before(first));
    if touches { first - 1 } else { first }
}

/// Whether a token is a few letters of a code with digits.
fn is_letters(slice: RunSlice<'_, '_>, token: Token) -> bool {
    let is_short = token.kind == TokenKind::Word && token.byte_len() <= MAX_CODE_LETTERS;
    is_short && slice.tokens.str(token).bytes().all(|byte| byte.is_ascii_alphabetic())
}

pub(super) fn push_sequence(slice: RunSlice<'_, '_>, out: &mut Candidates) {
    if slice.len() >= 5 && !slice.run.is_mask_tail && !date::is_numeric(slice) && !is_quantity(slice) {
        let (start, end) = with_letters(slice);
        out.push_fully_masked(start, end, Entity::NUMERIC_SEQUENCE, DetectionReason::Shape, EvidenceRank::AnyNumber);
    }
}

/// Letters of the longest word that is a part of a code with digits.
const MAX_CODE_LETTERS: usize = 4;
/// Maximum words beside a sequence that are read as its letters.
const MAX_LETTER_TOKENS: usize = 8;

/// The byte range of a sequence with the letters that belong to it: those that touch its digits, and single letters and
/// words of the spelling alphabet beside spoken digits.
fn with_letters(slice: RunSlice<'_, '_>) -> (u32, u32) {
    let tokens = slice.tokens;
    let (first, after) = (slice.first_token(), slice.end_token());
    let is_spelled = |token: Token| {
        token.kind == TokenKind::Word
            && token.gap <= Gap::Space
            && (token.byte_len() == 1 || flags(token) & flag::SPELLING_ALPHABET != 0)
    };
    let mut from = with_letters_before(slice);
    if from == first && slice.any_spoken() {
        while from > first.saturating_sub(MAX_LETTER_TOKENS) && is_spelled(tokens.at(from - 1)) {
            from -= 1;
        }
        let is_article = first - from == 1 && is_one_of(tokens, tokens.at(from), &["a", "i", "o", "y", "e", "s"]);
        from += usize::from(is_article);
    }
    let mut to = after;
    if tokens.at(after).gap == Gap::None && is_letters(slice, tokens.at(after)) {
        to += 1;
    } else if slice.any_spoken() {
        while to < after + MAX_LETTER_TOKENS && is_spelled(tokens.at(to)) {
            to += 1;
        }
        let is_article = to - after == 1 && is_one_of(tokens, tokens.at(after), &["a", "i", "o", "y", "e", "s"]);
        to -= usize::from(is_article);
    }
    let start = if from < first { tokens.at(from).start } else { slice.start() };
    let end = if to > after { tokens.before(to).end } else { slice.end() };
    (start, end)
}
