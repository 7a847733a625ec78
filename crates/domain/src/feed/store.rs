//! The ports to the storage of feeds.
//!
//! Both ports are limited to the feeds of one tenant. A period has published files, which consumers may download.
//! Beside them are items for producers only: unpublished files, a manifest, a mark that the period is complete, and the
//! checkpoint of a running export.

use std::ops::Range;

use async_trait::async_trait;

use super::{
    Column, Compression, Dataset, Day, ExportCheckpoint, FeedFormat, FeedName, FeedPeriod, FeedVersion, FeedWriteError,
    FileName, Hour, Manifest, ManifestUpdate, Rows, WrittenFile,
};
use crate::{access::TenantId, error::StoreError};

/// A file as listed by the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStat {
    /// The file name.
    pub name: FileName,
    /// The size in bytes.
    pub bytes: u64,
    /// A tag that changes when the content changes, if the store has one.
    pub etag: Option<String>,
}

/// The content of a file, chunk by chunk.
#[async_trait]
pub trait FileBytes: Send {
    /// The next chunk; `None` after the last.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, StoreError>;
}

/// Lists and reads feeds, whichever program wrote them.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedStore: Send + Sync {
    /// The feeds of a tenant, ordered by name. This method and the following ones skip entries with invalid names.
    async fn feeds(&self, tenant: &TenantId) -> Result<Vec<FeedName>, StoreError>;

    /// The versions of a feed, ordered by name; empty if there is no such feed.
    async fn versions(&self, tenant: &TenantId, feed: &FeedName) -> Result<Vec<FeedVersion>, StoreError>;

    /// The formats of a version, ordered by name; empty if there is no such version.
    async fn formats(
        &self,
        tenant: &TenantId,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Vec<FeedFormat>, StoreError>;

    /// The complete days of a dataset, ascending. The cost MUST NOT grow with the number of files.
    async fn complete_days(&self, tenant: &TenantId, dataset: &Dataset) -> Result<Vec<Day>, StoreError>;

    /// The complete hours of a day of a dataset, ascending, whether or not the day is complete. The cost MUST NOT grow with
    /// the number of files.
    async fn complete_hours(&self, tenant: &TenantId, dataset: &Dataset, day: Day) -> Result<Vec<Hour>, StoreError>;

    /// Whether a period is complete.
    async fn is_complete(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<bool, StoreError>;

    /// The manifest of a period, if it has one.
    async fn manifest(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<Option<Manifest>, StoreError>;

    /// The manifests of several periods, in their order. A store that answers several requests at once SHOULD ask for all
    /// of them at once.
    async fn manifests(&self, tenant: &TenantId, periods: &[FeedPeriod]) -> Result<Vec<Option<Manifest>>, StoreError> {
        let mut manifests = Vec::new();
        for period in periods {
            manifests.push(self.manifest(tenant, period).await?);
        }
        Ok(manifests)
    }

    /// The published files of a period, ordered by name.
    async fn files(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<Vec<FileStat>, StoreError>;

    /// A published file of a period, if there is one with this name.
    async fn stat(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
    ) -> Result<Option<FileStat>, StoreError>;

    /// The bytes of a file within `range`, which lies within the file; `None` if there is no such file.
    async fn read(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        range: Range<u64>,
    ) -> Result<Option<Box<dyn FileBytes>>, StoreError>;

    /// A URL of the store at which anyone can download the file for `valid_seconds`. `None` if the store has no
    /// such URLs.
    async fn presigned_url(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        valid_seconds: u64,
    ) -> Result<Option<String>, StoreError>;
}

/// A file that is being written. A writer that is dropped before `finish` MUST leave no visible file.
#[async_trait]
pub trait FileWriter: Send {
    /// Appends rows. The values are in column order.
    async fn write(&mut self, rows: &dyn Rows) -> Result<(), StoreError>;

    /// Finishes the file and makes it durable. The file is still unpublished.
    async fn finish(self: Box<Self>) -> Result<WrittenFile, StoreError>;
}

/// The encoding of a file.
#[derive(Debug, Clone)]
pub struct FileEncoding {
    /// The format.
    pub format: super::FileFormat,
    /// The compression.
    pub compression: Compression,
    /// The columns.
    pub columns: &'static [Column],
}

/// Writes feeds. The effect of each method MUST survive a power loss once the method has returned. Each method MUST be
/// atomic if the process is killed, except [`publish`](Self::publish), which may have published a part of the files.
///
/// Runs can overlap, and a call of a run that was given up can take effect late. So a manifest is replaced only if it is
/// still the one that the run has read: the store MUST compare and replace in one step, also against other processes.
/// The loser gets [`FeedWriteError::Superseded`], and the stored manifest is unchanged. A call whose manifest is already
/// stored MUST succeed, whatever it expects: the answer of its first attempt may have been lost.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedSink: Send + Sync {
    /// The checkpoint of the running export of a period, if there is one.
    async fn load_checkpoint(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
    ) -> Result<Option<ExportCheckpoint>, StoreError>;

    /// The checkpoints of the running exports of several periods, in their order. A store that answers several requests at
    /// once SHOULD ask for all of them at once.
    async fn load_checkpoints(
        &self,
        tenant: &TenantId,
        periods: &[FeedPeriod],
    ) -> Result<Vec<Option<ExportCheckpoint>>, StoreError> {
        let mut checkpoints = Vec::new();
        for period in periods {
            checkpoints.push(self.load_checkpoint(tenant, period).await?);
        }
        Ok(checkpoints)
    }

    /// Stores the checkpoint of an export.
    async fn save_checkpoint(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        checkpoint: &ExportCheckpoint,
    ) -> Result<(), StoreError>;

    /// Starts a file.
    async fn create_file(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        encoding: &FileEncoding,
    ) -> Result<Box<dyn FileWriter>, StoreError>;

    /// Publishes finished files. Files that are already published stay published. A file that does not exist is
    /// [`FeedWriteError::FileRemoved`].
    async fn publish(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), FeedWriteError>;

    /// Replaces the manifest if it is the expected one, then marks the period as complete.
    async fn complete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError>;

    /// Replaces the manifest of a period that is not closed, if it is the expected one. Afterwards the period MUST NOT be
    /// marked as complete, even if it was before. If the manifest is not the expected one before the call, the mark MUST
    /// stay.
    async fn save_incomplete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError>;

    /// Removes every unpublished file, then the checkpoint.
    async fn clean(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<(), StoreError>;

    /// Removes files, published or not. Files that do not exist are skipped.
    async fn remove(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), StoreError>;

    /// The number of files of a tenant, of whatever kind and whichever program wrote them.
    async fn count_files(&self, tenant: &TenantId) -> Result<u64, StoreError>;

    /// Removes every file of a tenant, of whatever kind and whichever program wrote it. Returns their number.
    async fn remove_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError>;
}
