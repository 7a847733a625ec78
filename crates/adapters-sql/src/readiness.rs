//! Whether the database is in reach, and its files are where they were opened.

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    readiness::{ProbeFailure, ReadinessProbe},
};
use sea_orm::ConnectionTrait;

use crate::{Database, error::call, sqlite::OpenFiles};

#[async_trait]
impl ReadinessProbe for Database {
    fn part(&self) -> &'static str {
        "database"
    }

    async fn check(&self) -> Result<(), StoreError> {
        // Whether the files are in place is told by a probe of its own.
        call(self.once_more(self.writer(), |db| db.execute_unprepared("SELECT 1"))).await.map(|_| ())
    }
}

/// Tells whether the files of an embedded database are still those that were opened.
#[derive(Debug, Clone)]
pub struct FilesProbe(OpenFiles);

impl Database {
    /// A probe of the database's files; none where it has none, as on PostgreSQL and in memory.
    #[must_use]
    pub fn files_probe(&self) -> Option<FilesProbe> {
        Some(FilesProbe(self.files().clone())).filter(|FilesProbe(files)| !files.is_empty())
    }
}

#[async_trait]
impl ReadinessProbe for FilesProbe {
    fn part(&self) -> &'static str {
        "database_files"
    }

    fn failure(&self) -> ProbeFailure {
        ProbeFailure {
            rule: "in_place",
            message: "were moved, replaced or removed: put the same files back, or stop the server and start it again",
        }
    }

    async fn check(&self) -> Result<(), StoreError> {
        Ok(self.0.verify()?)
    }
}
