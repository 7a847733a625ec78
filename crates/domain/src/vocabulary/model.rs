//! What an entry of a vocabulary is.

use crate::{
    id::VocabularyId,
    limits::{PHRASE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_ITEMS, VOCABULARY_MAX_ENTRIES},
    retry::{Canonical, CanonicalForm},
    text::{Violation, check_identifier, text_type, trimmed},
    time::Timestamp,
};

text_type!(
    /// What is to stand in the transcribed text: 1 to 100 characters, no control characters, no blanks at its ends.
    ///
    /// Two phrases are the same where they are so character by character: letter case matters.
    Phrase,
    trimmed,
    |text| check_identifier(text, PHRASE_MAX_CHARACTERS)
);

text_type!(
    /// What is heard when the phrase is meant: 1 to 40 characters, no control characters, no blanks at its ends.
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
    /// [`Violation::MaxItems`] where there are more than five.
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

/// An entry of a vocabulary. It is never changed, only removed (spec §3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// The identifier that the service made; later arrivals have greater ones.
    pub id: VocabularyId,
    /// What is to stand in the transcribed text: unique within the tenant.
    pub phrase: Phrase,
    /// What is heard when the phrase is meant.
    pub sounds_like: SoundsLike,
    /// When it arrived, by the service's clock.
    pub created_at: Timestamp,
}

/// What an entry is created of.
impl Canonical for (Phrase, SoundsLike) {
    fn add_to(&self, form: &mut CanonicalForm) {
        let (phrase, SoundsLike(alternatives)) = self;
        form.text(phrase.as_str());
        form.count(alternatives.len());
        for alternative in alternatives {
            form.text(alternative.as_str());
        }
    }
}

/// How many entries a vocabulary may have.
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
    fn neither_holds_a_control_character_inside() {
        for text in ["a\0b", "a\tb", "a\nb", "a\u{85}b"] {
            assert_eq!(Phrase::parse(text), Err(Violation::ControlCharacter), "{text:?}");
            assert_eq!(Alternative::parse(text), Err(Violation::ControlCharacter), "{text:?}");
        }
    }

    #[test]
    fn phrases_are_told_apart_by_letter_case() {
        assert_ne!(Phrase::parse("Contoso"), Phrase::parse("contoso"));
    }

    #[test]
    fn there_are_none_to_five_alternatives() {
        let alternatives = |count| vec![Alternative::parse("x").unwrap(); count];
        assert!(SoundsLike::new(alternatives(0)).is_ok() && SoundsLike::new(alternatives(5)).is_ok());
        assert_eq!(SoundsLike::new(alternatives(6)), Err(Violation::MaxItems(5)));
    }
}
