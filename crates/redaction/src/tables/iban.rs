//! Countries of the IBAN registry, with the length and structure of their account numbers.

/// A character class in a basic bank account number (ISO 13616-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharacterClass {
    /// Digits only (`n`).
    Digits,
    /// Upper-case letters only (`a`).
    Letters,
    /// Digits and letters (`c`).
    Alphanumeric,
}

/// A country that issues IBANs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IbanCountry {
    /// ISO 3166-1 alpha-2 code. Kosovo has `XK`.
    pub(crate) country: [u8; 2],
    /// Length of the complete IBAN in characters, 15 to 34.
    pub(crate) length: u8,
    /// The structure of the basic bank account number after the four leading characters: counts of characters by class.
    pub(crate) structure: &'static [(u8, CharacterClass)],
}

const fn country(country: [u8; 2], length: u8, structure: &'static [(u8, CharacterClass)]) -> IbanCountry {
    IbanCountry { country, length, structure }
}

const N: CharacterClass = CharacterClass::Digits;
const A: CharacterClass = CharacterClass::Letters;
const C: CharacterClass = CharacterClass::Alphanumeric;

/// The IBAN registry of ISO 13616-1, published by SWIFT (release 101), sorted by country.
pub(crate) const IBAN_COUNTRIES: &[IbanCountry] = &[
    country(*b"AD", 24, &[(8, N), (12, C)]),
    country(*b"AE", 23, &[(19, N)]),
    country(*b"AL", 28, &[(8, N), (16, C)]),
    country(*b"AT", 20, &[(16, N)]),
    country(*b"AZ", 28, &[(4, A), (20, C)]),
    country(*b"BA", 20, &[(16, N)]),
    country(*b"BE", 16, &[(12, N)]),
    country(*b"BG", 22, &[(4, A), (6, N), (8, C)]),
    country(*b"BH", 22, &[(4, A), (14, C)]),
    country(*b"BI", 27, &[(23, N)]),
    country(*b"BR", 29, &[(23, N), (1, A), (1, C)]),
    country(*b"BY", 28, &[(4, C), (4, N), (16, C)]),
    country(*b"CH", 21, &[(5, N), (12, C)]),
    country(*b"CR", 22, &[(18, N)]),
    country(*b"CY", 28, &[(8, N), (16, C)]),
    country(*b"CZ", 24, &[(20, N)]),
    country(*b"DE", 22, &[(18, N)]),
    country(*b"DJ", 27, &[(23, N)]),
    country(*b"DK", 18, &[(14, N)]),
    country(*b"DO", 28, &[(4, C), (20, N)]),
    country(*b"EE", 20, &[(16, N)]),
    country(*b"EG", 29, &[(25, N)]),
    country(*b"ES", 24, &[(20, N)]),
    country(*b"FI", 18, &[(14, N)]),
    country(*b"FK", 18, &[(2, A), (12, N)]),
    country(*b"FO", 18, &[(14, N)]),
    country(*b"FR", 27, &[(10, N), (11, C), (2, N)]),
    country(*b"GB", 22, &[(4, A), (14, N)]),
    country(*b"GE", 22, &[(2, A), (16, N)]),
    country(*b"GI", 23, &[(4, A), (15, C)]),
    country(*b"GL", 18, &[(14, N)]),
    country(*b"GR", 27, &[(7, N), (16, C)]),
    country(*b"GT", 28, &[(4, C), (20, C)]),
    country(*b"HN", 28, &[(4, A), (20, N)]),
    country(*b"HR", 21, &[(17, N)]),
    country(*b"HU", 28, &[(24, N)]),
    country(*b"IE", 22, &[(4, A), (14, N)]),
    country(*b"IL", 23, &[(19, N)]),
    country(*b"IQ", 23, &[(4, A), (15, N)]),
    country(*b"IS", 26, &[(22, N)]),
    country(*b"IT", 27, &[(1, A), (10, N), (12, C)]),
    country(*b"JO", 30, &[(4, A), (4, N), (18, C)]),
    country(*b"KW", 30, &[(4, A), (22, C)]),
    country(*b"KZ", 20, &[(3, N), (13, C)]),
    country(*b"LB", 28, &[(4, N), (20, C)]),
    country(*b"LC", 32, &[(4, A), (24, C)]),
    country(*b"LI", 21, &[(5, N), (12, C)]),
    country(*b"LT", 20, &[(16, N)]),
    country(*b"LU", 20, &[(3, N), (13, C)]),
    country(*b"LV", 21, &[(4, A), (13, C)]),
    country(*b"LY", 25, &[(21, N)]),
    country(*b"MC", 27, &[(10, N), (11, C), (2, N)]),
    country(*b"MD", 24, &[(20, C)]),
    country(*b"ME", 22, &[(18, N)]),
    country(*b"MK", 19, &[(3, N), (10, C), (2, N)]),
    country(*b"MN", 20, &[(16, N)]),
    country(*b"MR", 27, &[(23, N)]),
    country(*b"MT", 31, &[(4, A), (5, N), (18, C)]),
    country(*b"MU", 30, &[(4, A), (19, N), (3, A)]),
    country(*b"NI", 28, &[(4, A), (20, N)]),
    country(*b"NL", 18, &[(4, A), (10, N)]),
    country(*b"NO", 15, &[(11, N)]),
    country(*b"OM", 23, &[(3, N), (16, C)]),
    country(*b"PK", 24, &[(4, A), (16, C)]),
    country(*b"PL", 28, &[(24, N)]),
    country(*b"PS", 29, &[(4, A), (21, C)]),
    country(*b"PT", 25, &[(21, N)]),
    country(*b"QA", 29, &[(4, A), (21, C)]),
    country(*b"RO", 24, &[(4, A), (16, C)]),
    country(*b"RS", 22, &[(18, N)]),
    country(*b"RU", 33, &[(14, N), (15, C)]),
    country(*b"SA", 24, &[(2, N), (18, C)]),
    country(*b"SC", 31, &[(4, A), (20, N), (3, A)]),
    country(*b"SD", 18, &[(14, N)]),
    country(*b"SE", 24, &[(20, N)]),
    country(*b"SI", 19, &[(15, N)]),
    country(*b"SK", 24, &[(20, N)]),
    country(*b"SM", 27, &[(1, A), (10, N), (12, C)]),
    country(*b"SO", 23, &[(19, N)]),
    country(*b"ST", 25, &[(21, N)]),
    country(*b"SV", 28, &[(4, A), (20, N)]),
    country(*b"TL", 23, &[(19, N)]),
    country(*b"TN", 24, &[(20, N)]),
    country(*b"TR", 26, &[(6, N), (16, C)]),
    country(*b"UA", 29, &[(6, N), (19, C)]),
    country(*b"VA", 22, &[(18, N)]),
    country(*b"VG", 24, &[(4, A), (16, N)]),
    country(*b"XK", 20, &[(16, N)]),
    country(*b"YE", 30, &[(4, A), (4, N), (18, C)]),
];

