//! Constant, sorted lookup tables of the detectors, each with its source.

pub(crate) mod aba;
pub(crate) mod access_words;
pub(crate) mod card_issuers;
pub(crate) mod class_table;
pub(crate) mod ein;
pub(crate) mod english_common;
pub(crate) mod eponyms;
pub(crate) mod given_names;
pub(crate) mod iban;
pub(crate) mod identifier_outlines;
pub(crate) mod india_states;
pub(crate) mod iso_country;
pub(crate) mod issued_keys;
pub(crate) mod mail_providers;
pub(crate) mod months;
pub(crate) mod nanp;
pub(crate) mod other_codes;
pub(crate) mod phone_countries;
pub(crate) mod plates;
pub(crate) mod profanity;
pub(crate) mod street_types;
pub(crate) mod surnames;
pub(crate) mod tld;
pub(crate) mod topic_words;
pub(crate) mod uk_postcode;
pub(crate) mod us_states;
pub(crate) mod word_set;

/// Whether a list is strictly ascending, has no upper-case letters and no word longer than
/// [`word_set::MAX_WORD_BYTES`].
#[cfg(test)]
pub(crate) fn is_sorted_lower_case(list: &[&str]) -> bool {
    let is_valid_word = |word: &&str| word.len() <= word_set::MAX_WORD_BYTES && !word.chars().any(char::is_uppercase);
    list.windows(2).all(|pair| pair[0] < pair[1]) && list.iter().all(is_valid_word)
}
