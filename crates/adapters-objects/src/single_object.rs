//! One object in a bucket.

use std::fmt;

use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use parlance_domain::error::{StoreError, StoreErrorKind};

use crate::{
    error::{none_if_missing, store_error},
    store_handle::{StoreHandle, StoreOpenError},
};

/// The maximum size of an object that is read into memory.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// One object in a bucket: `s3://bucket/name`, `gs://bucket/name` or `az://container/name`.
#[derive(Clone)]
pub struct SingleObject {
    objects: std::sync::Arc<dyn ObjectStore>,
    path: Path,
}

impl fmt::Debug for SingleObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleObject").finish_non_exhaustive()
    }
}

impl SingleObject {
    /// The object at this address. No request is sent yet.
    ///
    /// # Errors
    /// [`StoreOpenError`] if the address is invalid.
    pub fn open(address: &str) -> Result<Self, StoreOpenError> {
        let StoreHandle { store, base, .. } = StoreHandle::open(address)?;
        if base.as_ref().is_empty() {
            return Err(StoreOpenError::InvalidConfiguration(
                "the address has no object name; use s3://bucket/name".into(),
            ));
        }
        Ok(Self { objects: store, path: base })
    }

    /// The object at a path of an open store.
    pub(crate) fn at(objects: std::sync::Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { objects, path }
    }

    /// The content of the object; `None` if there is no such object.
    ///
    /// # Errors
    /// [`StoreError`] if the bucket fails, or the object is larger than 64 MiB.
    pub async fn read(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(object) = none_if_missing(self.objects.get(&self.path).await)? else { return Ok(None) };
        if object.meta.size > MAX_BYTES {
            return Err(StoreError::new(StoreErrorKind::Unexpected, "the object is larger than 64 MiB"));
        }
        Ok(Some(object.bytes().await.map_err(store_error)?.into()))
    }

    /// Replaces the content of the object.
    ///
    /// # Errors
    /// [`StoreError`] if the bucket fails.
    pub async fn write(&self, content: Vec<u8>) -> Result<(), StoreError> {
        self.objects.put(&self.path, content.into()).await.map(|_| ()).map_err(store_error)
    }
}
