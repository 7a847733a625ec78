//! Values of digits, written or spoken: first cards, then values by shape, cue, earlier message or check digits.

pub(crate) mod min_digits;
mod quantity;
mod report;
mod shape;

use super::cue_link::{self, CueLink, LastValue, cue_links};
use super::date_words::DateOverlap;
use super::digit_format::matches_format;
use super::{DetectorInput, card, date, flags, is_digit_count, phone, track};
use crate::candidate::Candidates;
use crate::catalog::Mask;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens;
use crate::numbers::slice::RunSlice;
use crate::numbers::{MAX_DIGITS, MIN_DIGITS as MIN_VALUE_DIGITS, NumberRun, Separator, with_run_buffer};
use crate::span::DetectionReason;
use crate::tokenize::TokenKind;
use crate::tokenize::words::flag;
use crate::validate;
use min_digits::enough_digits;
use quantity::{is_ip_address, is_quantity};
use report::{push_date, push_named, push_sequence};
use shape::detect_by_shape;

const MAX_VALUE_DIGITS: usize = crate::registry::MAX_IDENTIFIER_LENGTH;

/// Looks at every number run of a text.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if let Some(digits) = enough_digits(input, out.active()) {
        with_run_buffer(digits, |run| classify_runs(input, run, out));
    }
}

fn classify_runs(input: &DetectorInput<'_, '_>, mut run: NumberRun<'_>, out: &mut Candidates) {
    let mut ascii = [0; MAX_DIGITS];
    let mut last = LastValue::default();
    let mut from = 0;
    while let Some(first) = run.read(input.tokens, from) {
        from = run.end_token.max(first + 1);
        if !input.has_age_word && run.digits().len() < MIN_VALUE_DIGITS {
            continue;
        }
        for (slot, digit) in ascii.iter_mut().zip(run.digits()) {
            *slot = b'0' + digit.value;
        }
        if run.groups().len() == 1 && is_digit_count(input.tokens, first) && run.digits().len() <= 2 {
            continue;
        }
        let slice = RunSlice::whole_run(input.tokens, &run, &ascii);
        split_at_cards(input, slice, &mut last, out);
        push_sequence(slice, out);
    }
}

/// Finds cards anywhere in the slice and classifies the rest.
fn split_at_cards(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: &mut LastValue, out: &mut Candidates) {
    if slice.run.is_oversized {
        return;
    }
    let Some((from, to)) = card::find(slice) else {
        if track::is_track_number(slice) {
            card::push(slice, DetectionReason::Shape, out);
        } else {
            classify_or_split(input, slice, last, out);
        }
        return;
    };
    classify_or_split(input, slice.subslice(slice.first_group, from), last, out);
    card::push(slice.subslice(from, to), DetectionReason::Checksum, out);
    last.record(input.tokens, slice.subslice(from, to).first_token(), slice.subslice(from, to).end_token());
    if to < slice.end_group {
        split_at_cards(input, slice.subslice(to, slice.end_group), last, out);
    }
}

/// Classifies a slice as a whole. If it is no value, splits it at its loosest separators.
fn classify_or_split(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    last: &mut LastValue,
    out: &mut Candidates,
) {
    if slice.groups().is_empty() || slice.len() == 0 {
        return;
    }
    if classify(input, slice, *last, out) {
        last.record(input.tokens, slice.first_token(), slice.end_token());
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
fn classify_part(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: &mut LastValue, out: &mut Candidates) {
    let is_too_short =
        matches!(slice.groups(), [only] if usize::from(only.digit_count) < MIN_VALUE_DIGITS) && input.cues().is_empty();
    if !is_too_short {
        classify_or_split(input, slice, last, out);
    }
}

/// Classifies a slice as a whole and reports its value; false if the slice must be split.
fn classify(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue, out: &mut Candidates) -> bool {
    let n = slice.len();
    if n > MAX_VALUE_DIGITS {
        return false;
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
    if date::is_spoken(slice) {
        push_date(input, slice, last, out);
        return true;
    }
    let quantity = is_quantity(slice);
    let phone_confidence = phone::confidence(slice);
    let mut has_negative_cue = false;
    let has_cues = !input.cues().is_empty();
    for a in has_cues.then(|| cue_links(input, first, slice.end_token(), last)).into_iter().flatten() {
        if cue_link::is_negative_cue(&a) {
            has_negative_cue = true;
            break;
        }
        if let Some(entities) = matching_entities(input, a, slice, quantity, phone_confidence) {
            push_named(slice, entities, DetectionReason::Cue, out);
            return true;
        }
    }
    if quantity {
        return false;
    }
    if !has_negative_cue && !input.expected_entities.is_empty() {
        let entities: EntitySet = input
            .expected_entities
            .iter()
            .filter(|e| {
                matches_format(input, *e, slice, true)
                    || *e == Entity::DOB && (date::is_compact(slice.compact()) || date::is_date_like(slice))
            })
            .collect();
        if !entities.is_empty() && (n >= 6 || is_answer(input, slice)) {
            out.record_answer();
            push_named(slice, entities, DetectionReason::EarlierCue, out);
            return true;
        }
    }
    detect_by_shape(input, slice, phone_confidence, has_negative_cue, out)
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

/// Whether digits answer a question: they open or end a message, follow "is", or the message is short.
#[inline(never)]
fn is_answer(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let before = slice.token_before();
    let follows_verb = flags(before) & flag::COPULA != 0
        || before.kind == TokenKind::Word && matches!(input.tokens.str(before), "its" | "s" | "either" | "maybe");
    let ends_message = input.tokens.len() <= slice.end_token() + 1;
    input.tokens.len() <= 16 + (slice.end_token() - slice.first_token())
        || slice.first_token() <= 1
        || follows_verb
        || ends_message && before.kind == TokenKind::Mark
        || ends_message && slice.len() >= 4
}

/// The entities of a cue that the slice can be.
#[inline(never)]
fn matching_entities(
    input: &DetectorInput<'_, '_>,
    a: CueLink,
    slice: RunSlice<'_, '_>,
    quantity: bool,
    phone_confidence: Option<phone::PhoneConfidence>,
) -> Option<EntitySet> {
    let n = slice.len();
    if n < 7 && slice.cuts_tight_group() {
        return None;
    }
    if quantity && (n < 6 || !a.direct) && !a.entities.contains(Entity::AGE) || n <= 6 && !a.direct && a.distance > 5 {
        return None;
    }
    if !a.direct
        && phone_confidence == Some(phone::PhoneConfidence::High)
        && slice.groups().len() > 1
        && !slice.any_spoken()
        && !a.entities.contains(Entity::PHONE_NUMBER)
    {
        return None;
    }
    let entities: EntitySet = a
        .entities
        .iter()
        .filter(|e| match *e {
            Entity::AGE => is_age(slice) && a.direct,
            Entity::DOB => (date::is_compact(slice.compact()) || date::is_date_like(slice)) && a.direct,
            other => matches_format(input, other, slice, a.direct),
        })
        .collect();
    (!entities.is_empty()).then_some(entities)
}

fn is_age(slice: RunSlice<'_, '_>) -> bool {
    slice.len() <= 3 && validate::number(slice.compact()).is_some_and(|n| n <= 120)
}
