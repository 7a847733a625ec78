//! The manifest and the progress of a day as JSON. What is read back is parsed again.

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    feed::{
        Compression, Feed, FeedDay, FileName, Manifest, Origin, Progress, RowPlace, Sha256Hex, WrittenFile,
        plan::is_over,
    },
    redaction::{Entity, EntitySet},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::error::BrokenNote;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OriginNote {
    revision: u32,
    watermark: String,
    late_changes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_with: Option<Vec<String>>,
    compression: String,
}

#[derive(Serialize, Deserialize)]
struct FileNote {
    name: String,
    rows: u64,
    bytes: u64,
    sha256: String,
}

/// What of a manifest is read back.
#[derive(Deserialize)]
struct ManifestNote {
    #[serde(flatten)]
    origin: OriginNote,
    files: Vec<FileNote>,
}

/// A manifest as it is written: with what a reader needs who has nothing else.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FullManifestNote<'day> {
    feed: &'day str,
    version: &'day str,
    format: &'day str,
    date: String,
    /// Whether the day was over when it was written.
    complete: bool,
    schema_version: &'day str,
    unique_key: &'day [&'static str],
    #[serde(flatten)]
    origin: OriginNote,
    rows: u64,
    bytes: u64,
    files: Vec<FileNote>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProgressNote {
    #[serde(flatten)]
    origin: OriginNote,
    files: Vec<FileNote>,
    after: Option<(String, String)>,
    all_rows: bool,
    replaces: Vec<String>,
}

pub(crate) fn write_manifest(day: &FeedDay, manifest: &Manifest) -> Vec<u8> {
    let note = FullManifestNote {
        feed: day.table.feed.as_str(),
        version: day.table.version.as_str(),
        format: day.table.format.as_str(),
        date: day.day.to_string(),
        complete: is_over(day.day, manifest.origin.watermark),
        schema_version: day.table.version.as_str(),
        unique_key: Feed::find(&day.table.feed).map(Feed::unique_key).unwrap_or_default(),
        origin: origin_note(&manifest.origin),
        rows: manifest.rows(),
        bytes: manifest.bytes(),
        files: manifest.files.iter().map(file_note).collect(),
    };
    // A note of texts and numbers always has a JSON form.
    serde_json::to_vec_pretty(&note).unwrap_or_default()
}

pub(crate) fn read_manifest(bytes: &[u8]) -> Result<Manifest, StoreError> {
    let parse = || {
        let note: ManifestNote = serde_json::from_slice(bytes).ok()?;
        Some(Manifest { origin: origin(&note.origin)?, files: files(note.files)? })
    };
    parse().ok_or_else(|| StoreError::new(StoreErrorKind::Corrupt, BrokenNote("manifest")))
}

pub(crate) fn write_progress(progress: &Progress) -> Vec<u8> {
    let note = ProgressNote {
        origin: origin_note(&progress.origin),
        files: progress.files.iter().map(file_note).collect(),
        after: progress.after.as_ref().map(|place| (place.at.to_string(), place.key.clone())),
        all_rows: progress.all_rows,
        replaces: progress.replaces.iter().map(ToString::to_string).collect(),
    };
    serde_json::to_vec_pretty(&note).unwrap_or_default()
}

pub(crate) fn read_progress(bytes: &[u8]) -> Result<Progress, StoreError> {
    let parse = || {
        let note: ProgressNote = serde_json::from_slice(bytes).ok()?;
        let after = match note.after {
            Some((at, key)) => Some(RowPlace { at: Timestamp::parse(&at).ok()?, key }),
            None => None,
        };
        let replaces = note.replaces.iter().map(|name| FileName::parse(name).ok()).collect::<Option<_>>()?;
        let (origin, files) = (origin(&note.origin)?, files(note.files)?);
        Some(Progress { origin, files, after, all_rows: note.all_rows, replaces })
    };
    parse().ok_or_else(|| StoreError::new(StoreErrorKind::Corrupt, BrokenNote("progress")))
}

fn origin_note(origin: &Origin) -> OriginNote {
    let labels = |set: EntitySet| set.iter().map(|entity| entity.label().to_owned()).collect();
    OriginNote {
        revision: origin.revision,
        watermark: origin.watermark.to_string(),
        late_changes: origin.late_changes,
        masked_with: origin.masked_with.map(labels),
        compression: origin.compression.as_str().to_owned(),
    }
}

/// Labels of entities that this program does not know are dropped, as they are of stored messages.
fn origin(note: &OriginNote) -> Option<Origin> {
    let known = |labels: &Vec<String>| labels.iter().filter_map(|label| Entity::from_label(label)).collect();
    Some(Origin {
        revision: note.revision,
        watermark: Timestamp::parse(&note.watermark).ok()?,
        late_changes: note.late_changes,
        masked_with: note.masked_with.as_ref().map(known),
        compression: Compression::parse(&note.compression).ok()?,
    })
}

fn file_note(file: &WrittenFile) -> FileNote {
    let WrittenFile { name, rows, bytes, sha256 } = file;
    FileNote { name: name.to_string(), rows: *rows, bytes: *bytes, sha256: sha256.as_str().to_owned() }
}

fn files(notes: Vec<FileNote>) -> Option<Vec<WrittenFile>> {
    let file = |note: FileNote| {
        let FileNote { name, rows, bytes, sha256 } = note;
        Some(WrittenFile { name: FileName::parse(&name).ok()?, rows, bytes, sha256: Sha256Hex::parse(&sha256)? })
    };
    notes.into_iter().map(file).collect()
}
