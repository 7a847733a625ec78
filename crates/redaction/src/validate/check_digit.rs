//! The check digit algorithms that the identifiers share, by the names they are published under.

use super::all_digits;

/// Luhn's formula (ISO/IEC 7812-1, annex B): the last digit makes the sum of the digits, every second one from the right
/// doubled, a multiple of ten.
pub(crate) fn luhn(compact: &[u8]) -> bool {
    compact.len() > 1 && all_digits(compact) && luhn_sum(compact).is_multiple_of(10)
}

/// Luhn's sum of the digits of a text, other bytes counted as nothing.
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

/// The sum of digit values times weights, as long as the shorter of the two.
pub(crate) fn weighted_sum(digits: &[u8], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum()
}

/// The remainder of a text by 97 with letters read as 10 to 35 (ISO/IEC 7064, MOD 97-10); nothing for other bytes.
pub(crate) fn mod97(compact: impl IntoIterator<Item = u8>) -> Option<u32> {
    let mut rest = 0;
    for byte in compact {
        let value = char::from(byte).to_digit(36)?;
        rest = (rest * if value < 10 { 10 } else { 100 } + value) % 97;
    }
    Some(rest)
}

/// Products of the dihedral group of the pentagon: the table of Verhoeff's check.
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

/// The permutation that Verhoeff's check applies once more with every place.
const VERHOEFF_PERMUTATION: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/// Verhoeff's check (J. Verhoeff, "Error Detecting Decimal Codes", 1969): the last digit brings the product of all
/// permuted digits to zero.
pub(crate) fn verhoeff(compact: &[u8]) -> bool {
    if compact.len() < 2 || !all_digits(compact) {
        return false;
    }
    let mut product = 0_u8;
    for (place, byte) in compact.iter().rev().enumerate() {
        let mut digit = byte - b'0';
        for _ in 0..place % 8 {
            digit = VERHOEFF_PERMUTATION[usize::from(digit)];
        }
        product = VERHOEFF_PRODUCT[usize::from(product)][usize::from(digit)];
    }
    product == 0
}

/// Whether the last of the digits is the pure-system check character of ISO/IEC 7064, MOD 11,10.
pub(crate) fn mod11_10(digits: &[u8]) -> bool {
    let Some((last, body)) = digits.split_last() else { return false };
    let product = body.iter().fold(10, |product, digit| {
        let sum = (product + u32::from(*digit)) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (product + u32::from(*last)) % 10 == 1
}

/// Whether thirteen digits end in the check digit of an EAN-13 (GS1 General Specifications, 7.9).
pub(crate) fn ean13(compact: &[u8]) -> bool {
    let Some(values) = super::digits::<13>(compact) else { return false };
    weighted_sum(&values, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luhn_takes_the_published_example() {
        assert!(luhn(b"79927398713"));
        assert!(!luhn(b"79927398710"));
        assert!(!luhn(b"0"));
        assert!(!luhn(b"7992739871x"));
    }

    #[test]
    fn mod_97_takes_the_published_example() {
        // ISO/IEC 7064 gives 794 with the check digits 44.
        assert_eq!(mod97(*b"79444"), Some(1));
        assert_eq!(mod97(*b"79445"), Some(2));
        assert_eq!(mod97(*b"79-44"), None);
    }

    #[test]
    fn ean_takes_the_published_example() {
        assert!(ean13(b"6291041500213") && !ean13(b"6291041500214"));
    }

    #[test]
    fn verhoeff_takes_the_published_example() {
        assert!(verhoeff(b"2363"));
        assert!(!verhoeff(b"2364"));
    }

    #[test]
    fn verhoeff_catches_every_swap_of_neighbours() {
        let number = *b"1234567890120";
        assert!(verhoeff(&number));
        for at in 0..number.len() - 1 {
            let mut swapped = number;
            swapped.swap(at, at + 1);
            assert!(swapped == number || !verhoeff(&swapped));
        }
    }

    #[test]
    fn mod_11_10_takes_the_published_example() {
        // ISO/IEC 7064 gives 0794 with the check digit 5.
        assert!(mod11_10(&[0, 7, 9, 4, 5]));
        assert!(!mod11_10(&[0, 7, 9, 4, 6]));
    }
}
