//! Digit formats: which digits are valid for an entity that a cue or an earlier message names.

use crate::entity::{Entity, EntitySet};
use crate::numbers::Separator;
use crate::numbers::slice::RunSlice;
use crate::registry::lookup::IdentifierSet;
use crate::validate;

/// Whether digits are valid for an entity that a cue or an earlier message names. `direct`: only connectors are between
/// the cue and the digits.
pub(crate) fn matches_format(entity: Entity, slice: RunSlice<'_, '_>, direct: bool) -> bool {
    let n = slice.len();
    let compact = slice.compact();
    let near = direct || n >= 7;
    match entity {
        Entity::CREDIT_CARD_NUMBER => {
            (13..=19).contains(&n)
                || direct && matches!(n, 4 | 7..=12) && !is_split(slice) && !is_separated_as_date(slice)
        }
        Entity::CVV => {
            // "new cvc 241. and the date is now 08/30"
            let is_date = slice.groups().len() == 2 && slice.is_joined_by(b'/');
            matches!(n, 3 | 4) && !is_split(slice) && !slice.follows_letter() && !is_date
        }
        Entity::PIN => {
            (4..=6).contains(&n) && !is_split(slice)
                || direct && matches!(n, 7 | 8) && (slice.groups().len() == 1 || slice.all_spoken())
        }
        Entity::SSN => fits_ssn(slice, n, direct) && !slice.follows_letter(),
        Entity::PHONE_NUMBER => {
            (7..=15).contains(&n) && (direct || !is_split(slice) && !slice.text().contains('/'))
                || n == 6 && direct && !is_split(slice)
        }
        Entity::BANK_ACCOUNT_NUMBER | Entity::ACCOUNT_NUMBER => (4..=17).contains(&n) && near,
        Entity::BANK_ROUTING_NUMBER => validate::banking::aba_routing(compact),
        Entity::ZIP_CODE => {
            (n == 5 && compact != b"00000" || n == 9 && slice.has_group_lengths(&[5, 4]) || n == 6 && direct)
                && slice.text().bytes().all(|b| b != b',')
        }
        Entity::CARD_EXPIRATION_DATE => is_expiry(compact),
        Entity::ONE_TIME_PASSCODE => (4..=8).contains(&n),
        Entity::US_EIN => n == 9,
        Entity::US_ITIN => validate::us::itin(compact),
        Entity::PASSPORT_NUMBER => matches!(n, 8 | 9) && !is_split(slice),
        Entity::US_DRIVER_LICENSE => (6..=14).contains(&n) && near,
        Entity::US_NPI
        | Entity::CA_SIN
        | Entity::UK_NHS_NUMBER
        | Entity::AU_TFN
        | Entity::AU_MEDICARE
        | Entity::AU_ABN
        | Entity::IN_AADHAAR
        | Entity::EU_NATIONAL_ID
        | Entity::LATAM_NATIONAL_ID
        | Entity::ASIA_NATIONAL_ID
        | Entity::AFRICA_NATIONAL_ID
        | Entity::VAT_NUMBER => passes_identifier_check(entity, compact),
        Entity::MEDICAL_RECORD_NUMBER => (5..=12).contains(&n) && direct,
        Entity::HEALTH_PLAN_ID => (6..=15).contains(&n) && direct,
        Entity::IMEI => matches!(n, 14..=16 | 19 | 20),
        Entity::UK_SORT_CODE => validate::banking::uk_sort_code(compact),
        Entity::AU_BSB => n == 6,
        Entity::ORDER_NUMBER => (4..=20).contains(&n) && direct,
        Entity::BOOKING_REFERENCE => (4..=13).contains(&n) && direct,
        Entity::POLICY_NUMBER => (3..=20).contains(&n) && direct,
        _ => false,
    }
}

/// Entities whose own cue masks digits of a fitting length although the check digit is wrong: people misread numbers,
/// and speech recognition mishears them.
pub(crate) const MISREADABLE: EntitySet = EntitySet::from_slice(&[
    Entity::BANK_ROUTING_NUMBER,
    Entity::UK_SORT_CODE,
    Entity::US_ITIN,
    Entity::US_NPI,
    Entity::CA_SIN,
    Entity::UK_NHS_NUMBER,
    Entity::AU_TFN,
    Entity::AU_MEDICARE,
    Entity::AU_ABN,
    Entity::IN_AADHAAR,
    Entity::EU_NATIONAL_ID,
    Entity::LATAM_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::AFRICA_NATIONAL_ID,
    Entity::VAT_NUMBER,
]);
/// Entities whose numbers are said in parts.
pub(crate) const PART_ENTITIES: EntitySet =
    MISREADABLE.or(EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN]));
/// Entities of the most ambiguous cue that still counts as an entity's own.
const MAX_OWN_ENTITIES: u32 = 2;
/// Digits of the shortest number in which one digit can be missing or added.
const MIN_MISCOUNTED_DIGITS: usize = 8;

