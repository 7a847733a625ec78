//! Listing and reading. Only folders are listed, and of a folder only what is directly in it: what a list of days costs
//! grows with the number of days, whatever is in them.

use std::{ops::Range, time::Duration};

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStoreExt, path::Path};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{
        Day, FeedDay, FeedFormat, FeedName, FeedStore, FeedTable, FeedVersion, FileBytes, FileName, FileStat, Manifest,
    },
};

use crate::{
    ObjectFeeds,
    error::{failed, found},
    layout::{last_step, read_day},
    notes,
};

/// How many days are looked at at once.
const LOOKS_AT_ONCE: usize = 64;

impl ObjectFeeds {
    /// The names of the folders in a folder, read by `parse`, in order.
    async fn folders<T: Ord>(&self, folder: &Path, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, StoreError> {
        let listed = found(self.objects.list_with_delimiter(Some(folder)).await)?;
        let folders = listed.map(|listed| listed.common_prefixes).unwrap_or_default();
        let mut names: Vec<_> = folders.iter().filter_map(|folder| parse(&last_step(folder))).collect();
        names.sort_unstable();
        Ok(names)
    }

    async fn exists(&self, path: &Path) -> Result<bool, StoreError> {
        Ok(found(self.objects.head(path).await)?.is_some())
    }

    /// The bytes of a small object, where it is there.
    pub(crate) async fn small(&self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(object) = found(self.objects.get(path).await)? else { return Ok(None) };
        object.bytes().await.map(|bytes| Some(bytes.to_vec())).map_err(failed)
    }
}

/// A file as it is found; none where its name is not one that may be asked for.
fn stat(object: ObjectMeta) -> Option<FileStat> {
    let name = FileName::parse(&last_step(&object.location)).ok()?;
    Some(FileStat { name, bytes: object.size, tag: object.e_tag })
}

/// The name of a folder that has to begin with the prefix of its kind.
fn prefixed<T>(name: &str, prefix: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    name.strip_prefix(prefix).and_then(parse)
}

#[async_trait]
impl FeedStore for ObjectFeeds {
    async fn feeds(&self, tenant: &TenantId) -> Result<Vec<FeedName>, StoreError> {
        self.folders(&self.layout.tenant(tenant), |name| FeedName::parse(name).ok()).await
    }

    async fn versions(&self, tenant: &TenantId, feed: &FeedName) -> Result<Vec<FeedVersion>, StoreError> {
        let parse = |name: &str| prefixed(name, FeedVersion::PREFIX, |bare| FeedVersion::parse(bare).ok());
        self.folders(&self.layout.feed(tenant, feed), parse).await
    }

    async fn formats(
        &self,
        tenant: &TenantId,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Vec<FeedFormat>, StoreError> {
        let parse = |name: &str| prefixed(name, FeedFormat::PREFIX, |bare| FeedFormat::parse(bare).ok());
        self.folders(&self.layout.version(tenant, feed, version), parse).await
    }

    async fn complete_days(&self, tenant: &TenantId, table: &FeedTable) -> Result<Vec<Day>, StoreError> {
        let folder = self.layout.table(tenant, table);
        let listed = found(self.objects.list_with_delimiter(Some(&folder)).await)?;
        let folders = listed.map(|listed| listed.common_prefixes).unwrap_or_default();
        let days: Vec<_> = folders.iter().filter_map(read_day).collect();
        let looks = stream::iter(days.into_iter().map(|day| async move {
            let complete = self.is_complete(tenant, &table.on(day)).await?;
            Ok(complete.then_some(day))
        }));
        let looks = looks.buffer_unordered(LOOKS_AT_ONCE).try_collect::<Vec<_>>().await?;
        let mut complete: Vec<_> = looks.into_iter().flatten().collect();
        complete.sort_unstable();
        Ok(complete)
    }

    async fn is_complete(&self, tenant: &TenantId, day: &FeedDay) -> Result<bool, StoreError> {
        self.exists(&self.layout.mark(tenant, day)).await
    }

    async fn manifest(&self, tenant: &TenantId, day: &FeedDay) -> Result<Option<Manifest>, StoreError> {
        let bytes = self.small(&self.layout.manifest(tenant, day)).await?;
        bytes.map(|bytes| notes::read_manifest(&bytes)).transpose()
    }

    async fn files(&self, tenant: &TenantId, day: &FeedDay) -> Result<Vec<FileStat>, StoreError> {
        let listed = found(self.objects.list_with_delimiter(Some(&self.layout.day(tenant, day))).await)?;
        let objects = listed.map(|listed| listed.objects).unwrap_or_default();
        let mut files: Vec<_> = objects.into_iter().filter_map(stat).collect();
        files.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(files)
    }

    async fn stat(&self, tenant: &TenantId, day: &FeedDay, file: &FileName) -> Result<Option<FileStat>, StoreError> {
        let object = found(self.objects.head(&self.layout.shown(tenant, day, file)).await)?;
        Ok(object.and_then(stat))
    }

    async fn read(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        range: Range<u64>,
    ) -> Result<Option<Box<dyn FileBytes>>, StoreError> {
        // A range of nothing is none that a store can be asked for.
        let whole = (!range.is_empty()).then_some(GetRange::Bounded(range));
        let nothing = whole.is_none();
        let options = GetOptions { range: whole, head: nothing, ..GetOptions::default() };
        let object = found(self.objects.get_opts(&self.layout.shown(tenant, day, file), options).await)?;
        Ok(object.map(|object| {
            let bytes = if nothing { stream::empty().boxed() } else { object.into_stream() };
            Box::new(ObjectBytes(bytes)) as Box<dyn FileBytes>
        }))
    }

    async fn address(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        seconds: u64,
    ) -> Result<Option<String>, StoreError> {
        let Some(signer) = &self.signer else { return Ok(None) };
        let path = self.layout.shown(tenant, day, file);
        let url = signer.signed_url(reqwest::Method::GET, &path, Duration::from_secs(seconds)).await;
        url.map(|url| Some(url.into())).map_err(failed)
    }
}

struct ObjectBytes(BoxStream<'static, object_store::Result<bytes::Bytes>>);

#[async_trait]
impl FileBytes for ObjectBytes {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.next().await.transpose().map(|bytes| bytes.map(Into::into)).map_err(failed)
    }
}
