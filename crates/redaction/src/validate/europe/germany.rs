//! Validators of the identifiers of Germany.

use crate::validate::calendar::is_date_of_short_year;
use crate::validate::check_digit::mod11_10;
use crate::validate::{digits, has_shape, number_at, one_byte_repeated};

/// Validates a tax identification number of 11 digits: no leading zero, check digit of ISO/IEC 7064 MOD 11,10, no digit
/// more than 3 times among the first 10 (Federal Central Tax Office, section 139b of the Fiscal Code).
///
/// The rule that one digit occurs twice is not tested, since sample numbers in circulation break it.
pub(crate) fn tax_id(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let mut counts = [0; 10];
    for value in &values[..10] {
        counts[usize::from(*value)] += 1;
    }
    values[0] != 0 && counts.iter().all(|count| *count <= 3) && mod11_10(&values)
}

/// Matches the format of a tax number: 9 to 11 digits in the format of a state, or 13 digits in the uniform format,
/// which begins with the number of the state (ELSTER, "Aufbau der Steuernummer").
///
/// The check digits differ by state and are not tested.
pub(crate) fn tax_number(compact: &[u8]) -> bool {
    let state = match compact.len() {
        9..=11 => return crate::validate::all_digits(compact) && !one_byte_repeated(compact),
        13 => number_at(compact, 0, 13).and(number_at(compact, 0, 2)),
        _ => None,
    };
    let has_uniform_state = compact.get(4) == Some(&b'0')
        && matches!(state, Some(10 | 11 | 21..=24 | 26..=28 | 30..=32 | 40 | 41 | 50..=59 | 90..=99));
    has_uniform_state || state.is_some_and(|number| (1..=16).contains(&number))
}

/// Letters in the serial numbers of identity cards and passports: no vowels, no B, D, Q and S.
const SERIAL_LETTERS: &[u8] = b"CFGHJKLMNPRTVWXYZ";

/// The check digit of machine-readable travel documents: weights 7, 3, 1, letters as 10 to 35 (ICAO Doc 9303-3, 4.9).
pub(crate) fn travel_document_digit(serial: &[u8]) -> Option<u32> {
    let mut sum = 0;
    for (byte, weight) in serial.iter().zip([7, 3, 1].into_iter().cycle()) {
        sum += char::from(*byte).to_digit(36)? * weight;
    }
    Some(sum % 10)
}

fn is_serial(compact: &[u8]) -> bool {
    compact.len() == 9
        && SERIAL_LETTERS.contains(&compact[0])
        && compact[1..].iter().all(|byte| byte.is_ascii_digit() || SERIAL_LETTERS.contains(byte))
}

fn ends_in_check_digit(compact: &[u8]) -> bool {
    let Some((last, serial)) = compact.split_last() else { return false };
    last.is_ascii_digit() && travel_document_digit(serial) == Some(u32::from(last - b'0'))
}

/// Validates a passport number of 9 characters: first letter C, F, G, H, J or K, and the ninth character is the check
/// digit (ICAO Doc 9303-4).
///
/// A passport has 9 characters on its front, and the check digit follows them in the machine-readable zone only. A
/// number from the front passes by chance only, so that it needs a cue.
pub(crate) fn passport(compact: &[u8]) -> bool {
    is_serial(compact) && b"CFGHJK".contains(&compact[0]) && ends_in_check_digit(compact)
}

/// Validates a passport number of 9 characters plus the check digit of the machine-readable zone, with a letter after
/// the first position (Passport Ordinance, annex; ICAO Doc 9303-4).
pub(crate) fn passport_with_digit(compact: &[u8]) -> bool {
    is_serial_with_digit(compact) && b"CFGHJK".contains(&compact[0])
}

/// Validates an identity card number of 9 characters plus the check digit of the machine-readable zone, with a letter
/// after the first position (Identity Card Ordinance, annex; ICAO Doc 9303-5).
pub(crate) fn identity_card_with_digit(compact: &[u8]) -> bool {
    is_serial_with_digit(compact) && !b"CFGHJK".contains(&compact[0])
}

fn is_serial_with_digit(compact: &[u8]) -> bool {
    compact.get(..9).is_some_and(|serial| is_serial(serial) && has_letters_and_digits(serial))
        && compact.len() == 10
        && ends_in_check_digit(compact)
}

/// Validates an identity card number: 9 characters of which the last is the check digit (Identity Card Ordinance; ICAO
/// Doc 9303-5), or T and 8 digits, the format of cards before 2010.
pub(crate) fn identity_card(compact: &[u8]) -> bool {
    (is_serial(compact) && ends_in_check_digit(compact)) || has_shape(compact, "T99999999")
}

/// Validates a [`passport`] number with at least 1 letter after the first position and at least 4 digits, which
/// distinguishes it from order numbers.
pub(crate) fn mixed_passport(compact: &[u8]) -> bool {
    passport(compact) && has_letters_and_digits(compact)
}

