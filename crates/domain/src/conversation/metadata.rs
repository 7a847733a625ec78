//! Metadata: key-value pairs that the caller attaches to a conversation.

use std::collections::BTreeMap;

use crate::{
    limits::{METADATA_KEY_MAX_CHARACTERS, METADATA_MAX_PAIRS, METADATA_VALUE_MAX_CHARACTERS},
    text::{Violation, check_identifier, check_text},
};

/// Up to 50 pairs. Keys have 1 to 128 characters without control characters, values up to 1,024 characters without NUL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata(BTreeMap<String, String>);

/// The rule that the pairs break. `Display` does not print the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{violation}")]
pub struct MetadataViolation {
    /// The key whose value breaks the rule; `None` if a key itself or the number of pairs breaks it.
    pub key: Option<String>,
    /// The rule.
    pub violation: Violation,
}

impl Metadata {
    /// Checks the number of pairs and each key and value.
    ///
    /// # Errors
    /// The first broken rule, in the order of the keys.
    pub fn parse(pairs: BTreeMap<String, String>) -> Result<Self, MetadataViolation> {
        let without_key = |violation| MetadataViolation { key: None, violation };
        if pairs.len() > METADATA_MAX_PAIRS {
            return Err(without_key(Violation::MaxPairs(METADATA_MAX_PAIRS)));
        }
        for (key, value) in &pairs {
            Self::check_key(key).map_err(without_key)?;
            check_text(value, 0, METADATA_VALUE_MAX_CHARACTERS)
                .map_err(|violation| MetadataViolation { key: Some(key.clone()), violation })?;
        }
        Ok(Self(pairs))
    }

    /// Checks that a text is a valid key.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check_key(key: &str) -> Result<(), Violation> {
        check_identifier(key, METADATA_KEY_MAX_CHARACTERS)
    }

    /// The pairs, ordered by key.
    #[must_use]
    pub fn pairs(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: usize) -> BTreeMap<String, String> {
        (0..count).map(|number| (format!("key-{number}"), "value".to_owned())).collect()
    }

    fn parse_pair(key: &str, value: &str) -> Result<Metadata, Violation> {
        Metadata::parse(BTreeMap::from([(key.to_owned(), value.to_owned())])).map_err(|broken| broken.violation)
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_key_and_an_invalid_key_is_not() {
        let key = |key: &str, value: &str| {
            Metadata::parse(BTreeMap::from([(key.to_owned(), value.to_owned())])).unwrap_err().key
        };
        assert_eq!((key("channel", "\0").as_deref(), key("a\tb", "")), (Some("channel"), None));
    }

    #[test]
    fn fifty_pairs_are_accepted_and_one_more_is_not() {
        assert!(Metadata::parse(pairs(50)).is_ok());
        assert_eq!(Metadata::parse(pairs(51)).unwrap_err().violation, Violation::MaxPairs(50));
    }

    #[test]
    fn a_key_has_1_to_128_characters_and_no_control_character() {
        assert!(parse_pair(&"k".repeat(128), "").is_ok());
        assert_eq!(parse_pair(&"k".repeat(129), ""), Err(Violation::MaxCharacters(128)));
        assert_eq!(parse_pair("", ""), Err(Violation::MinCharacters(1)));
        assert_eq!(parse_pair("a\tb", ""), Err(Violation::ControlCharacter));
    }

    #[test]
    fn a_value_has_up_to_1024_characters_and_no_nul() {
        assert!(parse_pair("key", &"ü".repeat(1_024)).is_ok());
        assert_eq!(parse_pair("key", &"ü".repeat(1_025)), Err(Violation::MaxCharacters(1_024)));
        assert_eq!(parse_pair("key", "\0"), Err(Violation::Nul));
    }
}
