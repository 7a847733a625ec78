//! The store of feeds: a directory or a bucket.

use std::{fmt, path::PathBuf, sync::Arc};

use object_store::{ObjectStore, path::Path, signer::Signer};
use parlance_domain::{access::TenantId, feed::FeedPeriod, file_mode::FileMode};

use crate::{
    layout::Layout,
    store_handle::{StoreHandle, StoreOpenError},
};

/// Feeds in a directory or a bucket. Clones share the connection.
#[derive(Clone)]
pub struct ObjectFeeds {
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) layout: Layout,
    directory: Option<PathBuf>,
    pub(crate) mode: FileMode,
}

impl ObjectFeeds {
    /// Opens the store at this address: `file://directory`, `s3://bucket/prefix`, `gs://bucket/prefix` or
    /// `az://container/prefix`. No request is sent yet. The first write creates a missing directory.
    ///
    /// # Errors
    /// [`StoreOpenError`] if the address is invalid.
    pub fn open(address: &str) -> Result<Self, StoreOpenError> {
        let StoreHandle { store, signer, base, directory } = StoreHandle::open(address)?;
        Ok(Self { objects: store, signer, layout: Layout(base), directory, mode: FileMode::default() })
    }

    /// Feeds at the root of an open object store, for embedders and tests.
    #[must_use]
    pub fn from_store(objects: Arc<dyn ObjectStore>) -> Self {
        Self { objects, signer: None, layout: Layout(Path::default()), directory: None, mode: FileMode::default() }
    }

    /// Feeds at the root of an open bucket. Downloads use presigned URLs of the bucket.
    #[must_use]
    pub fn from_bucket<S: ObjectStore + Signer>(bucket: Arc<S>) -> Self {
        Self { signer: Some(Arc::clone(&bucket) as _), ..Self::from_store(bucket) }
    }

    /// Sets the mode of files in a directory. The mode has no effect in a bucket.
    #[must_use]
    pub fn with_mode(self, mode: FileMode) -> Self {
        Self { mode, ..self }
    }

    /// The directory of a period in the file system; `None` if the store is a bucket.
    pub(crate) fn period_directory(&self, tenant: &TenantId, period: &FeedPeriod) -> Option<PathBuf> {
        self.local_path(&self.layout.period(tenant, period))
    }

    /// The path in the file system; `None` if the store is a bucket.
    pub(crate) fn local_path(&self, path: &Path) -> Option<PathBuf> {
        let base = self.directory.as_ref()?;
        let segments = path.prefix_match(&self.layout.0)?;
        Some(segments.fold(base.clone(), |directory, segment| directory.join(segment.as_ref())))
    }
}

impl fmt::Debug for ObjectFeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectFeeds").finish_non_exhaustive()
    }
}
