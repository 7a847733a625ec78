//! States and territories of the United States, with their ZIP prefixes.
//!
//! Five digits after the name of a state are a ZIP code.

/// A state, the federal district or a territory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsState {
    /// The name, lower-case, with one space between words.
    pub(crate) name: &'static str,
    /// The two-letter abbreviation of USPS Publication 28, lower-case.
    pub(crate) abbreviation: &'static str,
    /// Inclusive ranges of the first three digits of its ZIP codes (USPS sectional center facilities, L002).
    pub(crate) zip_prefixes: &'static [(u16, u16)],
    /// Whether the lower-case abbreviation is also an ordinary word ("in", "me") or a common title ("ms").
    pub(crate) abbreviation_is_word: bool,
}

const fn state(name: &'static str, abbreviation: &'static str, zip_prefixes: &'static [(u16, u16)]) -> UsState {
    UsState { name, abbreviation, zip_prefixes, abbreviation_is_word: false }
}

const fn ordinary_abbreviation(
    name: &'static str,
    abbreviation: &'static str,
    zip_prefixes: &'static [(u16, u16)],
) -> UsState {
    UsState { name, abbreviation, zip_prefixes, abbreviation_is_word: true }
}

/// The 50 states, the District of Columbia and the 5 inhabited territories, sorted by name.
///
/// Source: USPS Publication 28, appendix B, and the published ZIP prefix assignments. Compiled by hand, November 2026.
pub(crate) const US_STATES: &[UsState] = &[
    ordinary_abbreviation("alabama", "al", &[(350, 369)]),
    state("alaska", "ak", &[(995, 999)]),
    ordinary_abbreviation("american samoa", "as", &[(967, 967)]),
    state("arizona", "az", &[(850, 865)]),
    state("arkansas", "ar", &[(716, 729), (755, 755)]),
    state("california", "ca", &[(900, 961)]),
    ordinary_abbreviation("colorado", "co", &[(800, 816)]),
    state("connecticut", "ct", &[(60, 69)]),
    ordinary_abbreviation("delaware", "de", &[(197, 199)]),
    state("district of columbia", "dc", &[(200, 205), (569, 569)]),
    state("florida", "fl", &[(320, 349)]),
    state("georgia", "ga", &[(300, 319), (398, 399)]),
    state("guam", "gu", &[(969, 969)]),
    ordinary_abbreviation("hawaii", "hi", &[(967, 968)]),
    ordinary_abbreviation("idaho", "id", &[(832, 838)]),
    state("illinois", "il", &[(600, 629)]),
    ordinary_abbreviation("indiana", "in", &[(460, 479)]),
    state("iowa", "ia", &[(500, 528)]),
    state("kansas", "ks", &[(660, 679)]),
    state("kentucky", "ky", &[(400, 427)]),
    ordinary_abbreviation("louisiana", "la", &[(700, 714)]),
    ordinary_abbreviation("maine", "me", &[(39, 49)]),
    ordinary_abbreviation("maryland", "md", &[(206, 219)]),
    ordinary_abbreviation("massachusetts", "ma", &[(10, 27), (55, 55)]),
    state("michigan", "mi", &[(480, 499)]),
    state("minnesota", "mn", &[(550, 567)]),
    ordinary_abbreviation("mississippi", "ms", &[(386, 397)]),
    state("missouri", "mo", &[(630, 658)]),
    ordinary_abbreviation("montana", "mt", &[(590, 599)]),
    ordinary_abbreviation("nebraska", "ne", &[(680, 693)]),
    state("nevada", "nv", &[(889, 898)]),
    state("new hampshire", "nh", &[(30, 38)]),
    state("new jersey", "nj", &[(70, 89)]),
    state("new mexico", "nm", &[(870, 884)]),
    state("new york", "ny", &[(5, 5), (63, 63), (100, 149)]),
    state("north carolina", "nc", &[(270, 289)]),
    state("north dakota", "nd", &[(580, 588)]),
    state("northern mariana islands", "mp", &[(969, 969)]),
    ordinary_abbreviation("ohio", "oh", &[(430, 459)]),
    ordinary_abbreviation("oklahoma", "ok", &[(730, 749)]),
    ordinary_abbreviation("oregon", "or", &[(970, 979)]),
    ordinary_abbreviation("pennsylvania", "pa", &[(150, 196)]),
    ordinary_abbreviation("puerto rico", "pr", &[(6, 9)]),
    state("rhode island", "ri", &[(28, 29)]),
    state("south carolina", "sc", &[(290, 299)]),
    state("south dakota", "sd", &[(570, 577)]),
    state("tennessee", "tn", &[(370, 385)]),
    state("texas", "tx", &[(733, 733), (750, 799), (885, 885)]),
    state("utah", "ut", &[(840, 847)]),
    state("vermont", "vt", &[(50, 59)]),
    state("virgin islands", "vi", &[(8, 8)]),
    ordinary_abbreviation("virginia", "va", &[(201, 201), (220, 246)]),
    state("washington", "wa", &[(980, 994)]),
    state("west virginia", "wv", &[(247, 268)]),
    state("wisconsin", "wi", &[(530, 549)]),
    state("wyoming", "wy", &[(820, 831)]),
];

/// The state with this lower-case name or abbreviation.
pub(crate) fn us_state(name: &str) -> Option<&'static UsState> {
    US_STATES.iter().find(|entry| entry.name == name || entry.abbreviation == name)
}

impl UsState {
    /// Whether ZIP codes with this three-digit prefix are in the state.
    pub(crate) fn has_zip_prefix(&self, prefix: u16) -> bool {
        self.zip_prefixes.iter().any(|&(low, high)| (low..=high).contains(&prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::is_sorted_lower_case;

    #[test]
    fn the_names_are_sorted_and_lower_case() {
        let names: Vec<&str> = US_STATES.iter().map(|entry| entry.name).collect();
        assert!(is_sorted_lower_case(&names));
    }

    #[test]
    fn a_zip_prefix_belongs_to_its_state_only() {
        let new_york = us_state("ny").expect("NY is a state");
        assert!(new_york.has_zip_prefix(100));
        assert!(!new_york.has_zip_prefix(902));
    }

    #[test]
    fn every_zip_prefix_range_is_ascending() {
        assert!(US_STATES.iter().all(|entry| entry.zip_prefixes.iter().all(|&(low, high)| low <= high && high <= 999)));
    }
}
