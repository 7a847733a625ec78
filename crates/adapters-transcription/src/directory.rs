//! Vocabularies as files in a directory, one for each tenant, for a transcription component that looks there.

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
    vocabulary::delivery::{DeliveryError, DeliveryFailure, TranscriptionComponent, VocabularyEdition},
};

use crate::document;

/// What the name of a file begins with while it is not whole.
const UNFINISHED: &str = ".parlance-";

/// Writes each tenant's vocabulary into a file of a directory, `acme.json` for the tenant `acme`.
#[derive(Debug, Clone)]
pub struct DirectoryComponent {
    directory: PathBuf,
    mode: FileMode,
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
        Ok(Self { directory, mode: FileMode::default() })
    }

    /// The same, with files of this mode.
    #[must_use]
    pub fn with_mode(self, mode: FileMode) -> Self {
        Self { mode, ..self }
    }
}

#[async_trait]
impl TranscriptionComponent for DirectoryComponent {
    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Result<(), DeliveryError> {
        let (directory, name, mode) = (self.directory.clone(), format!("{tenant}.json"), self.mode);
        let content = document(tenant, edition);
        let written = tokio::task::spawn_blocking(move || write(&directory, &name, &content, mode));
        match tokio::time::timeout(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS), written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(DeliveryError::new(DeliveryFailure::Unwritable, error)),
            Ok(Err(broken)) => Err(DeliveryError::new(DeliveryFailure::Unwritable, broken)),
            Err(late) => Err(DeliveryError::new(DeliveryFailure::TimedOut, late)),
        }
    }
}

/// Writes a file so that whoever opens it by its name sees all of the old or all of the new, also after a loss of power. It
/// has its mode, and the group of the directory, before it has its name.
fn write(directory: &Path, name: &str, content: &[u8], mode: FileMode) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(directory)?;
    file.write_all(content)?;
    give_group(file.path(), directory)?;
    file.as_file().set_permissions(Permissions::from_mode(mode.of_file()))?;
    file.as_file().sync_all()?;
    file.persist(directory.join(name))?;
    // The name is in the directory, which has to be flushed too.
    File::open(directory)?.sync_all()
}

/// Gives a file the group of its directory, where the process may.
fn give_group(file: &Path, directory: &Path) -> io::Result<()> {
    let group = metadata(directory)?.gid();
    if metadata(file)?.gid() == group {
        return Ok(());
    }
    // A process that is not in that group cannot give to it: the file stays with the group of the process.
    chown(file, None, Some(group))
        .or_else(|error| if error.kind() == ErrorKind::PermissionDenied { Ok(()) } else { Err(error) })
}
