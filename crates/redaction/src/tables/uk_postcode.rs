//! Postcode areas of the United Kingdom.

/// The 121 geographic areas, the areas of the Crown dependencies and the non-geographic areas in use, upper-case,
/// sorted.
///
/// Source: Royal Mail, Postcode Address File.
pub(crate) const AREAS: &[&str] = &[
    "AB", "AL", "B", "BA", "BB", "BD", "BH", "BL", "BN", "BR", "BS", "BT", "BX", "CA", "CB", "CF", "CH", "CM", "CO",
    "CR", "CT", "CV", "CW", "DA", "DD", "DE", "DG", "DH", "DL", "DN", "DT", "DY", "E", "EC", "EH", "EN", "EX", "FK",
    "FY", "G", "GL", "GU", "GY", "HA", "HD", "HG", "HP", "HR", "HS", "HU", "HX", "IG", "IM", "IP", "IV", "JE", "KA",
    "KT", "KW", "KY", "L", "LA", "LD", "LE", "LL", "LN", "LS", "LU", "M", "ME", "MK", "ML", "N", "NE", "NG", "NN",
    "NP", "NR", "NW", "OL", "OX", "PA", "PE", "PH", "PL", "PO", "PR", "RG", "RH", "RM", "S", "SA", "SE", "SG", "SK",
    "SL", "SM", "SN", "SO", "SP", "SR", "SS", "ST", "SW", "SY", "TA", "TD", "TF", "TN", "TQ", "TR", "TS", "TW", "UB",
    "W", "WA", "WC", "WD", "WF", "WN", "WR", "WS", "WV", "YO", "ZE",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_areas_are_sorted() {
        assert!(AREAS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn there_are_124_geographic_areas_and_the_bulk_one() {
        assert_eq!(AREAS.len(), 125);
    }
}
