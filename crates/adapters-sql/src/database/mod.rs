//! An open database: its connections.

pub mod backup;
mod backup_error;
mod checksum;
mod copy_verification;
mod open;
mod pool_uses;
mod statements;

use std::sync::Arc;

use parlance_domain::{audit::Operator, signing::Signer};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};
use tokio::runtime::Handle;

use crate::{
    control_plane::audit::AuditRecorder,
    data_plane::{read_batchers::ReadBatchers, write_job::DataWrite},
    engine::{
        postgres::{ConnectionLosses, PerThreadPools, Servers, WriterStats},
        sqlite::{DatabaseFiles, Readers},
        write_queue::WriteQueue,
    },
    migrations::{self, MigrationReport, SchemaError},
};

/// An open database. Clones share its connections.
///
/// On SQLite, one pooled connection writes and several read. SQLite runs one write transaction at a time, and waiting
/// in the process is cheaper than failing in the database. Every commit is flushed to disk.
#[derive(Clone, Debug)]
pub struct Database {
    writer: DatabaseConnection,
    reader: DatabaseConnection,
    writes: WriteQueue<DataWrite>,
    native_reader: NativeReader,
    files: DatabaseFiles,
    colocated: bool,
    losses: ConnectionLosses,
    /// All zero on SQLite.
    writer_stats: WriterStats,
    /// None on SQLite.
    servers: Option<Servers>,
    audit_recorder: AuditRecorder,
}

/// The connections of frequent, short reads. They bypass the general pools, which hand each read to another thread.
#[derive(Clone, Debug)]
pub(crate) enum NativeReader {
    /// Reads on the caller's thread.
    Sqlite(Readers),
    /// Reads on connections that belong to the caller's thread.
    Postgres(PerThreadPools<ReadBatchers>),
}

impl Database {
    /// Migrates the schema to the version of this program, and returns what was changed. Several processes may call this
    /// at the same time: they take turns.
    ///
    /// # Errors
    /// [`SchemaError`].
    pub async fn migrate(&self) -> Result<MigrationReport, SchemaError> {
        let report = migrations::migrate(&self.writer).await?;
        self.files.verify().map_err(|failure| SchemaError::Database(failure.into_reason()))?;
        Ok(report)
    }

    /// Checks that the schema has the version of this program.
    ///
    /// # Errors
    /// [`SchemaError::Outdated`], [`SchemaError::BeforeBaseline`] or [`SchemaError::Newer`] where the version differs;
    /// [`SchemaError::Empty`] or [`SchemaError::Missing`] where there is no schema.
    pub async fn check_schema(&self) -> Result<(), SchemaError> {
        migrations::check(&self.writer).await
    }

    /// Checks that [`migrate`](Self::migrate) can bring the schema to the version of this program: there is a schema,
    /// and it is not newer than the program.
    ///
    /// # Errors
    /// [`SchemaError::Empty`] or [`SchemaError::Missing`] where there is no schema, [`SchemaError::BeforeBaseline`] where it is too old to be
    /// upgraded, [`SchemaError::Newer`] where it is newer than this program.
    pub async fn check_migratable(&self) -> Result<(), SchemaError> {
        migrations::check_migratable(&self.writer).await
    }

    /// Closes every connection. SQLite checkpoints the write-ahead log into the database file.
    ///
    /// # Errors
    /// Where a connection does not close in order. Committed data is not lost.
    pub async fn close(self) -> Result<(), DbErr> {
        self.writes.stop().await;
        match &self.native_reader {
            NativeReader::Sqlite(readers) => readers.close(),
            NativeReader::Postgres(pools) => pools.close(),
        }
        self.reader.close().await?;
        self.writer.close().await
    }

