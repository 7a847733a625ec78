//! Values of digits, written or spoken: first cards, then values by shape, cue, earlier message or check digits.

mod card_trail;
pub(crate) mod min_digits;
mod other_identifier;
mod quantity;
mod report;
mod shape;
mod short_code;

use super::cue_link::{self, CueLink, LastValue, cue_links};
use super::date_words::DateOverlap;
use super::digit_format::{is_expiry, matches_format, misread_entities};
use super::{DetectorInput, card, correction, date, flags, is_digit_count, is_one_of, phone, track};
use crate::candidate::Candidates;
use crate::catalog::Mask;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens;
use crate::numbers::slice::RunSlice;
use crate::numbers::{MAX_DIGITS, MIN_DIGITS as MIN_VALUE_DIGITS, NumberRun, Separator, with_run_buffer};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};
use crate::validate;
use card_trail::CardTrail;
use min_digits::enough_digits;
use other_identifier::is_other_identifier;
use quantity::{is_ip_address, is_one_amount, is_quantity, is_spoken_amount};
use report::{push_date, push_named, push_sequence};
use shape::{detect_by_shape, is_written_ssn};

/// Digits of the shortest card number.
const MIN_CARD_DIGITS: usize = 13;
const MAX_VALUE_DIGITS: usize = crate::registry::MAX_IDENTIFIER_LENGTH;

/// Looks at every number run of a text.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if let Some(digits) = enough_digits(input, out.active()) {
        with_run_buffer(digits, |run| classify_runs(input, run, out));
        correction::extend(input, out);
    }
}

