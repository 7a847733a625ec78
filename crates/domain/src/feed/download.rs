//! A file that is being downloaded from this service.

use std::{ops::Range, sync::Arc};

use super::{FeedFileError, FeedStore, FileBytes, FileName, FileTicket};
use crate::time::Timestamp;

/// A file that this service serves.
pub struct Download {
    pub(super) store: Arc<dyn FeedStore>,
    pub(super) ticket: FileTicket,
    pub(super) bytes: u64,
    pub(super) etag: String,
}

impl Download {
    /// The file name.
    #[must_use]
    pub fn name(&self) -> &FileName {
        &self.ticket.file
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A tag that changes when the content changes.
    #[must_use]
    pub fn etag(&self) -> &str {
        &self.etag
    }

    /// The expiry time of the ticket.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        self.ticket.expires_at
    }

    /// The bytes of a range. The range is clamped to the file.
    ///
    /// # Errors
    /// [`FeedFileError::NoFile`] if the file was removed meanwhile; [`FeedFileError::Store`].
    pub async fn read(&self, range: Range<u64>) -> Result<Box<dyn FileBytes>, FeedFileError> {
        let range = range.start.min(self.bytes)..range.end.min(self.bytes);
        let FileTicket { tenant, period, file, .. } = &self.ticket;
        let bytes = self.store.read(tenant, period, file, range).await?;
        bytes.ok_or(FeedFileError::NoFile)
    }
}
