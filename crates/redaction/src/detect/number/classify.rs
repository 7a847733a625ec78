//! Classifies the slices of a number run: by cue, by earlier message, by position after a card, or by shape.

use super::card_data;
use super::card_trail::CardTrail;
use super::named_entities::{
    has_other_meaning, is_of_thing, is_year_in_sentence, matching_entities, without_expiry_as_code,
};
use super::quantity::{is_count_of_others, is_ip_address, is_one_amount, is_quantity, is_rating};
use super::report::{push_date, push_named};
use super::shape::{detect_by_shape, is_written_ssn};
use super::ssn_words::is_of_tax_return;
use super::{short_code, ssn_tail, unexplained_code};
use crate::candidate::Candidates;
use crate::catalog::Mask;
use crate::detect::cue_link::{self, CueLink, LastValue, cue_links};
use crate::detect::date_words::DateOverlap;
use crate::detect::digit_format::{PART_ENTITIES, matches_format, misread_entities};
use crate::detect::{DetectorInput, date, flags, phone};
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens;
use crate::numbers::slice::RunSlice;
use crate::numbers::{MIN_DIGITS as MIN_VALUE_DIGITS, SSN_DIGITS, Separator};
use crate::span::DetectionReason;
use crate::tokenize::TokenKind;
use crate::tokenize::words::flag;

/// Digits of the shortest card number.
pub(super) const MIN_CARD_DIGITS: usize = 13;
const MAX_VALUE_DIGITS: usize = crate::registry::MAX_IDENTIFIER_LENGTH;

/// The values of a text that have been read.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    pub(super) value: LastValue,
    pub(super) card: CardTrail,
}

/// Classifies a slice as a whole. If it is no value, splits it at its loosest separators.
pub(super) fn classify_or_split(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    last: &mut Progress,
    out: &mut Candidates,
) {
    if slice.groups().is_empty() || slice.len() == 0 {
        return;
    }
    if classify(input, slice, *last, out) {
        let is_long = slice.len() >= MIN_CARD_DIGITS && slice.loosest_separator() < Separator::Pause;
        let is_card = is_long && out.last_covers(slice.start(), Entity::CREDIT_CARD_NUMBER);
        if is_card {
            last.card.record_card(slice.end_token());
            card_data::detect(input, slice, out);
        }
        last.value.record(input.tokens, slice.first_token(), slice.end_token());
        last.card.record_expiry(input, slice);
        return;
    }
    let loosest = slice.loosest_separator();
    if slice.groups().len() < 2 || loosest == Separator::Adjacent {
        return;
    }
    let mut from = slice.first_group;
    for (at, part) in slice.groups().iter().enumerate().skip(1) {
        if part.separator == loosest {
            classify_part(input, slice.subslice(from, slice.first_group + at), last, out);
            from = slice.first_group + at;
        }
    }
    classify_part(input, slice.subslice(from, slice.end_group), last, out);
}

/// Classifies a part of a slice, unless it is one group too short for any value.
fn classify_part(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: &mut Progress, out: &mut Candidates) {
    record_short_year(input, slice, last);
    let is_too_short =
        matches!(slice.groups(), [only] if usize::from(only.digit_count) < MIN_VALUE_DIGITS) && input.cues().is_empty();
    if !is_too_short {
        classify_or_split(input, slice, last, out);
    }
}

/// Records the end of an expiry date with a month in letters, whose year has too few digits for a value: "may thirty two".
pub(super) fn record_short_year(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: &mut Progress) {
    if slice.len() < MIN_VALUE_DIGITS && input.dates().covers(slice.first_token()) {
        last.card.record_expiry(input, slice);
    }
}

