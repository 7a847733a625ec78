//! Response bodies of the feed operations. Each repeats the version as the caller wrote it.

use parlance_domain::feed::{
    Column, ColumnKind, Dataset, Day, Feed, FeedFile, FeedFormat, FeedName, FeedPeriod, FeedVersion, FilePath, Hour,
    PeriodFiles,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::feeds::bodies::WithRequestedVersion;

/// The names of feeds.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedsView {
    feeds: Vec<String>,
}

/// The versions of a feed.
#[derive(Serialize, ToSchema)]
pub(crate) struct VersionsView {
    feed: String,
    /// Each with its prefix `version=`.
    versions: Vec<String>,
}

/// The formats of a feed in a version.
#[derive(Serialize, ToSchema)]
pub(crate) struct FormatsView {
    feed: String,
    version: String,
    /// Each with its prefix `format=`.
    formats: Vec<String>,
}

/// The days of a feed that are complete.
#[derive(Serialize, ToSchema)]
#[schema(as = TableDatesView)]
pub(crate) struct DatasetDatesView {
    feed: String,
    version: String,
    /// The format with its prefix `format=`.
    format: String,
    /// Ascending.
    #[schema(value_type = Vec<String>, format = Date)]
    dates: Vec<String>,
}

/// The hours of a day that are complete.
#[derive(Serialize, ToSchema)]
pub(crate) struct IntervalsView {
    feed: String,
    version: String,
    /// The format with its prefix `format=`.
    format: String,
    #[schema(format = Date)]
    date: String,
    /// Each with its prefix `hr=`, ascending.
    #[schema(format = "feed-interval")]
    intervals: Vec<String>,
}

/// The files of a day or an hour.
#[derive(Serialize, ToSchema)]
#[schema(as = DayFilesView)]
pub(crate) struct PeriodFilesView {
    feed: String,
    version: String,
    format: String,
    #[schema(format = Date)]
    date: String,
    /// The hour with its prefix `hr=`, where the request named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "feed-interval")]
    interval: Option<String>,
    /// Which revision of the day or hour this is, where its producer said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u32>,
    files: Vec<FileView>,
}

/// A file of a day or an hour.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileView {
    /// Where the file is below the directory of the day or hour.
    file_name: String,
    bytes: u64,
    /// Where its producer said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    /// The SHA-256 of its bytes, where its producer said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "sha256")]
    sha256: Option<String>,
}

/// Where a file is to be had.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileAddressView {
    feed: String,
    version: String,
    format: String,
    #[schema(format = Date)]
    date: String,
    /// The hour with its prefix `hr=`, where the request named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "feed-interval")]
    interval: Option<String>,
    file_name: String,
    /// The address, which needs no credential and is good for 15 minutes. Resolve it against that of the request: it may be
    /// a path alone.
    url: String,
}

/// The schema of a feed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SchemaView {
    feed: String,
    version: String,
    /// What its rows are.
    description: &'static str,
    /// The columns that no two rows have alike.
    unique_key: Vec<&'static str>,
    columns: Vec<ColumnView>,
}

/// A column of a feed.
#[derive(Serialize, ToSchema)]
pub(crate) struct ColumnView {
    name: &'static str,
    r#type: ColumnType,
    /// Whether a row may have no value in it.
    nullable: bool,
    description: &'static str,
}

/// What the values of a column are.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ColumnType {
    Text,
    #[serde(rename = "timestamp")]
    DateTime,
    Boolean,
    ListOfTexts,
    MapOfTexts,
}

impl From<Vec<FeedName>> for FeedsView {
    fn from(names: Vec<FeedName>) -> Self {
        Self { feeds: names.iter().map(ToString::to_string).collect() }
    }
}

impl VersionsView {
    pub(super) fn new(feed: &FeedName, versions: &[FeedVersion]) -> Self {
        Self { feed: feed.to_string(), versions: versions.iter().map(FeedVersion::prefixed).collect() }
    }
}

impl FormatsView {
    pub(super) fn new(feed: &FeedName, version: WithRequestedVersion<FeedVersion>, formats: &[FeedFormat]) -> Self {
        let formats = formats.iter().map(FeedFormat::prefixed).collect();
        Self { feed: feed.to_string(), version: version.requested_version, formats }
    }
}

impl DatasetDatesView {
    pub(super) fn new(dataset: WithRequestedVersion<Dataset>, dates: &[Day]) -> Self {
        let WithRequestedVersion { value: Dataset { feed, format, .. }, requested_version: version } = dataset;
        let dates = dates.iter().map(ToString::to_string).collect();
        Self { feed: feed.to_string(), version, format: format.prefixed(), dates }
    }
}

impl IntervalsView {
    pub(super) fn new(day: WithRequestedVersion<(Dataset, Day)>, intervals: &[Hour]) -> Self {
        let WithRequestedVersion { value: (dataset, day), requested_version: version } = day;
        Self {
            feed: dataset.feed.to_string(),
            version,
            format: dataset.format.prefixed(),
            date: day.to_string(),
            intervals: intervals.iter().map(|hour| hour.prefixed()).collect(),
        }
    }
}

impl PeriodFilesView {
    pub(super) fn new(period: WithRequestedVersion<FeedPeriod>, files: PeriodFiles) -> Self {
        let WithRequestedVersion { value: FeedPeriod { dataset, interval }, requested_version: version } = period;
        Self {
            feed: dataset.feed.to_string(),
            version,
            format: dataset.format.prefixed(),
            date: interval.day.to_string(),
            interval: interval.hour.map(Hour::prefixed),
            revision: files.revision,
            files: files.files.into_iter().map(FileView::from).collect(),
        }
    }
}

impl From<FeedFile> for FileView {
    fn from(file: FeedFile) -> Self {
        let FeedFile { path, bytes, rows, sha256 } = file;
        let sha256 = sha256.map(|digest| digest.as_str().to_owned());
        Self { file_name: path.to_string(), bytes, rows, sha256 }
    }
}

impl FileAddressView {
    pub(super) fn new(period: WithRequestedVersion<FeedPeriod>, file: &FilePath, url: String) -> Self {
        let WithRequestedVersion { value: FeedPeriod { dataset, interval }, requested_version: version } = period;
        Self {
            feed: dataset.feed.to_string(),
            version,
            format: dataset.format.prefixed(),
            date: interval.day.to_string(),
            interval: interval.hour.map(Hour::prefixed),
            file_name: file.to_string(),
            url,
        }
    }
}

impl SchemaView {
    pub(super) fn new(feed: Feed, version: WithRequestedVersion<FeedVersion>) -> Self {
        Self {
            feed: feed.as_str().to_owned(),
            version: version.requested_version,
            description: feed.description(),
            unique_key: feed.unique_key().to_vec(),
            columns: feed.columns().iter().map(ColumnView::from).collect(),
        }
    }
}

impl From<&Column> for ColumnView {
    fn from(column: &Column) -> Self {
        let r#type = match column.kind {
            ColumnKind::Text => ColumnType::Text,
            ColumnKind::DateTime => ColumnType::DateTime,
            ColumnKind::Boolean => ColumnType::Boolean,
            ColumnKind::ListOfTexts => ColumnType::ListOfTexts,
            ColumnKind::MapOfTexts => ColumnType::MapOfTexts,
        };
        Self { name: column.name, r#type, nullable: column.nullable, description: column.description }
    }
}
