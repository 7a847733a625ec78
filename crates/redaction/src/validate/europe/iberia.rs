//! Validators of the identifiers of Spain and Portugal.

use crate::validate::check_digit::weighted_sum;
use crate::validate::{all_digits, digits, has_shape, number, number_at, one_byte_repeated};

/// Check letters by the remainder of the number modulo 23.
const SPANISH_CHECK_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// Validates a Spanish tax number of a citizen (NIF): 7 or 8 digits and their check letter, or K, L or M, 7 digits and
/// the check letter (Ministry of the Interior, Royal Decree 1553/2005; Royal Decree 1065/2007).
pub(crate) fn spanish_nif(compact: &[u8]) -> bool {
    let Some((letter, body)) = compact.split_last() else { return false };
    match body {
        [b'K' | b'L' | b'M', rest @ ..] => rest.len() == 7 && spanish_check_letter(rest) == Some(*letter),
        _ => matches!(body.len(), 7 | 8) && !is_all_zeros(body) && spanish_check_letter(body) == Some(*letter),
    }
}

fn is_all_zeros(body: &[u8]) -> bool {
    body.iter().all(|byte| *byte == b'0')
}

/// Validates a Spanish number of a foreigner (NIE): X, Y or Z for a leading 0, 1 or 2, 7 digits, check letter (Ministry
/// of the Interior, Order INT/2058/2008).
pub(crate) fn spanish_nie(compact: &[u8]) -> bool {
    let [first @ b'X'..=b'Z', body @ .., letter] = compact else { return false };
    let lead = u64::from(first - b'X') * 10_000_000;
    body.len() == 7 && number(body).and_then(|value| check_letter(lead + value)) == Some(*letter)
}

fn spanish_check_letter(digits: &[u8]) -> Option<u8> {
    check_letter(number(digits)?)
}

fn check_letter(value: u64) -> Option<u8> {
    usize::try_from(value % 23).ok().and_then(|at| SPANISH_CHECK_LETTERS.get(at)).copied()
}

/// Validates a Spanish tax number of a company (CIF): company type, 7 digits, check digit or letter (Order
/// EHA/451/2008).
pub(crate) fn spanish_cif(compact: &[u8]) -> bool {
    let [kind, body @ .., control] = compact else { return false };
    let Some(values) = digits::<7>(body) else { return false };
    let sum: u8 = values
        .iter()
        .enumerate()
        .map(|(at, value)| if at % 2 == 0 { value * 2 / 10 + value * 2 % 10 } else { *value })
        .sum();
    let check = (10 - sum % 10) % 10;
    let letter = b"JABCDEFGHI"[usize::from(check)];
    match kind {
        b'P' | b'Q' | b'R' | b'S' | b'N' | b'W' => *control == letter,
        b'A' | b'B' | b'E' | b'H' => *control == b'0' + check,
        b'C' | b'D' | b'F' | b'G' | b'J' | b'U' | b'V' => *control == letter || *control == b'0' + check,
        _ => false,
    }
}

/// Validates a Portuguese tax number (NIF) of 9 digits: a prefix in use (1 to 3, 45, 5 to 9), check digit modulo 11
/// with the weights 9 to 2 (Tax and Customs Authority, Decree-Law 14/2013).
pub(crate) fn portuguese_nif(compact: &[u8]) -> bool {
    let Some(values) = digits::<9>(compact) else { return false };
    let check = 11 - weighted_sum(&values, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    let check = if check > 9 { 0 } else { check };
    let has_prefix_in_use = !matches!(values[..2], [0, _] | [4, 0..=4 | 6..=9]);
    has_prefix_in_use && check == u32::from(values[8]) && !one_byte_repeated(compact)
}

/// Validates a Portuguese citizen card number: 8 digits, a digit, 2 letters or digits, a Luhn check digit with the
/// letters as 10 to 35 (Ministry of Justice, "Validação de Número de Documento do Cartão de Cidadão"). Digits alone are
/// rejected.
pub(crate) fn portuguese_card(compact: &[u8]) -> bool {
    if !has_shape(compact, "999999999XX9") || all_digits(compact) {
        return false;
    }
    let mut sum = 0;
    for (at, byte) in compact.iter().enumerate() {
        let Some(value) = char::from(*byte).to_digit(36) else { return false };
        let doubled = if at % 2 == 0 { value * 2 } else { value };
        sum += if at % 2 == 0 && doubled > 9 { doubled - 9 } else { doubled };
    }
    sum.is_multiple_of(10) && number_at(compact, 0, 8) != Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spanish_tax_number_has_its_check_letter() {
        assert!(spanish_nif(b"87654321X") && spanish_nif(b"54362315K"));
        assert!(!spanish_nif(b"87654321Y") && !spanish_nif(b"8765432X") && !spanish_nif(b"00000000T"));
    }

    #[test]
    fn a_number_of_a_foreigner_has_its_check_letter() {
        assert!(spanish_nie(b"X2482300W") && spanish_nie(b"X0000000T"));
        assert!(!spanish_nie(b"X2482300A") && !spanish_nie(b"W2482300W") && !spanish_nie(b"X248230W"));
    }

    #[test]
    fn a_spanish_company_number_has_its_check_character() {
        assert!(spanish_cif(b"A58818501") && spanish_cif(b"J99216582"));
        assert!(!spanish_cif(b"A58818502") && !spanish_cif(b"J99216583") && !spanish_cif(b"P58818501"));
    }

    #[test]
    fn a_portuguese_number_has_its_check_digit() {
        assert!(portuguese_nif(b"123456789") && portuguese_nif(b"501964843"));
        assert!(!portuguese_nif(b"501964844") && !portuguese_nif(b"401964843"));
    }

    #[test]
    fn a_portuguese_card_has_its_check_digit() {
        assert!(portuguese_card(b"123456789ZX5"));
        assert!(!portuguese_card(b"123456789ZX6") && !portuguese_card(b"123456789XZ5"));
        assert!(!portuguese_card(b"123456789012"));
    }
}
