//! The b-trees of a SQLite database, tables and indexes, read in slices of their own order.

use rusqlite::{Connection, params_from_iter, types::Value};

use super::{decoders::Decoder, is_damage};
use crate::error::Unread;

/// A table, or an index of one. A table `WITHOUT ROWID` is the index of its primary key.
#[derive(Clone)]
pub(super) struct Tree {
    /// Its name, for a report.
    pub(super) name: String,
    /// The table with what makes SQLite read this tree, as SQL.
    source: String,
    /// The columns that it is ordered by, as SQL.
    key: Vec<String>,
    decoder: Option<Decoder>,
    is_table: bool,
}

/// From which end a tree is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Direction {
    Ascending,
    Descending,
}

/// What was read of a tree.
#[derive(Default)]
pub(super) struct Slice {
    pub(super) rows: usize,
    /// The key of the last row; none where the tree ends here, or cannot be read further.
    pub(super) last: Option<Vec<Value>>,
    /// What is wrong, the place and never the value.
    pub(super) faults: Vec<Box<str>>,
}

impl Tree {
    /// Every tree of the database that can be read in slices. An index on expressions or of some rows only cannot.
    pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Self>> {
        let tables = "SELECT name, wr FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema' ORDER BY name";
        let mut statement = connection.prepare(tables)?;
        let tables = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut trees = Vec::new();
        for table in tables {
            let (name, without_rowid): (String, bool) = table?;
            trees.extend(Self::of_table(connection, &name, without_rowid)?);
        }
        Ok(trees)
    }

    fn of_table(connection: &Connection, table: &str, without_rowid: bool) -> rusqlite::Result<Vec<Self>> {
        let indexes = "SELECT name, origin FROM pragma_index_list(?1) WHERE NOT partial ORDER BY name";
        let mut statement = connection.prepare_cached(indexes)?;
        let indexes = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut key_of_table = vec!["rowid".to_owned()];
        let mut trees = Vec::new();
        for index in indexes {
            let (index, origin): (String, String) = index?;
            let is_table = without_rowid && origin == "pk";
            let Some(key) = key_of(connection, &index, is_table)? else { continue };
            if is_table {
                key_of_table = key;
                continue;
            }
            let (name, source) =
                (format!("{table}.{index}"), format!("{} INDEXED BY {}", quoted(table), quoted(&index)));
            trees.push(Self { name, source, key, decoder: None, is_table: false });
        }
        let (name, source, decoder) = (table.to_owned(), quoted(table), Decoder::of(table));
        trees.insert(0, Self { name, source, key: key_of_table, decoder, is_table: true });
        Ok(trees)
    }

    /// Whether it is a table.
    pub(super) fn is_table(&self) -> bool {
        self.is_table
    }

    /// Reads at most so many rows after a key, in a transaction of its own.
    ///
    /// # Errors
    /// Where the database cannot be asked. Rows that cannot be read or decoded are faults of the slice.
    pub(super) fn read(
        &self,
        connection: &Connection,
        after: Option<&[Value]>,
        limit: usize,
        direction: Direction,
    ) -> rusqlite::Result<Slice> {
        let mut slice = Slice::default();
        match self.read_into(&mut slice, connection, after, limit, direction) {
            Err(error) if is_damage(&error) => {
                slice.last = None;
                slice.faults.push(format!("{} cannot be read: {error}", self.name).into());
            }
            outcome => outcome?,
        }
        Ok(slice)
    }

    fn read_into(
        &self,
        slice: &mut Slice,
        connection: &Connection,
        after: Option<&[Value]>,
        limit: usize,
        direction: Direction,
    ) -> rusqlite::Result<()> {
        let mut statement = connection.prepare(&self.statement(after.is_some(), limit, direction))?;
        let first_of_key = statement.column_count() - self.key.len();
        let mut rows = statement.query(params_from_iter(after.unwrap_or_default()))?;
        while let Some(row) = rows.next()? {
            slice.rows += 1;
            if let Some(Err(unread)) = self.decoder.as_ref().map(|decoder| (decoder.decode)(row)) {
                slice.faults.push(format!("{} cannot be decoded: {}", self.name, unread.reason()).into());
            }
            let key: rusqlite::Result<_> =
                (first_of_key..first_of_key + self.key.len()).map(|at| row.get(at)).collect();
            slice.last = Some(key?);
        }
        if slice.rows < limit {
            slice.last = None;
        }
        Ok(())
    }

    fn statement(&self, after: bool, limit: usize, direction: Direction) -> String {
        let key = self.key.join(", ");
        let columns = match &self.decoder {
            Some(decoder) => format!("{}, {key}", decoder.columns),
            None if self.is_table => format!("*, {key}"),
            None => key.clone(),
        };
        let places: Vec<_> = (1..=self.key.len()).map(|place| format!("?{place}")).collect();
        let scope = if after { format!("WHERE ({key}) > ({})", places.join(", ")) } else { String::new() };
        let order = match direction {
            Direction::Ascending => key,
            Direction::Descending => format!("{} DESC", self.key.join(" DESC, ")),
        };
        format!("SELECT {columns} FROM {} {scope} ORDER BY {order} LIMIT {limit}", self.source)
    }
}

/// The columns that an index is ordered by, those of the table's own key last; none where one of them is an expression.
/// For the primary key of a table `WITHOUT ROWID` only those of the key, although the index has every column.
fn key_of(connection: &Connection, index: &str, is_table: bool) -> rusqlite::Result<Option<Vec<String>>> {
    let columns = "SELECT cid, name FROM pragma_index_xinfo(?1) WHERE key OR NOT ?2 ORDER BY seqno";
    let mut statement = connection.prepare_cached(columns)?;
    let mut rows = statement.query((index, is_table))?;
    let mut key = Vec::new();
    while let Some(row) = rows.next()? {
        match row.get::<_, i64>(0)? {
            -2 => return Ok(None),
            -1 => key.push("rowid".to_owned()),
            _ => key.push(quoted(&row.get::<_, String>(1)?)),
        }
    }
    Ok(Some(key))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Unread {
    /// Why, with the place and without the value.
    pub(super) fn reason(self) -> String {
        let error = parlance_domain::error::StoreError::from(self);
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    }
}
