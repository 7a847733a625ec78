//! The verification of a copy of a SQLite database: its size, its structure, its schema and its rows.

use std::{fs, os::unix::ffi::OsStrExt, path::Path};

use rusqlite::{Connection, OpenFlags};
use sea_orm::{ConnectOptions, sqlx::sqlite::SqliteConnectOptions};
use tokio::task::spawn_blocking;

use super::backup_error::{BackupError, io_error};
use crate::{
    error::db_err_message,
    integrity::{find_row_fault, find_structure_fault},
    migrations::{self, SchemaError},
};

/// Checks a database file that no program writes: that it is complete and undamaged, that this program can use its
/// schema, and that every row can be decoded. Errors name the file `name`.
///
/// # Errors
/// [`BackupError::Io`], [`BackupError::Unsound`] or [`BackupError::Schema`].
pub(super) async fn verify(file: &Path, name: &Path) -> Result<(), BackupError> {
    blocking(file, name, |connection, bytes| {
        ensure_complete(connection, bytes)?;
        find_structure_fault(connection).map_err(|error| error.to_string())?.map_or(Ok(()), Err)
    })
    .await?;
    let is_outdated = check_schema(file, name).await?;
    blocking(file, name, move |connection, _| {
        find_row_fault(connection, is_outdated).map_err(|error| error.to_string())?.map_or(Ok(()), Err)
    })
    .await
}

/// Runs a check on a thread for blocking calls, with the size of the file in bytes.
async fn blocking(
    file: &Path,
    name: &Path,
    check: impl FnOnce(&Connection, u64) -> Result<(), String> + Send + 'static,
) -> Result<(), BackupError> {
    let bytes = fs::metadata(file).map_err(|error| io_error(name, error))?.len();
    let uri = immutable_uri(file);
    let outcome = spawn_blocking(move || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri, flags).map_err(|error| error.to_string())?;
        check(&connection, bytes)
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

/// SQLite itself reads a last page that is cut off as if zeros followed.
fn ensure_complete(connection: &Connection, bytes: u64) -> Result<(), String> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    let size = || Ok(u64::from(pragma("page_count")?) * u64::from(pragma("page_size")?));
    let expected = size().map_err(|error: rusqlite::Error| error.to_string())?;
    if bytes == expected { Ok(()) } else { Err(format!("it has {bytes} bytes, and its pages have {expected}")) }
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
