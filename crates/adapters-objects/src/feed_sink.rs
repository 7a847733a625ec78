//! The port [`FeedSink`]: writing feeds. An export writes files under hidden names, publishes them, and then marks the
//! period as complete.

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{ObjectStoreExt, PutPayload, path::Path};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{
        ExportCheckpoint, FeedPeriod, FeedSink, FeedWriteError, FileEncoding, FileName, FileWriter, ManifestUpdate,
    },
};

use crate::{
    ObjectFeeds,
    error::{file_error, none_if_missing, store_error},
    feed_store::MAX_CONCURRENT_CHECKS,
    file::ObjectFile,
    file_access::{create_directory, set_file_access},
    layout::{is_hidden_file, last_segment},
    metadata_json, tenant_files,
};

impl ObjectFeeds {
    /// Writes a small file of a period.
    async fn put(&self, tenant: &TenantId, period: &FeedPeriod, path: &Path, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.create_period_directory(tenant, period)?;
        self.objects.put(path, PutPayload::from(bytes)).await.map_err(store_error)?;
        self.set_access(tenant, period, path)
    }

    /// Creates the directory of a period, if the store is a directory.
    fn create_period_directory(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<(), StoreError> {
        self.period_directory(tenant, period)
            .map_or(Ok(()), |directory| create_directory(&directory, self.mode).map_err(file_error))
    }

    /// Sets the mode and the group of a file of a period, if the store is a directory.
    fn set_access(&self, tenant: &TenantId, period: &FeedPeriod, path: &Path) -> Result<(), StoreError> {
        let file = self.period_directory(tenant, period).map(|directory| directory.join(last_segment(path)));
        file.map_or(Ok(()), |file| set_file_access(&file, self.mode).map_err(file_error))
    }

    pub(crate) async fn delete(&self, paths: Vec<Path>) -> Result<(), StoreError> {
        let mut deleted = self.objects.delete_stream(stream::iter(paths.into_iter().map(Ok)).boxed());
        while let Some(result) = deleted.next().await {
            none_if_missing(result)?;
        }
        Ok(())
    }

    /// Removes temporary files that killed runs left in a directory. In a bucket, incomplete uploads are not listed.
    /// The bucket's own rule for incomplete uploads removes them.
    fn remove_temporary_files(&self, tenant: &TenantId, period: &FeedPeriod) {
        let Some(entries) =
            self.period_directory(tenant, period).and_then(|directory| std::fs::read_dir(directory).ok())
        else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with('_') && name.contains('#')) {
                // A failure is harmless: readers skip the file, and another run may have removed it.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

#[async_trait]
impl FeedSink for ObjectFeeds {
    #[tracing::instrument(level = "debug", name = "objects.feeds.load_checkpoint", skip_all, fields(%tenant))]
    async fn load_checkpoint(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
    ) -> Result<Option<ExportCheckpoint>, StoreError> {
        let bytes = self.read_small_object(&self.layout.checkpoint(tenant, period)).await?;
        bytes.map(|bytes| metadata_json::parse_checkpoint(&bytes)).transpose()
    }

    #[tracing::instrument(
        level = "debug", name = "objects.feeds.load_checkpoints", skip_all,
        fields(%tenant, periods = periods.len())
    )]
    async fn load_checkpoints(
        &self,
        tenant: &TenantId,
        periods: &[FeedPeriod],
    ) -> Result<Vec<Option<ExportCheckpoint>>, StoreError> {
        let checkpoints = stream::iter(periods.to_vec());
        let checkpoints = checkpoints.map(|period| async move { self.load_checkpoint(tenant, &period).await });
        checkpoints.buffered(MAX_CONCURRENT_CHECKS).try_collect().await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.save_checkpoint", skip_all, fields(%tenant))]
    async fn save_checkpoint(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        checkpoint: &ExportCheckpoint,
    ) -> Result<(), StoreError> {
        self.put(tenant, period, &self.layout.checkpoint(tenant, period), metadata_json::encode_checkpoint(checkpoint))
            .await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.create_file", skip_all, fields(%tenant))]
    async fn create_file(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        encoding: &FileEncoding,
    ) -> Result<Box<dyn FileWriter>, StoreError> {
        self.create_period_directory(tenant, period)?;
        let path = self.layout.hidden_file(tenant, period, file);
        let local_path = self.period_directory(tenant, period).map(|directory| directory.join(last_segment(&path)));
        Ok(Box::new(ObjectFile::create(self.objects.clone(), (path, local_path), file.clone(), encoding)?))
    }

    #[tracing::instrument(
        level = "debug", name = "objects.feeds.publish", skip_all,
        fields(%tenant, files = files.len())
    )]
    async fn publish(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), FeedWriteError> {
        for file in files {
            let (hidden, published) =
                (self.layout.hidden_file(tenant, period, file), self.layout.published_file(tenant, period, file));
            self.set_access(tenant, period, &hidden)?;
            let renamed = none_if_missing(self.objects.rename(&hidden, &published).await)?;
            if renamed.is_none() && none_if_missing(self.objects.head(&published).await)?.is_none() {
                return Err(FeedWriteError::FileRemoved);
            }
        }
        Ok(())
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.complete", skip_all, fields(%tenant))]
    async fn complete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError> {
        self.replace_manifest(tenant, period, update).await?;
        Ok(self.put(tenant, period, &self.layout.success_marker(tenant, period), Vec::new()).await?)
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.save_incomplete", skip_all, fields(%tenant))]
    async fn save_incomplete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError> {
        // No store changes two objects at once. A manifest that is replaced after this check can lose its mark until the
        // next run, but an incomplete one is never listed.
        self.check_manifest(tenant, period, update).await?;
        self.delete(vec![self.layout.success_marker(tenant, period)]).await?;
        self.replace_manifest(tenant, period, update).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.clean", skip_all, fields(%tenant))]
    async fn clean(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<(), StoreError> {
        let listed =
            self.objects.list_with_delimiter(Some(&self.layout.period(tenant, period))).await.map_err(store_error)?;
        let hidden = listed.objects.into_iter().map(|object| object.location).filter(is_hidden_file);
        self.delete(hidden.collect()).await?;
        self.remove_temporary_files(tenant, period);
        self.delete(vec![self.layout.checkpoint(tenant, period)]).await
    }

    #[tracing::instrument(
        level = "debug", name = "objects.feeds.remove", skip_all,
        fields(%tenant, files = files.len())
    )]
    async fn remove(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), StoreError> {
        let paths = files.iter().flat_map(|file| {
            [self.layout.published_file(tenant, period, file), self.layout.hidden_file(tenant, period, file)]
        });
        self.delete(paths.collect()).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.count_files", skip_all, fields(%tenant))]
    async fn count_files(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        tenant_files::count(self, tenant).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.remove_tenant", skip_all, fields(%tenant))]
    async fn remove_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        tenant_files::remove(self, tenant).await
    }
}
