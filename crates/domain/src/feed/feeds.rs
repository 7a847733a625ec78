//! The use cases of feed consumers: list feeds and download their files.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Dataset, DatasetError, Day, Download, DownloadError, Feed, FeedFile, FeedFileError, FeedFormat, FeedName,
    FeedPeriod, FeedStore, FeedVersion, FileFormat, FilePath, FileStat, FileTicket, Hour, PeriodError, SignedTicket,
    UrlSigner,
};
use crate::{
    access::{AuthorizedCaller, ReadFeeds, TenantId},
    error::StoreError,
    limits::FEED_ADDRESS_SECONDS,
    time::Clock,
};

/// Lists a tenant's feeds and serves their files.
#[derive(Clone)]
pub struct Feeds {
    store: Arc<dyn FeedStore>,
    signer: Arc<dyn UrlSigner>,
    clock: Arc<dyn Clock>,
}

/// The files of a complete period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeriodFiles {
    /// The revision of the period, if the producer recorded it.
    pub revision: Option<u32>,
    /// The files, in row order if the producer recorded the order.
    pub files: Vec<FeedFile>,
}

/// The location from which a file can be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadLocation {
    /// A URL of the store.
    PresignedUrl(String),
    /// This service, for a client that presents the ticket.
    Ticket(SignedTicket),
}

impl Feeds {
    /// Lists and serves the feeds of `store`.
    #[must_use]
    pub fn new(store: Arc<dyn FeedStore>, signer: Arc<dyn UrlSigner>, clock: Arc<dyn Clock>) -> Self {
        Self { store, signer, clock }
    }