fn classify_runs(input: &DetectorInput<'_, '_>, mut run: NumberRun<'_>, out: &mut Candidates) {
    let mut ascii = [0; MAX_DIGITS];
    let mut last = Progress::default();
    let mut from = 0;
    while let Some(first) = run.read(input.tokens, from) {
        from = run.end_token.max(first + 1);
        let may_be_part = input.expects_part() || short_code::expects_digit(input);
        if !input.has_age_word && run.digits().len() < MIN_VALUE_DIGITS && !may_be_part {
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

/// The values of a text that have been read.
#[derive(Clone, Copy, Default)]
struct Progress {
    value: LastValue,
    card: CardTrail,
}

/// Finds cards anywhere in the slice and classifies the rest.
fn split_at_cards(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: &mut Progress, out: &mut Candidates) {
    if slice.run.is_oversized {
        return;
    }
    let inner_card = card::find(slice).filter(|found| {
        !is_cued_as_whole(input, slice, *found, last.value)
            && !is_other_identifier(input, slice, slice.subslice(found.0, found.1), last.value)
    });
    let Some((from, to)) = inner_card else {
        if track::is_track_number(slice) {
            card::push(slice, DetectionReason::Shape, out);
        } else if let Some(end) = leading_card(input, slice, last.value) {
            let card = slice.subslice(slice.first_group, end);
            card::push(card, DetectionReason::Cue, out);
            last.value.record(input.tokens, card.first_token(), card.end_token());
            last.card.record_card(card.end_token());
            split_at_cards(input, slice.subslice(end, slice.end_group), last, out);
        } else {
            classify_or_split(input, slice, last, out);
        }
        return;
    };
    classify_or_split(input, slice.subslice(slice.first_group, from), last, out);
    card::push(slice.subslice(from, to), DetectionReason::Checksum, out);
    last.value.record(input.tokens, slice.subslice(from, to).first_token(), slice.subslice(from, to).end_token());
    last.card.record_card(slice.subslice(from, to).end_token());
    if to < slice.end_group {
        split_at_cards(input, slice.subslice(to, slice.end_group), last, out);
    }
}

/// The end of the groups at the start of a longer slice that are grouped as a card number, if a cue names one directly.
fn leading_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue) -> Option<usize> {
    const GROUPINGS: [&[u8]; 4] = [&[4, 4, 4, 4], &[4, 6, 5], &[16], &[15]];
    let end = GROUPINGS.iter().find_map(|lengths| {
        let end = slice.first_group + lengths.len();
        let is_longer = end < slice.end_group;
        (is_longer && slice.subslice(slice.first_group, end).has_group_lengths(lengths)).then_some(end)
    })?;
    let card = slice.subslice(slice.first_group, end);
    names_card(input, card, last).then_some(end)
}

/// Whether a cue or an earlier message names a slice as a card number.
fn names_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue) -> bool {
    let is_card = |link: CueLink| link.direct && link.entities.contains(Entity::CREDIT_CARD_NUMBER);
    input.expected_entities.contains(Entity::CREDIT_CARD_NUMBER)
        || cue_links(input, slice.first_token(), slice.end_token(), last).next().is_some_and(is_card)
}

/// Whether a cue for a card directly names a whole slice, of which only a part passes the check of a card number. The
/// number was then misread.
fn is_cued_as_whole(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    found: (usize, usize),
    last: LastValue,
) -> bool {
    const CARD_LENGTHS: std::ops::RangeInclusive<usize> = 14..=16;
    let is_part = found != (slice.first_group, slice.end_group);
    is_part && CARD_LENGTHS.contains(&slice.len()) && names_card(input, slice, last)
}

/// Classifies a slice as a whole. If it is no value, splits it at its loosest separators.
fn classify_or_split(
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
    let is_too_short =
        matches!(slice.groups(), [only] if usize::from(only.digit_count) < MIN_VALUE_DIGITS) && input.cues().is_empty();
    if !is_too_short {
        classify_or_split(input, slice, last, out);
    }
}

/// Classifies a slice as a whole and reports its value; false if the slice must be split.
fn classify(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, progress: Progress, out: &mut Candidates) -> bool {
    let (n, last) = (slice.len(), progress.value);
    if n > MAX_VALUE_DIGITS {
        return false;
    }
    if short_code::detect_part(input, slice, out) {
        return true;
    }
    if is_part(input, slice) {
        out.record_answer();
        push_named(slice, input.expected_entities.and(PART_ENTITIES), DetectionReason::EarlierCue, out);
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
        has_other_cue |= a.distance <= MAX_OTHER_CUE_DISTANCE && !a.entities.intersects(input.expected_entities);
        if let Some(entities) = matching_entities(input, a, slice, quantity, phone_confidence) {
            push_named(slice, entities, DetectionReason::Cue, out);
            return true;
        }
    }
    if quantity {
        return is_one_amount(slice);
    }
    if !has_negative_cue && progress.card.detect(input, slice, out) {
        return true;
    }
    if !has_negative_cue && !has_other_cue && !input.expected_entities.is_empty() && !is_year_in_sentence(slice) {
        let is_ssn = is_written_ssn(slice) && slice.has_group_lengths(&[3, 2, 4]);
        let entities: EntitySet = if is_ssn { EntitySet::empty() } else { input.expected_entities }
            .iter()
            .filter(|e| {
                matches_format(*e, slice, true)
                    || *e == Entity::DOB && (date::is_compact(slice.compact()) || date::is_date_like(slice))
            })
            .collect();
        let entities = if entities.is_empty() && !is_ssn {
            misread_entities(input.expected_entities, slice)
        } else {
            without_expiry_as_code(input, entities, slice)
        };
        if !entities.is_empty() && (n >= 6 || is_answer(input, slice)) {
            out.record_answer();
            push_named(slice, entities, DetectionReason::EarlierCue, out);
            return true;
        }
    }
    if !has_negative_cue && short_code::detect(input, slice, out) {
        return true;
    }
    detect_by_shape(input, slice, phone_confidence, has_negative_cue, out)
}

/// Tokens between a number and a cue that names it before an earlier message does.
const MAX_OTHER_CUE_DISTANCE: usize = 3;

/// Entities whose numbers are said in parts.
const PART_ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN]);
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

