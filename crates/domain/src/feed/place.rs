//! Where files of a feed are: which feed, version and format, and which day of it.

use super::{Day, FeedFormat, FeedName, FeedVersion, FileName};
use crate::signing::hex;

/// A feed in one version and one format.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedTable {
    /// Which feed.
    pub feed: FeedName,
    /// In which version of its schema.
    pub version: FeedVersion,
    /// In which format.
    pub format: FeedFormat,
}

impl FeedTable {
    /// One day of it.
    #[must_use]
    pub fn on(&self, day: Day) -> FeedDay {
        FeedDay { table: self.clone(), day }
    }
}

/// One day of a feed in one version and one format.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedDay {
    /// Which feed.
    pub table: FeedTable,
    /// Which day.
    pub day: Day,
}

/// A file of a day that may be collected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedFile {
    /// Its name.
    pub name: FileName,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many rows it has, where its producer said so.
    pub rows: Option<u64>,
    /// The SHA-256 of its bytes in lower-case hexadecimal, where its producer said so.
    pub sha256: Option<Sha256Hex>,
}

/// A SHA-256 in 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sha256Hex(Box<str>);

impl Sha256Hex {
    /// Reads a digest.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        (text.len() == 64 && digits).then(|| Self(text.into()))
    }

    /// The digits of a digest.
    #[must_use]
    pub fn of(digest: [u8; 32]) -> Self {
        Self(hex(&digest).into())
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
