//! Pages of a vocabulary, oldest entries first, to be walked forth and back.

use super::Vocabulary;
use crate::{
    id::VocabularyId,
    limits::{VOCABULARY_PAGE_DEFAULT, VOCABULARY_PAGE_MAX},
    text::Violation,
};

/// How many entries a page may have: 1 to 100, and 20 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u16);

impl PageSize {
    /// The largest page.
    pub const MAX: Self = Self(VOCABULARY_PAGE_MAX);

    /// A page of up to so many entries.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 100.
    pub fn new(entries: u64) -> Result<Self, Violation> {
        let fits = u16::try_from(entries).ok().filter(|entries| (1..=VOCABULARY_PAGE_MAX).contains(entries));
        fits.map(Self).ok_or(Violation::Range(1, VOCABULARY_PAGE_MAX.into()))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }
}

impl Default for PageSize {
    fn default() -> Self {
        Self(VOCABULARY_PAGE_DEFAULT)
    }
}

/// Where a page lies: on which side of a cut through the order of identifiers. The cut need not be at an entry that
/// is still there, so a walk goes on when an entry is removed under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cursor {
    /// The page begins with this entry, or with the first after it.
    From(VocabularyId),
    /// The page ends with the last entry before this one.
    Before(VocabularyId),
}

impl Cursor {
    /// The other side of the same cut.
    #[must_use]
    pub fn turned(&self) -> Self {
        match self {
            Self::From(cut) => Self::Before(cut.clone()),
            Self::Before(cut) => Self::From(cut.clone()),
        }
    }
}

/// A run of entries, oldest first, with the pages beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyPage {
    /// The entries.
    pub entries: Vec<Vocabulary>,
    /// The page before this one; none where no entry precedes.
    pub previous: Option<Cursor>,
    /// The page after this one; none where no entry follows.
    pub next: Option<Cursor>,
}

impl VocabularyPage {
    /// The page at `cursor`, out of what a store has there: `found` are the entries from the cut on, the nearest
    /// first, one more than the page takes where there is one more; `behind` says whether any entry is on the other
    /// side of the cut. Without a cursor it is the first page, and nothing is behind it.
    #[must_use]
    pub fn at(cursor: Option<&Cursor>, size: PageSize, mut found: Vec<Vocabulary>, behind: bool) -> Self {
        let most = usize::from(size.get());
        let beyond = found.get(most).map(|entry| entry.id.clone());
        found.truncate(most);
        let back = cursor.filter(|_| behind).map(Cursor::turned);
        if matches!(cursor, Some(Cursor::Before(_))) {
            let previous = beyond.and(found.last()).map(|oldest| Cursor::Before(oldest.id.clone()));
            found.reverse();
            Self { entries: found, previous, next: back }
        } else {
            Self { entries: found, previous: back, next: beyond.map(Cursor::From) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        time::Timestamp,
        vocabulary::{Phrase, SoundsLike},
    };

    fn entry(number: u128) -> Vocabulary {
        Vocabulary {
            id: VocabularyId::from_bits(number),
            phrase: Phrase::parse(number.to_string()).unwrap(),
            sounds_like: SoundsLike::default(),
            created_at: Timestamp::EPOCH,
        }
    }

    fn page(cursor: Option<&Cursor>, found: &[u128], behind: bool) -> VocabularyPage {
        VocabularyPage::at(cursor, PageSize::new(2).unwrap(), found.iter().copied().map(entry).collect(), behind)
    }

    fn from(number: u128) -> Cursor {
        Cursor::From(VocabularyId::from_bits(number))
    }

    fn before(number: u128) -> Cursor {
        Cursor::Before(VocabularyId::from_bits(number))
    }

    #[test]
    fn the_first_page_has_nothing_before_it() {
        let expected = VocabularyPage { entries: vec![entry(1), entry(2)], previous: None, next: Some(from(3)) };
        assert_eq!(page(None, &[1, 2, 3], false), expected);
    }

    #[test]
    fn the_last_page_has_nothing_after_it() {
        let expected = VocabularyPage { entries: vec![entry(3), entry(4)], previous: Some(before(3)), next: None };
        assert_eq!(page(Some(&from(3)), &[3, 4], true), expected);
    }

    #[test]
    fn a_page_that_is_walked_back_to_is_the_one_that_was_left() {
        let forth = page(Some(&from(3)), &[3, 4, 5], true);
        let back = page(Some(&before(5)), &[4, 3, 2], true);
        assert_eq!(forth, back);
    }

    #[test]
    fn a_page_that_has_become_empty_still_leads_back() {
        let expected = VocabularyPage { entries: Vec::new(), previous: Some(before(3)), next: None };
        assert_eq!(page(Some(&from(3)), &[], true), expected);
    }

    #[test]
    fn a_page_has_1_to_100_entries_and_20_by_default() {
        assert!(PageSize::new(1).is_ok() && PageSize::new(100).is_ok());
        assert!(PageSize::new(0).is_err() && PageSize::new(101).is_err() && PageSize::new(u64::MAX).is_err());
        assert_eq!(PageSize::default().get(), 20);
    }
}
