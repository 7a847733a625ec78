//! The parts of a feed's address. None of them can be more than one step of a path, or lead anywhere else.

use std::fmt;

use crate::{limits::FEED_SEGMENT_MAX_CHARACTERS, text::Violation};

/// The form of every segment: ASCII letters, digits, `_` and `-`, the first a letter or digit, and single dots within.
///
/// So nothing leads upwards, nothing is a separator in any store or on any system, nothing is hidden (`_SUCCESS`,
/// `_manifest.json`, `.crc`), and nothing needs escaping.
const FORM: &str = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$";

fn check(text: &str) -> Result<(), Violation> {
    let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !first || !text.split('.').all(|part| !part.is_empty() && part.bytes().all(is_plain)) {
        return Err(Violation::Pattern(FORM));
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
            /// What may stand before the value, and does in the layout of a store.
            pub const PREFIX: &'static str = $prefix;

            /// Reads a value, bare or with its prefix: the two are equal.
            ///
            /// # Errors
            /// [`Violation::Pattern`] unless it is of ASCII letters, digits, `_` and `-`, the first a letter or digit,
            /// with single dots within; [`Violation::MaxCharacters`] where it has more than 128 characters.
            pub fn parse(text: &str) -> Result<Self, Violation> {
                let bare = text.strip_prefix(Self::PREFIX).unwrap_or(text);
                check(bare)?;
                Ok(Self(bare.into()))
            }

            /// A name that this program gives, which a test holds to the form.
            pub(super) fn of(text: &str) -> Self {
                Self(text.into())
            }

            /// The bare value.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The value with its prefix, as it stands in the layout of a store.
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
    /// The version of a feed's schema, such as `1`; `version=1` is the same (spec §2.5).
    FeedVersion,
    "version="
);

segment!(
    /// The format of a feed's files, such as `jsonl`; `format=jsonl` is the same (spec §2.5).
    FeedFormat,
    "format="
);

segment!(
    /// The name of a file of one day of a feed.
    FileName,
    ""
);

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
    fn a_prefix_counts_once() {
        assert!(FeedVersion::parse("version=version=1").is_err());
        assert!(FeedVersion::parse("format=1").is_err());
    }

    #[test]
    fn what_could_lead_anywhere_else_is_refused() {
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
    fn names_of_other_producers_are_read() {
        for text in ["part-00000-0f1d.c000.snappy.parquet", "CallLogs_v2", "2026-01-31.csv.gz", "1.10", "A"] {
            assert_eq!(FileName::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn a_segment_has_at_most_128_characters() {
        assert!(FeedName::parse(&"a".repeat(128)).is_ok());
        assert_eq!(FeedName::parse(&"a".repeat(129)), Err(Violation::MaxCharacters(128)));
    }
}
