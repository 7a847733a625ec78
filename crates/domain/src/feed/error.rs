//! The errors of the use cases of feed consumers, and of writing feeds.

use crate::error::StoreError;

/// The error of listing what is in a feed, or of reading its schema.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The feed, its version or its format does not exist.
    #[error("there is no such feed, version or format")]
    NotFound,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of listing the files of a period.
#[derive(Debug, thiserror::Error)]
pub enum PeriodError {
    /// The period does not exist, or is not complete.
    #[error("there is no such complete day or hour of this feed")]
    NotFound,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of locating or reading a file of a period.
#[derive(Debug, thiserror::Error)]
pub enum FeedFileError {
    /// The period does not exist, or is not complete.
    #[error("there is no such complete day or hour of this feed")]
    NoPeriod,
    /// The period has no such file.
    #[error("there is no such file of this day or hour")]
    NoFile,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of writing a period.
#[derive(Debug, thiserror::Error)]
pub enum FeedWriteError {
    /// Another run has replaced the manifest of the period since this run read it.
    #[error("another run has written this day or hour meanwhile")]
    Superseded,
    /// Another run has removed an unpublished file of this run.
    #[error("another run has removed a file of this day or hour before its publication")]
    FileRemoved,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of opening the file of a ticket.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// The signature of the ticket is invalid, or the ticket has expired.
    #[error("the ticket is invalid or has expired")]
    InvalidTicket,
    /// The file cannot be found.
    #[error(transparent)]
    File(#[from] FeedFileError),
}
