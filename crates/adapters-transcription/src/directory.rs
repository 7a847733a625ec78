//! Vocabularies as files in a directory, one for each tenant, from which a transcription component reads them.

use std::{
    fs::{File, Permissions, metadata},
    io::{self, ErrorKind, Write},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    time::Duration,
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    file_mode::FileMode,
    limits::DELIVERY_TIMEOUT_SECONDS,
    vocabulary::delivery::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot},
};

use crate::document;

/// The prefix of temporary file names. A file has such a name until it is complete.
const TEMPORARY_PREFIX: &str = ".parlance-";

/// Writes each tenant's vocabulary into a file of a directory, `acme.json` for the tenant `acme`.
#[derive(Debug, Clone)]
pub struct DirectoryComponent {
    directory: PathBuf,
    mode: FileMode,
}

/// The directory does not exist or cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("must be an existing directory: {0}")]
pub struct InvalidDirectory(#[source] io::Error);

impl DirectoryComponent {
    /// A component that reads files in this directory.
    ///
    /// # Errors
    /// [`InvalidDirectory`] if the directory does not exist or cannot be read.
    pub fn new(directory: impl Into<PathBuf>) -> Result<Self, InvalidDirectory> {
        let directory = directory.into();
        std::fs::read_dir(&directory).map_err(InvalidDirectory)?;
        Ok(Self { directory, mode: FileMode::default() })
    }

    /// Sets the mode of the files.
    #[must_use]
    pub fn with_mode(self, mode: FileMode) -> Self {
        Self { mode, ..self }
    }
}

#[async_trait]
impl TranscriptionComponent for DirectoryComponent {
    #[tracing::instrument(level = "debug", name = "transcription.directory_component.push", skip_all, fields(%tenant))]
    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Result<(), DeliveryError> {
        let (directory, name, mode) = (self.directory.clone(), format!("{tenant}.json"), self.mode);
        let content = document(tenant, snapshot);
        let written = tokio::task::spawn_blocking(move || write_atomically(&directory, &name, &content, mode));
        match tokio::time::timeout(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS), written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(DeliveryError::new(DeliveryErrorKind::Unwritable, error)),
            Ok(Err(join_error)) => Err(DeliveryError::new(DeliveryErrorKind::Unwritable, join_error)),
            Err(elapsed) => Err(DeliveryError::new(DeliveryErrorKind::TimedOut, elapsed)),
        }
    }
}

/// Replaces a file atomically: a reader sees the whole old or the whole new content, even after a power loss. The file
/// gets its mode and the group of the directory before it gets its name.
fn write_atomically(directory: &Path, name: &str, content: &[u8], mode: FileMode) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(directory)?;
    file.write_all(content)?;
    set_group(file.path(), directory)?;
    file.as_file().set_permissions(Permissions::from_mode(mode.file_bits()))?;
    file.as_file().sync_all()?;
    file.persist(directory.join(name))?;
    // The directory holds the name, so it must be flushed too.
    File::open(directory)?.sync_all()
}

/// Sets the group of a file to that of its directory, if the process may.
fn set_group(file: &Path, directory: &Path) -> io::Result<()> {
    let group = metadata(directory)?.gid();
    if metadata(file)?.gid() == group {
        return Ok(());
    }
    // A process outside the group cannot assign it. The file then keeps the group of the process.
    chown(file, None, Some(group))
        .or_else(|error| if error.kind() == ErrorKind::PermissionDenied { Ok(()) } else { Err(error) })
}
