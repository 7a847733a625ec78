//! The ports to where feeds are kept.
//!
//! Both see one tenant's feeds only. In either, a day of a table has files that anyone may collect and, beside them,
//! what only producers look at: files that are not shown yet, a manifest, a mark that the day is complete, and how far
//! the day has come while it is being written.

use std::ops::Range;

use async_trait::async_trait;

use super::{
    Column, Compression, Day, FeedDay, FeedFormat, FeedName, FeedTable, FeedVersion, FileName, Manifest, Progress,
    Rows, WrittenFile,
};
use crate::{access::TenantId, error::StoreError};

/// A file as it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStat {
    /// Its name.
    pub name: FileName,
    /// How many bytes it has.
    pub bytes: u64,
    /// A word that changes with its content, where the store has one.
    pub tag: Option<String>,
}

/// The bytes of a file, piece by piece.
#[async_trait]
pub trait FileBytes: Send {
    /// The next bytes; none after the last.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, StoreError>;
}

/// Lists and reads feeds, whoever wrote them.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedStore: Send + Sync {
    /// The feeds of a tenant, in the order of their names. What has no name that can be read is passed over, here and
    /// below.
    async fn feeds(&self, tenant: &TenantId) -> Result<Vec<FeedName>, StoreError>;

    /// The versions of a feed, in the order of their names; none where there is no such feed.
    async fn versions(&self, tenant: &TenantId, feed: &FeedName) -> Result<Vec<FeedVersion>, StoreError>;

    /// The formats of a version, in the order of their names; none where there is no such version.
    async fn formats(
        &self,
        tenant: &TenantId,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Vec<FeedFormat>, StoreError>;

    /// The days of a table that are complete, ascending. What this costs MUST NOT grow with the number of files.
    async fn complete_days(&self, tenant: &TenantId, table: &FeedTable) -> Result<Vec<Day>, StoreError>;

    /// Whether a day is complete.
    async fn is_complete(&self, tenant: &TenantId, day: &FeedDay) -> Result<bool, StoreError>;

    /// The manifest of a day, where it has one.
    async fn manifest(&self, tenant: &TenantId, day: &FeedDay) -> Result<Option<Manifest>, StoreError>;

    /// The files of a day that are shown, in the order of their names.
    async fn files(&self, tenant: &TenantId, day: &FeedDay) -> Result<Vec<FileStat>, StoreError>;

    /// One file of a day that is shown, where there is one of this name.
    async fn stat(&self, tenant: &TenantId, day: &FeedDay, file: &FileName) -> Result<Option<FileStat>, StoreError>;

    /// The bytes of a file within `range`, which lies within the file; none where there is no such file.
    async fn read(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        range: Range<u64>,
    ) -> Result<Option<Box<dyn FileBytes>>, StoreError>;

    /// An address at which the store itself gives the file to anyone for so many seconds; none where it has no such
    /// addresses.
    async fn address(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        seconds: u64,
    ) -> Result<Option<String>, StoreError>;
}

/// A file that is being written. One that is dropped before it is finished MUST NOT be found.
#[async_trait]
pub trait FileWriter: Send {
    /// Adds rows, whose values are in the order of the columns.
    async fn write(&mut self, rows: &dyn Rows) -> Result<(), StoreError>;

    /// Ends the file and makes it last; it is still not shown.
    async fn finish(self: Box<Self>) -> Result<WrittenFile, StoreError>;
}

/// How a file is to be written.
#[derive(Debug, Clone)]
pub struct FileForm {
    /// In which format.
    pub format: super::Format,
    /// How it is compressed.
    pub compression: Compression,
    /// With which columns.
    pub columns: &'static [Column],
}

/// Writes feeds. Each method MUST survive a loss of power once it has answered, and MUST be all or nothing where the
/// process is killed; [`show`](Self::show) may have shown a part of the files.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait FeedSink: Send + Sync {
    /// How far the day has come, where it is being written.
    async fn progress(&self, tenant: &TenantId, day: &FeedDay) -> Result<Option<Progress>, StoreError>;

    /// Says how far the day has come.
    async fn note(&self, tenant: &TenantId, day: &FeedDay, progress: &Progress) -> Result<(), StoreError>;

    /// Begins a file.
    async fn begin(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        form: &FileForm,
    ) -> Result<Box<dyn FileWriter>, StoreError>;

    /// Shows files that are whole. Those that are shown already stay so; one that is not there at all is a failure.
    async fn show(&self, tenant: &TenantId, day: &FeedDay, files: &[FileName]) -> Result<(), StoreError>;

    /// Puts the manifest in the place of the one before at once, then marks the day as complete.
    async fn complete(&self, tenant: &TenantId, day: &FeedDay, manifest: &Manifest) -> Result<(), StoreError>;

    /// Puts the manifest of a day that is not over in the place of the one before. The day MUST NOT be marked as complete
    /// afterwards, also where it was before.
    async fn save_unfinished(&self, tenant: &TenantId, day: &FeedDay, manifest: &Manifest) -> Result<(), StoreError>;

    /// Removes every file that is not shown, and last what is noted of how far the day has come.
    async fn tidy(&self, tenant: &TenantId, day: &FeedDay) -> Result<(), StoreError>;

    /// Removes files, shown or not. Those that are not there are passed over.
    async fn remove(&self, tenant: &TenantId, day: &FeedDay, files: &[FileName]) -> Result<(), StoreError>;
}
