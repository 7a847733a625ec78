//! Names of feeds, versions, formats and files. Each is exactly one path segment and cannot point outside its
//! directory.

use std::fmt;

use super::Hour;
use crate::{limits::FEED_SEGMENT_MAX_CHARACTERS, text::Violation};

/// The pattern of every segment: ASCII letters, digits, `_` and `-`, a letter or digit first, and single dots inside.
///
/// No segment can lead to a parent directory, contain a separator of any store or system, or be hidden (`_SUCCESS`,
/// `_manifest.json`, `.crc`). No segment needs escaping.
pub const SEGMENT_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$";

fn check_segment(text: &str) -> Result<(), Violation> {
    let starts_alphanumeric = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !starts_alphanumeric || !text.split('.').all(|part| !part.is_empty() && part.bytes().all(is_plain)) {
        return Err(Violation::Pattern(SEGMENT_PATTERN));
    }
    if text.len() > FEED_SEGMENT_MAX_CHARACTERS {
        return Err(Violation::MaxCharacters(FEED_SEGMENT_MAX_CHARACTERS));
    }
    Ok(())
}

macro_rules! segment {
    ($(#[$doc:meta])* $name:ident, $prefix:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The optional prefix of the value. The layout of a store always writes it.
            pub const PREFIX: &'static str = $prefix;

            /// Parses a value with or without its prefix. Both forms give equal values.
            ///
            /// # Errors
            /// [`Violation::Pattern`] unless the value has only ASCII letters, digits, `_` and `-`, a letter or digit
            /// first, and single dots inside. [`Violation::MaxCharacters`] for more than 128 characters.
            pub fn parse(text: &str) -> Result<Self, Violation> {
                let bare = text.strip_prefix(Self::PREFIX).unwrap_or(text);
                check_segment(bare)?;
                Ok(Self(bare.into()))
            }

            /// Wraps a name that this program generates, without checking it. Tests check these names against the
            /// pattern.
            pub(super) fn new_unchecked(text: &str) -> Self {
                Self(text.into())
            }

            /// The value without its prefix.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The value with its prefix, as in the layout of a store.
            #[must_use]
            pub fn prefixed(&self) -> String {
                format!("{}{}", Self::PREFIX, self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

segment!(
    /// The name of a feed, such as `messages`.
    FeedName,
    ""
);

segment!(
    /// The version of a feed's schema, such as `1`. `version=1` is the same version (spec §2.5).
    FeedVersion,
    "version="
);

segment!(
    /// The format of a feed's files, such as `jsonl`. `format=jsonl` is the same format (spec §2.5).
    FeedFormat,
    "format="
);

segment!(
    /// The name of a file of one feed period.
    FileName,
    ""
);

/// The pattern of a [`FilePath`].
pub const FILE_PATH_PATTERN: &str = "^(hr=([01][0-9]|2[0-3])/)?[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$";

/// The path of a file below its day or hour: `part-1.jsonl`, or `hr=07/part-1.jsonl` in an hour of the day.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath {
    /// The hour that has the file; `None` for a file that is directly in its day or hour.
    pub hour: Option<Hour>,
    /// The file name.
    pub name: FileName,
}

impl FilePath {
    /// Parses a path.
    ///
    /// # Errors
    /// [`Violation::Pattern`] unless the path is a file name, or an hour with its prefix, `/` and a file name.
    /// [`Violation::MaxCharacters`] for a name of more than 128 characters.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let Some((directory, name)) = text.split_once('/') else { return Ok(FileName::parse(text)?.into()) };
        let hour = Some(directory).filter(|directory| directory.starts_with(Hour::PREFIX)).map(Hour::parse);
        match (hour, FileName::parse(name)) {
            (Some(Ok(hour)), Ok(name)) => Ok(Self { hour: Some(hour), name }),
            (Some(Ok(_)), Err(violation @ Violation::MaxCharacters(_))) => Err(violation),
            _ => Err(Violation::Pattern(FILE_PATH_PATTERN)),
        }
    }
}

impl From<FileName> for FilePath {
    fn from(name: FileName) -> Self {
        Self { hour: None, name }
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hour {
            Some(hour) => write!(f, "{}/{}", hour.prefixed(), self.name),
            None => self.name.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_and_a_prefixed_value_are_equal() {
        assert_eq!(FeedVersion::parse("1"), FeedVersion::parse("version=1"));
        assert_eq!(FeedFormat::parse("format=jsonl").unwrap().as_str(), "jsonl");
        assert_eq!(FeedFormat::parse("jsonl").unwrap().prefixed(), "format=jsonl");
    }

    #[test]
    fn a_prefix_is_stripped_once() {
        assert!(FeedVersion::parse("version=version=1").is_err());
        assert!(FeedVersion::parse("format=1").is_err());
    }

    #[test]
    fn a_name_that_is_not_one_plain_path_segment_is_refused() {
        for text in [
            "",
            ".",
            "..",
            "../b",
            "a/b",
            "a\\b",
            "a/../b",
            "%2e%2e",
            "a%2fb",
            "a\0",
            "a\n",
            "a b",
            "a:b",
            "a=b",
            "~",
            "a.",
            "_SUCCESS",
            ".crc",
            "a..b",
            "-a",
            "é",
            "a#1",
            "a?b",
            "version=",
            "version=..",
        ] {
            assert!(FeedName::parse(text).is_err(), "{text:?}");
            assert!(FeedVersion::parse(text).is_err(), "{text:?}");
            assert!(FileName::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn names_of_other_producers_are_accepted() {
        for text in ["part-00000-0f1d.c000.snappy.parquet", "CallLogs_v2", "2026-01-31.csv.gz", "1.10", "A"] {
            assert_eq!(FileName::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn a_segment_has_at_most_128_characters() {
        assert!(FeedName::parse(&"a".repeat(128)).is_ok());
        assert_eq!(FeedName::parse(&"a".repeat(129)), Err(Violation::MaxCharacters(128)));
    }

    #[test]
    fn a_path_is_a_file_name_or_an_hour_and_a_file_name() {
        for text in ["part-1.jsonl", "hr=00/part-1.jsonl", "hr=23/a"] {
            assert_eq!(FilePath::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "07/a", "hr=24/a", "hr=07/", "hr=07/_a", "hr=07/hr=08/a", "hr=07", "hr=07/../a", "/a", "../a"]
        {
            assert!(FilePath::parse(text).is_err(), "{text:?}");
        }
    }
}
