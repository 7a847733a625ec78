//! Validators of account numbers and bank codes.

use super::check_digit::{mod97, weighted_sum};
use super::{digits, has_shape, number_at, one_byte_repeated};
use crate::tables::aba::ABA_PREFIXES;
use crate::tables::iban::{CharacterClass, IbanCountry, iban_country};
use crate::tables::iso_country::is_country_code;

/// Validates an IBAN: country, length and structure from the registry, remainder 1 modulo 97 (ISO 13616-1).
pub(crate) fn iban(compact: &[u8]) -> bool {
    has_iban_structure(compact) && mod97(compact.iter().cycle().skip(4).take(compact.len()).copied()) == Some(1)
}

/// Whether a text has the country, length and structure of an IBAN. The check digits are not tested.
pub(crate) fn has_iban_structure(compact: &[u8]) -> bool {
    let [first, second, check @ .., _] = compact.first_chunk::<5>().copied().unwrap_or_default();
    let Some(country) = iban_country([first, second]) else { return false };
    compact.len() == usize::from(country.length)
        && check.iter().all(u8::is_ascii_digit)
        && has_structure(&compact[4..], country)
}

fn has_structure(account: &[u8], country: &IbanCountry) -> bool {
    let mut remaining = account;
    for &(count, class) in country.structure {
        let Some((part, after)) = remaining.split_at_checked(usize::from(count)) else { return false };
        let fits = part.iter().all(|byte| match class {
            CharacterClass::Digits => byte.is_ascii_digit(),
            CharacterClass::Letters => byte.is_ascii_uppercase(),
            CharacterClass::Alphanumeric => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
        });
        if !fits {
            return false;
        }
        remaining = after;
    }
    remaining.is_empty()
}

/// Validates an ABA routing number of 9 digits: a prefix in use and the 3-7-1 check digit (ABA Routing Number Policy).
pub(crate) fn aba_routing(compact: &[u8]) -> bool {
    let Some(values) = digits::<9>(compact) else { return false };
    let prefix = values[0] * 10 + values[1];
    !one_byte_repeated(compact)
        && ABA_PREFIXES.iter().any(|&(low, high)| (low..=high).contains(&prefix))
        && weighted_sum(&values, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10)
}

/// Validates a business identifier code: 4 letters, a country, 2 characters for the location and optionally 3 for the
/// branch (ISO 9362).
///
/// The standard permits digits in the first four characters. No institution uses them.
pub(crate) fn bic(compact: &[u8]) -> bool {
    (has_shape(compact, "AAAAAAXX") || has_shape(compact, "AAAAAAXXXXX")) && is_country_code([compact[4], compact[5]])
}

/// Matches the format of a sort code of the United Kingdom or Ireland: 6 digits, the first two (the bank) not 00
/// (Pay.UK, Extended Industry Sorting Code Directory). There is no check digit.
pub(crate) fn uk_sort_code(compact: &[u8]) -> bool {
    digits::<6>(compact).is_some_and(|values| values[..2] != [0, 0]) && !one_byte_repeated(compact)
}

/// Matches the format of an Australian bank state branch number: 6 digits, the first two (the bank) not 00
/// (`AusPayNet`, BSB directory). There is no check digit.
pub(crate) fn au_bsb(compact: &[u8]) -> bool {
    number_at(compact, 0, 6).is_some() && compact.len() == 6 && !compact.starts_with(b"00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_iban_registry_are_valid() {
        let samples: [&[u8]; 6] = [
            b"GB29NWBK60161331926819",
            b"DE89370400440532013000",
            b"FR1420041010050500013M02606",
            b"NO9386011117947",
            b"MT84MALT011000012345MTLCAST001S",
            b"NL91ABNA0417164300",
        ];
        assert!(samples.into_iter().all(iban));
    }

    #[test]
    fn an_iban_with_two_swapped_digits_is_invalid() {
        assert!(!iban(b"DE89370400440532010300"));
        assert!(!iban(b"DE98370400440532013000"));
    }

    #[test]
    fn an_iban_of_the_wrong_length_or_country_is_invalid() {
        assert!(!iban(b"DE8937040044053201300"));
        assert!(!iban(b"ZZ89370400440532013000"));
        assert!(!iban(b"") && !iban(b"DE89"));
    }

    #[test]
    fn an_iban_with_letters_in_place_of_digits_is_invalid() {
        assert_eq!(mod97(*b"A70400440532013000DE85"), Some(1));
        assert!(!iban(b"DE85A70400440532013000"));
    }

    #[test]
    fn the_routing_numbers_of_reserve_banks_are_valid() {
        assert!(aba_routing(b"021001208") && aba_routing(b"011000015") && aba_routing(b"121000248"));
        assert!(!aba_routing(b"021001209") && !aba_routing(b"451000015") && !aba_routing(b"000000000"));
    }

    #[test]
    fn a_bic_contains_a_country_code() {
        assert!(bic(b"DEUTDEFF") && bic(b"DEUTDEFF500") && bic(b"NEDSZAJJXXX"));
        assert!(!bic(b"DEUTQQFF") && !bic(b"DEUTDEF") && !bic(b"DEUT1EFF"));
    }

    #[test]
    fn a_sort_code_and_a_branch_number_have_six_digits() {
        assert!(uk_sort_code(b"601613") && au_bsb(b"062000"));
        assert!(!uk_sort_code(b"00161") && !uk_sort_code(b"001613") && !au_bsb(b"000123") && !au_bsb(b"06200"));
    }
}
