//! The verification of a copy of a SQLite database: its size, its structure, its schema and its rows.

use std::{fs, io::Read, os::unix::ffi::OsStrExt, path::Path};

use rusqlite::{Connection, OpenFlags};
use sea_orm::{ConnectOptions, sqlx::sqlite::SqliteConnectOptions};
use tokio::task::spawn_blocking;

use super::backup_error::{BackupError, io_error};
use crate::{
    error::db_err_message,
    integrity::{find_row_fault, find_structure_fault},
    migrations::{self, SchemaError},
};

/// The bytes at the start of a file that hold the number of its pages.
const HEADER_BYTES: usize = 32;

/// Checks a database file that no program writes: that it is complete and undamaged, that this program can use its
/// schema, and that every row can be decoded. Errors name the file `name`.
///
/// # Errors
/// [`BackupError::Io`], [`BackupError::Unsound`] or [`BackupError::Schema`].
pub(super) async fn verify(file: &Path, name: &Path) -> Result<(), BackupError> {
    ensure_complete(file, name)?;
    blocking(file, name, |connection| {
        find_structure_fault(connection).map_err(|error| error.to_string())?.map_or(Ok(()), Err)
    })
    .await?;
    let is_outdated = check_schema(file, name).await?;
    blocking(file, name, move |connection| {
        find_row_fault(connection, is_outdated).map_err(|error| error.to_string())?.map_or(Ok(()), Err)
    })
    .await
}

/// Runs a check on a thread for blocking calls.
async fn blocking(
    file: &Path,
    name: &Path,
    check: impl FnOnce(&Connection) -> Result<(), String> + Send + 'static,
) -> Result<(), BackupError> {
    let uri = immutable_uri(file);
    let outcome = spawn_blocking(move || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags).map_err(|error| error.to_string())?;
        check(&connection)
    });
    let outcome = outcome.await.map_err(|error| BackupError::Database(error.to_string().into()))?;
    outcome.map_err(|cause| BackupError::Unsound(name.to_owned(), cause.into()))
}

/// The URI of a file that nobody changes. SQLite then makes no files beside it, and reads none.
fn immutable_uri(file: &Path) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
    let byte = |byte: &u8| if is_plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    let path: String = file.as_os_str().as_bytes().iter().map(byte).collect();
    format!("file:{path}?immutable=1")
}

/// Checks that a file has as many bytes as the pages that its header names (SQLite file format, section 1.3). SQLite itself
/// reads a last page that is cut off as if zeros followed. A file without a header is left to SQLite.
fn ensure_complete(file: &Path, name: &Path) -> Result<(), BackupError> {
    let open = || {
        let mut header = Vec::with_capacity(HEADER_BYTES);
        let file = fs::File::open(file)?;
        let bytes = file.metadata()?.len();
        file.take(HEADER_BYTES as u64).read_to_end(&mut header)?;
        Ok((header, bytes))
    };
    let (header, bytes) = open().map_err(|error| io_error(name, error))?;
    let Some(expected) = bytes_of_pages(&header) else { return Ok(()) };
    if bytes == expected {
        return Ok(());
    }
    let cause = format!("it has {bytes} bytes, and its pages have {expected}");
    Err(BackupError::Unsound(name.to_owned(), cause.into()))
}

/// The bytes of all pages by the header of a file; `None` if it is no header of SQLite.
fn bytes_of_pages(header: &[u8]) -> Option<u64> {
    let rest = header.strip_prefix(b"SQLite format 3\0")?;
    let page_size = u16::from_be_bytes(rest.get(..2)?.try_into().ok()?);
    let pages = u32::from_be_bytes(header.get(28..HEADER_BYTES)?.try_into().ok()?);
    // A page of 65,536 bytes is written as 1.
    let page_size = if page_size == 1 { 65_536 } else { u64::from(page_size) };
    Some(page_size * u64::from(pages))
}

/// Checks that this program can use the schema. Returns whether the schema is older than that of this program.
async fn check_schema(file: &Path, name: &Path) -> Result<bool, BackupError> {
    // A path may hold characters that a URL cannot, so the URL is a placeholder and the path is set beside it.
    let mut options = ConnectOptions::new("sqlite::memory:");
    let path = file.to_owned();
    options
        .max_connections(1)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |_| SqliteConnectOptions::new().filename(&path).read_only(true).immutable(true));
    let database = sea_orm::Database::connect(options).await.map_err(|error| {
        BackupError::Unsound(name.to_owned(), format!("cannot be opened: {}", db_err_message(&error)).into())
    })?;
    let schema = match migrations::check_migratable(&database).await {
        Ok(()) => migrations::check(&database).await,
        outcome => outcome,
    };
    database.close().await?;
    match schema {
        Ok(()) => Ok(false),
        Err(SchemaError::Outdated) => Ok(true),
        Err(error) => Err(BackupError::Schema(name.to_owned(), error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_path_can_be_opened_as_a_uri() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain.db", "a b?c=d#e%20.db", "ü.db"] {
            let path = folder.path().join(name);
            Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(immutable_uri(&path), flags).unwrap();
            assert!(connection.execute_batch("SELECT a FROM t").is_ok(), "{name}");
        }
    }
}
