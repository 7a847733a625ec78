//! The file formats that the service writes, and the compression of the text formats.

use super::FeedFormat;

/// A format that the service writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileFormat {
    /// One JSON object per line, in UTF-8.
    JsonLines,
    /// RFC 4180 in UTF-8, with the column names in the first line.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// The compression of files in the text formats. Parquet has its own internal compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    None,
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::JsonLines, Self::Csv, Self::Parquet];

    /// The name of the format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// The name of the format as a path segment.
    #[must_use]
    pub fn name(self) -> FeedFormat {
        FeedFormat::new_unchecked(self.as_str())
    }

    /// Parses the name of a format.
    ///
    /// # Errors
    /// A message that lists the valid names.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|format| format.as_str() == text).ok_or("must be jsonl, csv or parquet")
    }

    /// The compression of files in this format when `requested` is configured. Parquet ignores the request.
    #[must_use]
    pub fn compression(self, requested: Compression) -> Compression {
        if self == Self::Parquet { Compression::None } else { requested }
    }
}

impl Compression {
    /// Every compression.
    pub const ALL: [Self; 3] = [Self::None, Self::Gzip, Self::Zstd];

    /// The name of the compression.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The file name suffix of a compressed file.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
        }
    }

    /// Parses the name of a compression.
    ///
    /// # Errors
    /// A message that lists the valid names.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|compression| compression.as_str() == text).ok_or("must be none, gzip or zstd")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_formats_and_compressions_parse() {
        for format in FileFormat::ALL {
            assert_eq!(FeedFormat::parse(format.as_str()), Ok(format.name()));
            assert_eq!(FileFormat::parse(format.as_str()), Ok(format));
        }
        for compression in Compression::ALL {
            assert_eq!(Compression::parse(compression.as_str()), Ok(compression));
        }
    }

    #[test]
    fn parquet_files_get_no_outer_compression() {
        assert_eq!(FileFormat::Parquet.compression(Compression::Gzip), Compression::None);
        assert_eq!(FileFormat::Csv.compression(Compression::Gzip), Compression::Gzip);
    }
}
