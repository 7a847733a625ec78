//! Collisions: texts of a proposed entry that speech recognition could confuse with another text.
//!
//! Each text of an entry, its phrase or an alternative, makes the speech engine write the phrase. A text collides if
//! another entry has it too, if it is a common English word, or if it repeats a text of its own entry. The engine then
//! writes the wrong phrase, or the text has no use. The caller can check a proposed entry for collisions and correct it
//! before creating it. Only a phrase that another entry has makes the creation fail.

use std::iter;

use super::{Alternative, Phrase, SoundsLike, VocabularyEntry, common_words::is_common_word};
use crate::id::VocabularyEntryId;

/// A text of a proposed entry and the kind of its collision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    /// The text of the entry.
    pub field: EntryField,
    /// The kind of the collision.
    pub kind: CollisionKind,
}

/// The position of one text within an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryField {
    /// The phrase.
    Phrase,
    /// An alternative, counted from 0.
    Alternative(usize),
}

/// The kind of a collision. All kinds except the first ignore letter case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CollisionKind {
    /// The text is a phrase that another entry already has. Creating the entry would fail.
    #[error("is the phrase of entry {0}, so this entry would be refused")]
    PhraseTaken(VocabularyEntryId),
    /// The text is the phrase of another entry.
    #[error("is the phrase of entry {0}, ignoring letter case")]
    MatchesPhrase(VocabularyEntryId),
    /// The text is an alternative of another entry.
    #[error("is an alternative of entry {0}, ignoring letter case")]
    MatchesAlternative(VocabularyEntryId),
    /// The text is a common English word.
    #[error("is a common English word, so this entry would be recognized where it is not meant")]
    CommonWord,
    /// The text repeats an earlier text of the same entry.
    #[error("repeats an earlier text of this entry, ignoring letter case")]
    Duplicate,
}

impl CollisionKind {
    /// A stable word for the kind, for programs to match on.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::PhraseTaken(_) => "unique",
            Self::MatchesPhrase(_) => "phrase_of_another",
            Self::MatchesAlternative(_) => "alternative_of_another",
            Self::CommonWord => "common_word",
            Self::Duplicate => "repeated",
        }
    }
}

/// All collisions of a proposed entry: those of its phrase first, then those of its alternatives in order. A text
/// collides at most once with each other entry; the collision with the phrase takes precedence.
#[must_use]
pub fn find_collisions(phrase: &Phrase, sounds_like: &SoundsLike, entries: &[VocabularyEntry]) -> Vec<Collision> {
    let existing: Vec<_> = entries.iter().map(FoldedEntry::new).collect();
    let alternatives = sounds_like.alternatives().iter().map(Alternative::as_str).enumerate();
    let alternatives = alternatives.map(|(index, text)| (EntryField::Alternative(index), text));
    let mut detected = Vec::new();
    let mut earlier = Vec::new();
    for (field, text) in iter::once((EntryField::Phrase, phrase.as_str())).chain(alternatives) {
        let folded = fold(text);
        let with_existing = existing.iter().filter_map(|entry| entry.collision_with(field, text, &folded));
        let common = is_common_word(&folded).then_some(CollisionKind::CommonWord);
        let repeated = earlier.contains(&folded).then_some(CollisionKind::Duplicate);
        let kinds = with_existing.chain(common).chain(repeated);
        detected.extend(kinds.map(|kind| Collision { field, kind }));
        earlier.push(folded);
    }
    detected
}

/// An entry with its texts in folded letter case.
struct FoldedEntry<'entry> {
    entry: &'entry VocabularyEntry,
    phrase: String,
    alternatives: Vec<String>,
}

impl<'entry> FoldedEntry<'entry> {
    fn new(entry: &'entry VocabularyEntry) -> Self {
        let alternatives = entry.sounds_like.alternatives().iter().map(|text| fold(text.as_str())).collect();
        Self { entry, phrase: fold(entry.phrase.as_str()), alternatives }
    }