/// Classifies a slice as a whole and reports its value; false if the slice must be split.
fn classify(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, progress: Progress, out: &mut Candidates) -> bool {
    let (n, last) = (slice.len(), progress.value);
    if n > MAX_VALUE_DIGITS {
        return false;
    }
    if !is_count_of_others(slice) && short_code::detect_part(input, slice, out) {
        return true;
    }
    if is_part(input, slice) {
        out.record_answer();
        push_named(input, slice, input.expected_entities.and(PART_ENTITIES), DetectionReason::EarlierCue, out);
        return true;
    }
    if n < MIN_VALUE_DIGITS && (slice.groups().len() > 1 || !input.has_age_cue())
        || slice.loosest_separator() == Separator::Break && !may_cross_lines(slice)
    {
        return false;
    }
    let mut first = slice.first_token();
    if slice.run.is_mask_tail && n <= 4 {
        first = mask_tokens::mask_start(input.tokens, first);
        // Text after the digits does not describe the asterisks before them.
        let nearest = cue_links(input, first, input.tokens.len(), last).next();
        if !excludes_tail(nearest) {
            return true;
        }
    }
    match input.dates().overlap(slice.first_token(), slice.end_token()) {
        DateOverlap::Inside => return true,
        DateOverlap::Partial => return false,
        DateOverlap::Disjoint => {}
    }
    if date::is_numeric(slice) {
        push_date(input, slice, last, out);
        return true;
    }
    if is_ip_address(slice) {
        return false;
    }
    if is_rating(slice) && !input.named_entities.contains(Entity::CARD_EXPIRATION_DATE) {
        return true;
    }
    if date::is_spoken(slice) {
        push_date(input, slice, last, out);
        return true;
    }
    let quantity = is_quantity(slice);
    let phone_confidence = phone::confidence(slice);
    let (mut has_negative_cue, mut has_other_cue) = (false, false);
    let has_cues = !input.cues().is_empty();
    for a in has_cues.then(|| cue_links(input, first, slice.end_token(), last)).into_iter().flatten() {
        if cue_link::is_negative_cue(&a) {
            has_negative_cue = true;
            break;
        }
        // A date of birth and the number of an account are no code: their cues cannot name a few digits.
        let is_possible =
            !(short_code::expects_code(input) && a.entities.is_subset(LONGER_THAN_CODES) && n <= MAX_CODE_DIGITS);
        // "filed a return under my name under 392548122 that's my number"
        let is_of_return = a.is_weak && is_of_tax_return(input, slice.first_token());
        if is_of_return || !is_possible && !a.entities.contains(Entity::DOB) {
            continue;
        }
        has_other_cue |= a.distance <= MAX_OTHER_CUE_DISTANCE
            && !a.entities.intersects(input.expected_entities)
            && is_possible
            && may_be_named(a.entities, slice);
        if let Some(entities) = matching_entities(input, a, slice, quantity, phone_confidence) {
            push_named(input, slice, entities, DetectionReason::Cue, out);
            return true;
        }
    }
    if quantity {
        return is_one_amount(slice);
    }
    let is_of_other = has_negative_cue && progress.card.is_interrupted(input, slice);
    if !is_of_other && progress.card.detect(input, slice, out) {
        return true;
    }
    let has_other_meaning = !input.expected_entities.is_empty() && has_other_meaning(input, slice);
    if !has_negative_cue
        && !has_other_cue
        && !input.expected_entities.is_empty()
        && !is_year_in_sentence(slice)
        && !has_other_meaning
    {
        let entities = answered_entities(input, slice);
        if !entities.is_empty()
            && (n >= 6 || is_answer(input, slice) || short_code::is_contrasted(input, slice, last.after))
        {
            out.record_answer();
            push_named(input, slice, entities, DetectionReason::EarlierCue, out);
            return true;
        }
    }
    let may_be_code = !has_negative_cue && !has_other_meaning && !is_of_thing(input, slice);
    let is_code = may_be_code
        && (short_code::detect(input, slice, out)
            || ssn_tail::detect(input, slice, out)
            || unexplained_code::detect(input, slice, out));
    is_code || detect_by_shape(input, slice, phone_confidence, has_negative_cue, out)
}

