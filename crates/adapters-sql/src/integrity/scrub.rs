//! The scrub: reads a whole SQLite database, slowly and in short transactions, to find damage before a request does.

use parlance_domain::error::StoreError;
use rusqlite::{Connection, types::Value};

use super::trees::{Direction, Tree};
use crate::{Database, database::NativeReader, engine::sqlite::Readers, error::ReadError};

/// The maximum number of rows that one transaction reads.
const MAX_SLICE_ROWS: usize = 1_024;

/// Reads the whole database in passes, one after another.
#[derive(Clone)]
pub struct Scrub {
    readers: Readers,
    /// The rest of the current pass; `None` between two passes.
    pass: Option<Pass>,
}

#[derive(Clone)]
struct Pass {
    /// The remaining trees, the next one last.
    trees: Vec<Tree>,
    /// The key in the next tree after which the pass continues.
    after_key: Option<Vec<Value>>,
}

impl Pass {
    fn begin(connection: &Connection) -> rusqlite::Result<Self> {
        let mut trees = Tree::all(connection)?;
        trees.reverse();
        Ok(Self { trees, after_key: None })
    }
}

/// The result of one step.
#[derive(Debug, Default)]
pub struct ScrubStep {
    /// The number of table rows and index entries that were read.
    pub rows: u64,
    /// The damage that was found. A fault names the location and never contains a stored value.
    pub faults: Vec<Box<str>>,
    /// Whether this was the last step of a pass.
    pub ends_pass: bool,
}

impl Database {
    /// A scrub of the database, or `None` if the database is not an SQLite file. PostgreSQL has its own tools.
    #[must_use]
    pub fn scrub(&self) -> Option<Scrub> {
        match self.native_reader() {
            NativeReader::Sqlite(readers) if !self.files().is_empty() => {
                Some(Scrub { readers: readers.clone(), pass: None })
            }
            NativeReader::Sqlite(_) | NativeReader::Postgres(_) => None,
        }
    }
}

impl Scrub {
    /// The number of pages of the database.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be queried.
    pub async fn pages(&self) -> Result<u32, StoreError> {
        let pages = |connection: &Connection| Ok(connection.query_row("PRAGMA page_count", (), |row| row.get(0))?);
        self.readers.read_blocking(pages).await
    }

    /// Reads the next `rows` rows, or to the end of the pass.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be queried. The next step then reads the same rows.
    pub async fn step(&mut self, rows: usize) -> Result<ScrubStep, StoreError> {
        let pass = self.pass.clone();
        let (pass, step) = self.readers.read_blocking(move |connection| read_slices(connection, pass, rows)).await?;
        self.pass = Some(pass).filter(|pass| !pass.trees.is_empty());
        Ok(ScrubStep { ends_pass: self.pass.is_none(), ..step })
    }
}

fn read_slices(connection: &Connection, pass: Option<Pass>, rows: usize) -> Result<(Pass, ScrubStep), ReadError> {
    let mut pass = if let Some(pass) = pass { pass } else { Pass::begin(connection)? };
    let (mut step, mut remaining) = (ScrubStep::default(), rows);
    while remaining > 0
        && let Some(tree) = pass.trees.last()
    {
        let slice =
            tree.read(connection, pass.after_key.as_deref(), remaining.min(MAX_SLICE_ROWS), Direction::Ascending)?;
        remaining = remaining.saturating_sub(slice.rows);
        step.rows += slice.rows as u64;
        step.faults.extend(slice.faults);
        pass.after_key = slice.last_key;
        if pass.after_key.is_none() {
            pass.trees.pop();
        }
    }
    Ok((pass, step))
}
