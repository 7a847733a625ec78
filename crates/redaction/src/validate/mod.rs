//! Validators of single identifiers: shape, ranges and check digits, from the rules of the authority that issues them.
//!
//! A validator takes the compact candidate: ASCII upper-case letters and digits without separators. The validators of
//! [`crypto`] and [`network`] take the raw bytes. A validator accepts any bytes and never allocates.

pub(crate) mod africa;
pub(crate) mod asia;
pub(crate) mod australia;
pub(crate) mod banking;
pub(crate) mod calendar;
pub(crate) mod canada;
pub(crate) mod check_digit;
pub(crate) mod crypto;
pub(crate) mod device;
pub(crate) mod digest;
pub(crate) mod europe;
pub(crate) mod health;
pub(crate) mod india;
pub(crate) mod korea;
pub(crate) mod latin_america;
pub(crate) mod network;
pub(crate) mod passport;
pub(crate) mod payment;
pub(crate) mod uk;
pub(crate) mod us;
pub(crate) mod vat;
pub(crate) mod vehicle;

/// The values 0 to 9 of exactly `N` ASCII digits. `None` for any other text.
pub(crate) fn digits<const N: usize>(compact: &[u8]) -> Option<[u8; N]> {
    let bytes: [u8; N] = compact.try_into().ok()?;
    bytes.iter().all(u8::is_ascii_digit).then(|| bytes.map(|byte| byte - b'0'))
}

/// Whether a text consists of ASCII digits and is not empty.
pub(crate) fn all_digits(compact: &[u8]) -> bool {
    !compact.is_empty() && compact.iter().all(u8::is_ascii_digit)
}

/// Whether all bytes of a text are equal. Many check digit algorithms accept such test numbers and placeholders.
pub(crate) fn one_byte_repeated(compact: &[u8]) -> bool {
    compact.windows(2).all(|pair| pair[0] == pair[1])
}

/// The value of 1 to 18 ASCII digits. `None` for any other text.
pub(crate) fn number(compact: &[u8]) -> Option<u64> {
    if compact.len() > 18 || !all_digits(compact) {
        return None;
    }
    Some(compact.iter().fold(0, |value, byte| value * 10 + u64::from(byte - b'0')))
}

/// The value of `length` digits from `start`. `None` if a byte is no digit or the range exceeds the text.
pub(crate) fn number_at(compact: &[u8], start: usize, length: usize) -> Option<u64> {
    number(compact.get(start..start.checked_add(length)?)?)
}

/// Whether a text matches a pattern of the same length. `9` matches a digit, `A` an upper-case letter, `X` both, and
/// any other byte itself.
pub(crate) fn has_shape(compact: &[u8], pattern: &str) -> bool {
    compact.len() == pattern.len()
        && compact.iter().zip(pattern.bytes()).all(|(byte, class)| match class {
            b'9' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_uppercase(),
            b'X' => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            literal => *byte == literal,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_accepts_only_its_exact_length() {
        assert_eq!(digits::<3>(b"042"), Some([0, 4, 2]));
        assert_eq!(digits::<3>(b"42"), None);
        assert_eq!(digits::<3>(b"4x2"), None);
    }

    #[test]
    fn a_shape_distinguishes_letters_from_digits() {
        assert!(has_shape(b"AB12C", "AA99X"));
        assert!(!has_shape(b"A112C", "AA99X"));
        assert!(!has_shape(b"AB12", "AA99X"));
    }

    #[test]
    fn a_range_past_the_end_has_no_number() {
        assert_eq!(number_at(b"1234", 2, 2), Some(34));
        assert_eq!(number_at(b"1234", 2, 3), None);
        assert_eq!(number_at(b"1234", usize::MAX, 2), None);
    }
}
