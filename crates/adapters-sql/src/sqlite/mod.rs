//! SQLite without a hand-over between threads: connections that are used where the caller stands.
//!
//! A read that touches few rows takes some tens of microseconds, less than it costs to have another thread do it. One
//! connection writes, in [`group_commit`](crate::group_commit).

mod notices;
mod open_files;
mod opening;
mod pool;
mod readers;
mod turns;

use std::{
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

pub(crate) use notices::Notices;
pub(crate) use open_files::OpenFiles;
pub(crate) use opening::{close_unfinished, connect};
pub(crate) use readers::Readers;
use rusqlite::{Connection, OpenFlags, config::DbConfig};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;

/// How long a statement waits for another process that writes to the same file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_millis(1_500);

/// How long a read waits where another process has the file to itself. It blocks its thread meanwhile.
const READ_BUSY_TIMEOUT: Duration = Duration::from_millis(50);

/// Most memory for pages of the database that the writer keeps. With SQLite's own 2 MiB it reads most pages on the way to
/// a row again for each row, once there are a million messages; with more, it pays for each commit in which a page was
/// split, after which SQLite goes through all that it keeps.
const WRITER_CACHE_KIB: i32 = 8 * 1024;

/// SQLite's own file system in memory, where all connections of a process to one name share a database.
const MEMORY: &str = "memdb";

/// What the names of the write-ahead log and of its index have after the name of their database.
pub(crate) const LOG_FILES: [&str; 2] = ["-wal", "-shm"];

/// The path of a file beside a database, whose name is the database's with this after it.
pub(crate) fn with_suffix(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In this file.
    File(PathBuf),
    /// In memory, under a name that begins with `/`.
    Memory(PathBuf),
}

impl Place {
    /// The place that an address names, or nothing where it names none.
    pub(crate) fn of(url: &str) -> Option<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if url == "sqlite::memory:" {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            return Some(Self::Memory(format!("/parlance-{number}").into()));
        }
        let options = url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url))?;
        Some(Self::File(options.ok()?.get_filename().to_owned()))
    }

    /// The same place for the asynchronous driver.
    pub(crate) fn name(&self, options: SqliteConnectOptions) -> SqliteConnectOptions {
        match self {
            Self::File(_) => options,
            Self::Memory(name) => options.in_memory(false).shared_cache(false).filename(name).vfs(MEMORY),
        }
    }

    /// The files of the database that was just opened there.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn open_files(&self) -> io::Result<OpenFiles> {
        match self {
            Self::File(path) => OpenFiles::record(path),
            Self::Memory(_) => Ok(OpenFiles::default()),
        }
    }

    /// Whether who writes and those who read do not wait for each other there, as with a write-ahead log.
    fn lets_read_while_written(&self) -> bool {
        matches!(self, Self::File(_))
    }

    fn open(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        // Each connection is used by one thread at a time.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match self {
            Self::File(path) => Connection::open_with_flags(path, flags),
            Self::Memory(name) => Connection::open_with_flags_and_vfs::<&Path, _>(name, flags, MEMORY),
        }?;
        // A statement whose `LIMIT` is a parameter is otherwise prepared anew each time that the parameter is given.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(connection)
    }

    /// A connection that writes, with the settings of the asynchronous one (see [`Database`](crate::Database)).
    pub(crate) fn open_writer(&self) -> rusqlite::Result<Connection> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")?;
        connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
        Ok(connection)
    }

    fn open_reader(&self) -> rusqlite::Result<Connection> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(READ_BUSY_TIMEOUT)?;
        Ok(connection)
    }
}

/// A file of its own for a test, with a write-ahead log and a table `written` of one column.
#[cfg(test)]
pub(crate) struct Logged {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) place: Place,
    pub(crate) writer: Connection,
}

#[cfg(test)]
impl Logged {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("logged.db");
        drop(Connection::open(&file).unwrap());
        let place = Place::File(file);
        let writer = place.open_writer().unwrap();
        writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE written (value)").unwrap();
        Self { folder, place, writer }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_statement_with_a_limit_is_prepared_once() {
        let place = Place::of("sqlite::memory:").unwrap();
        let connection = place.open_writer().unwrap();
        let mut statement = connection.prepare("SELECT value FROM json_each('[1, 2, 3]') LIMIT ?1").unwrap();
        for most in 1..=3 {
            let rows: Vec<i64> = statement.query_map([most], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            assert_eq!(rows, (1..=most).collect::<Vec<_>>());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn connections_share_neither_a_cache_of_pages_nor_a_count_of_memory() {
        let connection = Place::of("sqlite::memory:").unwrap().open_writer().unwrap();
        let mut statement = connection.prepare("SELECT compile_options FROM pragma_compile_options").unwrap();
        let options: Vec<String> = statement.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let is_set = |option: &str| options.iter().any(|set| set == option);
        assert!(!is_set("ENABLE_MEMORY_MANAGEMENT") && is_set("DEFAULT_MEMSTATUS=0"), "{options:?}");
    }
}
