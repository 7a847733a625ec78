//! The list of all files that the program writes, with what an erasure does with each. A new kind of files must be on it
//! (ADR 0052).

use std::path::{Path, PathBuf};

use parlance_adapters_sql::backup;

use crate::{
    companion_files::beside,
    keys::KeyLocation,
    ledger_location::ledger_address,
    settings::{DeliveryTarget, Settings},
};

/// The suffixes of the files that SQLite keeps beside a database, and of what a killed `parlance restore` leaves there.
const DATABASE_SUFFIXES: &[&str] = &["-wal", "-shm", "-journal", ".unfinished"];

/// The suffix of the marker beside the master key, which records that the heads of the audit log are signed.
const KEY_SUFFIXES: &[&str] = &[".signing"];

/// A kind of files that the program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredFile {
    /// The embedded database, with the files that SQLite keeps beside it.
    Database,
    /// The master key, and the marker beside it.
    MasterKey,
    /// The files of feeds.
    Feeds,
    /// The ledger of erasures.
    Ledger,
    /// The vocabularies of tenants, for the transcription component.
    Vocabularies,
    /// The copies that `parlance backup` makes, each with a checksum beside it.
    Backups,
    /// The heads of the audit log that `parlance audit anchor` writes.
    Anchors,
}

/// What an erasure does with files of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileErasure {
    /// It overwrites the bytes, before it is completed.
    Overwritten,
    /// It writes the files again without what was erased, before it is completed.
    WrittenAgain,
    /// It adds a keyed digest. The files hold nothing else of a customer.
    KeyedDigests,
    /// Nothing: the files hold nothing of a customer.
    Nothing,
    /// Nothing: the files keep what was erased. A receipt names them as not covered.
    NotCovered,
}

/// Where files of one kind are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileLocation {
    /// A file, and files with these suffixes beside it.
    File(PathBuf, &'static [&'static str]),
    /// A directory with everything below it.
    Directory(PathBuf),
    /// Outside of the files of this machine. The sentence names the setting and how to search there.
    OutOfReach(String),
    /// Nowhere with these settings.
    Nowhere,
    /// Where an argument of a command says.
    Argument,
}

impl StoredFile {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Database, Self::MasterKey, Self::Feeds, Self::Ledger, Self::Vocabularies, Self::Backups, Self::Anchors];

    /// What an erasure does with the files.
    #[must_use]
    pub fn erasure(self) -> FileErasure {
        match self {
            Self::Database => FileErasure::Overwritten,
            Self::Feeds => FileErasure::WrittenAgain,
            Self::Ledger | Self::Anchors => FileErasure::KeyedDigests,
            Self::MasterKey | Self::Vocabularies => FileErasure::Nothing,
            Self::Backups => FileErasure::NotCovered,
        }
    }

    /// Where a program with these settings writes the files.
    #[must_use]
    pub fn location(self, settings: &Settings) -> FileLocation {
        match self {
            Self::Database => backup::database_file(settings.database_url.reveal()).map_or_else(
                |_| {
                    let advice = "is not a file: give the data directory of the server by --path, with --only-paths";
                    FileLocation::OutOfReach(format!("database_url: {advice}"))
                },
                |file| FileLocation::File(file, DATABASE_SUFFIXES),
            ),
            Self::MasterKey => KeyLocation::from_settings(settings)
                .path()
                .map_or(FileLocation::Nowhere, |path| FileLocation::File(path.to_owned(), KEY_SUFFIXES)),
            Self::Feeds => store_location("feeds_url", settings.feeds.url.reveal()),
            Self::Ledger => ledger_address(settings)
                .map_or(FileLocation::Nowhere, |address| store_location("ledger_url", address.reveal())),
            Self::Vocabularies => match &settings.vocabulary_delivery {
                Some(DeliveryTarget::Directory(directory)) => FileLocation::Directory(directory.clone()),
                Some(DeliveryTarget::Bucket(_)) => store_location("vocabulary_delivery_url", ""),
                // A server that receives vocabularies stores them on its own.
                Some(DeliveryTarget::Http { .. }) | None => FileLocation::Nowhere,
            },
            Self::Backups | Self::Anchors => FileLocation::Argument,
        }
    }
}

impl FileLocation {
    /// Whether a file is at this location.
    #[must_use]
    pub fn contains(&self, path: &Path) -> bool {
        match self {
            Self::File(file, suffixes) => path == file || suffixes.iter().any(|suffix| path == beside(file, suffix)),
            Self::Directory(directory) => path.starts_with(directory),
            Self::OutOfReach(_) | Self::Nowhere | Self::Argument => false,
        }
    }
}

fn store_location(setting: &str, address: &str) -> FileLocation {
    address.strip_prefix("file://").map_or_else(
        || {
            let advice = "is a bucket: copy it to a directory, and give that by --path, with --only-paths";
            FileLocation::OutOfReach(format!("{setting}: {advice}"))
        },
        |directory| FileLocation::Directory(directory.into()),
    )
}
