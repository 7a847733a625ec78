//! Vocabularies as objects in a bucket, one for each tenant, from which a transcription component reads them.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use parlance_domain::{
    access::TenantId,
    limits::DELIVERY_TIMEOUT_SECONDS,
    vocabulary::delivery::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot},
};

use crate::{
    error_summary::ErrorSummary,
    store_handle::{StoreHandle, StoreOpenError},
};

/// Encodes the document of a vocabulary.
pub type DocumentEncoder = fn(&TenantId, &VocabularySnapshot) -> Vec<u8>;

/// Writes each tenant's vocabulary into its own object, such as `prefix/acme.json` for the tenant `acme`. A reader of
/// an object gets the whole old or the whole new version.
#[derive(Clone)]
pub struct ObjectVocabularies {
    objects: Arc<dyn ObjectStore>,
    base: Path,
    document: DocumentEncoder,
}

impl ObjectVocabularies {
    /// Opens the bucket at this address: `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`. No
    /// request is sent yet.
    ///
    /// # Errors
    /// [`StoreOpenError`] if the address is invalid.
    pub fn open(address: &str, document: DocumentEncoder) -> Result<Self, StoreOpenError> {
        let StoreHandle { store, base, .. } = StoreHandle::open(address)?;
        Ok(Self { objects: store, base, document })
    }

    /// Vocabularies at the root of an open object store, for embedders and tests.
    #[must_use]
    pub fn from_store(objects: Arc<dyn ObjectStore>, document: DocumentEncoder) -> Self {
        Self { objects, base: Path::default(), document }
    }
}

impl fmt::Debug for ObjectVocabularies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectVocabularies").finish_non_exhaustive()
    }
}

#[async_trait]
impl TranscriptionComponent for ObjectVocabularies {
    #[tracing::instrument(level = "debug", name = "objects.vocabularies.push", skip_all, fields(%tenant))]
    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Result<(), DeliveryError> {
        let path = self.base.clone().join(format!("{tenant}.json"));
        let put = self.objects.put(&path, (self.document)(tenant, snapshot).into());
        match tokio::time::timeout(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS), put).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(DeliveryError::new(DeliveryErrorKind::Unwritable, ErrorSummary::from(error))),
            Err(elapsed) => Err(DeliveryError::new(DeliveryErrorKind::TimedOut, elapsed)),
        }
    }
}
