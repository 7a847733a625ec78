//! Values by shape and check digits, without a cue.

use super::report::push;
use super::ssn_words::{has_written_ssn, is_labelled_ssn, is_of_tax_return, speaks_of_identity};
use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::detect::cue_link::is_whole_message;
use crate::detect::cue_scope::is_told_of;
use crate::detect::digit_format::passes_identifier_check;
use crate::detect::location::follows_street;
use crate::detect::rejection::is_rejected;
use crate::detect::{DetectorInput, date, phone};
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::numbers::{SSN_DIGITS, Separator};
use crate::span::DetectionReason;
use crate::tokenize::TokenKind;
use crate::validate::{self, payment::card_issuer};

/// Digits of the shortest number that shape or check digits identify as one of these entities, apart from dates.
pub(super) fn min_uncued_digits(active: EntitySet) -> usize {
    if active.without(LONG_OR_CUED).is_empty() { SSN_DIGITS } else { MIN_SHAPE_DIGITS }
}

/// Entities whose numbers have at least the nine digits of a social security number, or always need a cue or an earlier
/// message.
const LONG_OR_CUED: EntitySet =
    EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN, Entity::CVV, Entity::PIN, Entity::PASSWORD]);
/// Digits of a postal code after a street.
const ZIP_DIGITS: usize = 5;
/// Digits of the shortest numeric sequence. All other values by shape are longer.
const MIN_SHAPE_DIGITS: usize = 5;

/// Reports the value that a slice is by shape and check digits; false if it is none.
pub(super) fn detect_by_shape(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    phone_confidence: Option<phone::PhoneConfidence>,
    has_negative_cue: bool,
    out: &mut Candidates,
) -> bool {
    // "my social, it's not on the form: 123-45-6789"
    let is_grouped = || input.named_entities.contains(Entity::SSN) && slice.has_group_lengths(&[3, 2, 4]);
    if slice.len() == 9
        && (!has_negative_cue || is_grouped())
        && (is_written_ssn(slice) || is_plain_ssn(input, slice) || is_topic_ssn(input, slice))
    {
        push(slice, Entity::SSN, DetectionReason::Shape, EvidenceRank::Shape, out);
        return true;
    }
    if !has_negative_cue && is_misread_card(input, slice) {
        push(slice, Entity::CREDIT_CARD_NUMBER, DetectionReason::Shape, EvidenceRank::PaymentCard, out);
        return true;
    }
    if !has_negative_cue && let Some(entity) = named_by_topic(input, slice, out.active()) {
        push(slice, entity, DetectionReason::Cue, EvidenceRank::Cue, out);
        return true;
    }
    if !has_negative_cue && slice.len() == ZIP_DIGITS && follows_street(input.tokens, slice.first_token()) {
        push(slice, Entity::ZIP_CODE, DetectionReason::Cue, EvidenceRank::Cue, out);
        return true;
    }
    if is_order_of_marketplace(slice) {
        push(slice, Entity::ORDER_NUMBER, DetectionReason::Shape, EvidenceRank::Shape, out);
        return true;
    }
    let raw = slice.text().as_bytes();
    let separators = separators(raw);
    let in_two = slice.len() == 9 && is_half_grouped(slice) && slice.is_joined_by(b'-');
    let identifiers = input.identifiers.excluding_weak();
    let mut proved = EntitySet::empty();
    for (identifier, entity) in
        if in_two { identifiers } else { identifiers.with_separator_count(separators) }.iter_with_length(slice.len())
    {
        let is_half_grouped_itin = in_two && entity == Entity::US_ITIN;
        let is_sure = is_half_grouped_itin
            || match identifier.strength {
                crate::registry::Strength::Strong => identifier.grouping.permits_with(raw, || separators == 0),
                crate::registry::Strength::Formatted => identifier.grouping.is_grouped(raw) && !has_negative_cue,
                crate::registry::Strength::Weak => false,
            };
        if is_sure && !slice.touches_word() && (identifier.validator)(slice.compact()) {
            proved.insert(entity);
        }
    }
    if phone_confidence == Some(phone::PhoneConfidence::High) && !has_negative_cue {
        proved.insert(Entity::PHONE_NUMBER);
    }
    if let Some(entity) = proved.and(out.active()).iter().next() {
        push(slice, entity, DetectionReason::Shape, EvidenceRank::Shape, out);
        return true;
    }
    if detect_whole_message(input, slice, phone_confidence, out) || !proved.is_empty() {
        return true;
    }
    let is_ssn = !has_negative_cue && is_spoken_ssn(input, slice);
    if is_ssn {
        // Another identifier of nine digits keeps no readable tail.
        let (start, end) = (slice.start(), slice.end());
        out.push_fully_masked(start, end, Entity::SSN, DetectionReason::Shape, EvidenceRank::Shape);
    }
    is_ssn
}

