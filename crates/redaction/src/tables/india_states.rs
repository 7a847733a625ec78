//! Codes of Indian states on registration plates.

/// The codes of states and union territories at the beginning of a registration plate, including past codes,
/// upper-case, sorted.
///
/// Source: Ministry of Road Transport and Highways.
pub(crate) const RTO_CODES: &[&str] = &[
    "AN", "AP", "AR", "AS", "BR", "CG", "CH", "DD", "DL", "DN", "GA", "GJ", "HP", "HR", "JH", "JK", "KA", "KL", "LA",
    "LD", "MH", "ML", "MN", "MP", "MZ", "NL", "OD", "OR", "PB", "PY", "RJ", "SK", "TG", "TN", "TR", "TS", "UA", "UK",
    "UP", "WB",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_sorted() {
        assert!(RTO_CODES.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
