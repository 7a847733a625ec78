//! Data the detectors look things up in: constant, sorted, each with its source.

pub(crate) mod aba;
pub(crate) mod card_issuers;
pub(crate) mod ein;
pub(crate) mod english_common;
pub(crate) mod given_names;
pub(crate) mod iban;
pub(crate) mod india_states;
pub(crate) mod iso_country;
pub(crate) mod mail_providers;
pub(crate) mod months;
pub(crate) mod nanp;
pub(crate) mod phone_countries;
pub(crate) mod profanity;
pub(crate) mod street_types;
pub(crate) mod surnames;
pub(crate) mod tld;
pub(crate) mod uk_postcode;
pub(crate) mod us_states;

/// Whether a sorted list of lower-case words holds a word.
pub(crate) fn contains(list: &[&str], lower_case: &str) -> bool {
    list.binary_search(&lower_case).is_ok()
}

/// Whether a list can be searched by [`contains`]: strictly ascending, no upper-case letter.
#[cfg(test)]
pub(crate) fn is_sorted_lower_case(list: &[&str]) -> bool {
    list.windows(2).all(|pair| pair[0] < pair[1]) && !list.iter().any(|word| word.chars().any(char::is_uppercase))
}