/// The entities of a cue that digits can be in spite of a wrong check digit. `named` are the entities of the cue. The
/// result is empty if the cue is not an entity's own, or if the digits are another identifier.
pub(crate) fn misread_entities(named: EntitySet, slice: RunSlice<'_, '_>) -> EntitySet {
    let possible = named.and(MISREADABLE);
    if possible.is_empty() || named.bits().count_ones() > MAX_OWN_ENTITIES || is_other_identifier(slice) {
        return EntitySet::empty();
    }
    let n = slice.len();
    let has_length = |entity: Entity, n: usize| IdentifierSet::all().iter_with_length(n).any(|(_, e)| e == entity);
    let is_miscounted =
        |entity: Entity| n >= MIN_MISCOUNTED_DIGITS && (has_length(entity, n - 1) || has_length(entity, n + 1));
    possible.iter().filter(|entity| has_length(*entity, n) || is_miscounted(*entity)).collect()
}

/// Whether digits have the form of a number that its separators or check digit prove to be another one.
fn is_other_identifier(slice: RunSlice<'_, '_>) -> bool {
    slice.has_group_lengths(&[3, 2, 4]) && slice.is_joined_by(b'-') && validate::us::ssn(slice.compact())
        || validate::payment::card_number(slice.compact())
}

/// The digits of the shortest valid value of these entities where a cue or an earlier message names them;
/// [`usize::MAX`] for an empty set.
pub(crate) fn min_cued_digits(named: EntitySet) -> usize {
    const SHORT_VALUES: [(usize, EntitySet); 4] = [
        (1, Entity::AGE.bit()),
        (2, EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::SSN])),
        (3, EntitySet::from_slice(&[Entity::CVV, Entity::SSN, Entity::CARD_EXPIRATION_DATE, Entity::POLICY_NUMBER])),
        (
            4,
            EntitySet::from_slice(&[
                Entity::CREDIT_CARD_NUMBER,
                Entity::PIN,
                Entity::BANK_ACCOUNT_NUMBER,
                Entity::ACCOUNT_NUMBER,
                Entity::ONE_TIME_PASSCODE,
                Entity::ORDER_NUMBER,
                Entity::BOOKING_REFERENCE,
            ]),
        ),
    ];
    let default = if named.is_empty() { usize::MAX } else { DEFAULT_MIN_DIGITS };
    SHORT_VALUES.iter().find(|(_, set)| named.intersects(*set)).map_or(default, |(digits, _)| *digits)
}

/// Minimum digits of a value of any entity not listed in [`min_cued_digits`].
const DEFAULT_MIN_DIGITS: usize = 5;

/// A social security number: nine digits, or the last four. With a direct cue, mistyped lengths are valid too.
fn fits_ssn(slice: RunSlice<'_, '_>, n: usize, direct: bool) -> bool {
    let plain = slice.groups().iter().skip(1).all(|p| p.mark == 0) || slice.all_spoken();
    match n {
        4 => !is_split(slice),
        9 => {
            (plain || slice.has_group_lengths(&[3, 2, 4]))
                && !matches!(slice.compact(), [b'0', b'0', b'0', ..] | [b'6', b'6', b'6', ..])
        }
        3 | 5..=8 | 10 => direct && plain && !is_split(slice),
        _ => false,
    }
}

/// Whether groups are separated as in a date: "09/26", "10-24".
fn is_separated_as_date(slice: RunSlice<'_, '_>) -> bool {
    let groups = slice.groups();
    let is_month_and_year =
        matches!(groups, [month, year] if month.digit_count <= 2 && matches!(year.digit_count, 2 | 4));
    groups.iter().skip(1).any(|group| group.mark == b'/' || is_month_and_year && matches!(group.mark, b'-' | b'.'))
}

/// Whether written digits have a comma, pause or line break inside.
fn is_split(slice: RunSlice<'_, '_>) -> bool {
    slice.loosest_separator() >= Separator::Pause && !slice.any_spoken()
}

/// Whether digits are month and year: "0927", "092027", "927".
pub(crate) fn is_expiry(compact: &[u8]) -> bool {
    let (month, year) = match compact.len() {
        3 | 5 => compact.split_at(1),
        4 | 6 => compact.split_at(2),
        _ => return false,
    };
    let month = validate::number(month).unwrap_or(0);
    let year = validate::number(year).unwrap_or(0) % 100;
    let century = compact.len() < 5 || compact[compact.len() - 4..].starts_with(b"20");
    (1..=12).contains(&month) && (10..=50).contains(&year) && century
}

/// Whether the digits pass the check of one of the entity's identifiers.
pub(crate) fn passes_identifier_check(entity: Entity, compact: &[u8]) -> bool {
    IdentifierSet::all().iter_with_length(compact.len()).any(|(i, e)| e == entity && (i.validator)(compact))
}
