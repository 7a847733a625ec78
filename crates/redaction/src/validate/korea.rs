//! Validators of the registration numbers of South Korea.

use super::calendar::is_date;
use super::check_digit::weighted_sum;
use super::{digits, number_at, one_byte_repeated};

/// Weights of the check digit of resident and foreigner registration numbers.
const KOREAN_WEIGHTS: [u32; 12] = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

/// Matches the format of a Korean resident registration number of 13 digits: date of birth, then 1 to 4 for sex and
/// century (Resident Registration Act). Numbers issued since October 2020 have no check digit.
pub(crate) fn korean_resident(compact: &[u8]) -> bool {
    has_korean_birth_date(compact) && matches!(compact[6], b'1'..=b'4')
}

/// Validates a Korean resident registration number with the check digit of numbers issued until October 2020.
pub(crate) fn korean_resident_with_digit(compact: &[u8]) -> bool {
    korean_resident(compact) && korean_check_digit(compact) == compact.last().map(|last| u32::from(last - b'0'))
}

/// Matches the format of a Korean foreigner registration number of 13 digits: as for residents, with 5 to 8 at the
/// seventh position (Immigration Act).
pub(crate) fn korean_foreigner(compact: &[u8]) -> bool {
    has_korean_birth_date(compact) && matches!(compact[6], b'5'..=b'8')
}

/// Validates a Korean foreigner registration number with its check digit, which is 2 higher than that of a resident.
pub(crate) fn korean_foreigner_with_digit(compact: &[u8]) -> bool {
    let expected = korean_check_digit(compact).map(|digit| (digit + 2) % 10);
    korean_foreigner(compact) && expected == compact.last().map(|last| u32::from(last - b'0'))
}

fn has_korean_birth_date(compact: &[u8]) -> bool {
    let (Some(_), Some(year), Some(month), Some(day)) =
        (digits::<13>(compact), number_at(compact, 0, 2), number_at(compact, 2, 2), number_at(compact, 4, 2))
    else {
        return false;
    };
    let century = match compact[6] {
        b'1' | b'2' | b'5' | b'6' => 1900,
        b'3' | b'4' | b'7' | b'8' => 2000,
        _ => 1800,
    };
    is_date(century + year, month, day) && !one_byte_repeated(compact)
}

fn korean_check_digit(compact: &[u8]) -> Option<u32> {
    digits::<13>(compact).map(|values| (11 - weighted_sum(&values, &KOREAN_WEIGHTS) % 11) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resident_number_contains_a_birth_date_and_a_sex() {
        assert!(korean_resident(b"8503141123453") && korean_resident(b"8503141123450"));
        assert!(!korean_resident(b"8513141123450") && !korean_resident(b"8503145123450") && !korean_resident(b""));
    }

    #[test]
    fn a_foreigner_number_has_other_digits_at_the_seventh_position() {
        assert!(korean_foreigner(b"8503145123456") && !korean_foreigner(b"8503141123453"));
    }

    #[test]
    fn older_numbers_have_a_check_digit() {
        assert!(korean_resident_with_digit(b"8503141123453") && korean_foreigner_with_digit(b"8503145123456"));
        assert!(!korean_resident_with_digit(b"8503141123454"));
        assert!(!korean_foreigner_with_digit(b"8503145123457"));
    }
}