/// Validates an identity card number of 9 characters of which the last is the check digit, with at least 1 letter after
/// the first position and at least 4 digits.
pub(crate) fn mixed_identity_card(compact: &[u8]) -> bool {
    is_serial(compact) && ends_in_check_digit(compact) && has_letters_and_digits(compact)
}

fn has_letters_and_digits(compact: &[u8]) -> bool {
    compact[1..].iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 1
        && compact.iter().filter(|byte| byte.is_ascii_digit()).count() >= 4
}

/// Validates a pension insurance number: area, date of birth (day plus 50 for a second number), initial, serial, check
/// digit (German Pension Insurance, "Versicherungsnummern-Vergabeverordnung", section 2).
pub(crate) fn pension_insurance(compact: &[u8]) -> bool {
    let (Some(day), Some(month), Some(year)) =
        (number_at(compact, 2, 2), number_at(compact, 4, 2), number_at(compact, 6, 2))
    else {
        return false;
    };
    let day = if day > 50 { day - 50 } else { day };
    has_shape(compact, "99999999A999")
        && is_date_of_short_year(year, month, day)
        && has_insurance_check_digit(compact, &[2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1])
}

/// Validates a health insurance number: letter, 8 digits, check digit (GKV-Spitzenverband, section 290 of Social Code
/// Book V).
pub(crate) fn health_insurance(compact: &[u8]) -> bool {
    has_shape(compact, "A999999999") && has_insurance_check_digit(compact, &[1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
}

/// Validates the check digit of pension and health insurance numbers.
///
/// A letter counts as two digits, 01 to 26. The check digit is the last digit of the sum of the digit sums of all
/// weighted digits.
fn has_insurance_check_digit(compact: &[u8], weights: &[u32]) -> bool {
    let Some((last, body)) = compact.split_last() else { return false };
    let mut weights = weights.iter();
    let mut sum = 0;
    for byte in body {
        let (first, second) = if byte.is_ascii_uppercase() {
            let letter_number = u32::from(byte - b'A') + 1;
            (Some(letter_number / 10), letter_number % 10)
        } else {
            (None, u32::from(byte.saturating_sub(b'0')))
        };
        for digit in first.into_iter().chain([second]) {
            let weighted = digit * weights.next().copied().unwrap_or_default();
            sum += weighted / 10 + weighted % 10;
        }
    }
    sum % 10 == u32::from(last.saturating_sub(b'0'))
}

/// Validates a value added tax number of 9 digits: no leading zero, check digit of ISO/IEC 7064 MOD 11,10.
pub(crate) fn value_added_tax(compact: &[u8]) -> bool {
    digits::<9>(compact).is_some_and(|values| values[0] != 0 && mod11_10(&values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tax_id_has_its_check_digit() {
        assert!(tax_id(b"86095742719") && tax_id(b"47036892816"));
        assert!(!tax_id(b"86095742718") && !tax_id(b"06095742719") && !tax_id(b"11112345674"));
    }

    #[test]
    fn a_uniform_tax_number_begins_with_a_state() {
        assert!(tax_number(b"2893081508152") && tax_number(b"9181081508155") && tax_number(b"9381508152"));
        assert!(!tax_number(b"2093081508152") && !tax_number(b"289308150815"));
    }

    #[test]
    fn a_passport_number_ends_with_its_check_digit() {
        assert!(passport(b"K7RX41TP0") && !passport(b"K7RX41TP1"));
        assert!(ends_in_check_digit(b"L898902C36") && ends_in_check_digit(b"D231458907"));
        assert!(!passport(b"L898902C3") && !passport(b"C2299004"));
    }

    #[test]
    fn the_specimens_with_the_check_digit_of_the_machine_readable_zone_are_valid() {
        assert!(passport_with_digit(b"C01X00T478") && identity_card_with_digit(b"L01X00T471"));
        assert!(
            !passport_with_digit(b"C01X00T477")
                && !identity_card_with_digit(b"L01X00T472")
                && !passport_with_digit(b"L01X00T471")
        );
    }

    #[test]
    fn an_old_identity_card_has_t_and_eight_digits() {
        assert!(identity_card(b"T01000322") && !identity_card(b"T0100032") && !identity_card(b"B01000322"));
    }

    #[test]
    fn the_specimen_pension_insurance_number_is_valid() {
        assert!(pension_insurance(b"65170839J003"));
        assert!(
            !pension_insurance(b"65170839J004")
                && !pension_insurance(b"65171339J003")
                && !pension_insurance(b"65170839J00")
        );
    }

    #[test]
    fn a_health_insurance_number_has_its_check_digit() {
        assert!(health_insurance(b"Q407182532"));
        assert!(!health_insurance(b"Q407182533") && !health_insurance(b"Q470182532"));
    }

    #[test]
    fn the_specimen_value_added_tax_number_is_valid() {
        assert!(value_added_tax(b"136695976") && !value_added_tax(b"136695977"));
    }
}
