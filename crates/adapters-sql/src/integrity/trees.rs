//! The b-trees of an SQLite database, tables and indexes, read in slices in key order.

use rusqlite::{Connection, params_from_iter, types::Value};

use super::{decoders::Decoder, is_damage};
use crate::error::ReadError;

/// A table or an index. A `WITHOUT ROWID` table is stored as the index of its primary key.
#[derive(Clone)]
pub(super) struct Tree {
    /// The name, for reports.
    pub(super) name: String,
    /// The table expression that makes SQLite read this tree.
    source: String,
    /// The columns of the key, as SQL.
    key: Vec<String>,
    decoder: Option<Decoder>,
    is_table: bool,
}

/// The direction in which a tree is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Direction {
    Ascending,
    Descending,
}

/// The result of reading a slice of a tree.
#[derive(Default)]
pub(super) struct Slice {
    pub(super) rows: usize,
    /// The key of the last row, or `None` if the tree ends here or cannot be read further.
    pub(super) last_key: Option<Vec<Value>>,
    /// The damage that was found. A fault names the location and never contains a stored value.
    pub(super) faults: Vec<Box<str>>,
    /// Whether damage prevented the read of further rows.
    pub(super) is_cut_off: bool,
}

impl Tree {
    /// Every tree of the database that can be read in slices. Partial indexes and indexes on expressions cannot.
    pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Self>> {
        let tables = "SELECT name, wr FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema' ORDER BY name";
        let mut statement = connection.prepare(tables)?;
        let tables = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut trees = Vec::new();
        for table in tables {
            let (name, without_rowid): (String, bool) = table?;
            trees.extend(Self::table_and_indexes(connection, &name, without_rowid)?);
        }
        Ok(trees)
    }

    fn table_and_indexes(connection: &Connection, table: &str, without_rowid: bool) -> rusqlite::Result<Vec<Self>> {
        let indexes = "SELECT name, origin FROM pragma_index_list(?1) WHERE NOT partial ORDER BY name";
        let mut statement = connection.prepare_cached(indexes)?;
        let indexes = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut table_key = vec!["rowid".to_owned()];
        let mut trees = Vec::new();
        for index in indexes {
            let (index, origin): (String, String) = index?;
            let is_table = without_rowid && origin == "pk";
            let Some(key) = index_key(connection, &index, is_table)? else { continue };
            if is_table {
                table_key = key;
                continue;
            }
            let (name, source) = (
                format!("{table}.{index}"),
                format!("{} INDEXED BY {}", quote_identifier(table), quote_identifier(&index)),
            );
            trees.push(Self { name, source, key, decoder: None, is_table: false });
        }
        let (name, source, decoder) = (table.to_owned(), quote_identifier(table), Decoder::for_table(table));
        trees.insert(0, Self { name, source, key: table_key, decoder, is_table: true });
        Ok(trees)
    }

    /// The same tree, without its decoder if the table lacks a column of it.
    pub(super) fn with_fitting_decoder(mut self, connection: &Connection) -> Self {
        let is_fitting = connection.prepare(&self.statement(false, 1, Direction::Ascending)).is_ok();
        self.decoder = self.decoder.filter(|_| is_fitting);
        self
    }

    /// Whether this tree is a table.
    pub(super) fn is_table(&self) -> bool {
        self.is_table
    }

    /// Reads up to `limit` rows after a key, in one transaction.
    ///
    /// # Errors
    /// If the database cannot be queried. Rows that cannot be read or decoded are faults of the slice.
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
                slice.last_key = None;
                slice.is_cut_off = true;
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
        let key_start = statement.column_count() - self.key.len();
        let mut rows = statement.query(params_from_iter(after.unwrap_or_default()))?;
        while let Some(row) = rows.next()? {
            slice.rows += 1;
            if let Some(Err(error)) = self.decoder.as_ref().map(|decoder| (decoder.decode)(row)) {
                slice.faults.push(format!("{} cannot be decoded: {}", self.name, error.reason()).into());
            }
            let key: rusqlite::Result<_> =
                (key_start..key_start + self.key.len()).map(|index| row.get(index)).collect();
            slice.last_key = Some(key?);
        }
        if slice.rows < limit {
            slice.last_key = None;
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
        let placeholders: Vec<_> = (1..=self.key.len()).map(|number| format!("?{number}")).collect();
        let scope = if after { format!("WHERE ({key}) > ({})", placeholders.join(", ")) } else { String::new() };
        let order = match direction {
            Direction::Ascending => key,
            Direction::Descending => format!("{} DESC", self.key.join(" DESC, ")),
        };
        format!("SELECT {columns} FROM {} {scope} ORDER BY {order} LIMIT {limit}", self.source)
    }
}

/// The key columns of an index, followed by the columns of the table's own key, or `None` if one of them is an
/// expression. For the primary key of a `WITHOUT ROWID` table only the key columns, although its tree has every column.
fn index_key(connection: &Connection, index: &str, is_table: bool) -> rusqlite::Result<Option<Vec<String>>> {
    let columns = "SELECT cid, name FROM pragma_index_xinfo(?1) WHERE key OR NOT ?2 ORDER BY seqno";
    let mut statement = connection.prepare_cached(columns)?;
    let mut rows = statement.query((index, is_table))?;
    let mut key = Vec::new();
    while let Some(row) = rows.next()? {
        match row.get::<_, i64>(0)? {
            -2 => return Ok(None),
            -1 => key.push("rowid".to_owned()),
            _ => key.push(quote_identifier(&row.get::<_, String>(1)?)),
        }
    }
    Ok(Some(key))
}

fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl ReadError {
    /// The reason, with the location and without the value.
    pub(super) fn reason(self) -> String {
        let error = parlance_domain::error::StoreError::from(self);
        std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
    }
}
