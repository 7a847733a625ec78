//! What is said of a day beside its files: what is complete, and how far one that is being written has come.

use super::{Compression, FileName, Sha256Hex};
use crate::{redaction::EntitySet, time::Timestamp};

/// What a day's revision was made of. Two revisions made of the same hold the same rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Which revision of the day it is; the first is 1.
    pub revision: u32,
    /// All that was stored before this moment is in it, by the service's clock.
    pub watermark: Timestamp,
    /// How many changes after the end of the day were known of it.
    pub late_changes: u64,
    /// With which entities its texts are masked; none where it has no texts of messages.
    pub masked_with: Option<EntitySet>,
    /// How its files are compressed.
    pub compression: Compression,
}

/// A file that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name.
    pub name: FileName,
    /// How many rows it has.
    pub rows: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// The SHA-256 of its bytes.
    pub sha256: Sha256Hex,
}

/// What is said of a day that is written: exactly these files belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// What it was made of.
    pub origin: Origin,
    /// Its files, in the order of their rows.
    pub files: Vec<WrittenFile>,
}

impl Manifest {
    /// How many rows the day has.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// How many bytes its files have together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The place of a row among those of its day: rows are ordered by their moment, then by this text, byte by byte.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowPlace {
    /// The moment that puts the row on its day.
    pub at: Timestamp,
    /// What tells rows of one moment apart.
    pub key: String,
}

/// How far a day that is being written has come, so that another run can go on after the last whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What it is being made of.
    pub origin: Origin,
    /// The files that are whole, none of them shown yet.
    pub files: Vec<WrittenFile>,
    /// The last row that they hold; none before the first.
    pub after: Option<RowPlace>,
    /// Whether no rows are left, and the files are being shown.
    pub all_rows: bool,
    /// The files of the revision before, which go once this one is complete.
    pub replaces: Vec<FileName>,
}
