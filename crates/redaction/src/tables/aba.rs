//! Prefixes of American Bankers Association routing numbers.

/// Inclusive ranges of the first two digits of routing numbers in use: the United States government (00), the 12
/// Federal Reserve districts (01-12), thrift institutions (21-32), electronic transactions (61-72) and traveller's
/// cheques (80).
///
/// Source: ABA Routing Number Policy.
pub(crate) const ABA_PREFIXES: &[(u8, u8)] = &[(0, 12), (21, 32), (61, 72), (80, 80)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_sorted_and_do_not_overlap() {
        assert!(ABA_PREFIXES.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
