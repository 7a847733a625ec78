//! Validators of the identifiers of Canada.

use super::check_digit::luhn;

/// Validates a social insurance number of 9 digits: first digit neither 0 nor 8, Luhn check digit (Employment and
/// Social Development Canada, SIN Code of Practice).
pub(crate) fn social_insurance(compact: &[u8]) -> bool {
    compact.len() == 9 && !matches!(compact[0], b'0' | b'8') && luhn(compact)
}

/// Validates a postal code: letters and digits alternate, without D, F, I, O, Q and U, and the first letter is neither
/// W nor Z (Canada Post, Addressing Guidelines).
pub(crate) fn postal_code(compact: &[u8]) -> bool {
    super::has_shape(compact, "A9A9A9")
        && !b"WZ".contains(&compact[0])
        && !compact.iter().any(|byte| b"DFIOQU".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_social_insurance_number_has_its_check_digit() {
        assert!(social_insurance(b"193456787") && social_insurance(b"726456783"));
        assert!(!social_insurance(b"193456788") && !social_insurance(b"046454286") && !social_insurance(b""));
    }

    #[test]
    fn a_postal_code_has_only_letters_in_use() {
        assert!(postal_code(b"K1A0B1") && postal_code(b"V6B4Y8"));
        assert!(!postal_code(b"W1A0B1") && !postal_code(b"K1O0B1") && !postal_code(b"K10AB1"));
    }
}
