//! Prefixes of United States employer identification numbers.

/// The two-digit prefixes that the Internal Revenue Service has assigned to a campus or to online applications, sorted.
///
/// Source: Internal Revenue Service, "How EINs are assigned and valid EIN prefixes".
pub(crate) const EIN_PREFIXES: &[u8] = &[
    1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 25, 26, 27, 30, 31, 32, 33, 34, 35, 36, 37, 38,
    39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68,
    71, 72, 73, 74, 75, 76, 77, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92, 93, 94, 95, 98, 99,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefixes_are_sorted() {
        assert!(EIN_PREFIXES.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
