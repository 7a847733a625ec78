//! The replacement of a manifest that happens only if the stored manifest is the expected one.
//!
//! A bucket makes the comparison: the request names the tag of the object that was read, or demands that there is none.
//! `locked_manifest.rs` makes it in a directory.

use object_store::{Error, GetResult, ObjectStoreExt, PutMode, PutPayload, UpdateVersion, path::Path};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{FeedPeriod, FeedWriteError, ManifestUpdate},
};

use crate::{
    ObjectFeeds,
    error::{none_if_missing, store_error},
    locked_manifest::{LOCK_TIMEOUT, LockedManifest},
    manifest_comparison::must_write,
    metadata_json,
};

/// A stored manifest and its version.
struct StoredManifest {
    bytes: Vec<u8>,
    version: UpdateVersion,
}

impl ObjectFeeds {
    /// Replaces the manifest of a period if it is the expected one.
    pub(crate) async fn replace_manifest(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError> {
        let bytes = metadata_json::encode_manifest(period, &update.manifest);
        let path = self.layout.manifest(tenant, period);
        let lock = self.layout.manifest_lock(tenant, &period.dataset);
        match (self.local_path(&path), self.local_path(&lock)) {
            (Some(path), Some(lock)) => {
                let manifest = LockedManifest { path, lock, lock_timeout: LOCK_TIMEOUT, mode: self.mode };
                manifest.replace(&bytes, update).await
            }
            _ => self.replace_object(&path, bytes, update).await,
        }
    }

    /// Checks that the manifest of a period is the expected or the new one.
    pub(crate) async fn check_manifest(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError> {
        let stored = self.read_small_object(&self.layout.manifest(tenant, period)).await?;
        must_write(stored.as_deref(), update).map(drop)
    }

    async fn replace_object(&self, path: &Path, bytes: Vec<u8>, update: &ManifestUpdate) -> Result<(), FeedWriteError> {
        let stored = self.stored_manifest(path).await?;
        if !must_write(stored.as_ref().map(|stored| &*stored.bytes), update)? {
            return Ok(());
        }
        let mode = stored.map_or(PutMode::Create, |stored| PutMode::Update(stored.version));
        match self.objects.put_opts(path, PutPayload::from(bytes), mode.into()).await {
            Ok(_) => Ok(()),
            Err(Error::Precondition { .. } | Error::AlreadyExists { .. }) => {
                // The client repeats a request without an answer. Its first attempt may have stored the manifest.
                let stored = self.read_small_object(path).await?;
                if must_write(stored.as_deref(), update)? { Err(FeedWriteError::Superseded) } else { Ok(()) }
            }
            Err(error) => Err(store_error(error).into()),
        }
    }

    async fn stored_manifest(&self, path: &Path) -> Result<Option<StoredManifest>, StoreError> {
        let Some(object) = none_if_missing(self.objects.get(path).await)? else { return Ok(None) };
        let GetResult { meta, .. } = &object;
        let version = UpdateVersion { e_tag: meta.e_tag.clone(), version: meta.version.clone() };
        let bytes = object.bytes().await.map_err(store_error)?.to_vec();
        Ok(Some(StoredManifest { bytes, version }))
    }
}
