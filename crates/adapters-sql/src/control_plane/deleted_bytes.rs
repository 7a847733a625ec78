//! Removes the bytes of deleted rows from the files of SQLite.

use async_trait::async_trait;
use parlance_domain::{error::StoreError, privacy::DeletedByteStore};

use crate::{Database, data_plane::write_job::DataWrite, database::NativeReader};

/// Removes the bytes of deleted rows from the files of a database.
#[derive(Clone, Debug)]
pub struct SqlDeletedBytes(Database);

impl SqlDeletedBytes {
    /// The files of this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl DeletedByteStore for SqlDeletedBytes {
    /// Overwrites what the pages of SQLite keep of all deletions so far, and empties the log. Returns whether no byte is left: a
    /// reader of an old state keeps the log from being emptied. Does nothing if nothing was deleted since the last time; the first
    /// call of a process counts as a deletion, because an earlier process may have been killed.
    #[tracing::instrument(level = "debug", name = "sql.deleted_bytes.remove_deleted_bytes", skip_all)]
    async fn remove_deleted_bytes(&self) -> Result<bool, StoreError> {
        let NativeReader::Sqlite(readers) = self.0.native_reader() else { return Ok(true) };
        let signals = readers.signals();
        let deletions = signals.deletions();
        if signals.pages_need_clearing(deletions) {
            let mut next = Some(1);
            while let Some(first) = next {
                next = self.0.writes().submit(first, DataWrite::ClearPages).await?;
            }
            signals.record_pages_cleared(deletions);
        }
        if signals.files_need_clearing(deletions) {
            if !self.0.writes().submit((), DataWrite::TruncateWal).await? {
                return Ok(false);
            }
            signals.record_files_cleared(deletions);
        }
        Ok(true)
    }
}

/// Counts a deletion whose bytes the next removal takes out of the files of SQLite.
pub(super) fn record_deletion(database: &Database) {
    if let NativeReader::Sqlite(readers) = database.native_reader() {
        readers.signals().record_deletion();
    }
}

/// Empties the log of SQLite after a transaction that has deleted content. The content is still in the log before. Returns
/// whether the log is empty. If not, because another process reads an old state, or if this fails, the content is erased all
/// the same, and the log is emptied later.
pub(super) async fn remove_from_log(database: &Database) -> Result<bool, StoreError> {
    let NativeReader::Sqlite(readers) = database.native_reader() else { return Ok(true) };
    record_deletion(database);
    readers.signals().record_commit();
    database.writes().submit((), DataWrite::TruncateWal).await
}
