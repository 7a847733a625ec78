//! Metadata of a period beside its files: the manifest of a written period and the checkpoint of a running export.

use super::{Compression, FileName, FilePath, Interval, Sha256Hex};
use crate::{redaction::EntitySet, time::Timestamp};

/// The inputs of one revision of a period. Two revisions with the same inputs hold the same rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionInputs {
    /// The revision number; the first revision is 1.
    pub revision: u32,
    /// The revision includes everything stored before this time, by the service's clock.
    pub watermark: Timestamp,
    /// The number of changes after the end of the interval that the revision includes.
    pub late_changes: u64,
    /// The entities that message texts are masked with; `None` for feeds without message texts.
    pub masked_with: Option<EntitySet>,
    /// The compression of the files.
    pub compression: Compression,
}

/// A finished file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// The path of the file below its period. Only the manifest of an hourly day has files in hours.
    pub path: FilePath,
    /// The number of rows.
    pub rows: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 digest of the file.
    pub sha256: Sha256Hex,
}

/// The manifest of a written period. The period consists of exactly these files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The inputs of the revision.
    pub inputs: RevisionInputs,
    /// Whether the period is a day that is the sum of its hours.
    pub hourly: bool,
    /// The files, in row order.
    pub files: Vec<WrittenFile>,
}

/// A manifest with the one that it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestUpdate {
    /// The manifest that the writer has read; `None` if the period had none.
    pub expected: Option<Manifest>,
    /// The new manifest.
    pub manifest: Manifest,
}

impl ManifestUpdate {
    /// Leaves the manifest as it is, if it is this one.
    #[must_use]
    pub fn unchanged(manifest: Manifest) -> Self {
        Self { expected: Some(manifest.clone()), manifest }
    }
}

impl Manifest {
    /// The manifest of a day whose hours have these manifests, in their order; `None` without hours.
    ///
    /// Its files are those of the hours. Its texts are masked with at least the entities that all hours are masked with.
    #[must_use]
    pub fn sum(revision: u32, watermark: Timestamp, late_changes: u64, hours: Vec<(Interval, Self)>) -> Option<Self> {
        let compression = hours.last()?.1.inputs.compression;
        let mask = |hour: &(Interval, Self)| hour.1.inputs.masked_with;
        let common = |one: EntitySet, other: EntitySet| EntitySet::from_bits(one.bits() & other.bits());
        let masked_with = hours.iter().map(mask).reduce(|one, other| Some(common(one?, other?))).flatten();
        let files = hours.into_iter().flat_map(|(interval, manifest)| {
            let in_hour = move |file: WrittenFile| {
                let path = FilePath { hour: interval.hour, ..file.path };
                WrittenFile { path, ..file }
            };
            manifest.files.into_iter().map(in_hour)
        });
        let inputs = RevisionInputs { revision, watermark, late_changes, masked_with, compression };
        Some(Self { inputs, hourly: true, files: files.collect() })
    }

    /// Whether this manifest of a day has exactly the files of an hour with this manifest.
    #[must_use]
    pub fn includes(&self, hour: Interval, manifest: &Self) -> bool {
        let in_day = self.files.iter().filter(|file| file.path.hour == hour.hour).map(|file| &file.path.name);
        in_day.eq(manifest.files.iter().map(|file| &file.path.name))
    }

    /// The total number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// The total size of the files in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The position of a row within its period. Rows are ordered by timestamp, then by the bytes of the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowCursor {
    /// The timestamp that assigns the row to its interval.
    pub timestamp: Timestamp,
    /// The key that orders rows with the same timestamp.
    pub key: String,
}

/// The state of an unfinished export. Another run resumes after the last finished file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportCheckpoint {
    /// The inputs of the export.
    pub inputs: RevisionInputs,
    /// The finished files. They are not published yet.
    pub files: Vec<WrittenFile>,
    /// The last row of the finished files; `None` before the first file.
    pub cursor: Option<RowCursor>,
    /// Whether all rows are written. Publishing is the next step.
    pub rows_complete: bool,
    /// The files of the previous revision and of discarded runs. They are removed once this revision is complete.
    pub replaced_files: Vec<FileName>,
}

impl ExportCheckpoint {
    /// The checkpoint of an export without a finished file.
    #[must_use]
    pub fn start(inputs: RevisionInputs) -> Self {
        Self { inputs, files: Vec::new(), cursor: None, rows_complete: false, replaced_files: Vec::new() }
    }

    /// Adds the files of a run that is not resumed to those that are removed later.
    pub(super) fn discard_files_of(&mut self, discarded: Self) {
        self.replaced_files.extend(file_names(&discarded.files));
        self.replaced_files.extend(discarded.replaced_files);
    }
}

/// The names of the files that are directly in the directory of their period. Files of hours belong to their hours.
pub(super) fn file_names(files: &[WrittenFile]) -> Vec<FileName> {
    let own = files.iter().filter(|file| file.path.hour.is_none());
    own.map(|file| file.path.name.clone()).collect()
}