/// Whether digits are grouped as the numbers of orders of Amazon ("305-4471926-0083317") or eBay ("14-08823-51907") are.
fn is_order_of_marketplace(slice: RunSlice<'_, '_>) -> bool {
    slice.is_joined_by(b'-')
        && !slice.any_spoken()
        && !slice.touches_word()
        && (slice.has_group_lengths(&[3, 7, 7]) || slice.has_group_lengths(&[2, 5, 5]))
}

/// The entity that the text or a question names elsewhere, if the digits have its length and its check digit.
pub(super) fn named_by_topic(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    active: EntitySet,
) -> Option<Entity> {
    let named = input.named_entities.and(CHECKED).and(active);
    let is_tight = slice.loosest_separator() < Separator::Pause || slice.all_spoken();
    if named.is_empty() || slice.len() < MIN_CHECKED_DIGITS || !is_tight || slice.touches_word() {
        return None;
    }
    named.iter().find(|entity| passes_identifier_check(*entity, slice.compact()))
}

/// Entities whose numbers have a check digit and are not found by it alone.
const CHECKED: EntitySet = EntitySet::from_slice(&[
    Entity::UK_NHS_NUMBER,
    Entity::US_NPI,
    Entity::IMEI,
    Entity::CA_SIN,
    Entity::AU_TFN,
    Entity::AU_MEDICARE,
    Entity::AU_ABN,
    Entity::IN_AADHAAR,
]);
const MIN_CHECKED_DIGITS: usize = 9;

/// The number of bytes of a number in the text that are not letters or digits.
fn separators(raw: &[u8]) -> usize {
    raw.iter().filter(|byte| !byte.is_ascii_alphanumeric()).count()
}

/// Whether nine digits are a social security number with its separators (SSA: no area 000, 666 or 9xx, no group 00, no
/// serial 0000).
pub(super) fn is_written_ssn(slice: RunSlice<'_, '_>) -> bool {
    let parts = slice.groups();
    let marks = slice.is_joined_by(b'-')
        || slice.is_joined_by(b'.')
        || slice.groups().iter().skip(1).all(|p| p.mark == 0 && p.separator == Separator::Space);
    !slice.any_spoken()
        && !slice.touches_word()
        && validate::us::ssn(slice.compact())
        && (slice.has_group_lengths(&[3, 2, 4]) && marks
            || parts.len() == 2 && slice.is_joined_by(b'-') && is_half_grouped(slice))
}

/// Whether digits have the length and issuer of a card number without its check digit, and either its groups or words
/// that say that the number was not accepted or has an error.
fn is_misread_card(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let (tokens, n) = (input.tokens, slice.len());
    let has_lengths = [&[4u8, 4, 4, 4][..], &[4, 6, 5], &[4, 6, 4], &[8, 8]].iter().any(|g| slice.has_group_lengths(g));
    let is_written = slice.groups().len() == 1 || slice.is_joined_by(b'-');
    let is_named = is_written && input.named_entities.contains(Entity::CREDIT_CARD_NUMBER);
    let has_form = has_lengths || (slice.all_spoken() || is_named) && matches!(n, 15 | 16);
    let is_tight = slice.loosest_separator() < Separator::Pause || slice.all_spoken();
    let is_rejected = || is_rejected(tokens, slice.first_token(), slice.end_token());
    let has_word = || tokens.len() > slice.end_token() - slice.first_token() + 1;
    matches!(n, 14..=19)
        && is_tight
        && !slice.touches_word()
        && card_issuer(slice.compact()).is_some()
        && (has_form && has_word() || is_rejected())
}

/// Whether digits are grouped as in "123-456789" or "12345-6789".
fn is_half_grouped(slice: RunSlice<'_, '_>) -> bool {
    slice.has_group_lengths(&[3, 6]) || slice.has_group_lengths(&[5, 4])
}

/// Whether nine digits without separators are a social security number in a written sentence without any cue.
fn is_plain_ssn(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let is_sentence = input.tokens.text.chars().next().is_some_and(char::is_uppercase) && input.tokens.len() > 3;
    is_sentence
        && slice.groups().len() == 1
        && !slice.any_spoken()
        && !slice.touches_word()
        && input.cues().is_empty()
        && slice.token_before().kind == TokenKind::Word
        && validate::us::ssn(slice.compact())
}

