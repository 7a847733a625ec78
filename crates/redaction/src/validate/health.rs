//! Health identifiers of the United States. Those of other countries stand with their countries.

use super::check_digit::{luhn_sum, weighted_sum};
use super::{digits, has_shape, one_byte_repeated};

/// Whether a text has the make-up of a Medicare beneficiary identifier: eleven places of fixed classes, no letter S, L, O,
/// I, B or Z (Centers for Medicare and Medicaid Services, "Understanding the MBI format"). There is no check digit.
pub(crate) fn medicare_beneficiary(compact: &[u8]) -> bool {
    has_shape(compact, "9AX9AX9AA99") && compact[0] != b'0' && !compact.iter().any(|byte| b"SLOIBZ".contains(byte))
}

/// Whether ten digits are a national provider identifier: first digit 1 or 2, Luhn's check digit behind the prefix 80840
/// (45 CFR 162.406; Centers for Medicare and Medicaid Services, NPI check digit).
pub(crate) fn national_provider(compact: &[u8]) -> bool {
    // The prefix 80840 adds 24 to Luhn's sum whatever follows.
    digits::<10>(compact).is_some_and(|values| matches!(values[0], 1 | 2))
        && (luhn_sum(compact) + 24).is_multiple_of(10)
        && !one_byte_repeated(&compact[..9])
}

/// Whether a text is a registration number of the Drug Enforcement Administration: a kind of registrant, an initial or 9,
/// six digits and their check digit (21 CFR 1301; DEA Diversion Control Division).
pub(crate) fn drug_enforcement(compact: &[u8]) -> bool {
    let Some((head, tail)) = compact.split_first_chunk::<2>() else { return false };
    let Some(values) = digits::<7>(tail) else { return false };
    b"ABCDEFGHJKLMPRSTUX".contains(&head[0])
        && (head[1].is_ascii_uppercase() || head[1] == b'9')
        && weighted_sum(&values, &[1, 2, 1, 2, 1, 2]) % 10 == u32::from(values[6])
        && tail != b"0000000"
}

/// Whether a text is such a number with two letters: the form of a person's registration.
pub(crate) fn drug_enforcement_of_person(compact: &[u8]) -> bool {
    drug_enforcement(compact) && compact[1] != b'9'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beneficiary_identifier_keeps_to_the_classes_of_its_places() {
        assert!(medicare_beneficiary(b"1EG4TE5MK73") && medicare_beneficiary(b"9A09A09AA00"));
        assert!(
            !medicare_beneficiary(b"0EG4TE5MK73")
                && !medicare_beneficiary(b"1EG4TE5SK73")
                && !medicare_beneficiary(b"1EG4TE5MK7")
        );
    }

    #[test]
    fn a_provider_has_a_check_digit_behind_its_prefix() {
        assert!(national_provider(b"1234567893"));
        assert!(
            !national_provider(b"1234567894") && !national_provider(b"3234567893") && !national_provider(b"123456789")
        );
        assert!(!national_provider(b"1111111112"));
    }

    #[test]
    fn the_prefix_is_worth_24() {
        assert_eq!(luhn_sum(b"808401234567893"), luhn_sum(b"1234567893") + 24);
    }

    #[test]
    fn a_registration_has_its_check_digit() {
        assert!(drug_enforcement(b"BB1388568") && drug_enforcement(b"F91234563"));
        assert!(!drug_enforcement(b"BB1388569") && !drug_enforcement(b"IB1388568") && !drug_enforcement(b"BB138856"));
        assert!(!drug_enforcement_of_person(b"F91234563"));
    }
}
