//! Validators of the identifiers of Australia.

use super::check_digit::weighted_sum;
use super::{digits, one_byte_repeated};

/// Validates a tax file number of 8 or 9 digits: the weighted sum is a multiple of 11 (Australian Taxation Office, TFN
/// validation algorithm).
pub(crate) fn tax_file_number(compact: &[u8]) -> bool {
    let sum = match (digits::<9>(compact), digits::<8>(compact)) {
        (Some(values), _) => weighted_sum(&values, &[1, 4, 3, 7, 5, 8, 6, 9, 10]),
        (_, Some(values)) => weighted_sum(&values, &[10, 7, 8, 4, 6, 3, 5, 1]),
        _ => return false,
    };
    sum.is_multiple_of(11) && !one_byte_repeated(compact)
}

/// Validates a business number of 11 digits: with the first digit reduced by 1, the weighted sum is a multiple of 89
/// (Australian Business Register, format of the ABN).
pub(crate) fn business_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<11>(compact) else { return false };
    let sum = weighted_sum(&values, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    values[0] > 0 && (sum - 10).is_multiple_of(89)
}

/// Validates a company number of 9 digits: the check digit completes the weighted sum (weights 8 to 1) to a multiple of
/// 10 (Australian Securities and Investments Commission, ACN check digit).
pub(crate) fn company_number(compact: &[u8]) -> bool {
    let Some(values) = digits::<9>(compact) else { return false };
    (weighted_sum(&values, &[8, 7, 6, 5, 4, 3, 2, 1]) + u32::from(values[8])).is_multiple_of(10)
        && !one_byte_repeated(compact)
}

/// Validates a Medicare card number of 10 or 11 digits: the first is 2 to 6, the ninth is the check digit, the eleventh
/// is the position of the person on the card (Services Australia; Department of Health, Medicare number validation).
pub(crate) fn medicare(compact: &[u8]) -> bool {
    let Some(values) = compact.get(..10).and_then(digits::<10>) else { return false };
    let person_fits = match compact.get(10..) {
        Some([]) => true,
        Some([person]) => (b'1'..=b'9').contains(person),
        _ => false,
    };
    person_fits
        && (2..=6).contains(&values[0])
        && weighted_sum(&values, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10 == u32::from(values[8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weighted_sum_of_a_tax_file_number_is_a_multiple_of_11() {
        assert!(tax_file_number(b"123456782") && tax_file_number(b"81854402"));
        assert!(!tax_file_number(b"123456783") && !tax_file_number(b"81854403") && !tax_file_number(b"000000000"));
    }

    #[test]
    fn the_weighted_sum_of_a_business_number_is_a_multiple_of_89() {
        assert!(business_number(b"51824753556") && business_number(b"83914571673"));
        assert!(!business_number(b"51824753557") && !business_number(b"01824753556"));
    }

    #[test]
    fn a_company_number_has_its_check_digit() {
        assert!(company_number(b"004085616") && company_number(b"010499966"));
        assert!(!company_number(b"004085617"));
    }

    #[test]
    fn a_medicare_number_has_its_check_digit() {
        assert!(medicare(b"2428778132") && medicare(b"24287781321"));
        assert!(!medicare(b"2428778232") && !medicare(b"1428778132") && !medicare(b"24287781320"));
    }
}
