//! Validators of the national identifiers of Africa.

use super::calendar::is_date_of_short_year;
use super::check_digit::{luhn, verhoeff};
use super::{digits, number_at, one_byte_repeated};

/// Validates a South African identity number of 13 digits: date of birth, serial, citizenship (0 citizen, 1 permanent
/// resident, 2 refugee), 8 or 9, Luhn check digit (Department of Home Affairs, Identification Act 68 of 1997).
///
/// The twelfth digit may have any value, since it was a race code before 1986.
pub(crate) fn south_african_identity(compact: &[u8]) -> bool {
    let Some(birth) = number_at(compact, 0, 6) else { return false };
    compact.len() == 13
        && luhn(compact)
        && is_date_of_short_year(birth / 10_000, birth / 100 % 100, birth % 100)
        && matches!(compact[10], b'0'..=b'2')
}

/// Validates a Nigerian national identification number of 11 digits: Verhoeff check digit (National Identity Management
/// Commission).
pub(crate) fn nigerian_identification(compact: &[u8]) -> bool {
    digits::<11>(compact).is_some() && verhoeff(compact) && !one_byte_repeated(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_south_african_number_has_a_birth_date_and_a_check_digit() {
        assert!(south_african_identity(b"7503305044089") && south_african_identity(b"8001015009087"));
        assert!(!south_african_identity(b"7503305044088") && !south_african_identity(b"7513305044089"));
        assert!(!south_african_identity(b"7503305044"));
    }

    #[test]
    fn a_nigerian_number_has_its_check_digit() {
        assert!(nigerian_identification(b"23412341235"));
        assert!(!nigerian_identification(b"00000000000") && !nigerian_identification(b"23412341234"));
    }
}
