//! What digits are by their shape and check digits, without a cue.

use super::push;
use crate::candidate::{Candidates, Proof};
use crate::detect::announced::is_alone;
use crate::detect::{Page, date, phone};
use crate::entity::{Entity, EntitySet};
use crate::numbers::Joint;
use crate::numbers::slice::Slice;
use crate::span::Reason;
use crate::tokenize::Kind;
use crate::validate;

/// Digits of the shortest number that is one of these entities by its shape or its check digits, dates aside.
pub(super) fn fewest(active: EntitySet) -> usize {
    if active.without(LONG).is_empty() { SHORTEST_SSN } else { SHORTEST }
}

/// Entities whose numbers are no shorter than a social security number, or are always named by a cue or question.
const LONG: EntitySet =
    EntitySet::of(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN, Entity::CVV, Entity::PIN, Entity::PASSWORD]);
const SHORTEST_SSN: usize = 9;
/// Digits of the shortest number sequence; whatever else is told by its shape is longer.
const SHORTEST: usize = 5;

/// What shape and check digits tell without a cue.
pub(super) fn shaped(
    page: &Page<'_, '_>,
    slice: Slice<'_, '_>,
    formatted: Option<phone::Likeness>,
    denied: bool,
    out: &mut Candidates,
) -> bool {
    if !denied && slice.len() == 9 && (is_written_ssn(slice) || is_plain_ssn(page, slice)) {
        push(slice, Entity::SSN, Reason::Shape, Proof::Shape, out);
        return true;
    }
    let raw = slice.raw().as_bytes();
    let separators = separators(raw);
    let in_two = slice.len() == 9 && is_half_grouped(slice) && slice.joined_by(b'-');
    let known = page.known.without_cue();
    let mut proved = EntitySet::empty();
    for (identifier, entity) in if in_two { known } else { known.with_separators(separators) }.of_length(slice.len()) {
        let halves = in_two && entity == Entity::US_ITIN;
        let sure = halves
            || match identifier.strength {
                crate::registry::Strength::Strong => identifier.grouping.permits_given(raw, || separators == 0),
                crate::registry::Strength::Formatted => identifier.grouping.is_grouped(raw) && !denied,
                crate::registry::Strength::Weak => false,
            };
        if sure && !slice.touches_word() && (identifier.check)(slice.compact()) {
            proved.insert(entity);
        }
    }
    if formatted == Some(phone::Likeness::Sure) && !denied {
        proved.insert(Entity::PHONE_NUMBER);
    }
    if let Some(entity) = proved.and(out.active()).iter().next() {
        push(slice, entity, Reason::Shape, Proof::Shape, out);
        return true;
    }
    alone(page, slice, formatted, out) || !proved.is_empty()
}

/// How many bytes of a number, as it stands in the text, are no letter or digit.
fn separators(raw: &[u8]) -> usize {
    raw.iter().filter(|byte| !byte.is_ascii_alphanumeric()).count()
}

/// Whether nine digits are a social security number with its separators (SSA: no area 000, 666 or 9xx, no group 00, no serial 0000).
fn is_written_ssn(slice: Slice<'_, '_>) -> bool {
    let parts = slice.parts();
    let marks = slice.joined_by(b'-')
        || slice.joined_by(b'.')
        || slice.parts().iter().skip(1).all(|p| p.mark == 0 && p.joint == Joint::Space);
    !slice.spoken()
        && !slice.touches_word()
        && validate::us::ssn(slice.compact())
        && (slice.grouped(&[3, 2, 4]) && marks || parts.len() == 2 && slice.joined_by(b'-') && is_half_grouped(slice))
}

/// "123-456789" and "12345-6789".
fn is_half_grouped(slice: Slice<'_, '_>) -> bool {
    slice.grouped(&[3, 6]) || slice.grouped(&[5, 4])
}

/// Whether nine digits are in a written sentence that names nothing else they could be.
fn is_plain_ssn(page: &Page<'_, '_>, slice: Slice<'_, '_>) -> bool {
    let sentence = page.tokens.text.chars().next().is_some_and(char::is_uppercase) && page.tokens.len() > 3;
    sentence
        && slice.parts().len() == 1
        && !slice.spoken()
        && !slice.touches_word()
        && page.cues().is_empty()
        && slice.before().kind == Kind::Word
        && validate::us::ssn(slice.compact())
}

/// Entities that a number alone never is: it takes check digits of its own, or a cue.
const CUED: EntitySet = EntitySet::of(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN]);

/// "2.2.5 (2024-02-29)": a version and when it came out.
fn ends_in_date(slice: Slice<'_, '_>) -> bool {
    let parts = slice.parts();
    let date = parts.len() > 3 && parts.iter().rev().map(|p| p.count).take(3).eq([2, 2, 4]);
    date && parts.iter().rev().take(2).all(|p| p.mark == b'-')
}

/// A message that is nothing but the value.
#[inline(never)]
fn alone(page: &Page<'_, '_>, slice: Slice<'_, '_>, formatted: Option<phone::Likeness>, out: &mut Candidates) -> bool {
    if slice.len() < 8
        || slice.run.masked
        || slice.touches_word()
        || !is_alone(page.tokens, slice.token(), slice.after(), false)
    {
        return false;
    }
    let mut possible = EntitySet::empty();
    let raw = slice.raw().as_bytes();
    for (identifier, entity) in page.known.with_separators(separators(raw)).of_length(slice.len()) {
        if identifier.grouping.permits(raw) && (identifier.check)(slice.compact()) {
            possible.insert(entity);
        }
    }
    if slice.len() == 8 && slice.parts().len() == 1 && date::is_compact(slice.compact()) {
        push(slice, Entity::DATE, Reason::Shape, Proof::Alone, out);
        return true;
    }
    let phone = formatted.is_some();
    if (8..=17).contains(&slice.len()) && slice.len() != 16 && !ends_in_date(slice) {
        possible.insert(Entity::BANK_ACCOUNT_NUMBER);
    }
    if phone {
        possible.insert(Entity::PHONE_NUMBER);
    }
    possible = possible.without(CUED);
    let first = [Entity::PHONE_NUMBER, Entity::BANK_ACCOUNT_NUMBER]
        .into_iter()
        .find(|e| possible.contains(*e) && out.active().contains(*e));
    let Some(entity) = first.or_else(|| possible.and(out.active()).iter().next()) else { return false };
    push(slice, entity, Reason::Shape, Proof::Alone, out);
    true
}
