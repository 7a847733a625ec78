//! The vocabulary entry and its parts.

use crate::{
    access::WriteConfiguration,
    id::VocabularyEntryId,
    idempotency::{CanonicalForm, Canonicalize, Operation, OperationRequest},
    limits::{PHRASE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_ITEMS, VOCABULARY_MAX_ENTRIES},
    text::{Violation, check_identifier, text_type, trimmed},
    time::Timestamp,
};

text_type!(
    /// The text that a transcript should contain: 1 to 100 characters, no control characters, no blanks at the ends.
    ///
    /// Two phrases are equal if all characters are equal. Letter case matters.
    Phrase,
    trimmed,
    |text| check_identifier(text, PHRASE_MAX_CHARACTERS)
);

text_type!(
    /// A text that the phrase may sound like: 1 to 40 characters, no control characters, no blanks at the ends.
    Alternative,
    trimmed,
    |text| check_identifier(text, SOUNDS_LIKE_MAX_CHARACTERS)
);

/// Up to five alternatives, in the caller's order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SoundsLike(Vec<Alternative>);

impl SoundsLike {
    /// Checks the number of alternatives.
    ///
    /// # Errors
    /// [`Violation::MaxItems`] for more than five alternatives.
    pub fn new(alternatives: Vec<Alternative>) -> Result<Self, Violation> {
        if alternatives.len() > SOUNDS_LIKE_MAX_ITEMS {
            return Err(Violation::MaxItems(SOUNDS_LIKE_MAX_ITEMS));
        }
        Ok(Self(alternatives))
    }

    /// The alternatives.
    #[must_use]
    pub fn alternatives(&self) -> &[Alternative] {
        &self.0
    }
}

/// An entry of a vocabulary. An entry is never changed, only removed (spec §3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyEntry {
    /// The identifier that the service generated. Later entries have greater identifiers.
    pub id: VocabularyEntryId,
    /// The text that a transcript should contain; unique within the tenant.
    pub phrase: Phrase,
    /// The texts that the phrase may sound like.
    pub sounds_like: SoundsLike,
    /// The arrival time, by the service's clock.
    pub created_at: Timestamp,
}

/// The canonical form of a request that creates an entry.
impl Canonicalize for (Phrase, SoundsLike) {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        let (phrase, SoundsLike(alternatives)) = self;
        form.text(phrase.as_str());
        form.count(alternatives.len());
        for alternative in alternatives {
            form.text(alternative.as_str());
        }
    }
}

impl OperationRequest for (Phrase, SoundsLike) {
    const OPERATION: Operation = Operation::CreateVocabulary;
    type Permission = WriteConfiguration;
}

/// The maximum number of entries of a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity(u16);

impl Capacity {
    /// The capacity of each tenant's vocabulary: 200 entries (spec §8).
    pub const PER_TENANT: Self = Self(VOCABULARY_MAX_ENTRIES);

    /// The number of entries.
    #[must_use]
    pub fn entries(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_has_1_to_100_characters_without_the_blanks_at_its_ends() {
        assert_eq!(Phrase::parse(" \t\u{a0}Contoso Pay\u{3000}\r\n").unwrap().as_str(), "Contoso Pay");
        assert!(Phrase::parse(format!("  {}  ", "🦀".repeat(100))).is_ok());
        assert_eq!(Phrase::parse("é".repeat(101)), Err(Violation::MaxCharacters(100)));
        assert_eq!(Phrase::parse(" \n\u{2003} "), Err(Violation::MinCharacters(1)));
    }

    #[test]
    fn an_alternative_has_1_to_40_characters_without_the_blanks_at_its_ends() {
        assert_eq!(Alternative::parse(" I triple E ").unwrap().as_str(), "I triple E");
        assert!(Alternative::parse("ü".repeat(40)).is_ok());
        assert_eq!(Alternative::parse("ü".repeat(41)), Err(Violation::MaxCharacters(40)));
        assert_eq!(Alternative::parse(""), Err(Violation::MinCharacters(1)));
    }

    #[test]
    fn phrases_and_alternatives_have_no_control_characters_inside() {
        for text in ["a\0b", "a\tb", "a\nb", "a\u{85}b"] {
            assert_eq!(Phrase::parse(text), Err(Violation::ControlCharacter), "{text:?}");
            assert_eq!(Alternative::parse(text), Err(Violation::ControlCharacter), "{text:?}");
        }
    }

    #[test]
    fn phrases_that_differ_in_letter_case_are_different() {
        assert_ne!(Phrase::parse("Contoso"), Phrase::parse("contoso"));
    }

    #[test]
    fn an_entry_has_0_to_5_alternatives() {
        let alternatives = |count| vec![Alternative::parse("x").unwrap(); count];
        assert!(SoundsLike::new(alternatives(0)).is_ok() && SoundsLike::new(alternatives(5)).is_ok());
        assert_eq!(SoundsLike::new(alternatives(6)), Err(Violation::MaxItems(5)));
    }
}
