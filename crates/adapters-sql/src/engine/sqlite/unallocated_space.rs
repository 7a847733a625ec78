//! Overwrites the unallocated space of b-tree pages, which can hold copies of cells.
//!
//! A b-tree page has its cells at its end and the pointers to them at its start, with unallocated space between.
//! `secure_delete` overwrites a cell that is deleted. But when SQLite distributes the cells of a page over several pages, the
//! unallocated space of the old page keeps their bytes, and no later deletion reaches them. The format is that of
//! <https://sqlite.org/fileformat2.html#b_tree_pages>. The pages are read and written through the table `sqlite_dbpage`, so
//! within the transaction like everything else.

use std::ops::Range;

use rusqlite::{Connection, Error, Result, ffi, params};

/// The number of pages that one transaction reads. It writes most of them the first time, and few of them later.
const PAGES_PER_TRANSACTION: u32 = 256;

/// From this number of pages on, the number of the next page, with which an overflow page begins, can begin like a b-tree page.
const PAGE_COUNT_LIMIT: u32 = 0x0200_0000;

/// The length of the header of a database file, which precedes the b-tree of its first page.
const FILE_HEADER_BYTES: usize = 100;

/// Overwrites the unallocated space of some pages from the page `first` on; pages are counted from 1. Returns the next page, if
/// there is one.
///
/// # Errors
/// Those of SQLite. Also if the database has [`PAGE_COUNT_LIMIT`] pages or more, or has `auto_vacuum`, whose pages of pointers
/// can begin like a b-tree page, or if SQLite was built without `SQLITE_ENABLE_DBPAGE_VTAB`.
pub(crate) fn clear_unallocated_space(connection: &Connection, first: u32) -> Result<Option<u32>> {
    let pages: u32 = connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
    let auto_vacuum: u32 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0))?;
    if pages >= PAGE_COUNT_LIMIT || auto_vacuum != 0 {
        let cause = "the file has too many pages, or auto_vacuum, so deleted bytes cannot be overwritten".to_owned();
        return Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), Some(cause)));
    }
    let next = first.saturating_add(PAGES_PER_TRANSACTION);
    for number in first..next.min(pages.saturating_add(1)) {
        clear_page(connection, number)?;
    }
    Ok((next <= pages).then_some(next))
}

fn clear_page(connection: &Connection, number: u32) -> Result<()> {
    let mut select = connection.prepare_cached("SELECT data FROM sqlite_dbpage WHERE pgno = ?1")?;
    let mut rows = select.query([number])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let page = row.get_ref(0)?.as_blob()?;
    let start = if number == 1 { FILE_HEADER_BYTES } else { 0 };
    let Some(space) = unallocated_space(page, start) else { return Ok(()) };
    if page.get(space.clone()).is_none_or(|bytes| bytes.iter().all(|byte| *byte == 0)) {
        return Ok(());
    }
    let mut cleared = page.to_vec();
    cleared.get_mut(space).into_iter().for_each(|bytes| bytes.fill(0));
    drop(rows);
    connection
        .prepare_cached("UPDATE sqlite_dbpage SET data = ?1 WHERE pgno = ?2")?
        .execute(params![cleared, number])
        .map(drop)
}

/// The unallocated space between the pointers and the cells of a b-tree page, whose header begins at `start`. `None` for every
/// other page.
fn unallocated_space(page: &[u8], start: usize) -> Option<Range<usize>> {
    let read_u16 = |at: usize| {
        let bytes = page.get(start + at..start + at + 2)?;
        Some(usize::from(u16::from_be_bytes(bytes.try_into().ok()?)))
    };
    // Interior and leaf pages of indexes and tables.
    let header_bytes = match page.get(start)? {
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return None,
    };
    let (cells, content) = (read_u16(3)?, read_u16(5)?);
    // 0 stands for 65,536.
    let content = if content == 0 { 0x1_0000 } else { content };
    let pointers_end = start + header_bytes + 2 * cells;
    (pointers_end <= content && content <= page.len()).then_some(pointers_end..content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(kind: u8, cells: u16, content: u16) -> Vec<u8> {
        let mut page = vec![7; 512];
        page[0] = kind;
        page[3..5].copy_from_slice(&cells.to_be_bytes());
        page[5..7].copy_from_slice(&content.to_be_bytes());
        page
    }

    #[test]
    fn the_unallocated_space_of_a_leaf_lies_between_its_pointers_and_its_cells() {
        assert_eq!(unallocated_space(&page(13, 3, 400), 0), Some(14..400));
        assert_eq!(unallocated_space(&page(10, 0, 512), 0), Some(8..512));
    }

    #[test]
    fn an_interior_page_has_a_longer_header() {
        assert_eq!(unallocated_space(&page(5, 3, 400), 0), Some(18..400));
        assert_eq!(unallocated_space(&page(2, 3, 400), 0), Some(18..400));
    }

    #[test]
    fn the_first_page_has_its_header_after_that_of_the_file() {
        let mut first = vec![7; FILE_HEADER_BYTES];
        first.extend(page(13, 1, 600));
        assert_eq!(unallocated_space(&first, FILE_HEADER_BYTES), Some(110..600));
    }

    #[test]
    fn other_and_damaged_pages_have_no_unallocated_space() {
        assert_eq!(unallocated_space(&page(0, 3, 400), 0), None);
        assert_eq!(unallocated_space(&page(13, 300, 400), 0), None);
        assert_eq!(unallocated_space(&page(13, 3, 513), 0), None);
        assert_eq!(unallocated_space(&[], 0), None);
        assert_eq!(unallocated_space(&[13, 0, 0, 0], 0), None);
    }

    /// Whether a page of the database contains this text.
    fn contains(connection: &Connection, text: &str) -> bool {
        let mut select = connection.prepare("SELECT data FROM sqlite_dbpage").unwrap();
        let mut pages = select.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap().map(Result::unwrap);
        pages.any(|page| page.windows(text.len()).any(|bytes| bytes == text.as_bytes()))
    }

    /// The name of a row that is deleted, or of one that is kept.
    fn name(number: u32) -> String {
        let prefix = if number.is_multiple_of(2) { "canary" } else { "kept" };
        format!("{prefix}-{:010}", number.wrapping_mul(2_654_435_761).reverse_bits())
    }

    #[test]
    fn no_deleted_value_is_left_in_the_pages_of_a_table_and_its_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("PRAGMA secure_delete = ON; PRAGMA page_size = 1024").unwrap();
        connection.execute_batch("CREATE TABLE people (id INT PRIMARY KEY, name TEXT) WITHOUT ROWID").unwrap();
        connection.execute_batch("CREATE INDEX by_name ON people (name)").unwrap();
        let transaction = connection.transaction().unwrap();
        for number in 0..20_000_u32 {
            // Scattered over the b-trees, so that pages are divided everywhere.
            let values = (number.wrapping_mul(2_654_435_761), name(number));
            transaction.execute("INSERT INTO people VALUES (?1, ?2)", values).unwrap();
        }
        transaction.execute("DELETE FROM people WHERE name LIKE 'canary%'", []).unwrap();
        transaction.commit().unwrap();
        assert!(contains(&connection, "canary"), "SQLite leaves no copies any more");
        let mut next = Some(1);
        while let Some(first) = next {
            next = clear_unallocated_space(&connection, first).unwrap();
        }
        assert!(!contains(&connection, "canary"));
        let kept: u32 =
            connection.query_row("SELECT count(*) FROM people INDEXED BY by_name", [], |row| row.get(0)).unwrap();
        assert_eq!(kept, 10_000);
        let state: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(state, "ok");
    }
}
