//! Randomness: whether a machine generated a segment.

/// Minimum letters and digits of a random segment.
const MIN_CHARS: usize = 16;
/// Minimum changes between capitals, small letters and digits. A word with a year or a version, or words joined by
/// hyphens, has fewer changes.
const MIN_CLASS_CHANGES: usize = 4;

/// Whether a segment has the mix of letters and digits of a random value.
pub(super) fn looks_random(segment: &str) -> bool {
    let class = |byte: &u8| match byte {
        b'0'..=b'9' => Some(0_u8),
        b'a'..=b'z' => Some(1),
        b'A'..=b'Z' => Some(2),
        _ => None,
    };
    let (mut count, mut changes, mut digits, mut last) = (0_usize, 0_usize, false, None);
    for class in segment.as_bytes().iter().filter_map(class) {
        count += 1;
        changes += usize::from(last.is_some_and(|last| last != class));
        digits |= class == 0;
        last = Some(class);
    }
    count >= MIN_CHARS && changes >= MIN_CLASS_CHANGES && digits && !segment.contains("..")
}

#[cfg(test)]
mod tests {
    use super::looks_random;

    #[test]
    fn keys_look_random_and_words_do_not() {
        for key in [
            "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "123e4567-e89b-12d3-a456-426614174000",
            "ABCDE-12345-FGHIJ-67890-KLMNO",
        ] {
            assert!(looks_random(key), "{key}");
        }
        for words in
            ["international-collaboration-2024", "AnUnusuallyLongNameOfAClass", "12345678901234567890", "a1b2c3d4"]
        {
            assert!(!looks_random(words), "{words}");
        }
    }
}
