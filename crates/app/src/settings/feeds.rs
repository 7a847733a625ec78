//! The settings of feeds.

use parlance_domain::feed::{Compression, FileFormat, IntervalLength};

use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::{reader::Reader, values::PrivateUrl};

/// The location of feeds, and how they are produced.
#[derive(Debug, Clone)]
pub struct FeedSettings {
    /// The directory or bucket: `file://directory`, `s3://bucket/prefix`, `gs://…` or `az://…`.
    pub url: PrivateUrl,
    /// The formats that are produced.
    pub formats: Vec<FileFormat>,
    /// The compression of the text formats.
    pub compression: Compression,
    /// The minute of the UTC day at which a server produces missing feeds; `None` if it does not produce feeds.
    pub export_minute: Option<u16>,
    /// The intervals in which new days are written.
    pub intervals: IntervalLength,
    /// The key that signs file addresses; `None` for a random key of the process.
    pub signing_key: Option<FeedSigningKey>,
}

/// The key that signs file addresses. All replicas share it. Its `Debug` text is masked, and its memory is overwritten
/// when it is dropped.
#[derive(Clone)]
pub struct FeedSigningKey(Zeroizing<String>);

impl ZeroizeOnDrop for FeedSigningKey {}

impl FeedSigningKey {
    pub(crate) fn reveal(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl std::fmt::Debug for FeedSigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl FeedSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let url = reader.read("feeds_url", read_store_url);
        let formats = reader.read("feed_formats", read_formats);
        let compression = reader.read("feed_compression", Compression::parse);
        let export_minute = reader.read("feed_export_at", read_minute);
        let intervals = reader.read("feed_intervals", IntervalLength::parse);
        let signing_key = reader.read("feed_signing_key", read_key);
        Some(Self {
            url: url?,
            formats: formats?,
            compression: compression?,
            export_minute: export_minute?,
            intervals: intervals?,
            signing_key: signing_key?,
        })
    }
}

pub(super) fn read_store_url(text: &str) -> Result<PrivateUrl, &'static str> {
    let path = ["file://", "s3://", "gs://", "az://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
    let is_valid = path.is_some_and(|path| !path.is_empty());
    if is_valid {
        Ok(PrivateUrl::new(text))
    } else {
        Err("must be file://directory, s3://bucket/prefix, gs://… or az://…")
    }
}

pub(super) fn read_optional_store_url(text: &str) -> Result<Option<PrivateUrl>, &'static str> {
    if text.is_empty() { Ok(None) } else { read_store_url(text).map(Some) }
}

fn read_formats(text: &str) -> Result<Vec<FileFormat>, &'static str> {
    const RULE: &str = "must be one or more of jsonl, csv and parquet, each once, separated by commas";
    let formats: Result<Vec<_>, _> = text.split(',').map(|word| FileFormat::parse(word.trim())).collect();
    let mut formats = formats.map_err(|_| RULE)?;
    let count = formats.len();
    formats.sort_unstable();
    formats.dedup();
    if formats.len() == count { Ok(formats) } else { Err(RULE) }
}

fn read_minute(text: &str) -> Result<Option<u16>, &'static str> {
    const RULE: &str = "must be a time of day in UTC such as 01:00, from 00:00 to 23:59, or never";
    if text == "never" {
        return Ok(None);
    }
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (hour, minute) = text.split_once(':').filter(|(hour, minute)| digits(hour) && digits(minute)).ok_or(RULE)?;
    let (hour, minute): (u16, u16) = (hour.parse().map_err(|_| RULE)?, minute.parse().map_err(|_| RULE)?);
    if hour < 24 && minute < 60 { Ok(Some(hour * 60 + minute)) } else { Err(RULE) }
}

fn read_key(text: &str) -> Result<Option<FeedSigningKey>, &'static str> {
    match text.len() {
        0 => Ok(None),
        1..32 => Err("must have at least 32 characters, such as 64 random hexadecimal digits"),
        _ => Ok(Some(FeedSigningKey(Zeroizing::new(text.to_owned())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_read_as_its_minute() {
        assert_eq!(read_minute("00:00"), Ok(Some(0)));
        assert_eq!(read_minute("23:59"), Ok(Some(1_439)));
        assert_eq!(read_minute("never"), Ok(None));
        for text in ["", "24:00", "1:00", "01:60", "0100", "01:00:00", "+1:00"] {
            assert!(read_minute(text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_format_may_occur_once() {
        assert_eq!(read_formats("parquet, jsonl").unwrap(), [FileFormat::JsonLines, FileFormat::Parquet]);
        for text in ["", "jsonl,jsonl", "xml", "jsonl,"] {
            assert!(read_formats(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_debug_texts_of_the_url_and_the_key_are_masked() {
        assert_eq!(format!("{:?}", read_store_url("az://secret/x").unwrap()), "az:***");
        assert_eq!(format!("{:?}", read_key(&"k".repeat(32)).unwrap().unwrap()), "***");
        assert!(read_key("short").is_err() && read_store_url("ftp://x").is_err() && read_store_url("s3://").is_err());
    }
}
