//! An open store of feeds.

use std::{fmt, path::PathBuf, sync::Arc};

use object_store::{ObjectStore, path::Path, signer::Signer};
use parlance_domain::{access::TenantId, feed::FeedDay, file_mode::FileMode};

use crate::{
    layout::Layout,
    place::{OpenError, Place},
};

/// Feeds in a directory or a bucket. Cloning shares the connection.
#[derive(Clone)]
pub struct ObjectFeeds {
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) layout: Layout,
    directory: Option<PathBuf>,
    pub(crate) mode: FileMode,
}

impl ObjectFeeds {
    /// Opens the store at this address: `file://directory` (made where it is missing, once something is written),
    /// `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`. Nothing is asked of it yet.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(address: &str) -> Result<Self, OpenError> {
        let Place { store, signer, base, directory } = Place::open(address)?;
        Ok(Self { objects: store, signer, layout: Layout(base), directory, mode: FileMode::default() })
    }

    /// Feeds in a store of objects that was opened elsewhere, from its root on: for embedders and tests.
    #[must_use]
    pub fn within(objects: Arc<dyn ObjectStore>) -> Self {
        Self { objects, signer: None, layout: Layout(Path::default()), directory: None, mode: FileMode::default() }
    }

    /// Feeds in a bucket that was opened elsewhere, from its root on, whose own addresses are given out.
    #[must_use]
    pub fn in_bucket<S: ObjectStore + Signer>(bucket: Arc<S>) -> Self {
        Self { signer: Some(Arc::clone(&bucket) as _), ..Self::within(bucket) }
    }

    /// The same store, whose files in a directory have this mode. In a bucket it means nothing.
    #[must_use]
    pub fn with_mode(self, mode: FileMode) -> Self {
        Self { mode, ..self }
    }

    /// The folder of a day in the file system, where the store is a directory.
    pub(crate) fn folder(&self, tenant: &TenantId, day: &FeedDay) -> Option<PathBuf> {
        let base = self.directory.as_ref()?;
        let path = self.layout.day(tenant, day);
        let below = path.prefix_match(&self.layout.0)?;
        Some(below.fold(base.clone(), |folder, part| folder.join(part.as_ref())))
    }
}

impl fmt::Debug for ObjectFeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectFeeds").finish_non_exhaustive()
    }
}