    /// The feeds that the service produces and the feeds of other producers, ordered by name.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn feeds(&self, caller: &AuthorizedCaller<ReadFeeds>) -> Result<Vec<FeedName>, StoreError> {
        let tenant = caller.tenant();
        let stored = self.store.feeds(tenant).await?;
        Ok(merge_sorted(stored, Feed::ALL.map(Feed::name)))
    }

    /// The versions of a feed, ordered by name.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub async fn versions(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        feed: &FeedName,
    ) -> Result<Vec<FeedVersion>, DatasetError> {
        let tenant = caller.tenant();
        let stored = self.store.versions(tenant, feed).await?;
        require_any(merge_sorted(stored, Feed::from_name(feed).map(Feed::version)))
    }

    /// The formats of a feed in a version, ordered by name.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub async fn formats(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Vec<FeedFormat>, DatasetError> {
        let tenant = caller.tenant();
        let stored = self.store.formats(tenant, feed, version).await?;
        let produced = Feed::from_name(feed).filter(|feed| feed.version() == *version);
        require_any(merge_sorted(stored, produced.into_iter().flat_map(|_| FileFormat::ALL.map(FileFormat::name))))
    }

    /// The complete days of a dataset, ascending (spec §4.10).
    ///
    /// # Errors
    /// [`DatasetError`].
    pub async fn dates(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        dataset: &Dataset,
    ) -> Result<Vec<Day>, DatasetError> {
        let tenant = caller.tenant();
        let days = self.store.complete_days(tenant, dataset).await?;
        if days.is_empty() {
            self.require_dataset(caller, dataset).await?;
        }
        Ok(days)
    }

    /// The complete hours of a day, ascending. The day itself need not be complete. A day that was written as one
    /// interval has none.
    ///
    /// # Errors
    /// [`DatasetError`].
    pub async fn intervals(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        dataset: &Dataset,
        day: Day,
    ) -> Result<Vec<Hour>, DatasetError> {
        let hours = self.store.complete_hours(caller.tenant(), dataset, day).await?;
        if hours.is_empty() {
            self.require_dataset(caller, dataset).await?;
        }
        Ok(hours)
    }

    async fn require_dataset(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        dataset: &Dataset,
    ) -> Result<(), DatasetError> {
        let formats = self.formats(caller, &dataset.feed, &dataset.version).await?;
        if formats.contains(&dataset.format) { Ok(()) } else { Err(DatasetError::NotFound) }
    }

    /// The files of a complete period.
    ///
    /// # Errors
    /// [`PeriodError`].
    pub async fn files(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        period: &FeedPeriod,
    ) -> Result<PeriodFiles, PeriodError> {
        let tenant = caller.tenant();
        if !self.store.is_complete(tenant, period).await? {
            return Err(PeriodError::NotFound);
        }
        let (revision, mut files) = self.own_files(tenant, period).await?;
        if revision.is_none() && period.interval.hour.is_none() {
            // Another producer may have written the day by its hours.
            for hour in self.store.complete_hours(tenant, &period.dataset, period.interval.day).await? {
                let (_, in_hour) = self.own_files(tenant, &period.hour(hour)).await?;
                files.extend(in_hour.into_iter().map(|file| {
                    let path = FilePath { hour: Some(hour), ..file.path };
                    FeedFile { path, ..file }
                }));
            }
        }
        Ok(PeriodFiles { revision, files })
    }

    /// The files of a period and its revision, by its manifest or else by its directory.
    async fn own_files(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
    ) -> Result<(Option<u32>, Vec<FeedFile>), StoreError> {
        if let Some(manifest) = self.store.manifest(tenant, period).await? {
            let files = manifest.files.into_iter().map(|file| FeedFile {
                path: file.path,
                bytes: file.bytes,
                rows: Some(file.rows),
                sha256: Some(file.sha256),
            });
            return Ok((Some(manifest.inputs.revision), files.collect()));
        }
        let from_stat =
            |stat: FileStat| FeedFile { path: stat.name.into(), bytes: stat.bytes, rows: None, sha256: None };
        let files = self.store.files(tenant, period).await?.into_iter().map(from_stat);
        Ok((None, files.collect()))
    }

    /// The feed that defines the schema of a version, if the service produces it.
    ///
    /// # Errors
    /// [`DatasetError::NotFound`] if the service does not produce the feed in this version.
    pub fn schema(
        &self,
        _: &AuthorizedCaller<ReadFeeds>,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Feed, DatasetError> {
        let produced = Feed::from_name(feed).filter(|feed| feed.version() == *version);
        produced.ok_or(DatasetError::NotFound)
    }

    /// The location of a file of a complete period, valid for [`FEED_ADDRESS_SECONDS`].
    ///
    /// # Errors
    /// [`FeedFileError`].
    pub async fn locate(
        &self,
        caller: &AuthorizedCaller<ReadFeeds>,
        period: &FeedPeriod,
        path: &FilePath,
    ) -> Result<DownloadLocation, FeedFileError> {
        let tenant = caller.tenant();
        self.find_file(tenant, period, path).await?;
        let FilePath { hour, name: file } = path;
        let period = &hour.map_or_else(|| period.clone(), |hour| period.hour(hour));
        let valid_seconds = FEED_ADDRESS_SECONDS.unsigned_abs();
        if let Some(address) = self.store.presigned_url(tenant, period, file, valid_seconds).await? {
            return Ok(DownloadLocation::PresignedUrl(address));
        }
        let expires_at = self.clock.now().plus_seconds(FEED_ADDRESS_SECONDS);
        let ticket = FileTicket { tenant: tenant.clone(), period: period.clone(), file: file.clone(), expires_at };
        Ok(DownloadLocation::Ticket(ticket.sign(&*self.signer)))
    }

    /// Opens the file of a ticket. The ticket replaces a credential.
    ///
    /// # Errors
    /// [`DownloadError::InvalidTicket`]; [`DownloadError::File`] if the file no longer belongs to a complete period, or
    /// the store fails.
    pub async fn download(&self, signed: SignedTicket) -> Result<Download, DownloadError> {
        let ticket = signed.verify(&*self.signer, self.clock.now()).ok_or(DownloadError::InvalidTicket)?;
        let (bytes, etag) = self.find_ticket_file(&ticket).await?;
        Ok(Download { store: Arc::clone(&self.store), ticket, bytes, etag })
    }

    /// The size and the entity tag of the file of a ticket.
    ///
    /// A file of an hour that its next revision replaced stays until the next revision of the day, which still names it.
    async fn find_ticket_file(&self, ticket: &FileTicket) -> Result<(u64, String), FeedFileError> {
        let FileTicket { tenant, period, file, .. } = ticket;
        let found = self.find_file(tenant, period, &file.clone().into()).await;
        match (found, period.interval.hour) {
            (Err(FeedFileError::NoPeriod | FeedFileError::NoFile), Some(hour)) => {
                let path = FilePath { hour: Some(hour), name: file.clone() };
                self.find_file(tenant, &period.dataset.period(period.interval.day), &path).await
            }
            (found, _) => found,
        }
    }

    /// The size and the entity tag of a file.
    async fn find_file(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        path: &FilePath,
    ) -> Result<(u64, String), FeedFileError> {
        if path.hour.is_some() && period.interval.hour.is_some() {
            return Err(FeedFileError::NoFile);
        }
        if !self.store.is_complete(tenant, period).await? {
            return Err(FeedFileError::NoPeriod);
        }
        let manifest = self.store.manifest(tenant, period).await?;
        let (manifest, period, path) = match (manifest, path.hour) {
            // Another producer wrote the day by its hours.
            (None, Some(hour)) => {
                let period = period.hour(hour);
                if !self.store.is_complete(tenant, &period).await? {
                    return Err(FeedFileError::NoFile);
                }
                (self.store.manifest(tenant, &period).await?, period, &path.name.clone().into())
            }
            (manifest, _) => (manifest, period.clone(), path),
        };
        if let Some(manifest) = manifest {
            let entry = manifest.files.into_iter().find(|entry| entry.path == *path);
            let entry = entry.ok_or(FeedFileError::NoFile)?;
            return Ok((entry.bytes, entry.sha256.as_str().to_owned()));
        }
        let stat = self.store.stat(tenant, &period, &path.name).await?.ok_or(FeedFileError::NoFile)?;
        let etag = stat.etag.unwrap_or_else(|| stat.bytes.to_string());
        Ok((stat.bytes, etag))
    }
}

fn merge_sorted<T: Ord>(stored: Vec<T>, produced: impl IntoIterator<Item = T>) -> Vec<T> {
    let all: BTreeSet<T> = stored.into_iter().chain(produced).collect();
    all.into_iter().collect()
}

fn require_any<T>(items: Vec<T>) -> Result<Vec<T>, DatasetError> {
    if items.is_empty() { Err(DatasetError::NotFound) } else { Ok(items) }
}
