//! In which formats feeds are produced, and how their files are compressed.

use super::FeedFormat;

/// A format that is produced here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A JSON object a line, in UTF-8.
    JsonLines,
    /// RFC 4180, in UTF-8, with the names of the columns in the first line.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// How the files of the text formats are compressed. Parquet compresses by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::JsonLines, Self::Csv, Self::Parquet];

    /// Its name as text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> FeedFormat {
        FeedFormat::of(self.as_str())
    }

    /// The format of this name.
    ///
    /// # Errors
    /// Which names there are.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|format| format.as_str() == text).ok_or("must be jsonl, csv or parquet")
    }

    /// How its files are compressed, where that is wished for the text formats.
    #[must_use]
    pub fn compression(self, wished: Compression) -> Compression {
        if self == Self::Parquet { Compression::None } else { wished }
    }
}

impl Compression {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::None, Self::Gzip, Self::Zstd];

    /// Its name as text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// What the name of a compressed file ends in.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
        }
    }

    /// The kind of this name.
    ///
    /// # Errors
    /// Which names there are.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or("must be none, gzip or zstd")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_formats_and_compressions_are_read_back() {
        for format in Format::ALL {
            assert_eq!(FeedFormat::parse(format.as_str()), Ok(format.name()));
            assert_eq!(Format::parse(format.as_str()), Ok(format));
        }
        for compression in Compression::ALL {
            assert_eq!(Compression::parse(compression.as_str()), Ok(compression));
        }
    }

    #[test]
    fn parquet_is_compressed_within_only() {
        assert_eq!(Format::Parquet.compression(Compression::Gzip), Compression::None);
        assert_eq!(Format::Csv.compression(Compression::Gzip), Compression::Gzip);
    }
}