    /// Whether this is a database of PostgreSQL, as opposed to SQLite.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        matches!(self.native_reader, NativeReader::Postgres(_))
    }

    /// The key that signs the audit log, if there is one.
    #[must_use]
    pub fn signer(&self) -> Option<Arc<dyn Signer>> {
        self.audit_recorder.signer.clone()
    }

    /// Whether the database server runs on this machine, as far as the URL shows, so that both share the processors.
    #[must_use]
    pub fn is_colocated(&self) -> bool {
        self.colocated
    }

    /// For a process in which the calling thread answers all requests. On PostgreSQL, the writer moves to the runtime
    /// of this thread, and read batches become smaller, so that the server and the thread work at the same time. When
    /// that runtime ends, the writer goes on in the runtime that opened the database. On SQLite, or outside of a
    /// runtime, nothing changes.
    pub fn enable_single_worker_mode(&self) {
        if let (NativeReader::Postgres(pools), Ok(runtime)) = (&self.native_reader, Handle::try_current()) {
            self.writes.move_to_runtime(runtime);
            pools.enable_single_worker_mode();
        }
    }

    /// Runs one statement unchanged on the write connection of the general pool, for operators' tools and tests.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn execute_unprepared(&self, sql: &str) -> Result<(), DbErr> {
        self.writer.execute_unprepared(sql).await?;
        if let NativeReader::Sqlite(readers) = &self.native_reader {
            readers.signals().record_commit();
        }
        Ok(())
    }

    /// The same database, with a key that signs the heads of the audit chains.
    #[must_use]
    pub fn with_signer(mut self, signer: Arc<dyn Signer>) -> Self {
        self.audit_recorder.signer = Some(signer);
        self
    }

    /// The same database, with the operator to name in the audit records of its changes.
    #[must_use]
    pub fn with_operator(mut self, operator: Operator) -> Self {
        self.audit_recorder.operator = Some(operator);
        self
    }

    pub(crate) fn servers(&self) -> Option<&Servers> {
        self.servers.as_ref()
    }

    pub(crate) fn losses(&self) -> &ConnectionLosses {
        &self.losses
    }

    /// The files of the database. None on PostgreSQL and in memory.
    pub(crate) fn files(&self) -> &DatabaseFiles {
        &self.files
    }

    pub(crate) fn audit_recorder(&self) -> &AuditRecorder {
        &self.audit_recorder
    }

    pub(crate) fn writes(&self) -> &WriteQueue<DataWrite> {
        &self.writes
    }

    pub(crate) fn native_reader(&self) -> &NativeReader {
        &self.native_reader
    }

    pub(crate) fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    pub(crate) fn reader(&self) -> &DatabaseConnection {
        &self.reader
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        access::TenantId,
        conversation::{Change, ConversationStore, Participant, Upsert, UpsertOutcome},
        id::ConversationId,
        text::ExternalId,
        time::Timestamp,
    };

    use rusqlite::Connection;

    use super::*;
    use crate::SqlConversations;

    /// Larger than the limit of the write-ahead log.
    const FILLER: &str = "CREATE TABLE filler AS SELECT randomblob(17000000) AS bytes";

    #[tokio::test]
    async fn no_snapshot_is_cached_while_a_part_of_a_full_wal_is_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("long.db");
        let database = Database::open(&format!("sqlite://{}", file.display())).await.unwrap();
        database.migrate().await.unwrap();
        let other = Connection::open(&file).unwrap();
        other.execute_batch("BEGIN; SELECT count(*) FROM conversations").unwrap();
        database.execute_unprepared(FILLER).await.unwrap();
        let (tenant, external_id) = (TenantId::parse("acme").unwrap(), ExternalId::parse("one").unwrap());
        let upsert = Upsert {
            new_id: ConversationId::from_bits(1),
            external_id: external_id.clone(),
            agent: Change::Keep,
            customer: Participant { external_id, name: None },
            metadata: Change::Keep,
            started_at: Timestamp::EPOCH,
            digest: None,
        };
        let conversations = SqlConversations::new(database.clone());
        // When the second caller is answered, the writer has finished its work after the first commit.
        for _ in 0..2 {
            let upserted = conversations.upsert(&tenant, &upsert, Timestamp::EPOCH, None).await;
            assert_eq!(upserted.unwrap(), UpsertOutcome::Stored(upsert.new_id.clone()));
        }
        let NativeReader::Sqlite(readers) = database.native_reader() else { panic!("the database is not SQLite") };
        assert!(readers.read(|connection| Ok(connection.is_autocommit())).unwrap());
    }
}
