//! Identifiers of Italy.

use crate::validate::check_digit::luhn;
use crate::validate::{digits, has_shape};

/// Letters of the months January to December in a fiscal code.
const MONTHS: &[u8] = b"ABCDEHLMPRST";

/// Letters that stand for digits where two fiscal codes would be alike.
const DIGIT_LETTERS: &[u8; 10] = b"LMNPQRSTUV";

/// Whether a text has the make-up of a fiscal code: surname, given name, year, month letter, day (40 more for women),
/// place of birth, check letter, digits possibly replaced by letters (Ministry of Finance, decree of 23 December 1976). The
/// check letter is not held against it: sixteen characters so made up are rare enough, and a misheard one must still be
/// hidden.
pub(crate) fn fiscal_code(compact: &[u8]) -> bool {
    let Ok(code) = <[u8; 16]>::try_from(compact) else { return false };
    let letters = code[..6].iter().chain([&code[8], &code[11], &code[15]]).all(u8::is_ascii_uppercase);
    let numbers = [6, 7, 9, 10, 12, 13, 14].into_iter().all(|at| digit_of(code[at]).is_some());
    let day = digit_of(code[9]).zip(digit_of(code[10])).map(|(tens, ones)| tens * 10 + ones);
    letters && numbers && MONTHS.contains(&code[8]) && day.is_some_and(|day| matches!(day, 1..=31 | 41..=71))
}

fn digit_of(byte: u8) -> Option<u8> {
    if byte.is_ascii_digit() {
        return Some(byte - b'0');
    }
    DIGIT_LETTERS.iter().position(|letter| *letter == byte).and_then(|at| u8::try_from(at).ok())
}

/// Whether eleven digits are a value added tax number: seven of the company, three of the office (001 to 100, 120, 121,
/// 888, 999), Luhn's check digit (decree of 23 December 1976).
pub(crate) fn value_added_tax(compact: &[u8]) -> bool {
    digits::<11>(compact).is_some()
        && luhn(compact)
        && &compact[..7] != b"0000000"
        && crate::validate::number_at(compact, 7, 3)
            .is_some_and(|office| matches!(office, 1..=100 | 120 | 121 | 888 | 999))
}

/// Whether a text has the make-up of an identity card number: electronic (two letters, five digits, two letters) or paper
/// (two letters, seven digits) (Ministry of the Interior).
pub(crate) fn identity_card(compact: &[u8]) -> bool {
    has_shape(compact, "AA99999AA") || has_shape(compact, "AA9999999") || has_shape(compact, "9999999AA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fiscal_code_holds_a_day_of_birth() {
        assert!(fiscal_code(b"RSSMRA85T10A562S") && fiscal_code(b"BNCLRA90A41F205X"));
        assert!(
            !fiscal_code(b"RSSMRA85T35A562S") && !fiscal_code(b"RSSMRA85F10A562S") && !fiscal_code(b"RSSMRA85T10A562")
        );
    }

    #[test]
    fn letters_may_stand_for_digits_in_a_fiscal_code() {
        assert!(fiscal_code(b"RSSMRAURT10A562S") && !fiscal_code(b"RSSMRAURT10A5625"));
    }

    #[test]
    fn a_tax_number_has_its_check_digit_and_office() {
        assert!(value_added_tax(b"00743110157"));
        assert!(!value_added_tax(b"00743110158") && !value_added_tax(b"00000000000"));
    }

    #[test]
    fn an_identity_card_is_electronic_or_paper() {
        assert!(identity_card(b"CA12345AB") && identity_card(b"AX1234567") && !identity_card(b"A12345678"));
    }
}
