//! What speaks against an entry before it is created: a text that recognition could take for another one.

use std::iter;

use super::{Alternative, Phrase, SoundsLike, Vocabulary, common_words::is_common};
use crate::id::VocabularyId;

/// A text of a proposed entry that collides with something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collision {
    /// Which text of the entry it is.
    pub place: Place,
    /// With what it collides.
    pub kind: CollisionKind,
}

/// One text of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Its phrase.
    Phrase,
    /// One of its alternatives, counted from 0.
    Alternative(usize),
}

/// With what a text collides. All but the first leave letter case aside.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CollisionKind {
    /// It is a phrase, and that of another entry: the new one would be refused.
    #[error("is the phrase of entry {0}, so this entry would be refused")]
    PhraseTaken(VocabularyId),
    /// It is what another entry writes.
    #[error("is the phrase of entry {0}, letter case left aside")]
    PhraseOf(VocabularyId),
    /// It is what another entry listens to.
    #[error("is an alternative of entry {0}, letter case left aside")]
    AlternativeOf(VocabularyId),
    /// It is an everyday English word.
    #[error("is an everyday English word, which would be heard where nobody meant this entry")]
    CommonWord,
    /// The same text stands before it in its own entry.
    #[error("stands in this entry before, letter case left aside")]
    Repeated,
}

impl CollisionKind {
    /// A stable word for the kind, for programs to match on.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::PhraseTaken(_) => "unique",
            Self::PhraseOf(_) => "phrase_of_another",
            Self::AlternativeOf(_) => "alternative_of_another",
            Self::CommonWord => "common_word",
            Self::Repeated => "repeated",
        }
    }
}

/// Everything in a proposed entry that collides: its phrase first, then its alternatives in order. With one other entry
/// a text collides once, with its phrase where that is the same.
#[must_use]
pub fn collisions(phrase: &Phrase, sounds_like: &SoundsLike, entries: &[Vocabulary]) -> Vec<Collision> {
    let known: Vec<_> = entries.iter().map(Folded::of).collect();
    let alternatives = sounds_like.alternatives().iter().map(Alternative::as_str).enumerate();
    let alternatives = alternatives.map(|(place, text)| (Place::Alternative(place), text));
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for (place, text) in iter::once((Place::Phrase, phrase.as_str())).chain(alternatives) {
        let folded = fold(text);
        let with_others = known.iter().filter_map(|entry| entry.collides(place, text, &folded));
        let common = is_common(&folded).then_some(CollisionKind::CommonWord);
        let repeated = seen.contains(&folded).then_some(CollisionKind::Repeated);
        let kinds = with_others.chain(common).chain(repeated);
        found.extend(kinds.map(|kind| Collision { place, kind }));
        seen.push(folded);
    }
    found
}

/// An entry with its texts in one letter case.
struct Folded<'entry> {
    entry: &'entry Vocabulary,
    phrase: String,
    alternatives: Vec<String>,
}

impl<'entry> Folded<'entry> {
    fn of(entry: &'entry Vocabulary) -> Self {
        let alternatives = entry.sounds_like.alternatives().iter().map(|text| fold(text.as_str())).collect();
        Self { entry, phrase: fold(entry.phrase.as_str()), alternatives }
    }

    fn collides(&self, place: Place, text: &str, folded: &str) -> Option<CollisionKind> {
        let id = || self.entry.id.clone();
        if place == Place::Phrase && self.entry.phrase.as_str() == text {
            Some(CollisionKind::PhraseTaken(id()))
        } else if self.phrase == folded {
            Some(CollisionKind::PhraseOf(id()))
        } else {
            self.alternatives.iter().any(|own| own == folded).then(|| CollisionKind::AlternativeOf(id()))
        }
    }
}

/// The text in one letter case. By way of capitals, so that letters with more than one small form, such as the two
/// Greek sigmas, or with none of their own in capitals, such as the German sharp s, become one.
fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn id(number: u128) -> VocabularyId {
        VocabularyId::from_bits(number)
    }

    fn sounds_like(texts: &[&str]) -> SoundsLike {
        SoundsLike::new(texts.iter().map(|text| Alternative::parse(*text).unwrap()).collect()).unwrap()
    }

    fn entry(number: u128, phrase: &str, alternatives: &[&str]) -> Vocabulary {
        Vocabulary {
            id: id(number),
            phrase: Phrase::parse(phrase).unwrap(),
            sounds_like: sounds_like(alternatives),
            created_at: Timestamp::EPOCH,
        }
    }

    fn against(entries: &[Vocabulary], phrase: &str, alternatives: &[&str]) -> Vec<(Place, CollisionKind)> {
        let found = collisions(&Phrase::parse(phrase).unwrap(), &sounds_like(alternatives), entries);
        found.into_iter().map(|collision| (collision.place, collision.kind)).collect()
    }

    #[test]
    fn an_entry_like_no_other_collides_with_nothing() {
        let entries = [entry(1, "Contoso", &["con toso"])];
        assert_eq!(against(&entries, "IEEE", &["I triple E", "eye triple e"]), []);
    }

    #[test]
    fn the_same_phrase_is_taken_and_in_other_letters_it_only_collides() {
        let entries = [entry(1, "Contoso", &[])];
        assert_eq!(against(&entries, "Contoso", &[]), [(Place::Phrase, CollisionKind::PhraseTaken(id(1)))]);
        assert_eq!(against(&entries, "CONTOSO", &[]), [(Place::Phrase, CollisionKind::PhraseOf(id(1)))]);
    }

    #[test]
    fn an_alternative_collides_with_the_phrases_and_alternatives_of_others() {
        let entries = [entry(1, "CRAN", &["sea ran"]), entry(2, "R", &["Sea Ran"])];
        let expected = [
            (Place::Alternative(0), CollisionKind::PhraseOf(id(1))),
            (Place::Alternative(1), CollisionKind::AlternativeOf(id(1))),
            (Place::Alternative(1), CollisionKind::AlternativeOf(id(2))),
        ];
        assert_eq!(against(&entries, "C++", &["cran", "SEA RAN"]), expected);
    }

    #[test]
    fn an_everyday_word_collides_whatever_its_letters() {
        let expected = [(Place::Phrase, CollisionKind::CommonWord), (Place::Alternative(1), CollisionKind::CommonWord)];
        assert_eq!(against(&[], "Index", &["in decks", "RAN"]), expected);
    }

    #[test]
    fn what_stands_twice_in_one_entry_is_told_at_the_second_place() {
        let expected =
            [(Place::Alternative(0), CollisionKind::Repeated), (Place::Alternative(2), CollisionKind::Repeated)];
        assert_eq!(against(&[], "IEEE", &["ieee", "I triple E", "i TRIPLE e"]), expected);
    }

    #[test]
    fn letters_of_every_script_lose_their_case() {
        for (one, other) in
            [("STRASSE", "stra\u{df}e"), ("\u{39f}\u{394}\u{39f}\u{3a3}", "\u{3bf}\u{3b4}\u{3bf}\u{3c2}")]
        {
            assert_eq!(fold(one), fold(other));
        }
    }
}