/// Whether four digits are a year that describes a noun: "after the 1987 breach".
fn is_year_in_sentence(slice: RunSlice<'_, '_>) -> bool {
    let (before, next) = (slice.token_before(), slice.token_after());
    let has_noun = next.kind == TokenKind::Word && next.gap <= Gap::Space;
    matches!(slice.compact(), [b'1', b'9', _, _] | [b'2', b'0', _, _])
        && slice.groups().len() == 1
        && is_one_of(slice.tokens, before, &["the", "a", "my", "in", "since", "of"])
        && (has_noun && flags(next) & (flag::CONNECTOR | flag::COPULA | flag::AND | flag::FILLER) == 0
            || !is_one_of(slice.tokens, before, &["the", "a", "my", "of"]))
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
    if n < 7 && slice.cuts_tight_group() || is_year_in_sentence(slice) && a.entities.intersects(SHORT_CODES) {
        return None;
    }
    if quantity && (n < 6 || !a.direct || is_spoken_amount(slice)) && !a.entities.contains(Entity::AGE)
        || n <= 6 && !a.direct && a.distance > 5 && !cue_link::refers_back(input.tokens, slice.first_token())
    {
        return None;
    }
    let is_ssn = is_written_ssn(slice) && slice.has_group_lengths(&[3, 2, 4]);
    if !a.entities.contains(Entity::SSN) && is_ssn {
        return Some(Entity::SSN.bit()).filter(|_| !a.entities.is_empty());
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
            other => matches_format(other, slice, a.direct),
        })
        .collect();
    let entities = if a.is_bare_code { bare_code(input, entities, slice) } else { entities };
    if !entities.is_empty() {
        return Some(without_expiry_as_code(input, entities, slice));
    }
    let is_phone = phone_confidence == Some(phone::PhoneConfidence::High);
    let misread =
        if a.direct && !(a.is_weak && is_phone) { misread_entities(a.entities, slice) } else { EntitySet::empty() };
    (!misread.is_empty()).then_some(misread)
}

/// Of a code and an expiry date that were both asked for, four digits that are month and year are the date.
fn without_expiry_as_code(input: &DetectorInput<'_, '_>, entities: EntitySet, slice: RunSlice<'_, '_>) -> EntitySet {
    const EXPIRY: EntitySet = Entity::CARD_EXPIRATION_DATE.bit();
    const LONGER: EntitySet =
        EntitySet::from_slice(&[Entity::PHONE_NUMBER, Entity::BANK_ACCOUNT_NUMBER, Entity::ACCOUNT_NUMBER]);
    // The last four digits of a card are the weakest reading of four digits.
    let entities = if slice.len() <= 4 && entities.without(Entity::CREDIT_CARD_NUMBER.bit()).intersects(SHORT_CODES) {
        entities.without(Entity::CREDIT_CARD_NUMBER.bit())
    } else {
        entities
    };
    // Of codes, a message with three digits answers with that of a card, one with more with a one-time code.
    let codes = EntitySet::from_slice(&[Entity::CVV, Entity::ONE_TIME_PASSCODE]);
    if entities == codes && input.expected_entities.and(codes) == codes && slice.len() > 3 {
        return Entity::ONE_TIME_PASSCODE.bit();
    }
    // "I sent a code to your mobile" asks for the code.
    if entities.contains(Entity::ONE_TIME_PASSCODE)
        && entities.intersects(LONGER)
        && input.expected_entities != EntitySet::all()
        && ONE_TIME_DIGITS.contains(&slice.len())
    {
        return Entity::ONE_TIME_PASSCODE.bit();
    }
    let is_date = slice.len() == 4 && is_expiry(slice.compact()) && input.named_entities.intersects(EXPIRY);
    if is_date && entities.contains(Entity::CVV) && entities.intersects(EXPIRY) { EXPIRY } else { entities }
}

/// Entities whose values have three or four digits.
const SHORT_CODES: EntitySet =
    EntitySet::from_slice(&[Entity::CVV, Entity::PIN, Entity::SSN, Entity::CARD_EXPIRATION_DATE]);

/// Digits of a one-time code.
const ONE_TIME_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;

/// Entities of which a text with a card speaks.
const CARD_TALK: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CARD_EXPIRATION_DATE]);

/// What "the code" is: the code of a card if the text or the messages before it speak of a card, else a one-time code.
fn bare_code(input: &DetectorInput<'_, '_>, entities: EntitySet, slice: RunSlice<'_, '_>) -> EntitySet {
    let is_card = input.named_entities.intersects(CARD_TALK) || input.expected_entities.contains(Entity::CVV);
    let of_card = is_card && matches!(slice.len(), 3 | 4);
    if of_card {
        return entities.without(Entity::ONE_TIME_PASSCODE.bit());
    }
    let is_one_time = ONE_TIME_DIGITS.contains(&slice.len()) && !slice.cuts_tight_group();
    let one_time = if is_one_time { Entity::ONE_TIME_PASSCODE.bit() } else { EntitySet::empty() };
    entities.without(Entity::CVV.bit()).or(one_time)
}

fn is_age(slice: RunSlice<'_, '_>) -> bool {
    slice.len() <= 3 && validate::number(slice.compact()).is_some_and(|n| n <= 120)
}
