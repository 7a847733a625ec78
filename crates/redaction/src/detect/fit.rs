//! Which digits fit which entity where a cue or question names it.

use super::Page;
use crate::entity::{Entity, EntitySet};
use crate::numbers::Joint;
use crate::numbers::slice::Slice;
use crate::validate;

/// Whether digits fit an entity that a cue or question names.
pub(crate) fn fits(page: &Page<'_, '_>, entity: Entity, slice: Slice<'_, '_>, tight: bool) -> bool {
    let n = slice.len();
    let compact = slice.compact();
    let near = tight || n >= 7;
    match entity {
        Entity::CREDIT_CARD_NUMBER => (13..=19).contains(&n) || tight && matches!(n, 4 | 7..=12) && !is_split(slice),
        Entity::CVV => matches!(n, 3 | 4) && !is_split(slice),
        Entity::PIN => {
            (4..=6).contains(&n) && !is_split(slice) || tight && matches!(n, 7 | 8) && slice.parts().len() == 1
        }
        Entity::SSN => fits_ssn(slice, n, tight),
        Entity::PHONE_NUMBER => {
            (7..=15).contains(&n) && (tight || !is_split(slice) && !slice.raw().contains('/'))
                || n == 6 && tight && !is_split(slice)
        }
        Entity::BANK_ACCOUNT_NUMBER | Entity::ACCOUNT_NUMBER => (4..=17).contains(&n) && near,
        Entity::BANK_ROUTING_NUMBER => validate::banking::aba_routing(compact),
        Entity::ZIP_CODE => {
            (n == 5 && compact != b"00000" || n == 9 && slice.grouped(&[5, 4]) || n == 6 && tight)
                && slice.raw().bytes().all(|b| b != b',')
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
        | Entity::VAT_NUMBER => passes(page, entity, compact),
        Entity::MEDICAL_RECORD_NUMBER => (5..=12).contains(&n) && tight,
        Entity::HEALTH_PLAN_ID => (6..=15).contains(&n) && tight,
        Entity::IMEI => matches!(n, 14..=16 | 19 | 20),
        Entity::UK_SORT_CODE => validate::banking::uk_sort_code(compact),
        Entity::AU_BSB => n == 6,
        Entity::ORDER_NUMBER => (4..=20).contains(&n) && tight,
        Entity::BOOKING_REFERENCE => (4..=13).contains(&n) && tight,
        Entity::POLICY_NUMBER => (3..=20).contains(&n) && tight,
        _ => false,
    }
}

/// Digits of the shortest value that fits one of these entities where a cue or question names it; [`usize::MAX`] where they
/// have none.
pub(crate) fn fewest(named: EntitySet) -> usize {
    const BY_LENGTH: [(usize, EntitySet); 3] = [
        (1, Entity::AGE.bit()),
        (3, EntitySet::of(&[Entity::CVV, Entity::SSN, Entity::CARD_EXPIRATION_DATE, Entity::POLICY_NUMBER])),
        (
            4,
            EntitySet::of(&[
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
    let all = if named.is_empty() { usize::MAX } else { LONGER };
    BY_LENGTH.iter().find(|(_, set)| named.touches(*set)).map_or(all, |(digits, _)| *digits)
}

/// Digits of a value of any other entity at least.
const LONGER: usize = 5;

/// A social security number: nine digits, or the last four; what people mistype counts where the cue is right before it.
fn fits_ssn(slice: Slice<'_, '_>, n: usize, tight: bool) -> bool {
    let plain = slice.parts().iter().skip(1).all(|p| p.mark == 0) || slice.all_spoken();
    match n {
        4 => !is_split(slice),
        9 => {
            (plain || slice.grouped(&[3, 2, 4]))
                && !matches!(slice.compact(), [b'0', b'0', b'0', ..] | [b'6', b'6', b'6', ..])
        }
        3 | 5..=8 | 10 => tight && plain && !is_split(slice),
        _ => false,
    }
}

/// Whether a comma, pause or line break lies inside digits that are written, not said.
fn is_split(slice: Slice<'_, '_>) -> bool {
    slice.loosest() >= Joint::Pause && !slice.spoken()
}

/// Month and year: "0927", "092027", "927".
fn is_expiry(compact: &[u8]) -> bool {
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

/// Whether the check digits of one of the entity's identifiers hold.
fn passes(page: &Page<'_, '_>, entity: Entity, compact: &[u8]) -> bool {
    page.known.of_length(compact.len()).any(|(i, e)| e == entity && (i.check)(compact))
}
