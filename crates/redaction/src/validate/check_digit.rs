//! Check digit algorithms that several identifiers share, under their published names.

use super::all_digits;

/// Validates a Luhn check digit (ISO/IEC 7812-1, annex B): the [`luhn_sum`] of all digits is a multiple of 10.
pub(crate) fn luhn(compact: &[u8]) -> bool {
    compact.len() > 1 && all_digits(compact) && luhn_sum(compact).is_multiple_of(10)
}

/// The sum of all digits, in which every second digit from the right counts as the digit sum of its double. Other bytes
/// are skipped.
pub(crate) fn luhn_sum(compact: &[u8]) -> u32 {
    let digits = compact.iter().rev().filter(|byte| byte.is_ascii_digit());
    digits
        .enumerate()
        .map(|(at, byte)| {
            let digit = u32::from(byte - b'0');
            if at % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 }
        })
        .sum()
}

/// The sum of digit values times weights. The longer slice is cut to the length of the shorter one.
pub(crate) fn weighted_sum(digits: &[u8], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum()
}

/// The remainder of a text modulo 97, with the letters as 10 to 35 (ISO/IEC 7064, MOD 97-10). `None` for other bytes.
pub(crate) fn mod97(compact: impl IntoIterator<Item = u8>) -> Option<u32> {
    let mut remainder = 0;
    for byte in compact {
        let value = char::from(byte).to_digit(36)?;
        remainder = (remainder * if value < 10 { 10 } else { 100 } + value) % 97;
    }
    Some(remainder)
}

/// Multiplication table of the dihedral group D5, for the Verhoeff algorithm.
const VERHOEFF_PRODUCT: [[u8; 10]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
    [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
    [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
    [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
    [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
    [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
    [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
    [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
];

/// The permutation of the Verhoeff algorithm. It is applied n times to the digit at position n from the right.
const VERHOEFF_PERMUTATION: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/// Validates a Verhoeff check digit (J. Verhoeff, "Error Detecting Decimal Codes", 1969): the product of all permuted
/// digits is 0.
pub(crate) fn verhoeff(compact: &[u8]) -> bool {
    if compact.len() < 2 || !all_digits(compact) {
        return false;
    }
    let mut product = 0_u8;
    for (position, byte) in compact.iter().rev().enumerate() {
        let mut digit = byte - b'0';
        for _ in 0..position % 8 {
            digit = VERHOEFF_PERMUTATION[usize::from(digit)];
        }
        product = VERHOEFF_PRODUCT[usize::from(product)][usize::from(digit)];
    }
    product == 0
}

/// Validates the check digit of ISO/IEC 7064, MOD 11,10. `digits` are values from 0 to 9.
pub(crate) fn mod11_10(digits: &[u8]) -> bool {
    let Some((last, body)) = digits.split_last() else { return false };
    let product = body.iter().fold(10, |product, digit| {
        let sum = (product + u32::from(*digit)) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (product + u32::from(*last)) % 10 == 1
}

/// Validates the check digit of an EAN-13 number (GS1 General Specifications, 7.9).
pub(crate) fn ean13(compact: &[u8]) -> bool {
    let Some(values) = super::digits::<13>(compact) else { return false };
    weighted_sum(&values, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luhn_accepts_the_published_example() {
        assert!(luhn(b"79927398713"));
        assert!(!luhn(b"79927398710"));
        assert!(!luhn(b"0"));
        assert!(!luhn(b"7992739871x"));
    }

    #[test]
    fn mod_97_accepts_the_published_example() {
        // The example of ISO/IEC 7064 is 794 with the check digits 44.
        assert_eq!(mod97(*b"79444"), Some(1));
        assert_eq!(mod97(*b"79445"), Some(2));
        assert_eq!(mod97(*b"79-44"), None);
    }

    #[test]
    fn ean_13_accepts_the_published_example() {
        assert!(ean13(b"6291041500213") && !ean13(b"6291041500214"));
    }

    #[test]
    fn verhoeff_accepts_the_published_example() {
        assert!(verhoeff(b"2363"));
        assert!(!verhoeff(b"2364"));
    }

    #[test]
    fn verhoeff_detects_every_swap_of_adjacent_digits() {
        let number = *b"1234567890120";
        assert!(verhoeff(&number));
        for at in 0..number.len() - 1 {
            let mut swapped = number;
            swapped.swap(at, at + 1);
            assert!(swapped == number || !verhoeff(&swapped));
        }
    }

    #[test]
    fn mod_11_10_accepts_the_published_example() {
        // The example of ISO/IEC 7064 is 0794 with the check digit 5.
        assert!(mod11_10(&[0, 7, 9, 4, 5]));
        assert!(!mod11_10(&[0, 7, 9, 4, 6]));
    }
}
