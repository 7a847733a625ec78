//! The use cases of whoever collects feeds.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use super::{
    AddressSigner, Day, Feed, FeedDay, FeedFile, FeedFormat, FeedName, FeedStore, FeedTable, FeedVersion, FileBytes,
    FileName, FileStat, FileTicket, Format, SignedTicket,
};
use crate::{
    access::{Caller, Permission, TenantId},
    error::{Error, Resource},
    limits::FEED_ADDRESS_SECONDS,
    time::{Clock, Timestamp},
};

/// Lists a tenant's feeds and hands out their files.
#[derive(Clone)]
pub struct Feeds {
    store: Arc<dyn FeedStore>,
    signer: Arc<dyn AddressSigner>,
    clock: Arc<dyn Clock>,
}

/// The files of a day that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayFiles {
    /// Which revision of the day they are, where its producer said so.
    pub revision: Option<u32>,
    /// The files, in the order of their rows where their producer said which that is.
    pub files: Vec<FeedFile>,
}

/// Where a file is to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileAddress {
    /// At this address of the store itself.
    OfStore(String),
    /// Here, for who shows this.
    Here(SignedTicket),
}

/// A file that is to be had here.
pub struct Collected {
    store: Arc<dyn FeedStore>,
    ticket: FileTicket,
    bytes: u64,
    tag: String,
}

impl Feeds {
    /// Lists and hands out what this store keeps.
    #[must_use]
    pub fn new(store: Arc<dyn FeedStore>, signer: Arc<dyn AddressSigner>, clock: Arc<dyn Clock>) -> Self {
        Self { store, signer, clock }
    }

    /// The feeds that are produced here and those that something else wrote, in the order of their names.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Store`].
    pub async fn feeds(&self, caller: &Caller) -> Result<Vec<FeedName>, Error> {
        let tenant = caller.permit(Permission::ReadFeeds)?;
        let found = self.store.feeds(tenant).await?;
        Ok(together(found, Feed::ALL.map(Feed::name)))
    }

    /// The versions of a feed, in the order of their names.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Missing`] where there is no such feed;
    /// [`Error::Store`].
    pub async fn versions(&self, caller: &Caller, feed: &FeedName) -> Result<Vec<FeedVersion>, Error> {
        let tenant = caller.permit(Permission::ReadFeeds)?;
        let found = self.store.versions(tenant, feed).await?;
        existing(together(found, Feed::find(feed).map(Feed::version)))
    }

    /// The formats of a feed in a version, in the order of their names.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Missing`] where there is no such feed or version;
    /// [`Error::Store`].
    pub async fn formats(
        &self,
        caller: &Caller,
        feed: &FeedName,
        version: &FeedVersion,
    ) -> Result<Vec<FeedFormat>, Error> {
        let tenant = caller.permit(Permission::ReadFeeds)?;
        let found = self.store.formats(tenant, feed, version).await?;
        let produced = Feed::find(feed).filter(|feed| feed.version() == *version);
        existing(together(found, produced.into_iter().flat_map(|_| Format::ALL.map(Format::name))))
    }

