//! The entities that a cue names and that digits can be.

use super::code_format::{CARD_TALK, CODES, follows_ending};
use super::quantity::is_spoken_amount;
use super::shape::{is_written_ssn, named_by_topic};
use crate::cues::{self, CodeNumber};
use crate::detect::cue_link::CueLink;
use crate::detect::cue_reference;
use crate::detect::digit_format::{is_expiry, matches_format, misread_entities};
use crate::detect::{DetectorInput, date, flags, is_one_of, phone};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};
use crate::validate;

/// The entities of a cue that the slice can be.
#[inline(never)]
pub(super) fn matching_entities(
    input: &DetectorInput<'_, '_>,
    a: CueLink,
    slice: RunSlice<'_, '_>,
    quantity: bool,
    phone_confidence: Option<phone::PhoneConfidence>,
) -> Option<EntitySet> {
    let n = slice.len();
    if n < 7 && slice.cuts_tight_group() || is_year_in_sentence(slice) && a.entities.intersects(WITH_FOUR_DIGITS) {
        return None;
    }
    if quantity && (n < 6 || !a.direct || is_spoken_amount(slice)) && !a.entities.contains(Entity::AGE)
        || n <= 6 && !a.direct && a.distance > 5 && !cue_reference::refers_back(input.tokens, slice.first_token())
    {
        return None;
    }
    if a.entities.intersects(CODES) && is_of_thing(input, slice) {
        return None;
    }
    // "my pin letter went to flat 1204"
    if !a.direct && a.entities.intersects(CODES) && has_other_meaning(input, slice) {
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
        // Of a cue beside other words and the topic of the text, the check digit decides.
        let of_topic = if a.direct { None } else { named_by_topic(input, slice, EntitySet::all()) };
        let entities = entities.or(of_topic.map_or(EntitySet::empty(), Entity::bit));
        return Some(without_expiry_as_code(input, entities, slice));
    }
    let is_phone = phone_confidence == Some(phone::PhoneConfidence::High);
    let misread =
        if a.direct && !(a.is_weak && is_phone) { misread_entities(a.entities, slice) } else { EntitySet::empty() };
    (!misread.is_empty()).then_some(misread)
}

/// Of a code and an expiry date that were both asked for, four digits that are month and year are the date.
pub(super) fn without_expiry_as_code(
    input: &DetectorInput<'_, '_>,
    entities: EntitySet,
    slice: RunSlice<'_, '_>,
) -> EntitySet {
    const EXPIRY: EntitySet = Entity::CARD_EXPIRATION_DATE.bit();
    const LONGER: EntitySet =
        EntitySet::from_slice(&[Entity::PHONE_NUMBER, Entity::BANK_ACCOUNT_NUMBER, Entity::ACCOUNT_NUMBER]);
    // The last four digits of a card are the weakest reading of four digits.
    let entities = if slice.len() <= 4 && entities.without(Entity::CREDIT_CARD_NUMBER.bit()).intersects(SHORT_CODES) {
        entities.without(Entity::CREDIT_CARD_NUMBER.bit())
    } else {
        entities
    };
    // The last four digits of a social security number are a weaker reading than a whole PIN.
    let entities =
        if slice.len() == 4 && entities.contains(Entity::PIN) { entities.without(Entity::SSN.bit()) } else { entities };
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
    // "nine twenty eight" is a month and a year, 928 a code.
    let is_said = slice.all_spoken() && slice.has_group_lengths(&[1, 2]) && input.expected_entities.intersects(EXPIRY);
    let is_date = (slice.len() == 4 || slice.len() == 3 && is_said)
        && is_expiry(slice.compact())
        && input.named_entities.intersects(EXPIRY);
    if is_date && entities.contains(Entity::CVV) && entities.intersects(EXPIRY) { EXPIRY } else { entities }
}

/// Entities whose values have four digits, or are named by their last four.
const WITH_FOUR_DIGITS: EntitySet = SHORT_CODES.or(Entity::CREDIT_CARD_NUMBER.bit());

