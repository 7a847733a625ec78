//! Validators of the identifiers of India.

use super::check_digit::verhoeff;
use super::{has_shape, number_at};

/// Validates an Aadhaar number of 12 digits: first digit 2 to 9, Verhoeff check digit, no palindrome (Unique
/// Identification Authority of India).
pub(crate) fn aadhaar(compact: &[u8]) -> bool {
    compact.len() == 12
        && !matches!(compact[0], b'0' | b'1')
        && verhoeff(compact)
        && !compact.iter().eq(compact.iter().rev())
}

/// Matches the format of a permanent account number: 5 letters, 4 digits, a letter. The fourth letter is the type of
/// the holder (Income Tax Department). The rule of the check letter is not published.
pub(crate) fn permanent_account_number(compact: &[u8]) -> bool {
    has_shape(compact, "AAAAA9999A") && b"ABCEFGHJKLPT".contains(&compact[3])
}

/// Matches the shape of a permanent account number with any fourth letter, since speech recognition can mishear a
/// letter.
pub(crate) fn permanent_account_number_by_shape(compact: &[u8]) -> bool {
    has_shape(compact, "AAAAA9999A")
}

/// Matches the format of a goods and services tax number: state 01 to 37 or 97 to 99, the shape of a permanent account
/// number, a registration number, Z, a check character (Goods and Services Tax Network).
///
/// The check character is not tested. This shape of 15 characters is rare enough, and a number with one misheard
/// character must also be masked.
pub(crate) fn gstin(compact: &[u8]) -> bool {
    has_shape(compact, "99AAAAA9999AXZX")
        && compact[12] != b'0'
        && number_at(compact, 0, 2).is_some_and(|state| matches!(state, 1..=37 | 97..=99))
}

/// Matches the format of the number of a voter's photo identity card: 3 letters, 7 digits (Election Commission of
/// India).
pub(crate) fn voter_id(compact: &[u8]) -> bool {
    has_shape(compact, "AAA9999999")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aadhaar_number_has_its_check_digit() {
        assert!(aadhaar(b"234123412346") && aadhaar(b"499118665246"));
        assert!(!aadhaar(b"234123412347") && !aadhaar(b"134123412346") && !aadhaar(b""));
    }

    #[test]
    fn an_aadhaar_number_is_no_palindrome() {
        let palindromes = (200_000_u32..999_999).map(|half| {
            let text = format!("{half}");
            text.chars().chain(text.chars().rev()).collect::<String>()
        });
        assert!(!palindromes.step_by(97).any(|text| aadhaar(text.as_bytes())));
    }

    #[test]
    fn an_account_number_contains_the_type_of_its_holder() {
        assert!(permanent_account_number(b"AFZPK7190K") && permanent_account_number(b"AAACR5055K"));
        assert!(!permanent_account_number(b"AFZXK7190K") && !permanent_account_number(b"AFZPK719K0"));
    }

    #[test]
    fn a_tax_number_begins_with_a_state() {
        assert!(gstin(b"29AAACR5055K1Z6"));
        assert!(!gstin(b"39AAACR5055K1Z6") && !gstin(b"29AAACR5055K1Y6") && !gstin(b"29AAACR5055K0Z6"));
    }

    #[test]
    fn a_voter_id_has_three_letters_and_seven_digits() {
        assert!(voter_id(b"WLR2510304") && !voter_id(b"WLR251030") && !voter_id(b"WL22510304"));
    }
}
