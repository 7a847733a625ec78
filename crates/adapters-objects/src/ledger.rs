//! The ledger of erasures: objects `<id>.jsonl` in a directory or a bucket.

use std::{collections::BTreeSet, fmt, io, path::PathBuf, sync::Arc};

use async_trait::async_trait;
use object_store::{ObjectStore, path::Path};
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    file_mode::FileMode,
    privacy::{ErasureLedger, LedgerContent, LedgerError, LedgerObjectId},
};

use crate::{
    SingleObject,
    error::{file_error, store_error},
    file_access::{create_directory, set_file_access},
    layout::last_segment,
    ledger_json::{self, LedgerDamage},
    store_handle::{StoreHandle, StoreOpenError},
};

/// The ending of the name of each object.
const EXTENSION: &str = ".jsonl";

/// The ledger of erasures in a directory or a bucket. Objects with other names are ignored.
#[derive(Clone)]
pub struct ObjectLedger {
    objects: Arc<dyn ObjectStore>,
    base: Path,
    directory: Option<PathBuf>,
}

impl ObjectLedger {
    /// Opens the ledger at this address: `file://directory`, `s3://bucket/prefix`, `gs://bucket/prefix` or
    /// `az://container/prefix`. No request is sent yet. The first write creates a missing directory.
    ///
    /// # Errors
    /// [`StoreOpenError`] if the address is invalid.
    pub fn open(address: &str) -> Result<Self, StoreOpenError> {
        let StoreHandle { store, base, directory, .. } = StoreHandle::open(address)?;
        Ok(Self { objects: store, base, directory })
    }

    /// A ledger at the root of an open object store, for embedders and tests.
    #[must_use]
    pub fn from_store(objects: Arc<dyn ObjectStore>) -> Self {
        Self { objects, base: Path::default(), directory: None }
    }

    fn file_name(object: &LedgerObjectId) -> String {
        format!("{object}{EXTENSION}")
    }

    fn object(&self, object: &LedgerObjectId) -> SingleObject {
        SingleObject::at(Arc::clone(&self.objects), self.base.clone().join(Self::file_name(object)))
    }

    /// A file in the place of the directory has no entries to list, and must not count as an empty ledger.
    fn check_directory(&self) -> Result<(), StoreError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        match directory.metadata() {
            Ok(metadata) if !metadata.is_dir() => {
                Err(StoreError::new(StoreErrorKind::Unavailable, "the path of the ledger is not a directory"))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file_error(error)),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

impl fmt::Debug for ObjectLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectLedger").finish_non_exhaustive()
    }
}

#[async_trait]
impl ErasureLedger for ObjectLedger {
    #[tracing::instrument(level = "debug", name = "objects.ledger.write", skip_all, fields(entries = content.entries.len()))]
    async fn write(&self, object: &LedgerObjectId, content: &LedgerContent) -> Result<(), StoreError> {
        self.check_directory()?;
        if let Some(directory) = &self.directory {
            create_directory(directory, FileMode::OWNER_ONLY).map_err(file_error)?;
        }
        self.object(object).write(ledger_json::encode(content)).await?;
        let file = self.directory.as_ref().map(|directory| directory.join(Self::file_name(object)));
        file.map_or(Ok(()), |file| set_file_access(&file, FileMode::OWNER_ONLY).map_err(file_error))
    }

    #[tracing::instrument(level = "debug", name = "objects.ledger.objects", skip_all)]
    async fn objects(&self) -> Result<BTreeSet<LedgerObjectId>, StoreError> {
        self.check_directory()?;
        let listed = self.objects.list_with_delimiter(Some(&self.base)).await.map_err(store_error)?;
        let names = listed.objects.into_iter().map(|object| last_segment(&object.location));
        Ok(names.filter_map(|name| LedgerObjectId::parse(name.strip_suffix(EXTENSION)?).ok()).collect())
    }

    #[tracing::instrument(level = "debug", name = "objects.ledger.read", skip_all)]
    async fn read(&self, object: &LedgerObjectId) -> Result<LedgerContent, LedgerError> {
        let missing = || StoreError::new(StoreErrorKind::Unavailable, "an object of the ledger is missing");
        let content = self.object(object).read().await.and_then(|content| content.ok_or_else(missing));
        let parsed = ledger_json::parse(&content.map_err(LedgerError::Ledger)?);
        parsed.map_err(|damage| match damage {
            LedgerDamage::Line(line) => LedgerError::Malformed { object: object.clone(), line },
            LedgerDamage::Changed => LedgerError::Changed { object: object.clone() },
        })
    }
}
