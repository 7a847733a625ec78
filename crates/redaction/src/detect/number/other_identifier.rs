//! Digits that pass the check of a card number but are another identifier, which the text names or writes out.

use crate::detect::DetectorInput;
use crate::detect::cue_link::{LastValue, cue_links};
use crate::detect::digit_format::passes_identifier_check;
use crate::entity::{Entity, EntitySet};
use crate::numbers::slice::RunSlice;
use crate::tables::iban::iban_country;
use crate::tokenize::{Gap, TokenKind};
use crate::validate::banking;

/// Whether a slice that holds a card number is another identifier as a whole, or the card number is the end of an IBAN.
pub(super) fn is_other_identifier(
    input: &DetectorInput<'_, '_>,
    slice: RunSlice<'_, '_>,
    card: RunSlice<'_, '_>,
    last: LastValue,
) -> bool {
    is_named_identifier(input, slice, last) || is_in_iban(card)
}

/// Whether a cue or an earlier message names an identifier of a person whose check a whole slice passes.
fn is_named_identifier(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, last: LastValue) -> bool {
    let passes = |named: EntitySet| {
        !named.contains(Entity::CREDIT_CARD_NUMBER)
            && named.and(IDENTIFIERS).iter().any(|entity| passes_identifier_check(entity, slice.compact()))
    };
    let mut links = cue_links(input, slice.first_token(), slice.end_token(), last);
    match links.next() {
        Some(link) => link.direct && passes(link.entities),
        None => passes(input.expected_entities),
    }
}

const IDENTIFIERS: EntitySet = EntitySet::from_slice(&[
    Entity::EU_NATIONAL_ID,
    Entity::LATAM_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::AFRICA_NATIONAL_ID,
    Entity::IN_AADHAAR,
]);

/// Maximum tokens of an IBAN before the digits.
const MAX_IBAN_HEAD: usize = 10;
/// Maximum tokens of an IBAN after the digits.
const MAX_IBAN_TAIL: usize = 4;
/// Letters and digits of the longest IBAN.
const MAX_IBAN: usize = 34;

/// Whether the digits are the end of a written IBAN with right check digits.
fn is_in_iban(slice: RunSlice<'_, '_>) -> bool {
    let (tokens, first) = (slice.tokens, slice.first_token());
    (first.saturating_sub(MAX_IBAN_HEAD)..first).any(|start| {
        let (country, check) = (tokens.at(start), tokens.at(start + 1));
        if country.kind != TokenKind::Word || country.byte_len() != 2 || check.gap != Gap::None {
            return false;
        }
        // The digits must lie within the IBAN: what follows it is another number.
        let (mut compact, mut length) = ([0; MAX_IBAN], 0);
        for at in start..slice.end_token() {
            let token = tokens.at(at);
            if !token.is_alphanumeric() || token.gap > Gap::Space && at > start {
                return false;
            }
            for byte in tokens.str(token).bytes() {
                let Some(slot) = compact.get_mut(length) else { return false };
                *slot = byte.to_ascii_uppercase();
                length += 1;
            }
        }
        // The last group of an IBAN may be too short for the window of a card number.
        let expected = iban_country([compact[0], compact[1]]).map_or(0, |country| usize::from(country.length));
        for at in slice.end_token()..slice.end_token() + MAX_IBAN_TAIL {
            let token = tokens.at(at);
            if length >= expected || !token.is_alphanumeric() || token.gap > Gap::Space {
                break;
            }
            for byte in tokens.str(token).bytes() {
                let Some(slot) = compact.get_mut(length) else { return false };
                *slot = byte.to_ascii_uppercase();
                length += 1;
            }
        }
        expected == length && banking::iban(&compact[..length])
    })
}
