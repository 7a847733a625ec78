//! Readiness probes: the database answers, and its files are still in place.

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    readiness::{ProbeFailure, ReadinessProbe},
};
use sea_orm::ConnectionTrait;

use crate::{Database, engine::sqlite::DatabaseFiles, error::statement_with_timeout};

#[async_trait]
impl ReadinessProbe for Database {
    fn part(&self) -> &'static str {
        "database"
    }

    #[tracing::instrument(level = "debug", name = "sql.database.check", skip_all)]
    async fn check(&self) -> Result<(), StoreError> {
        // The query does not notice moved files; `DatabaseFilesProbe` does.
        statement_with_timeout(self.retry_if_lost(self.writer(), |db| db.execute_unprepared("SELECT 1")))
            .await
            .map(|_| ())
    }
}

/// Checks that the files of a SQLite database are still those that were opened.
#[derive(Debug, Clone)]
pub struct DatabaseFilesProbe(DatabaseFiles);

impl Database {
    /// The probe of the database files; `None` on PostgreSQL and for an in-memory database.
    #[must_use]
    pub fn database_files_probe(&self) -> Option<DatabaseFilesProbe> {
        Some(DatabaseFilesProbe(self.files().clone())).filter(|DatabaseFilesProbe(files)| !files.is_empty())
    }
}

#[async_trait]
impl ReadinessProbe for DatabaseFilesProbe {
    fn part(&self) -> &'static str {
        "database_files"
    }

    fn failure(&self) -> ProbeFailure {
        ProbeFailure {
            rule: "in_place",
            message: "were moved, replaced or removed: put the same files back, or stop the server and start it again",
        }
    }

    #[tracing::instrument(level = "debug", name = "sql.database_files_probe.check", skip_all)]
    async fn check(&self) -> Result<(), StoreError> {
        Ok(self.0.verify()?)
    }
}
