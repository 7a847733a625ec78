//! Pages in the order of identifiers, of entries in memory.

use parlance_domain::vocabulary::{Cursor, ListPage, Listed, PageSize};

/// The page at `cursor` of all entries, which are in the order of their identifiers.
pub(crate) fn page_of<Entry: Listed<Id: Ord>>(
    entries: Vec<Entry>,
    cursor: Option<&Cursor<Entry::Id>>,
    size: PageSize,
) -> ListPage<Entry> {
    let is_on_side = |entry: &Entry| match cursor {
        None => true,
        Some(Cursor::From(boundary)) => entry.id() >= boundary,
        Some(Cursor::Before(boundary)) => entry.id() < boundary,
    };
    let (mut rows, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_on_side);
    if matches!(cursor, Some(Cursor::Before(_))) {
        rows.reverse();
    }
    rows.truncate(usize::from(size.get()) + 1);
    ListPage::from_rows(cursor, size, rows, !others.is_empty())
}
