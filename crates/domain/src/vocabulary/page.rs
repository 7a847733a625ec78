//! Pages of entries in the order of their identifiers, such as those of a vocabulary, with cursors in both directions.

use super::VocabularyEntry;
use crate::{
    id::VocabularyEntryId,
    limits::{VOCABULARY_PAGE_DEFAULT, VOCABULARY_PAGE_MAX},
    text::Violation,
};

/// The maximum number of entries of a page: 1 to 100, 20 by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u16);

impl PageSize {
    /// The largest page size.
    pub const MAX: Self = Self(VOCABULARY_PAGE_MAX);

    /// A page size of this number of entries.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to 100.
    pub fn new(entries: u64) -> Result<Self, Violation> {
        let valid = u16::try_from(entries).ok().filter(|entries| (1..=VOCABULARY_PAGE_MAX).contains(entries));
        valid.map(Self).ok_or(Violation::Range(1, VOCABULARY_PAGE_MAX.into()))
    }

    /// The number of entries.
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

/// The position of a page: one side of a boundary in the order of identifiers. The boundary stays valid when its entry
/// is removed, so paging continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cursor<Id = VocabularyEntryId> {
    /// The page starts with this entry, or with the first entry after it.
    From(Id),
    /// The page ends with the last entry before this one.
    Before(Id),
}

impl<Id: Clone> Cursor<Id> {
    /// The other side of the same boundary.
    #[must_use]
    pub fn opposite(&self) -> Self {
        match self {
            Self::From(boundary) => Self::Before(boundary.clone()),
            Self::Before(boundary) => Self::From(boundary.clone()),
        }
    }
}

/// What pages list: an object with an identifier, by which it is ordered.
pub trait Listed {
    /// The type of the identifier.
    type Id: Clone;

    /// The identifier.
    fn id(&self) -> &Self::Id;
}

impl Listed for VocabularyEntry {
    type Id = VocabularyEntryId;

    fn id(&self) -> &VocabularyEntryId {
        &self.id
    }
}

/// Consecutive entries, oldest first, with cursors to the neighbouring pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage<Entry: Listed> {
    /// The entries.
    pub entries: Vec<Entry>,
    /// The cursor of the previous page; `None` if no entry precedes.
    pub previous: Option<Cursor<Entry::Id>>,
    /// The cursor of the next page; `None` if no entry follows.
    pub next: Option<Cursor<Entry::Id>>,
}

/// A page of a vocabulary.
pub type VocabularyPage = ListPage<VocabularyEntry>;

impl<Entry: Listed> ListPage<Entry> {
    /// Builds the page at `cursor` from the rows of a store. `rows` holds the entries on the cursor's side of the
    /// boundary, nearest first. If there are more entries than the page holds, `rows` has exactly one extra entry.
    /// `has_opposite` is true if any entry is on the other side of the boundary. Without a cursor, the page is the
    /// first one and nothing precedes it.
    #[must_use]
    pub fn from_rows(
        cursor: Option<&Cursor<Entry::Id>>,
        size: PageSize,
        mut rows: Vec<Entry>,
        has_opposite: bool,
    ) -> Self {
        let max_entries = usize::from(size.get());
        let extra = rows.get(max_entries).map(|entry| entry.id().clone());
        rows.truncate(max_entries);
        let opposite = cursor.filter(|_| has_opposite).map(Cursor::opposite);
        if matches!(cursor, Some(Cursor::Before(_))) {
            let previous = extra.and(rows.last()).map(|oldest| Cursor::Before(oldest.id().clone()));
            rows.reverse();
            Self { entries: rows, previous, next: opposite }
        } else {
            Self { entries: rows, previous: opposite, next: extra.map(Cursor::From) }
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

    fn entry(number: u128) -> VocabularyEntry {
        VocabularyEntry {
            id: VocabularyEntryId::from_bits(number),
            phrase: Phrase::parse(number.to_string()).unwrap(),
            sounds_like: SoundsLike::default(),
            created_at: Timestamp::EPOCH,
        }
    }

    fn page(cursor: Option<&Cursor>, rows: &[u128], has_opposite: bool) -> VocabularyPage {
        VocabularyPage::from_rows(
            cursor,
            PageSize::new(2).unwrap(),
            rows.iter().copied().map(entry).collect(),
            has_opposite,
        )
    }

    fn from(number: u128) -> Cursor {
        Cursor::From(VocabularyEntryId::from_bits(number))
    }

    fn before(number: u128) -> Cursor {
        Cursor::Before(VocabularyEntryId::from_bits(number))
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
    fn paging_back_returns_the_page_that_was_left() {
        let forward = page(Some(&from(3)), &[3, 4, 5], true);
        let back = page(Some(&before(5)), &[4, 3, 2], true);
        assert_eq!(forward, back);
    }

    #[test]
    fn an_empty_page_still_has_a_previous_page() {
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
