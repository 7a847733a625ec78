//! The deep check, which an operator runs. It reads as much as it can, and may take long.

use parlance_domain::error::StoreError;
use rusqlite::Connection;

use super::{
    is_damage,
    trees::{Direction, Slice, Tree},
};
use crate::{Database, database::NativeReader, error::ReadError};

/// The number of rows that are decoded from each end of a table.
pub(super) const SAMPLE_ROWS: usize = 1_000;

/// The result of a deep check.
#[derive(Debug, Default)]
pub struct ContentReport {
    /// The number of checked tables.
    pub tables: usize,
    /// The number of decoded rows. Each row counts once.
    pub rows: u64,
    /// The damage that was found. A fault names the location and never contains a stored value.
    pub faults: Vec<Box<str>>,
    /// The parts that could not be checked, each with advice.
    pub notes: Vec<Box<str>>,
}

impl ContentReport {
    fn add_slice(&mut self, slice: Slice) {
        self.rows += slice.rows as u64;
        self.faults.extend(slice.faults);
    }
}

impl Database {
    /// Checks the structure of every table and index and the references between rows, and decodes rows from both ends
    /// of every table. On PostgreSQL `amcheck` checks the indexes, if it is installed, and references are not checked.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be queried.
    pub async fn check_content(&self) -> Result<ContentReport, StoreError> {
        match self.native_reader() {
            NativeReader::Sqlite(readers) => readers.read_blocking(check_sqlite).await,
            NativeReader::Postgres(_) => self.check_postgres_content().await,
        }
    }
}

fn check_sqlite(connection: &Connection) -> Result<ContentReport, ReadError> {
    let mut report = ContentReport::default();
    match check_trees(connection, &mut report) {
        Err(error) if is_damage(&error) => report.faults.push(error.to_string().into()),
        outcome => outcome?,
    }
    Ok(report)
}

fn check_trees(connection: &Connection, report: &mut ContentReport) -> rusqlite::Result<()> {
    for table in Tree::all(connection)?.iter().filter(|tree| tree.is_table()) {
        report.tables += 1;
        match check_structure(connection, &table.name, report) {
            Err(error) if is_damage(&error) => report.faults.push(format!("{}: {error}", table.name).into()),
            outcome => outcome?,
        }
        let first = table.read(connection, None, SAMPLE_ROWS, Direction::Ascending)?;
        let goes_on = first.is_cut_off || first.last_key.is_some();
        let after = first.last_key.clone();
        report.add_slice(first);
        if goes_on {
            report.add_slice(table.read(connection, after.as_deref(), SAMPLE_ROWS, Direction::Descending)?);
        }
    }
    Ok(())
}

/// Checks a table, its indexes and the references of its rows.
fn check_structure(connection: &Connection, table: &str, report: &mut ContentReport) -> rusqlite::Result<()> {
    let lines = pragma_column(connection, "integrity_check", table, 0)?;
    let faults = lines.into_iter().filter(|line| line != "ok");
    report.faults.extend(faults.map(|fault| format!("{table}: {fault}").into()));
    let parents = pragma_column(connection, "foreign_key_check", table, 2)?;
    if let Some(parent) = parents.first() {
        let rows = parents.len();
        report.faults.push(format!("{table}: {rows} rows refer to a row of {parent} that is not there").into());
    }
    Ok(())
}

/// One column of the result of a pragma for a table.
fn pragma_column(connection: &Connection, pragma: &str, table: &str, column: usize) -> rusqlite::Result<Vec<String>> {
    let mut values = Vec::new();
    connection.pragma(None, pragma, table, |row| {
        values.push(row.get(column)?);
        Ok(())
    })?;
    Ok(values)
}