    fn collision_with(&self, field: EntryField, text: &str, folded: &str) -> Option<CollisionKind> {
        let id = || self.entry.id.clone();
        if field == EntryField::Phrase && self.entry.phrase.as_str() == text {
            Some(CollisionKind::PhraseTaken(id()))
        } else if self.phrase == folded {
            Some(CollisionKind::MatchesPhrase(id()))
        } else {
            self.alternatives
                .iter()
                .any(|alternative| alternative == folded)
                .then(|| CollisionKind::MatchesAlternative(id()))
        }
    }
}

/// Folds the letter case of a text. The conversion goes through upper case. It unifies letters with several lower-case
/// forms, such as the two Greek sigmas, and letters without an upper-case form, such as the German sharp s.
fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn id(number: u128) -> VocabularyEntryId {
        VocabularyEntryId::from_bits(number)
    }

    fn sounds_like(texts: &[&str]) -> SoundsLike {
        SoundsLike::new(texts.iter().map(|text| Alternative::parse(*text).unwrap()).collect()).unwrap()
    }

    fn entry(number: u128, phrase: &str, alternatives: &[&str]) -> VocabularyEntry {
        VocabularyEntry {
            id: id(number),
            phrase: Phrase::parse(phrase).unwrap(),
            sounds_like: sounds_like(alternatives),
            created_at: Timestamp::EPOCH,
        }
    }

    fn collisions_with(
        entries: &[VocabularyEntry],
        phrase: &str,
        alternatives: &[&str],
    ) -> Vec<(EntryField, CollisionKind)> {
        let detected = find_collisions(&Phrase::parse(phrase).unwrap(), &sounds_like(alternatives), entries);
        detected.into_iter().map(|collision| (collision.field, collision.kind)).collect()
    }

    #[test]
    fn an_entry_unlike_all_others_has_no_collisions() {
        let entries = [entry(1, "Contoso", &["con toso"])];
        assert_eq!(collisions_with(&entries, "IEEE", &["I triple E", "eye triple e"]), []);
    }

    #[test]
    fn the_same_phrase_is_taken_and_in_another_letter_case_it_only_collides() {
        let entries = [entry(1, "Contoso", &[])];
        assert_eq!(
            collisions_with(&entries, "Contoso", &[]),
            [(EntryField::Phrase, CollisionKind::PhraseTaken(id(1)))]
        );
        assert_eq!(
            collisions_with(&entries, "CONTOSO", &[]),
            [(EntryField::Phrase, CollisionKind::MatchesPhrase(id(1)))]
        );
    }

    #[test]
    fn an_alternative_collides_with_the_phrases_and_alternatives_of_others() {
        let entries = [entry(1, "CRAN", &["sea ran"]), entry(2, "R", &["Sea Ran"])];
        let expected = [
            (EntryField::Alternative(0), CollisionKind::MatchesPhrase(id(1))),
            (EntryField::Alternative(1), CollisionKind::MatchesAlternative(id(1))),
            (EntryField::Alternative(1), CollisionKind::MatchesAlternative(id(2))),
        ];
        assert_eq!(collisions_with(&entries, "C++", &["cran", "SEA RAN"]), expected);
    }

    #[test]
    fn a_common_word_collides_in_any_letter_case() {
        let expected =
            [(EntryField::Phrase, CollisionKind::CommonWord), (EntryField::Alternative(1), CollisionKind::CommonWord)];
        assert_eq!(collisions_with(&[], "Index", &["in decks", "RAN"]), expected);
    }

    #[test]
    fn a_text_that_repeats_an_earlier_one_collides_at_its_own_position() {
        let expected = [
            (EntryField::Alternative(0), CollisionKind::Duplicate),
            (EntryField::Alternative(2), CollisionKind::Duplicate),
        ];
        assert_eq!(collisions_with(&[], "IEEE", &["ieee", "I triple E", "i TRIPLE e"]), expected);
    }

    #[test]
    fn letter_case_is_folded_in_every_script() {
        for (one, other) in
            [("STRASSE", "stra\u{df}e"), ("\u{39f}\u{394}\u{39f}\u{3a3}", "\u{3bf}\u{3b4}\u{3bf}\u{3c2}")]
        {
            assert_eq!(fold(one), fold(other));
        }
    }
}
