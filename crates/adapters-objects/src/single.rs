//! One object at an address of its own.

use std::fmt;

use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use parlance_domain::error::{StoreError, StoreErrorKind};

use crate::{
    error::{failed, found},
    place::{OpenError, Place},
};

/// Most bytes of an object that is read whole.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

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
    /// The object at this address. Nothing is asked of the bucket yet.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(address: &str) -> Result<Self, OpenError> {
        let Place { store, base, .. } = Place::open(address)?;
        if base.as_ref().is_empty() {
            return Err(OpenError::Refused("names no object, as s3://bucket/name does".into()));
        }
        Ok(Self { objects: store, path: base })
    }

    /// What the object holds; none where there is no such object.
    ///
    /// # Errors
    /// [`StoreError`] where the bucket fails, or the object has more than 64 MiB.
    pub async fn read(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(object) = found(self.objects.get(&self.path).await)? else { return Ok(None) };
        if object.meta.size > MOST_BYTES {
            return Err(StoreError::new(StoreErrorKind::Unexpected, "the object has more than 64 MiB"));
        }
        Ok(Some(object.bytes().await.map_err(failed)?.into()))
    }

    /// Puts this into the object, in place of what it held.
    ///
    /// # Errors
    /// [`StoreError`] where the bucket fails.
    pub async fn write(&self, content: Vec<u8>) -> Result<(), StoreError> {
        self.objects.put(&self.path, content.into()).await.map(|_| ()).map_err(failed)
    }
}
