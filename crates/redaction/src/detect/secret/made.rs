//! Whether a piece was made by a machine rather than written by a person.

/// Letters and digits of such a piece at least.
const SHORTEST: usize = 16;
/// How often capitals, small letters and digits follow one another at least: a word with a year or a version, or some
/// joined by dashes, change less.
const CHANGES: usize = 4;

/// Whether a piece has the mix of letters and digits of something that was made at random.
pub(super) fn is_made(piece: &str) -> bool {
    let class = |byte: &u8| match byte {
        b'0'..=b'9' => Some(0_u8),
        b'a'..=b'z' => Some(1),
        b'A'..=b'Z' => Some(2),
        _ => None,
    };
    let (mut count, mut changes, mut digits, mut last) = (0_usize, 0_usize, false, None);
    for class in piece.as_bytes().iter().filter_map(class) {
        count += 1;
        changes += usize::from(last.is_some_and(|last| last != class));
        digits |= class == 0;
        last = Some(class);
    }
    count >= SHORTEST && changes >= CHANGES && digits && !piece.contains("..")
}

#[cfg(test)]
mod tests {
    use super::is_made;

    #[test]
    fn keys_are_made_and_words_are_not() {
        for key in [
            "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "123e4567-e89b-12d3-a456-426614174000",
            "ABCDE-12345-FGHIJ-67890-KLMNO",
        ] {
            assert!(is_made(key), "{key}");
        }
        for words in
            ["international-collaboration-2024", "AnUnusuallyLongNameOfAClass", "12345678901234567890", "a1b2c3d4"]
        {
            assert!(!is_made(words), "{words}");
        }
    }
}