/// Entities whose values have three or four digits.
const SHORT_CODES: EntitySet =
    EntitySet::from_slice(&[Entity::CVV, Entity::PIN, Entity::SSN, Entity::CARD_EXPIRATION_DATE]);

/// Whether words beside a slice give it another meaning than that of a code.
pub(super) fn has_other_meaning(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let (first, after) = (slice.first_token(), slice.end_token());
    !is_asked_tail(input, slice)
        && cues::has_other_meaning(input.tokens, &CodeNumber { first, after, digits: slice.len() })
}

/// Whether words beside a slice make it a measure, a limit, a part of a name or the code of a failure, whatever names it.
pub(super) fn is_of_thing(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let (first, after) = (slice.first_token(), slice.end_token());
    cues::is_of_thing(input.tokens, &CodeNumber { first, after, digits: slice.len() })
}

/// Digits of a one-time code.
const ONE_TIME_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;

/// What "the code" is: the code of a card if the text or the messages before it speak of a card, else a one-time code.
fn bare_code(input: &DetectorInput<'_, '_>, entities: EntitySet, slice: RunSlice<'_, '_>) -> EntitySet {
    let is_card = input.named_entities.intersects(CARD_TALK) || input.expected_entities.contains(Entity::CVV);
    let of_card = is_card && matches!(slice.len(), 3 | 4);
    if of_card {
        return entities.without(Entity::ONE_TIME_PASSCODE.bit());
    }
    // "key safe at the back door, code 4821"
    let of_device = input.named_entities.contains(Entity::PIN) && matches!(slice.len(), 4..=8);
    if of_device && !entities.contains(Entity::ONE_TIME_PASSCODE) {
        return Entity::PIN.bit();
    }
    let is_one_time = ONE_TIME_DIGITS.contains(&slice.len()) && !slice.cuts_tight_group();
    let one_time = if is_one_time { Entity::ONE_TIME_PASSCODE.bit() } else { EntitySet::empty() };
    entities.without(Entity::CVV.bit()).or(one_time)
}

fn is_age(slice: RunSlice<'_, '_>) -> bool {
    slice.len() <= 3 && validate::number(slice.compact()).is_some_and(|n| n <= 120)
}

/// Whether four digits are a year that describes a noun or says when something was: "after the 1987 breach", "an old card,
/// from 2019".
pub(super) fn is_year_in_sentence(slice: RunSlice<'_, '_>) -> bool {
    const BEFORE_NOUN: [&str; 4] = ["the", "a", "my", "of"];
    const TIMES: [&str; 9] = ["in", "since", "until", "till", "seit", "depuis", "desde", "dal", "dated"];
    let (before, next) = (slice.token_before(), slice.token_after());
    let has_noun = next.kind == TokenKind::Word && next.gap <= Gap::Space;
    let describes = || has_noun && flags(next) & (flag::CONNECTOR | flag::COPULA | flag::AND | flag::FILLER) == 0;
    matches!(slice.compact(), [b'1', b'9', _, _] | [b'2', b'0', _, _])
        && slice.groups().len() == 1
        && !follows_ending(slice)
        && (is_one_of(slice.tokens, before, &TIMES)
            || is_one_of(slice.tokens, before, &BEFORE_NOUN) && describes()
            || is_start_of_period(slice))
}

/// Whether "from" before a number says when something was: "the card is from 2019". "I changed it from 2019 to 4821" gives
/// an old code.
fn is_start_of_period(slice: RunSlice<'_, '_>) -> bool {
    const CHANGES: [&str; 3] = ["to", "into", "and"];
    is_one_of(slice.tokens, slice.token_before(), &["from"]) && !is_one_of(slice.tokens, slice.token_after(), &CHANGES)
}

/// Entities of which people say only how a number ends.
const OF_TAIL: EntitySet = EntitySet::from_slice(&[Entity::SSN, Entity::CREDIT_CARD_NUMBER]);

/// Whether four digits are said to end a number that an earlier message asks for: "the one ending 4821".
fn is_asked_tail(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    slice.len() == 4
        && input.expected_entities.intersects(OF_TAIL)
        && is_one_of(input.tokens, slice.token_before(), &["ending", "ends", "finishing"])
}
