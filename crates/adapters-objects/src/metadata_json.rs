//! The manifest and the checkpoint of a period as JSON. Every value is validated when it is read back.

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    feed::{
        Compression, ExportCheckpoint, Feed, FeedPeriod, FileName, FilePath, Hour, Manifest, RevisionInputs, RowCursor,
        Sha256Hex, WrittenFile,
    },
    redaction::{Entity, EntitySet},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::error::InvalidMetadata;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct InputsJson {
    revision: u32,
    watermark: String,
    late_changes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_with: Option<Vec<String>>,
    compression: String,
}

#[derive(Serialize, Deserialize)]
struct FileJson {
    name: String,
    rows: u64,
    bytes: u64,
    sha256: String,
}

/// The members of a manifest that are read back.
#[derive(Deserialize)]
struct ManifestSubsetJson {
    #[serde(flatten)]
    inputs: InputsJson,
    #[serde(default)]
    hourly: bool,
    files: Vec<FileJson>,
}

/// A manifest as it is written, with further members for readers that have no other source.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ManifestJson<'period> {
    feed: &'period str,
    version: &'period str,
    format: &'period str,
    date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hourly: bool,
    /// Whether the period was closed at the watermark.
    complete: bool,
    schema_version: &'period str,
    unique_key: &'period [&'static str],
    #[serde(flatten)]
    inputs: InputsJson,
    rows: u64,
    bytes: u64,
    files: Vec<FileJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CheckpointJson {
    #[serde(flatten)]
    inputs: InputsJson,
    files: Vec<FileJson>,
    after: Option<(String, String)>,
    all_rows: bool,
    replaces: Vec<String>,
}

pub(crate) fn encode_manifest(period: &FeedPeriod, manifest: &Manifest) -> Vec<u8> {
    let json = ManifestJson {
        feed: period.dataset.feed.as_str(),
        version: period.dataset.version.as_str(),
        format: period.dataset.format.as_str(),
        date: period.interval.day.to_string(),
        interval: period.interval.hour.map(Hour::prefixed),
        hourly: manifest.hourly,
        complete: period.interval.is_closed(manifest.inputs.watermark),
        schema_version: period.dataset.version.as_str(),
        unique_key: Feed::from_name(&period.dataset.feed).map(Feed::unique_key).unwrap_or_default(),
        inputs: inputs_to_json(&manifest.inputs),
        rows: manifest.rows(),
        bytes: manifest.bytes(),
        files: manifest.files.iter().map(file_to_json).collect(),
    };
    // A struct of texts and numbers always serializes.
    serde_json::to_vec_pretty(&json).unwrap_or_default()
}

pub(crate) fn parse_manifest(bytes: &[u8]) -> Result<Manifest, StoreError> {
    let parse = || {
        let json: ManifestSubsetJson = serde_json::from_slice(bytes).ok()?;
        let (hourly, inputs) = (json.hourly, inputs_from_json(&json.inputs)?);
        Some(Manifest { inputs, hourly, files: files_from_json(json.files)? })
    };
    parse().ok_or_else(|| StoreError::new(StoreErrorKind::Corrupt, InvalidMetadata("manifest")))
}

pub(crate) fn encode_checkpoint(checkpoint: &ExportCheckpoint) -> Vec<u8> {
    let json = CheckpointJson {
        inputs: inputs_to_json(&checkpoint.inputs),
        files: checkpoint.files.iter().map(file_to_json).collect(),
        after: checkpoint.cursor.as_ref().map(|cursor| (cursor.timestamp.to_string(), cursor.key.clone())),
        all_rows: checkpoint.rows_complete,
        replaces: checkpoint.replaced_files.iter().map(ToString::to_string).collect(),
    };
    serde_json::to_vec_pretty(&json).unwrap_or_default()
}

pub(crate) fn parse_checkpoint(bytes: &[u8]) -> Result<ExportCheckpoint, StoreError> {
    let parse = || {
        let json: CheckpointJson = serde_json::from_slice(bytes).ok()?;
        let cursor = match json.after {
            Some((timestamp, key)) => Some(RowCursor { timestamp: Timestamp::parse(&timestamp).ok()?, key }),
            None => None,
        };
        let replaced_files = json.replaces.iter().map(|name| FileName::parse(name).ok()).collect::<Option<_>>()?;
        let (inputs, files) = (inputs_from_json(&json.inputs)?, files_from_json(json.files)?);
        Some(ExportCheckpoint { inputs, files, cursor, rows_complete: json.all_rows, replaced_files })
    };
    parse().ok_or_else(|| StoreError::new(StoreErrorKind::Corrupt, InvalidMetadata("checkpoint")))
}

fn inputs_to_json(inputs: &RevisionInputs) -> InputsJson {
    let labels = |set: EntitySet| set.iter().map(|entity| entity.label().to_owned()).collect();
    InputsJson {
        revision: inputs.revision,
        watermark: inputs.watermark.to_string(),
        late_changes: inputs.late_changes,
        masked_with: inputs.masked_with.map(labels),
        compression: inputs.compression.as_str().to_owned(),
    }
}

/// Labels of unknown entities are dropped, as in stored messages.
fn inputs_from_json(json: &InputsJson) -> Option<RevisionInputs> {
    let entities = |labels: &Vec<String>| labels.iter().filter_map(|label| Entity::from_label(label)).collect();
    Some(RevisionInputs {
        revision: json.revision,
        watermark: Timestamp::parse(&json.watermark).ok()?,
        late_changes: json.late_changes,
        masked_with: json.masked_with.as_ref().map(entities),
        compression: Compression::parse(&json.compression).ok()?,
    })
}

fn file_to_json(file: &WrittenFile) -> FileJson {
    let WrittenFile { path, rows, bytes, sha256 } = file;
    FileJson { name: path.to_string(), rows: *rows, bytes: *bytes, sha256: sha256.as_str().to_owned() }
}

fn files_from_json(list: Vec<FileJson>) -> Option<Vec<WrittenFile>> {
    let file = |json: FileJson| {
        let FileJson { name, rows, bytes, sha256 } = json;
        Some(WrittenFile { path: FilePath::parse(&name).ok()?, rows, bytes, sha256: Sha256Hex::parse(&sha256)? })
    };
    list.into_iter().map(file).collect()
}
