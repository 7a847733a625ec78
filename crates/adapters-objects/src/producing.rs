//! Writing: files under hidden names, then shown, then said to be all.

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use object_store::{ObjectStoreExt, PutPayload, path::Path};
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{FeedDay, FeedSink, FileForm, FileName, FileWriter, Manifest, Progress},
};

use crate::{
    ObjectFeeds,
    error::{failed, found},
    file::ObjectFile,
    handing_over::{hand_over_file, make_folder},
    layout::{is_hidden_file, last_step},
    notes,
};

impl ObjectFeeds {
    /// Writes a small file of a day.
    async fn put(&self, tenant: &TenantId, day: &FeedDay, path: &Path, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.make_folder(tenant, day)?;
        self.objects.put(path, PutPayload::from(bytes)).await.map_err(failed)?;
        self.hand_over(tenant, day, path)
    }

    /// Makes the folder of a day, where the store is a directory.
    fn make_folder(&self, tenant: &TenantId, day: &FeedDay) -> Result<(), StoreError> {
        self.folder(tenant, day).map_or(Ok(()), |folder| make_folder(&folder, self.mode).map_err(unwritable))
    }

    /// Gives a file of a day to those who collect it, where the store is a directory.
    fn hand_over(&self, tenant: &TenantId, day: &FeedDay, path: &Path) -> Result<(), StoreError> {
        let file = self.folder(tenant, day).map(|folder| folder.join(last_step(path)));
        file.map_or(Ok(()), |file| hand_over_file(&file, self.mode).map_err(unwritable))
    }

    async fn delete(&self, paths: Vec<Path>) -> Result<(), StoreError> {
        let mut deleted = self.objects.delete_stream(stream::iter(paths.into_iter().map(Ok)).boxed());
        while let Some(outcome) = deleted.next().await {
            found(outcome)?;
        }
        Ok(())
    }

    /// Removes what runs that were killed left half-written in a directory. In a bucket there is nothing to be seen of
    /// it: it ends by the bucket's own rule for uploads that are not completed.
    fn remove_halves(&self, tenant: &TenantId, day: &FeedDay) {
        let Some(entries) = self.folder(tenant, day).and_then(|folder| std::fs::read_dir(folder).ok()) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with('_') && name.contains('#')) {
                // Another run may have removed it, and no reader sees it.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn unwritable(error: std::io::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, error)
}

#[async_trait]
impl FeedSink for ObjectFeeds {
    async fn progress(&self, tenant: &TenantId, day: &FeedDay) -> Result<Option<Progress>, StoreError> {
        let bytes = self.small(&self.layout.progress(tenant, day)).await?;
        bytes.map(|bytes| notes::read_progress(&bytes)).transpose()
    }

    async fn note(&self, tenant: &TenantId, day: &FeedDay, progress: &Progress) -> Result<(), StoreError> {
        self.put(tenant, day, &self.layout.progress(tenant, day), notes::write_progress(progress)).await
    }

    async fn begin(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        form: &FileForm,
    ) -> Result<Box<dyn FileWriter>, StoreError> {
        self.make_folder(tenant, day)?;
        let path = self.layout.hidden(tenant, day, file);
        let on_disk = self.folder(tenant, day).map(|folder| folder.join(last_step(&path)));
        Ok(Box::new(ObjectFile::begin(self.objects.clone(), (path, on_disk), file.clone(), form)?))
    }

    async fn show(&self, tenant: &TenantId, day: &FeedDay, files: &[FileName]) -> Result<(), StoreError> {
        for file in files {
            let (hidden, shown) = (self.layout.hidden(tenant, day, file), self.layout.shown(tenant, day, file));
            self.hand_over(tenant, day, &hidden)?;
            let renamed = found(self.objects.rename(&hidden, &shown).await)?;
            if renamed.is_none() && found(self.objects.head(&shown).await)?.is_none() {
                return Err(StoreError::new(StoreErrorKind::Unavailable, "a file of the day was removed meanwhile"));
            }
        }
        Ok(())
    }

    async fn complete(&self, tenant: &TenantId, day: &FeedDay, manifest: &Manifest) -> Result<(), StoreError> {
        self.put(tenant, day, &self.layout.manifest(tenant, day), notes::write_manifest(day, manifest)).await?;
        self.put(tenant, day, &self.layout.mark(tenant, day), Vec::new()).await
    }

    async fn save_unfinished(&self, tenant: &TenantId, day: &FeedDay, manifest: &Manifest) -> Result<(), StoreError> {
        self.delete(vec![self.layout.mark(tenant, day)]).await?;
        self.put(tenant, day, &self.layout.manifest(tenant, day), notes::write_manifest(day, manifest)).await
    }

    async fn tidy(&self, tenant: &TenantId, day: &FeedDay) -> Result<(), StoreError> {
        let listed = self.objects.list_with_delimiter(Some(&self.layout.day(tenant, day))).await.map_err(failed)?;
        let hidden = listed.objects.into_iter().map(|object| object.location).filter(is_hidden_file);
        self.delete(hidden.collect()).await?;
        self.remove_halves(tenant, day);
        self.delete(vec![self.layout.progress(tenant, day)]).await
    }

    async fn remove(&self, tenant: &TenantId, day: &FeedDay, files: &[FileName]) -> Result<(), StoreError> {
        let both =
            files.iter().flat_map(|file| [self.layout.shown(tenant, day, file), self.layout.hidden(tenant, day, file)]);
        self.delete(both.collect()).await
    }
}
