//! The operator's own reference of what they do.

use crate::{
    limits::PRIVACY_REFERENCE_MAX_CHARACTERS,
    text::{check_identifier, text_type},
};

text_type!(
    /// The operator's own reference of a privacy request or a hold, such as the number of a ticket or of a legal case: 1 to
    /// 256 characters, no control characters.
    PrivacyReference,
    |text| check_identifier(text, PRIVACY_REFERENCE_MAX_CHARACTERS)
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_1_to_256_characters_and_no_control_character() {
        assert!(PrivacyReference::parse("é".repeat(256)).is_ok());
        for text in [String::new(), "é".repeat(257), "a\nb".to_owned()] {
            assert!(PrivacyReference::parse(text).is_err());
        }
    }
}
