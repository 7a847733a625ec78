//! Vocabularies as objects in a bucket, one for each tenant, for a transcription component that looks there.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use parlance_domain::{
    access::TenantId,
    limits::DELIVERY_TIMEOUT_SECONDS,
    vocabulary::delivery::{DeliveryError, DeliveryFailure, TranscriptionComponent, VocabularyEdition},
};

use crate::{
    place::{OpenError, Place},
    refusal::Refusal,
};

/// What is brought of a vocabulary, as bytes.
pub type Document = fn(&TenantId, &VocabularyEdition) -> Vec<u8>;

/// Puts each tenant's vocabulary into an object of its own, `prefix/acme.json` for the tenant `acme`. Who reads an object
/// gets all of the old or all of the new.
#[derive(Clone)]
pub struct ObjectVocabularies {
    objects: Arc<dyn ObjectStore>,
    base: Path,
    document: Document,
}

impl ObjectVocabularies {
    /// Puts them into the bucket at this address: `s3://bucket/prefix`, `gs://bucket/prefix` or `az://container/prefix`.
    /// Nothing is asked of it yet.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(address: &str, document: Document) -> Result<Self, OpenError> {
        let Place { store, base, .. } = Place::open(address)?;
        Ok(Self { objects: store, base, document })
    }

    /// Puts them into a store of objects that was opened elsewhere, from its root on: for embedders and tests.
    #[must_use]
    pub fn within(objects: Arc<dyn ObjectStore>, document: Document) -> Self {
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
    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Result<(), DeliveryError> {
        let place = self.base.clone().join(format!("{tenant}.json"));
        let put = self.objects.put(&place, (self.document)(tenant, edition).into());
        match tokio::time::timeout(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS), put).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(DeliveryError::new(DeliveryFailure::Unwritable, Refusal::from(error))),
            Err(late) => Err(DeliveryError::new(DeliveryFailure::TimedOut, late)),
        }
    }
}