/// For each pair of letters, the index of the country in [`IBAN_COUNTRIES`] plus one, or 0.
static COUNTRY_BY_LETTERS: [[u8; 26]; 26] = {
    let mut table = [[0; 26]; 26];
    let mut at = 0;
    while at < IBAN_COUNTRIES.len() {
        let [first, second] = IBAN_COUNTRIES[at].country;
        at += 1;
        #[expect(clippy::cast_possible_truncation, reason = "IBAN_COUNTRIES has fewer than 256 entries")]
        let entry = at as u8;
        table[(first - b'A') as usize][(second - b'A') as usize] = entry;
    }
    table
};

/// The country with this upper-case code.
pub(crate) fn iban_country([first, second]: [u8; 2]) -> Option<&'static IbanCountry> {
    let by_second = COUNTRY_BY_LETTERS.get(usize::from(first.wrapping_sub(b'A')))?;
    let entry = by_second.get(usize::from(second.wrapping_sub(b'A')))?;
    IBAN_COUNTRIES.get(usize::from(*entry).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_by_country() {
        assert!(IBAN_COUNTRIES.windows(2).all(|pair| pair[0].country < pair[1].country));
    }

    #[test]
    fn every_structure_matches_the_length() {
        for entry in IBAN_COUNTRIES {
            let total: u8 = entry.structure.iter().map(|&(count, _)| count).sum();
            assert_eq!(total + 4, entry.length);
        }
    }
}