    /// The days that are complete, ascending (spec §4.10).
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Missing`] where there is no such feed, version or
    /// format; [`Error::Store`].
    pub async fn dates(&self, caller: &Caller, table: &FeedTable) -> Result<Vec<Day>, Error> {
        let tenant = caller.permit(Permission::ReadFeeds)?;
        let days = self.store.complete_days(tenant, table).await?;
        if days.is_empty() {
            let formats = self.formats(caller, &table.feed, &table.version).await?;
            existing(formats.into_iter().filter(|format| *format == table.format).collect())?;
        }
        Ok(days)
    }

    /// The files of a day that is complete.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Missing`] where there is no such day, or it is not
    /// complete; [`Error::Store`].
    pub async fn files(&self, caller: &Caller, day: &FeedDay) -> Result<DayFiles, Error> {
        let tenant = caller.permit(Permission::ReadFeeds)?;
        if !self.store.is_complete(tenant, day).await? {
            return Err(Error::Missing(Resource::FeedDay));
        }
        if let Some(manifest) = self.store.manifest(tenant, day).await? {
            let files = manifest.files.into_iter().map(|file| FeedFile {
                name: file.name,
                bytes: file.bytes,
                rows: Some(file.rows),
                sha256: Some(file.sha256),
            });
            return Ok(DayFiles { revision: Some(manifest.origin.revision), files: files.collect() });
        }
        let of_others = |found: FileStat| FeedFile { name: found.name, bytes: found.bytes, rows: None, sha256: None };
        let files = self.store.files(tenant, day).await?.into_iter().map(of_others);
        Ok(DayFiles { revision: None, files: files.collect() })
    }

    /// The feed whose columns are the schema of a version, where it is produced here.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Missing`] where no such feed is produced here in
    /// this version.
    pub fn schema(&self, caller: &Caller, feed: &FeedName, version: &FeedVersion) -> Result<Feed, Error> {
        caller.permit(Permission::ReadFeeds)?;
        let produced = Feed::find(feed).filter(|feed| feed.version() == *version);
        produced.ok_or(Error::Missing(Resource::Feed))
    }

    /// Where a file of a day that is complete is to be had for [`FEED_ADDRESS_SECONDS`].
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadFeeds`]; [`Error::Missing`] where there is no such day or file, or
    /// the day is not complete; [`Error::Store`].
    pub async fn address(&self, caller: &Caller, day: &FeedDay, file: &FileName) -> Result<FileAddress, Error> {
        let tenant = caller.permit(Permission::ReadFeeds)?;
        self.find(tenant, day, file).await?;
        let seconds = FEED_ADDRESS_SECONDS.unsigned_abs();
        if let Some(address) = self.store.address(tenant, day, file, seconds).await? {
            return Ok(FileAddress::OfStore(address));
        }
        let expires_at = self.clock.now().plus_seconds(FEED_ADDRESS_SECONDS);
        let ticket = FileTicket { tenant: tenant.clone(), day: day.clone(), file: file.clone(), expires_at };
        Ok(FileAddress::Here(ticket.signed(&*self.signer)))
    }

    /// The file of a ticket. Who shows it needs no credential.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] where the signature is wrong or the time has come; [`Error::Missing`] where the file
    /// is not one of a complete day any more; [`Error::Store`].
    pub async fn collect(&self, signed: SignedTicket) -> Result<Collected, Error> {
        let ticket = signed.verified(&*self.signer, self.clock.now()).ok_or(Error::Unauthenticated)?;
        let (bytes, tag) = self.find(&ticket.tenant, &ticket.day, &ticket.file).await?;
        Ok(Collected { store: Arc::clone(&self.store), ticket, bytes, tag })
    }

    /// How many bytes a file has, and what changes with them.
    async fn find(&self, tenant: &TenantId, day: &FeedDay, file: &FileName) -> Result<(u64, String), Error> {
        if !self.store.is_complete(tenant, day).await? {
            return Err(Error::Missing(Resource::FeedDay));
        }
        if let Some(manifest) = self.store.manifest(tenant, day).await? {
            let found = manifest.files.into_iter().find(|written| written.name == *file);
            let found = found.ok_or(Error::Missing(Resource::FeedFile))?;
            return Ok((found.bytes, found.sha256.as_str().to_owned()));
        }
        let found = self.store.stat(tenant, day, file).await?.ok_or(Error::Missing(Resource::FeedFile))?;
        let tag = found.tag.unwrap_or_else(|| found.bytes.to_string());
        Ok((found.bytes, tag))
    }
}

impl Collected {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &FileName {
        &self.ticket.file
    }

    /// How many bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A word that changes with its content.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Until when it may be collected.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        self.ticket.expires_at
    }

    /// Its bytes within a range, which is cut where it goes beyond the file.
    ///
    /// # Errors
    /// [`Error::Missing`] where the file has gone meanwhile; [`Error::Store`].
    pub async fn read(&self, range: Range<u64>) -> Result<Box<dyn FileBytes>, Error> {
        let range = range.start.min(self.bytes)..range.end.min(self.bytes);
        let FileTicket { tenant, day, file, .. } = &self.ticket;
        let bytes = self.store.read(tenant, day, file, range).await?;
        bytes.ok_or(Error::Missing(Resource::FeedFile))
    }
}

fn together<T: Ord>(found: Vec<T>, produced: impl IntoIterator<Item = T>) -> Vec<T> {
    let all: BTreeSet<T> = found.into_iter().chain(produced).collect();
    all.into_iter().collect()
}

fn existing<T>(found: Vec<T>) -> Result<Vec<T>, Error> {
    if found.is_empty() { Err(Error::Missing(Resource::Feed)) } else { Ok(found) }
}
