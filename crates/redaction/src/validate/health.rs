//! Validators of the health identifiers of the United States. The modules of other countries contain their own.

use super::check_digit::{luhn_sum, weighted_sum};
use super::{digits, has_shape, one_byte_repeated};

/// Matches the format of a Medicare beneficiary identifier: 11 positions of fixed character classes, without the
/// letters S, L, O, I, B and Z (Centers for Medicare and Medicaid Services, "Understanding the MBI format"). There is
/// no check digit.
pub(crate) fn medicare_beneficiary(compact: &[u8]) -> bool {
    has_shape(compact, "9AX9AX9AA99") && compact[0] != b'0' && !compact.iter().any(|byte| b"SLOIBZ".contains(byte))
}

/// Validates a national provider identifier of 10 digits: first digit 1 or 2, Luhn check digit computed with the prefix
/// 80840 (45 CFR 162.406; Centers for Medicare and Medicaid Services, NPI check digit).
pub(crate) fn national_provider(compact: &[u8]) -> bool {
    // The prefix 80840 always adds 24 to the Luhn sum.
    digits::<10>(compact).is_some_and(|values| matches!(values[0], 1 | 2))
        && (luhn_sum(compact) + 24).is_multiple_of(10)
        && !one_byte_repeated(&compact[..9])
}

/// Validates a registration number of the Drug Enforcement Administration: a registrant type, an initial or 9, 6 digits
/// and their check digit (21 CFR 1301; DEA Diversion Control Division).
pub(crate) fn drug_enforcement(compact: &[u8]) -> bool {
    let Some((prefix, tail)) = compact.split_first_chunk::<2>() else { return false };
    let Some(values) = digits::<7>(tail) else { return false };
    b"ABCDEFGHJKLMPRSTUX".contains(&prefix[0])
        && (prefix[1].is_ascii_uppercase() || prefix[1] == b'9')
        && weighted_sum(&values, &[1, 2, 1, 2, 1, 2]) % 10 == u32::from(values[6])
        && tail != b"0000000"
}

/// Validates a [`drug_enforcement`] number that begins with two letters, which is the format for a person.
pub(crate) fn drug_enforcement_of_person(compact: &[u8]) -> bool {
    drug_enforcement(compact) && compact[1] != b'9'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beneficiary_identifier_has_a_fixed_character_class_at_each_position() {
        assert!(medicare_beneficiary(b"1EG4TE5MK73") && medicare_beneficiary(b"9A09A09AA00"));
        assert!(
            !medicare_beneficiary(b"0EG4TE5MK73")
                && !medicare_beneficiary(b"1EG4TE5SK73")
                && !medicare_beneficiary(b"1EG4TE5MK7")
        );
    }

    #[test]
    fn a_provider_number_has_a_check_digit_computed_with_its_prefix() {
        assert!(national_provider(b"1234567893"));
        assert!(
            !national_provider(b"1234567894") && !national_provider(b"3234567893") && !national_provider(b"123456789")
        );
        assert!(!national_provider(b"1111111112"));
    }

    #[test]
    fn the_provider_prefix_adds_24_to_the_luhn_sum() {
        assert_eq!(luhn_sum(b"808401234567893"), luhn_sum(b"1234567893") + 24);
    }

    #[test]
    fn a_drug_enforcement_number_has_a_valid_check_digit() {
        assert!(drug_enforcement(b"BB1388568") && drug_enforcement(b"F91234563"));
        assert!(!drug_enforcement(b"BB1388569") && !drug_enforcement(b"IB1388568") && !drug_enforcement(b"BB138856"));
        assert!(!drug_enforcement_of_person(b"F91234563"));
    }
}
