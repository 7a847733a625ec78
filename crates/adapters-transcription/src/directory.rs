//! Vocabularies as files in a directory, one for each tenant, for a transcription component that looks there.

use std::{
    fs::{File, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    limits::DELIVERY_TIMEOUT_SECONDS,
    vocabulary::delivery::{DeliveryError, DeliveryFailure, TranscriptionComponent, VocabularyEdition},
};

use crate::document;

/// What a file may be, as far as the process's umask allows: it is for another program to read.
const PERMISSIONS: u32 = 0o666;

/// What the name of a file begins with while it is not whole.
const UNFINISHED: &str = ".parlance-";

/// Writes each tenant's vocabulary into a file of a directory, `acme.json` for the tenant `acme`.
#[derive(Debug, Clone)]
pub struct DirectoryComponent {
    directory: PathBuf,
}

/// A directory that no file can be written into.
#[derive(Debug, thiserror::Error)]
#[error("must be a directory that is there: {0}")]
pub struct UnusableDirectory(#[source] io::Error);

impl DirectoryComponent {
    /// Writes into this directory.
    ///
    /// # Errors
    /// [`UnusableDirectory`] where it is not there.
    pub fn new(directory: impl Into<PathBuf>) -> Result<Self, UnusableDirectory> {
        let directory = directory.into();
        std::fs::read_dir(&directory).map_err(UnusableDirectory)?;
        Ok(Self { directory })
    }
}

#[async_trait]
impl TranscriptionComponent for DirectoryComponent {
    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Result<(), DeliveryError> {
        let (directory, name) = (self.directory.clone(), format!("{tenant}.json"));
        let content = document(tenant, edition);
        let written = tokio::task::spawn_blocking(move || write(&directory, &name, &content));
        match tokio::time::timeout(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS), written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(DeliveryError::new(DeliveryFailure::Unwritable, error)),
            Ok(Err(broken)) => Err(DeliveryError::new(DeliveryFailure::Unwritable, broken)),
            Err(late) => Err(DeliveryError::new(DeliveryFailure::TimedOut, late)),
        }
    }
}

/// Writes a file so that whoever opens it by its name sees all of the old or all of the new, also after a loss of power.
fn write(directory: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED).permissions(Permissions::from_mode(PERMISSIONS));
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(directory.join(name))?;
    // The name is in the directory, which has to be flushed too.
    File::open(directory)?.sync_all()
}
