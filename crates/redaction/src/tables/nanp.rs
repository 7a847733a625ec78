//! Service codes of the North American Numbering Plan, which are neither an area code nor an exchange.

/// The three-digit codes of services, such as community information and emergency calls (NANPA, N11 codes), sorted.
pub(crate) const SERVICE_CODES: &[u64] = &[211, 311, 411, 511, 611, 711, 811, 911];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_sorted() {
        assert!(SERVICE_CODES.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
