//! Datasets and periods: the feed, version, format, and day or hour that a file belongs to.

use super::{FeedFormat, FeedName, FeedVersion, FilePath, Hour, Interval};
use crate::hex;

/// A feed in one version and one format.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dataset {
    /// The feed.
    pub feed: FeedName,
    /// The version of the schema.
    pub version: FeedVersion,
    /// The file format.
    pub format: FeedFormat,
}

impl Dataset {
    /// One day or one hour of the dataset.
    #[must_use]
    pub fn period(&self, interval: impl Into<Interval>) -> FeedPeriod {
        FeedPeriod { dataset: self.clone(), interval: interval.into() }
    }
}

/// One day or one hour of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedPeriod {
    /// The dataset.
    pub dataset: Dataset,
    /// The day or the hour.
    pub interval: Interval,
}

impl FeedPeriod {
    /// This hour of the same day.
    #[must_use]
    pub fn hour(&self, hour: Hour) -> Self {
        self.dataset.period(Interval { hour: Some(hour), ..self.interval })
    }
}

/// A file of a complete day or hour, as listed for download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedFile {
    /// The path of the file below its period.
    pub path: FilePath,
    /// The size in bytes.
    pub bytes: u64,
    /// The number of rows, if the producer recorded it.
    pub rows: Option<u64>,
    /// The SHA-256 digest of the file, if the producer recorded it.
    pub sha256: Option<Sha256Hex>,
}

/// A SHA-256 digest as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sha256Hex(Box<str>);

impl Sha256Hex {
    /// Parses 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 64 && hex::is_lower_hex(text)).then(|| Self(text.into()))
    }

    /// Encodes a digest.
    #[must_use]
    pub fn from_digest(digest: [u8; 32]) -> Self {
        Self(hex::encode(&digest).into())
    }

    /// The hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
