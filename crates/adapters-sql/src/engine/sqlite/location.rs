//! The location of a SQLite database, and the connections that it opens.

use std::{
    io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;

use crate::engine::sqlite::DatabaseFiles;

/// How long a statement waits for another process that writes to the same file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_millis(1_500);

/// How long a read waits while another process has locked the file. The read blocks its thread meanwhile.
const READ_BUSY_TIMEOUT: Duration = Duration::from_millis(50);

/// Page cache of the writer. With SQLite's default of 2 MiB and a million messages, most pages on the path to a row are
/// read again for each row. A larger cache slows each commit that splits a page, since SQLite then walks the whole
/// cache.
const WRITER_CACHE_KIB: i32 = 8 * 1024;

/// SQLite's in-memory file system: all connections of a process to one name share a database.
const MEMORY_VFS: &str = "memdb";

/// The location of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DatabaseLocation {
    /// A file.
    File(PathBuf),
    /// Memory, under a name that begins with `/`.
    Memory(PathBuf),
}

impl DatabaseLocation {
    /// The location in a URL; none where the URL is not one of SQLite.
    pub(crate) fn parse(url: &str) -> Option<Self> {
        static DATABASE_COUNT: AtomicU64 = AtomicU64::new(0);
        if url == "sqlite::memory:" {
            let number = DATABASE_COUNT.fetch_add(1, Ordering::Relaxed);
            return Some(Self::Memory(format!("/parlance-{number}").into()));
        }
        let options = url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url))?;
        Some(Self::File(options.ok()?.get_filename().to_owned()))
    }

    /// Sets this location in the options of the asynchronous driver.
    pub(crate) fn apply_to(&self, options: SqliteConnectOptions) -> SqliteConnectOptions {
        match self {
            Self::File(_) => options,
            Self::Memory(name) => options.in_memory(false).shared_cache(false).filename(name).vfs(MEMORY_VFS),
        }
    }

    /// Records the files of the database that was just opened at this location.
    ///
    /// # Errors
    /// Where the database file does not exist.
    pub(crate) fn record_files(&self) -> io::Result<DatabaseFiles> {
        match self {
            Self::File(path) => DatabaseFiles::record(path),
            Self::Memory(_) => Ok(DatabaseFiles::default()),
        }
    }

    /// Whether readers and the writer do not block each other, as with a write-ahead log.
    pub(super) fn has_concurrent_reads(&self) -> bool {
        matches!(self, Self::File(_))
    }

    fn open(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        // One thread at a time uses a connection.
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match self {
            Self::File(path) => Connection::open_with_flags(path, flags),
            Self::Memory(name) => Connection::open_with_flags_and_vfs::<&Path, _>(name, flags, MEMORY_VFS),
        }?;
        // Without this, SQLite prepares a statement with a `LIMIT` parameter again for each value.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(connection)
    }

    /// Opens a write connection, with the settings of the asynchronous one (see [`Database`](crate::Database)).
    pub(crate) fn open_writer(&self) -> rusqlite::Result<Connection> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")?;
        connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
        Ok(connection)
    }

    pub(super) fn open_reader(&self) -> rusqlite::Result<Connection> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(READ_BUSY_TIMEOUT)?;
        Ok(connection)
    }
}

/// A database file for a test, with a write-ahead log and a table `written` of one column.
#[cfg(test)]
pub(crate) struct WalDatabase {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) location: DatabaseLocation,
    pub(crate) writer: Connection,
}

#[cfg(test)]
impl WalDatabase {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("logged.db");
        drop(Connection::open(&file).unwrap());
        let location = DatabaseLocation::File(file);
        let writer = location.open_writer().unwrap();
        writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE written (value)").unwrap();
        Self { folder, location, writer }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_statement_with_a_limit_is_prepared_once() {
        let location = DatabaseLocation::parse("sqlite::memory:").unwrap();
        let connection = location.open_writer().unwrap();
        let mut statement = connection.prepare("SELECT value FROM json_each('[1, 2, 3]') LIMIT ?1").unwrap();
        for limit in 1..=3 {
            let rows: Vec<i64> = statement.query_map([limit], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            assert_eq!(rows, (1..=limit).collect::<Vec<_>>());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn connections_share_neither_a_cache_of_pages_nor_a_count_of_memory() {
        let connection = DatabaseLocation::parse("sqlite::memory:").unwrap().open_writer().unwrap();
        let mut statement = connection.prepare("SELECT compile_options FROM pragma_compile_options").unwrap();
        let options: Vec<String> = statement.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let is_set = |option: &str| options.iter().any(|set| set == option);
        assert!(!is_set("ENABLE_MEMORY_MANAGEMENT") && is_set("DEFAULT_MEMSTATUS=0"), "{options:?}");
    }
}
