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

/// Bytes of the longest word of a list.
const LONGEST: usize = 48;

/// Whether a sorted list of lower-case words holds a word, whatever the case of its ASCII letters.
pub(crate) fn contains(list: &[&str], word: &str) -> bool {
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    list.binary_search_by(|listed| listed.as_bytes().cmp(lower)).is_ok()
}

/// Whether a list can be searched by [`contains`]: strictly ascending, no upper-case letter, no word too long.
#[cfg(test)]
pub(crate) fn is_sorted_lower_case(list: &[&str]) -> bool {
    let lower = |word: &&str| word.len() <= LONGEST && !word.chars().any(char::is_uppercase);
    list.windows(2).all(|pair| pair[0] < pair[1]) && list.iter().all(lower)
}
