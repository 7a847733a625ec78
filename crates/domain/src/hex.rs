//! Bytes as hexadecimal digits.

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    // The full length is reserved first: a reallocation would leave part of a secret in freed memory.
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    text
}

/// Parses exactly `BYTES` bytes from hexadecimal digits of either case.
#[must_use]
pub fn decode<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let mut bytes = [0; BYTES];
    if text.len() != 2 * BYTES {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *byte = digit(high)? << 4 | digit(low)?;
    }
    Some(bytes)
}

/// Whether a text has only lower-case hexadecimal digits. True for the empty text.
#[must_use]
pub fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_a_round_trip_through_hex() {
        let bytes = [0x00, 0x9a, 0xff];
        assert_eq!(encode(&bytes), "009aff");
        assert_eq!((decode("009aff"), decode("009AFF")), (Some(bytes), Some(bytes)));
    }

    #[test]
    fn text_of_another_length_or_with_other_characters_is_refused() {
        for text in ["", "00", "009af", "009aff0", "009ag0", "+09aff", "é9aff"] {
            assert_eq!(decode::<3>(text), None, "{text:?}");
        }
    }

    #[test]
    fn capital_letters_are_not_lower_case() {
        assert!(is_lower_hex("09af") && !is_lower_hex("09aF") && !is_lower_hex("g"));
    }
}
