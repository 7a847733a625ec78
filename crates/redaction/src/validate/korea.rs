//! Registration numbers of South Korea.

use super::calendar::is_date;
use super::check_digit::weighted_sum;
use super::{digits, number_at, one_byte_repeated};

/// Weights of both Korean registration numbers.
const KOREAN_WEIGHTS: [u32; 12] = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

/// Whether thirteen digits can be a Korean resident registration number: date of birth, sex and century 0 to 4 or 9 for
/// citizens (Resident Registration Act). Numbers issued since October 2020 have no check digit.
pub(crate) fn korean_resident(compact: &[u8]) -> bool {
    korean_birth(compact) && matches!(compact[6], b'1'..=b'4')
}

/// Whether thirteen digits are a Korean resident registration number with the check digit of numbers issued to October
/// 2020.
pub(crate) fn korean_resident_with_digit(compact: &[u8]) -> bool {
    korean_resident(compact) && korean_digit(compact) == compact.last().map(|last| u32::from(last - b'0'))
}

/// Whether thirteen digits are a Korean foreigner registration number: as for residents with 5 to 8 in the seventh place,
/// the check digit two higher (Immigration Act).
pub(crate) fn korean_foreigner(compact: &[u8]) -> bool {
    korean_birth(compact) && matches!(compact[6], b'5'..=b'8')
}

/// Whether thirteen digits are a Korean foreigner registration number with its check digit.
pub(crate) fn korean_foreigner_with_digit(compact: &[u8]) -> bool {
    let expected = korean_digit(compact).map(|digit| (digit + 2) % 10);
    korean_foreigner(compact) && expected == compact.last().map(|last| u32::from(last - b'0'))
}

fn korean_birth(compact: &[u8]) -> bool {
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

fn korean_digit(compact: &[u8]) -> Option<u32> {
    digits::<13>(compact).map(|values| (11 - weighted_sum(&values, &KOREAN_WEIGHTS) % 11) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resident_number_holds_a_birth_and_a_sex() {
        assert!(korean_resident(b"8503141123453") && korean_resident(b"8503141123450"));
        assert!(!korean_resident(b"8513141123450") && !korean_resident(b"8503145123450") && !korean_resident(b""));
    }

    #[test]
    fn a_foreigner_has_other_digits_in_the_seventh_place() {
        assert!(korean_foreigner(b"8503145123456") && !korean_foreigner(b"8503141123453"));
    }

    #[test]
    fn the_check_digit_tells_older_numbers() {
        assert!(korean_resident_with_digit(b"8503141123453") && korean_foreigner_with_digit(b"8503145123456"));
        assert!(!korean_resident_with_digit(b"8503141123454"));
        assert!(!korean_foreigner_with_digit(b"8503145123457"));
    }
}
