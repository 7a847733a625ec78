//! Validators of the identifiers of Italy.

use crate::validate::check_digit::luhn;
use crate::validate::{digits, has_shape};

/// Letters of the months January to December in a fiscal code.
const MONTH_LETTERS: &[u8] = b"ABCDEHLMPRST";

/// Letters that replace the digits 0 to 9 if two fiscal codes would otherwise be equal.
const DIGIT_LETTERS: &[u8; 10] = b"LMNPQRSTUV";

/// Matches the format of a fiscal code of 16 characters: surname, given name, year, month letter, day (plus 40 for
/// women), place of birth, check letter. Letters may replace digits (Ministry of Finance, decree of 23 December 1976).
///
/// The check letter is not tested. This format is rare enough, and a code with one misheard character must also be
/// masked.
pub(crate) fn fiscal_code(compact: &[u8]) -> bool {
    let Ok(code) = <[u8; 16]>::try_from(compact) else { return false };
    let letters = code[..6].iter().chain([&code[8], &code[11], &code[15]]).all(u8::is_ascii_uppercase);
    let numbers = [6, 7, 9, 10, 12, 13, 14].into_iter().all(|at| digit_value(code[at]).is_some());
    let day = digit_value(code[9]).zip(digit_value(code[10])).map(|(tens, ones)| tens * 10 + ones);
    letters && numbers && MONTH_LETTERS.contains(&code[8]) && day.is_some_and(|day| matches!(day, 1..=31 | 41..=71))
}

/// The value of a digit, or of a letter that replaces it.
fn digit_value(byte: u8) -> Option<u8> {
    if byte.is_ascii_digit() {
        return Some(byte - b'0');
    }
    DIGIT_LETTERS.iter().position(|letter| *letter == byte).and_then(|at| u8::try_from(at).ok())
}

/// Validates a value added tax number of 11 digits: 7 of the company, 3 of the office (001 to 100, 120, 121, 888, 999),
/// Luhn check digit (decree of 23 December 1976).
pub(crate) fn value_added_tax(compact: &[u8]) -> bool {
    digits::<11>(compact).is_some()
        && luhn(compact)
        && &compact[..7] != b"0000000"
        && crate::validate::number_at(compact, 7, 3)
            .is_some_and(|office| matches!(office, 1..=100 | 120 | 121 | 888 | 999))
}

/// Matches the format of an identity card number: electronic (2 letters, 5 digits, 2 letters) or paper (2 letters and 7
/// digits, in either order) (Ministry of the Interior).
pub(crate) fn identity_card(compact: &[u8]) -> bool {
    has_shape(compact, "AA99999AA") || has_shape(compact, "AA9999999") || has_shape(compact, "9999999AA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fiscal_code_contains_a_day_of_birth() {
        assert!(fiscal_code(b"RSSMRA85T10A562S") && fiscal_code(b"BNCLRA90A41F205X"));
        assert!(
            !fiscal_code(b"RSSMRA85T35A562S") && !fiscal_code(b"RSSMRA85F10A562S") && !fiscal_code(b"RSSMRA85T10A562")
        );
    }

    #[test]
    fn letters_may_replace_digits_in_a_fiscal_code() {
        assert!(fiscal_code(b"RSSMRAURT10A562S") && !fiscal_code(b"RSSMRAURT10A5625"));
    }

    #[test]
    fn a_tax_number_has_its_check_digit_and_office() {
        assert!(value_added_tax(b"00743110157"));
        assert!(!value_added_tax(b"00743110158") && !value_added_tax(b"00000000000"));
    }

    #[test]
    fn an_identity_card_number_is_electronic_or_paper() {
        assert!(identity_card(b"CA12345AB") && identity_card(b"AX1234567") && !identity_card(b"A12345678"));
    }
}
