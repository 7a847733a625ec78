//! The copies that an erasure in the service cannot reach.

use super::receipt::{ReceiptWord, UncoveredCopy, UncoveredReason};
use crate::text::Violation;

/// A kind of copies that an erasure in the service cannot reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownUncoveredCopy {
    /// Bytes of deleted rows in the files of PostgreSQL.
    PostgresqlBytes,
    /// Segments of the write-ahead log on the database server.
    WalSegments,
    /// Archives of the write-ahead log.
    WalArchives,
    /// Standby servers of the database.
    Standbys,
    /// Log files of the servers.
    ServerLogs,
    /// Older versions of the objects of a bucket.
    BucketVersions,
    /// Files that others collected.
    CollectedCopies,
    /// Backups that were made before the erasure.
    EarlierBackups,
    /// Files of feeds that the service does not produce.
    FeedFiles,
    /// Vocabularies that the transcription component received, while no component is configured.
    DeliveredVocabularies,
}

impl KnownUncoveredCopy {
    /// All kinds, in the order in which a receipt lists them.
    pub const ALL: [Self; 10] = [
        Self::PostgresqlBytes,
        Self::WalSegments,
        Self::WalArchives,
        Self::Standbys,
        Self::ServerLogs,
        Self::BucketVersions,
        Self::CollectedCopies,
        Self::EarlierBackups,
        Self::FeedFiles,
        Self::DeliveredVocabularies,
    ];

    fn code(self) -> &'static str {
        match self {
            Self::PostgresqlBytes => "postgresql_bytes",
            Self::WalSegments => "wal_segments",
            Self::WalArchives => "wal_archives",
            Self::Standbys => "standbys",
            Self::ServerLogs => "server_logs",
            Self::BucketVersions => "bucket_versions",
            Self::CollectedCopies => "collected_copies",
            Self::EarlierBackups => "earlier_backups",
            Self::FeedFiles => "feed_files",
            Self::DeliveredVocabularies => "delivered_vocabularies",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::PostgresqlBytes => {
                "Files of PostgreSQL keep bytes of deleted rows until `parlance privacy compact` has rewritten them."
            }
            Self::WalSegments => {
                "Segments of the write-ahead log keep the erased data until the database server overwrites or removes them."
            }
            Self::WalArchives => "Archives of the write-ahead log keep the erased data until they are removed.",
            Self::Standbys => "Files of standby servers keep bytes of deleted rows until they are rewritten.",
            Self::ServerLogs => "Log files of database servers and proxies are outside the service.",
            Self::BucketVersions => "Older versions of objects in a bucket remain until the bucket removes them.",
            Self::CollectedCopies => "Copies of feeds that others collected are theirs to erase.",
            Self::EarlierBackups => {
                "Backups that were made before the erasure hold the data; a restore with the ledger erases it again."
            }
            Self::FeedFiles => {
                "Feeds are not produced by the server: run `parlance feed export`, which writes them again."
            }
            Self::DeliveredVocabularies => {
                "No transcription component is configured: one that received the vocabulary before still has it."
            }
        }
    }

    /// Whether this entry of a receipt names these copies.
    #[must_use]
    pub fn is_named_by(self, entry: &UncoveredCopy) -> bool {
        entry.code.as_str() == self.code()
    }

    /// The entry of a receipt.
    ///
    /// # Errors
    /// Never in practice: a test parses the texts of every kind.
    pub fn entry(self) -> Result<UncoveredCopy, Violation> {
        Ok(UncoveredCopy { code: ReceiptWord::parse(self.code())?, reason: UncoveredReason::parse(self.reason())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_valid_entry_with_a_code_of_its_own() {
        let mut codes: Vec<_> =
            KnownUncoveredCopy::ALL.iter().map(|kind| kind.entry().unwrap().code.into_string()).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), KnownUncoveredCopy::ALL.len());
    }
}