/// Whether nine digits are a social security number of which the text speaks elsewhere, or which stands beside another
/// one, in a text that names no other number of that length.
fn is_topic_ssn(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let is_whole = slice.groups().len() == 1 || slice.has_group_lengths(&[3, 2, 4]);
    if !is_whole || slice.any_spoken() || slice.touches_word() || !validate::us::ssn(slice.compact()) {
        return false;
    }
    let first = slice.first_token();
    let is_of_return = is_of_tax_return(input, first);
    let is_other = |cue: &Cue| !cue.entities.is_subset(BESIDE_SSN) && !is_told_of(input.tokens, cue);
    let names_other = || !is_of_return && input.cues_near(first).iter().any(is_other);
    let speaks_of_ssn = || {
        input.named_entities.contains(Entity::SSN)
            || is_of_return
            || has_written_ssn(input.tokens, first)
            || speaks_of_identity(input.tokens, first)
    };
    is_labelled_ssn(input, slice) || !names_other() && speaks_of_ssn()
}

/// Whether nine spoken digits that no cue names are a social security number: no other number of nine digits is dictated
/// as often.
fn is_spoken_ssn(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let is_whole_run = slice.first_group == 0 && slice.end_group == slice.run.groups().len();
    let (first, tokens) = (slice.first_token(), input.tokens);
    let mut others = input.cues_near(first).iter().filter(|cue| !cue.entities.intersects(BESIDE_SSN));
    // "i have it on the background check form": the form has no number of its own.
    let other = others.any(|cue| !cue.entities.is_empty() || !speaks_of_identity(tokens, first))
        && !is_of_tax_return(input, first);
    is_whole_run && slice.all_spoken() && !other && validate::us::ssn(slice.compact())
}

/// Entities whose values never have nine digits, and the social security number itself.
const BESIDE_SSN: EntitySet = EntitySet::from_slice(&[
    Entity::AGE,
    Entity::CARD_EXPIRATION_DATE,
    Entity::CREDIT_CARD_NUMBER,
    Entity::CVV,
    Entity::DATE,
    Entity::DOB,
    Entity::EMAIL,
    Entity::PERSON_NAME,
    Entity::PIN,
    Entity::SSN,
    Entity::STREET_ADDRESS,
]);

/// Entities that a number alone in a message never is: they need check digits or a cue.
const NEVER_ALONE: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN]);

/// Whether digits end in a date, such as a version and its release date: "2.2.5 (2024-02-29)".
fn ends_in_date(slice: RunSlice<'_, '_>) -> bool {
    let parts = slice.groups();
    let ends_like_date = parts.len() > 3 && parts.iter().rev().map(|p| p.digit_count).take(3).eq([2, 2, 4]);
    ends_like_date && parts.iter().rev().take(2).all(|p| p.mark == b'-')
}

/// Reports the value of a message that is nothing but the value.
#[inline(never)]
fn detect_whole_message(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    phone_confidence: Option<phone::PhoneConfidence>,
    out: &mut Candidates,
) -> bool {
    if slice.len() < 8
        || slice.run.is_mask_tail
        || slice.touches_word()
        || !is_whole_message(input.tokens, slice.first_token(), slice.end_token(), false)
    {
        return false;
    }
    let mut possible = EntitySet::empty();
    let raw = slice.text().as_bytes();
    for (identifier, entity) in input.identifiers.with_separator_count(separators(raw)).iter_with_length(slice.len()) {
        if identifier.grouping.permits(raw) && (identifier.validator)(slice.compact()) {
            possible.insert(entity);
        }
    }
    if slice.len() == 8 && slice.groups().len() == 1 && date::is_compact(slice.compact()) {
        push(slice, Entity::DATE, DetectionReason::Shape, EvidenceRank::WholeMessage, out);
        return true;
    }
    let is_phone = phone_confidence.is_some();
    if (8..=17).contains(&slice.len()) && slice.len() != 16 && !ends_in_date(slice) {
        possible.insert(Entity::BANK_ACCOUNT_NUMBER);
    }
    if is_phone {
        possible.insert(Entity::PHONE_NUMBER);
    }
    possible = possible.without(NEVER_ALONE);
    let first = [Entity::PHONE_NUMBER, Entity::BANK_ACCOUNT_NUMBER]
        .into_iter()
        .find(|e| possible.contains(*e) && out.active().contains(*e));
    let Some(entity) = first.or_else(|| possible.and(out.active()).iter().next()) else { return false };
    push(slice, entity, DetectionReason::Shape, EvidenceRank::WholeMessage, out);
    true
}
