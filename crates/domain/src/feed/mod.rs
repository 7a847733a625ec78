//! Feeds: what is stored, divided by days of UTC, as files that every data tool reads.
//!
//! A feed in a version and a format is a [`FeedTable`]; a [`FeedDay`] of it is complete or not there. [`Feeds`] lists
//! and hands out what there is, whoever wrote it. [`FeedProduction`] writes the feeds of [`Feed`], whose columns are
//! its published schema, in revisions: see [`plan`] for when, and `writing.rs` for how a day can be killed half-way.

mod address;
mod day;
mod feeds;
mod format;
mod manifest;
mod messages;
mod name;
mod place;
pub mod plan;
mod production;
mod record;
mod records;
mod schema;
mod source;
mod store;
mod writing;

pub use address::{AddressSigner, FileTicket, SignedTicket};
pub use day::{Day, NotADay};
pub use feeds::{Collected, DayFiles, Feeds, FileAddress};
pub use format::{Compression, Format};
pub use manifest::{Manifest, Origin, Progress, RowPlace, WrittenFile};
pub use name::{FeedFormat, FeedName, FeedVersion, FileName};
pub use place::{FeedDay, FeedFile, FeedTable, Sha256Hex};
pub use plan::DayTask;
pub use production::{DayOutcome, DayRange, FeedProduction, ProductionWatch};
pub use record::{DatedConversation, Record, VocabularyChange, VocabularyChangeKind};
pub use records::{Records, Rows};
pub use schema::{Cell, Column, ColumnKind, Feed};
pub use source::{FeedSource, RecordRun};
pub use store::{FeedSink, FeedStore, FileBytes, FileForm, FileStat, FileWriter};

#[cfg(feature = "mocks")]
pub use address::MockAddressSigner;
#[cfg(feature = "mocks")]
pub use production::MockProductionWatch;
#[cfg(feature = "mocks")]
pub use source::MockFeedSource;
#[cfg(feature = "mocks")]
pub use store::{MockFeedSink, MockFeedStore};
