//! The port [`FeedStore`]: listing and reading feeds.
//!
//! Each listing covers one directory, without its subdirectories. The cost of listing days grows with the number of
//! days, not with the number of files.

use std::{ops::Range, time::Duration};

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStoreExt, path::Path};
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{
        Dataset, Day, FeedFormat, FeedName, FeedPeriod, FeedStore, FeedVersion, FileBytes, FileName, FileStat, Hour,
        Interval, Manifest,
    },
};

use crate::{
    ObjectFeeds,
    error::{none_if_missing, store_error},
    layout::{last_segment, parse_day, parse_hour},
    metadata_json,
};

/// Concurrent requests while days or hours are checked.
pub(crate) const MAX_CONCURRENT_CHECKS: usize = 64;

impl ObjectFeeds {
    /// The subdirectories of a directory, sorted. `parse` reads their names; invalid names are skipped.
    async fn subdirectories<T: Ord>(
        &self,
        directory: &Path,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, StoreError> {
        let listed = none_if_missing(self.objects.list_with_delimiter(Some(directory)).await)?;
        let paths = listed.map(|listed| listed.common_prefixes).unwrap_or_default();
        let mut names: Vec<_> = paths.iter().filter_map(|path| parse(&last_segment(path))).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// The complete days or hours in a directory, ascending. `parse` reads the names of its subdirectories.
    async fn complete_intervals<T: Ord + Copy>(
        &self,
        tenant: &TenantId,
        dataset: &Dataset,
        directory: &Path,
        parse: impl Fn(&Path) -> Option<T>,
        interval: impl Fn(T) -> Interval + Copy,
    ) -> Result<Vec<T>, StoreError> {
        let listed = none_if_missing(self.objects.list_with_delimiter(Some(directory)).await)?;
        let paths = listed.map(|listed| listed.common_prefixes).unwrap_or_default();
        let found: Vec<_> = paths.iter().filter_map(parse).collect();
        let checks = stream::iter(found.into_iter().map(|found| async move {
            let complete = self.is_complete(tenant, &dataset.period(interval(found))).await?;
            Ok(complete.then_some(found))
        }));
        let checks = checks.buffer_unordered(MAX_CONCURRENT_CHECKS).try_collect::<Vec<_>>().await?;
        let mut complete: Vec<_> = checks.into_iter().flatten().collect();
        complete.sort_unstable();
        Ok(complete)
    }

    async fn exists(&self, path: &Path) -> Result<bool, StoreError> {
        Ok(none_if_missing(self.objects.head(path).await)?.is_some())
    }

    /// The bytes of a small object; `None` if there is no such object.
    pub(crate) async fn read_small_object(&self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(object) = none_if_missing(self.objects.get(path).await)? else { return Ok(None) };
        object.bytes().await.map(|bytes| Some(bytes.to_vec())).map_err(store_error)
    }
}

/// The metadata of an object as a file; `None` if its name is not a valid file name.
fn file_stat(object: ObjectMeta) -> Option<FileStat> {
    let name = FileName::parse(&last_segment(&object.location)).ok()?;
    Some(FileStat { name, bytes: object.size, etag: object.e_tag })
}

/// Parses the name of a directory after its required prefix.
fn strip_prefix_and_parse<T>(name: &str, prefix: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    name.strip_prefix(prefix).and_then(parse)
}

#[async_trait]
impl FeedStore for ObjectFeeds {
    #[tracing::instrument(level = "debug", name = "objects.feeds.feeds", skip_all, fields(%tenant))]
    async fn feeds(&self, tenant: &TenantId) -> Result<Vec<FeedName>, StoreError> {
        self.subdirectories(&self.layout.tenant(tenant), |name| FeedName::parse(name).ok()).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.versions", skip_all, fields(%tenant))]
    async fn versions(&self, tenant: &TenantId, feed: &FeedName) -> Result<Vec<FeedVersion>, StoreError> {
        let parse =
            |name: &str| strip_prefix_and_parse(name, FeedVersion::PREFIX, |bare| FeedVersion::parse(bare).ok());
        self.subdirectories(&self.layout.feed(tenant, feed), parse).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.formats", skip_all, fields(%tenant))]
    async fn formats(
        &self,
        tenant: &TenantId,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Vec<FeedFormat>, StoreError> {
        let parse = |name: &str| strip_prefix_and_parse(name, FeedFormat::PREFIX, |bare| FeedFormat::parse(bare).ok());
        self.subdirectories(&self.layout.version(tenant, feed, version), parse).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.complete_days", skip_all, fields(%tenant))]
    async fn complete_days(&self, tenant: &TenantId, dataset: &Dataset) -> Result<Vec<Day>, StoreError> {
        self.complete_intervals(tenant, dataset, &self.layout.dataset(tenant, dataset), parse_day, Interval::from).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.complete_hours", skip_all, fields(%tenant))]
    async fn complete_hours(&self, tenant: &TenantId, dataset: &Dataset, day: Day) -> Result<Vec<Hour>, StoreError> {
        let directory = self.layout.period(tenant, &dataset.period(day));
        let in_day = |hour| Interval { day, hour: Some(hour) };
        self.complete_intervals(tenant, dataset, &directory, parse_hour, in_day).await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.is_complete", skip_all, fields(%tenant))]
    async fn is_complete(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<bool, StoreError> {
        let marker = self.layout.success_marker(tenant, period);
        Ok(!self.is_linked(tenant, &marker)? && self.exists(&marker).await?)
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.manifest", skip_all, fields(%tenant))]
    async fn manifest(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<Option<Manifest>, StoreError> {
        let path = self.layout.manifest(tenant, period);
        if self.is_linked(tenant, &path)? {
            return Ok(None);
        }
        let bytes = self.read_small_object(&path).await?;
        bytes.map(|bytes| metadata_json::parse_manifest(&bytes)).transpose()
    }

    #[tracing::instrument(
        level = "debug", name = "objects.feeds.manifests", skip_all,
        fields(%tenant, periods = periods.len())
    )]
    async fn manifests(&self, tenant: &TenantId, periods: &[FeedPeriod]) -> Result<Vec<Option<Manifest>>, StoreError> {
        let manifests = stream::iter(periods.to_vec());
        let manifests = manifests.map(|period| async move { self.manifest(tenant, &period).await });
        manifests.buffered(MAX_CONCURRENT_CHECKS).try_collect().await
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.files", skip_all, fields(%tenant))]
    async fn files(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<Vec<FileStat>, StoreError> {
        let listed =
            none_if_missing(self.objects.list_with_delimiter(Some(&self.layout.period(tenant, period))).await)?;
        let objects = listed.map(|listed| listed.objects).unwrap_or_default();
        let mut files = Vec::new();
        for object in objects {
            if !self.is_linked(tenant, &object.location)? {
                files.extend(file_stat(object));
            }
        }
        files.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        Ok(files)
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.stat", skip_all, fields(%tenant))]
    async fn stat(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
    ) -> Result<Option<FileStat>, StoreError> {
        let path = self.layout.published_file(tenant, period, file);
        if self.is_linked(tenant, &path)? {
            return Ok(None);
        }
        Ok(none_if_missing(self.objects.head(&path).await)?.and_then(file_stat))
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.read", skip_all, fields(%tenant))]
    async fn read(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        range: Range<u64>,
    ) -> Result<Option<Box<dyn FileBytes>>, StoreError> {
        let path = self.layout.published_file(tenant, period, file);
        if self.is_linked(tenant, &path)? {
            return Ok(None);
        }
        // Stores reject an empty range. The metadata alone says whether the file exists.
        let get_range = (!range.is_empty()).then_some(GetRange::Bounded(range));
        let is_empty = get_range.is_none();
        let options = GetOptions { range: get_range, head: is_empty, ..GetOptions::default() };
        let object = none_if_missing(self.objects.get_opts(&path, options).await)?;
        Ok(object.map(|object| {
            let bytes = if is_empty { stream::empty().boxed() } else { object.into_stream() };
            Box::new(ObjectBytes(bytes)) as Box<dyn FileBytes>
        }))
    }

    #[tracing::instrument(level = "debug", name = "objects.feeds.presigned_url", skip_all, fields(%tenant))]
    async fn presigned_url(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        valid_seconds: u64,
    ) -> Result<Option<String>, StoreError> {
        let Some(signer) = &self.signer else { return Ok(None) };
        let path = self.layout.published_file(tenant, period, file);
        let url = signer.signed_url(reqwest::Method::GET, &path, Duration::from_secs(valid_seconds)).await;
        url.map(|url| Some(url.into())).map_err(store_error)
    }
}

struct ObjectBytes(BoxStream<'static, object_store::Result<bytes::Bytes>>);

#[async_trait]
impl FileBytes for ObjectBytes {
    #[tracing::instrument(level = "debug", name = "objects.bytes.next", skip_all)]
    async fn next(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.next().await.transpose().map(|bytes| bytes.map(Into::into)).map_err(store_error)
    }
}
