//! Reading all that is stored on SQLite, slowly and in short transactions, to find damage before it is asked for.

use parlance_domain::error::StoreError;
use rusqlite::{Connection, types::Value};

use super::trees::{Direction, Tree};
use crate::{Database, database::Reading, error::Unread, sqlite::Readers};

/// Most rows that are read in one transaction.
const SLICE: usize = 1_024;

/// A pass over a database, and another after it.
#[derive(Clone)]
pub struct Scrub {
    readers: Readers,
    /// What is left of the pass; none between two.
    pass: Option<Pass>,
}

#[derive(Clone)]
struct Pass {
    /// The trees that are left, the next one last.
    trees: Vec<Tree>,
    /// The key in the next one after which it goes on.
    after: Option<Vec<Value>>,
}

impl Pass {
    fn begin(connection: &Connection) -> rusqlite::Result<Self> {
        let mut trees = Tree::all(connection)?;
        trees.reverse();
        Ok(Self { trees, after: None })
    }
}

/// What one step found.
#[derive(Debug, Default)]
pub struct ScrubStep {
    /// How many rows and entries of indexes were read.
    pub rows: u64,
    /// What cannot be read or decoded: the place, never a value.
    pub faults: Vec<Box<str>>,
    /// Whether it was the last step of a pass.
    pub ends_pass: bool,
}

impl Database {
    /// A scrub of the database; none where it is not on SQLite in a file. PostgreSQL has tools of its own.
    #[must_use]
    pub fn scrub(&self) -> Option<Scrub> {
        match self.reading() {
            Reading::Sqlite(readers) if !self.files().is_empty() => {
                Some(Scrub { readers: readers.clone(), pass: None })
            }
            Reading::Sqlite(_) | Reading::Postgres(_) => None,
        }
    }
}

impl Scrub {
    /// How many pages the database has.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be asked.
    pub async fn pages(&self) -> Result<u32, StoreError> {
        let pages = |connection: &Connection| Ok(connection.query_row("PRAGMA page_count", (), |row| row.get(0))?);
        self.readers.read_aside(pages).await
    }

    /// Reads at least so many rows on, or to the end of the pass.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be asked; the same rows are read by the next step then.
    pub async fn step(&mut self, rows: usize) -> Result<ScrubStep, StoreError> {
        let pass = self.pass.clone();
        let (pass, step) = self.readers.read_aside(move |connection| read(connection, pass, rows)).await?;
        self.pass = Some(pass).filter(|pass| !pass.trees.is_empty());
        Ok(ScrubStep { ends_pass: self.pass.is_none(), ..step })
    }
}

fn read(connection: &Connection, pass: Option<Pass>, rows: usize) -> Result<(Pass, ScrubStep), Unread> {
    let mut pass = if let Some(pass) = pass { pass } else { Pass::begin(connection)? };
    let (mut step, mut left) = (ScrubStep::default(), rows);
    while left > 0
        && let Some(tree) = pass.trees.last()
    {
        let slice = tree.read(connection, pass.after.as_deref(), left.min(SLICE), Direction::Ascending)?;
        left = left.saturating_sub(slice.rows);
        step.rows += slice.rows as u64;
        step.faults.extend(slice.faults);
        pass.after = slice.last;
        if pass.after.is_none() {
            pass.trees.pop();
        }
    }
    Ok((pass, step))
}
