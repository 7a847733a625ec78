//! Feeds: stored data exported as files, one set of files for each UTC day or each of its hours.
//!
//! A [`Dataset`] is a feed in one version and one format. A [`FeedPeriod`] is one [`Interval`], a day or an hour, of a
//! dataset; it is either complete or not listed. [`Feeds`] lists and serves every feed, whichever program wrote it. [`FeedProduction`] writes
//! the feeds of [`Feed`], whose columns are its published schema, as numbered revisions. [`plan`] decides which of
//! them are written. `period_export.rs` describes how an export survives a kill, `interval_export.rs` how the formats of
//! an interval share one pass, and `hourly_run.rs` how a day is the sum of its hours.

mod current_periods;
mod dataset;
mod download;
mod error;
mod feeds;
mod format;
mod forward_progress;
mod hourly_run;
mod interval;
mod interval_export;
mod late_changes;
mod manifest;
mod message_buffer;
mod name;
mod open_day_rewrite;
mod period;
mod period_export;
pub mod plan;
mod production;
mod production_context;
mod production_observer;
mod production_run;
mod record;
mod record_batch;
mod schema;
mod signed_url;
mod source;
mod store;

pub use dataset::{Dataset, FeedFile, FeedPeriod, Sha256Hex};
pub use download::Download;
pub use error::{DatasetError, DownloadError, FeedFileError, FeedWriteError, PeriodError};
pub use feeds::{DownloadLocation, Feeds, PeriodFiles};
pub use format::{Compression, FileFormat};
pub use forward_progress::ForwardProgress;
pub use interval::{Hour, Interval, IntervalLength};
pub use late_changes::LateChanges;
pub use manifest::{ExportCheckpoint, Manifest, ManifestUpdate, RevisionInputs, RowCursor, WrittenFile};
pub use name::{FILE_PATH_PATTERN, FeedFormat, FeedName, FeedVersion, FileName, FilePath, SEGMENT_PATTERN};
pub use period::{Day, InvalidDay};
pub use plan::IntervalAction;
pub use production::FeedProduction;
pub use production_observer::{PeriodOutcome, ProductionObserver};
pub use production_run::DayRange;
pub use record::{ConversationRecord, FeedRecord, VocabularyChange, VocabularyChangeKind};
pub use record_batch::{RecordBatch, Rows};
pub use schema::{Cell, Column, ColumnKind, Feed};
pub use signed_url::{FileTicket, SignedTicket, UrlSigner};
pub use source::{FeedSource, RecordStream};
pub use store::{FeedSink, FeedStore, FileBytes, FileEncoding, FileStat, FileWriter};

#[cfg(feature = "mocks")]
pub use production_observer::MockProductionObserver;
#[cfg(feature = "mocks")]
pub use signed_url::MockUrlSigner;
#[cfg(feature = "mocks")]
pub use source::MockFeedSource;
#[cfg(feature = "mocks")]
pub use store::{MockFeedSink, MockFeedStore};
