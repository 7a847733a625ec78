//! Vocabularies as files in a directory, one for each tenant, from which a transcription component reads them.

use std::{
    collections::HashMap,
    fs::{File, Permissions, metadata},
    io::{self, ErrorKind, Write},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    file_mode::FileMode,
    limits::DELIVERY_TIMEOUT_SECONDS,
    sync,
    vocabulary::delivery::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot},
};

use crate::encode_document;

/// The prefix of temporary file names. A file has such a name until it is complete.
const TEMPORARY_PREFIX: &str = ".parlance-";

/// Writes each tenant's vocabulary into a file of a directory, `acme.json` for the tenant `acme`.
#[derive(Debug, Clone)]
pub struct DirectoryComponent {
    directory: PathBuf,
    mode: FileMode,
    order: Arc<WriteOrder>,
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
        Ok(Self { directory, mode: FileMode::default(), order: Arc::default() })
    }

    /// Sets the mode of the files.
    #[must_use]
    pub fn with_mode(self, mode: FileMode) -> Self {
        Self { mode, ..self }
    }

    /// Begins to replace the file of this name. The write happens in [`FileWrite::run`].
    fn begin_write(&self, name: String, content: Vec<u8>) -> FileWrite {
        let number = self.order.begun.fetch_add(1, Ordering::Relaxed);
        FileWrite { component: self.clone(), number, name, content }
    }
}

#[async_trait]
impl TranscriptionComponent for DirectoryComponent {
    #[tracing::instrument(level = "debug", name = "transcription.directory_component.push", skip_all, fields(%tenant))]
    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Result<(), DeliveryError> {
        let write = self.begin_write(format!("{tenant}.json"), encode_document(tenant, snapshot));
        // After a timeout, the write goes on in its thread.
        let written = tokio::task::spawn_blocking(move || write.run());
        match tokio::time::timeout(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS), written).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(DeliveryError::new(DeliveryErrorKind::Unwritable, error)),
            Ok(Err(join_error)) => Err(DeliveryError::new(DeliveryErrorKind::Unwritable, join_error)),
            Err(elapsed) => Err(DeliveryError::new(DeliveryErrorKind::TimedOut, elapsed)),
        }
    }
}

/// The order of the writes of this process. A write that ends late does not replace the file of a later write.
#[derive(Debug, Default)]
struct WriteOrder {
    /// The number of writes that began.
    begun: AtomicU64,
    /// The number of the last write that replaced each file.
    replaced: Mutex<HashMap<String, u64>>,
}

/// A write of one file.
struct FileWrite {
    component: DirectoryComponent,
    number: u64,
    name: String,
    content: Vec<u8>,
}

impl FileWrite {
    /// Replaces the file atomically: a reader sees the whole old or the whole new content, even after a power loss. The
    /// file gets its mode and the group of the directory before it gets its name. If a later write has replaced the
    /// file, it stays as it is.
    fn run(self) -> io::Result<()> {
        let Self { component: DirectoryComponent { directory, mode, order }, number, name, content } = self;
        let mut file = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(&directory)?;
        file.write_all(&content)?;
        set_group(file.path(), &directory)?;
        file.as_file().set_permissions(Permissions::from_mode(mode.file_bits()))?;
        file.as_file().sync_all()?;
        {
            let mut replaced = sync::lock(&order.replaced);
            if replaced.get(&name).is_some_and(|replaced| *replaced > number) {
                return Ok(());
            }
            file.persist(directory.join(&name))?;
            replaced.insert(name, number);
        }
        // The directory holds the name, so it must be flushed too.
        File::open(directory)?.sync_all()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_ends_late_does_not_replace_the_file_of_a_later_write() {
        let folder = tempfile::tempdir().unwrap();
        let component = DirectoryComponent::new(folder.path()).unwrap();
        let write = |content: &str| component.clone().begin_write("acme.json".to_owned(), content.into());
        let late = write("old");
        write("new").run().unwrap();
        late.run().unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("acme.json")).unwrap(), "new");
    }

    #[test]
    fn a_later_write_of_another_tenant_does_not_hold_up_a_write() {
        let folder = tempfile::tempdir().unwrap();
        let component = DirectoryComponent::new(folder.path()).unwrap();
        let late = component.begin_write("acme.json".to_owned(), "old".into());
        component.begin_write("globex.json".to_owned(), "new".into()).run().unwrap();
        late.run().unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("acme.json")).unwrap(), "old");
    }
}