/// The entities of an earlier question that digits can answer.
fn answered_entities(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> EntitySet {
    if is_written_ssn(slice) && slice.has_group_lengths(&[3, 2, 4]) {
        return EntitySet::empty();
    }
    // "date of birth and your social please": eight digits that are a date are no social security number.
    if input.expected_entities.contains(Entity::DOB) && slice.len() < SSN_DIGITS && date::is_compact(slice.compact()) {
        let others = input.expected_entities.without(Entity::SSN.bit());
        return answered_among(input, others, slice);
    }
    answered_among(input, input.expected_entities, slice)
}

/// Entities of a question for a social security number that four digits cannot answer, and the number.
const SSN_AND_OWNER: EntitySet = EntitySet::from_slice(&[Entity::SSN, Entity::PERSON_NAME, Entity::DOB]);

/// Those of some entities that digits can answer.
fn answered_among(input: &DetectorInput<'_, '_>, asked: EntitySet, slice: RunSlice<'_, '_>) -> EntitySet {
    let entities: EntitySet = asked
        .iter()
        // Where nobody speaks of a card, only the length tells its code from other codes.
        .filter(|e| !(*e == Entity::CVV && input.is_of_unnamed_code && slice.len() != 3))
        .filter(|e| {
            matches_format(*e, slice, true)
                || *e == Entity::DOB && (date::is_compact(slice.compact()) || date::is_date_like(slice))
        })
        .collect();
    if entities.is_empty() { misread_entities(asked, slice) } else { without_expiry_as_code(input, entities, slice) }
}

/// Whether digits can be of the entities of a cue: a few digits beside "my card" are no number of a card.
fn may_be_named(entities: EntitySet, slice: RunSlice<'_, '_>) -> bool {
    !entities.is_subset(OF_FIXED_LENGTH) || entities.iter().any(|entity| matches_format(entity, slice, true))
}

/// Entities of which the length of a number says whether it can be one.
const OF_FIXED_LENGTH: EntitySet = EntitySet::from_slice(&[
    Entity::CREDIT_CARD_NUMBER,
    Entity::CVV,
    Entity::PIN,
    Entity::SSN,
    Entity::ONE_TIME_PASSCODE,
    Entity::IMEI,
]);

/// Tokens between a number and a cue that names it before an earlier message does.
const MAX_OTHER_CUE_DISTANCE: usize = 3;

/// Entities whose values are longer than a code, and the longest code.
const LONGER_THAN_CODES: EntitySet =
    EntitySet::from_slice(&[Entity::DOB, Entity::BANK_ACCOUNT_NUMBER, Entity::ACCOUNT_NUMBER]);
const MAX_CODE_DIGITS: usize = 6;

/// Digits of a part of a number.
const PART_DIGITS: std::ops::RangeInclusive<usize> = 2..=12;

/// Whether a message is nothing but a part of a number that an earlier message asks for.
fn is_part(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    input.expects_part()
        && PART_DIGITS.contains(&slice.len())
        && (slice.len() < MIN_VALUE_DIGITS || slice.len() > 4)
        && !is_quantity(slice)
        && !slice.run.is_mask_tail
        && !date::is_numeric(slice)
        && cue_link::is_whole_message(input.tokens, slice.first_token(), slice.end_token(), false)
}

/// Whether the nearest cue is for entities whose masks never keep a tail, so that digits after asterisks are no tail.
fn excludes_tail(nearest: Option<CueLink>) -> bool {
    let keeps_tail = |entity: Entity| entity.row().mask == Mask::KeepLast4;
    nearest.is_some_and(|a| a.direct && !a.entities.is_empty() && !a.entities.iter().any(keeps_tail))
}

/// Whether digits on two lines can be one value: only if all are spoken.
fn may_cross_lines(slice: RunSlice<'_, '_>) -> bool {
    slice.all_spoken()
}

/// Maximum tokens of an answer beside its digits.
const MAX_ANSWER_TOKENS: usize = 16;
/// Maximum tokens of an answer to a question for a social security number, beside its last four digits.
const MAX_TAIL_ANSWER_TOKENS: usize = 26;
/// Maximum tokens of an answer to a question for a code and nothing else, beside its digits.
const MAX_CODE_ANSWER_TOKENS: usize = 40;

/// Whether digits answer a question: they open or end a message, follow "is", or the message is short.
#[inline(never)]
fn is_answer(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let before = slice.token_before();
    let follows_verb = flags(before) & flag::COPULA != 0
        || before.kind == TokenKind::Word && matches!(input.tokens.str(before), "its" | "s" | "either" | "maybe");
    let ends_message = input.tokens.len() <= slice.end_token() + 1;
    // In speech, digits one by one are a code; in writing, a mark is before it.
    let may_be_code = || slice.all_spoken() && !slice.has_amount_word() || before.kind == TokenKind::Mark;
    let max_tokens =
        if short_code::expects_code(input) && may_be_code() { MAX_CODE_ANSWER_TOKENS } else { MAX_ANSWER_TOKENS };
    let is_tail = slice.len() == 4
        && input.expected_entities.contains(Entity::SSN)
        && input.expected_entities.is_subset(SSN_AND_OWNER);
    let max_tokens = if is_tail { MAX_TAIL_ANSWER_TOKENS } else { max_tokens };
    input.tokens.len() <= max_tokens + (slice.end_token() - slice.first_token())
        || slice.first_token() <= 1
        || follows_verb
        || ends_message && before.kind == TokenKind::Mark
        || ends_message && slice.len() >= 4
}
