//! The check that an operator asks for: it may take long, and reads everything that it can.

use parlance_domain::error::StoreError;
use rusqlite::Connection;

use super::{
    is_damage,
    trees::{Direction, Tree},
};
use crate::{Database, database::Reading, error::Unread};

/// Rows of each table that are decoded from each end of it.
pub(super) const SAMPLE: usize = 1_000;

/// What was read, and what is wrong with it.
#[derive(Debug, Default)]
pub struct ContentReport {
    /// How many tables were looked at.
    pub tables: usize,
    /// How many rows were decoded.
    pub rows: u64,
    /// What is damaged: the place, never a value.
    pub faults: Vec<Box<str>>,
    /// What could not be looked at, and what to do about it.
    pub notes: Vec<Box<str>>,
}

impl Database {
    /// Checks the structure of every table and index, the references between rows, and decodes rows from both ends of
    /// every table. On PostgreSQL the structure is checked by `amcheck`, where that is installed.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be asked.
    pub async fn check_content(&self) -> Result<ContentReport, StoreError> {
        match self.reading() {
            Reading::Sqlite(readers) => readers.read_aside(check_sqlite).await,
            Reading::Postgres(_) => self.check_postgres().await,
        }
    }
}

fn check_sqlite(connection: &Connection) -> Result<ContentReport, Unread> {
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
        for direction in [Direction::Ascending, Direction::Descending] {
            let slice = table.read(connection, None, SAMPLE, direction)?;
            report.rows += slice.rows as u64;
            report.faults.extend(slice.faults);
        }
    }
    Ok(())
}

/// Checks a table, its indexes and what its rows refer to.
fn check_structure(connection: &Connection, table: &str, report: &mut ContentReport) -> rusqlite::Result<()> {
    let checked = ask(connection, "integrity_check", table, 0)?;
    let faults = checked.into_iter().filter(|line| line != "ok");
    report.faults.extend(faults.map(|fault| format!("{table}: {fault}").into()));
    let parents = ask(connection, "foreign_key_check", table, 2)?;
    if let Some(parent) = parents.first() {
        let rows = parents.len();
        report.faults.push(format!("{table}: {rows} rows refer to a row of {parent} that is not there").into());
    }
    Ok(())
}

/// One column of what a pragma says of a table.
fn ask(connection: &Connection, pragma: &str, table: &str, column: usize) -> rusqlite::Result<Vec<String>> {
    let mut values = Vec::new();
    connection.pragma(None, pragma, table, |row| {
        values.push(row.get(column)?);
        Ok(())
    })?;
    Ok(values)
}
