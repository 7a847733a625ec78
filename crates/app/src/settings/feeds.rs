//! The settings of feeds.

use parlance_domain::feed::{Compression, Format};

use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::{PrivateUrl, Reader};

/// Where feeds are, and how they are produced.
#[derive(Debug, Clone)]
pub struct FeedSettings {
    /// The directory or bucket: `file://directory`, `s3://bucket/prefix`, `gs://…` or `az://…`.
    pub url: PrivateUrl,
    /// Which formats are produced.
    pub formats: Vec<Format>,
    /// How the files of the text formats are compressed.
    pub compression: Compression,
    /// At which minute of each day of UTC a server produces what is missing; none where it does not.
    pub export_minute: Option<u16>,
    /// With which key the addresses of files are signed; none for one that ends with the process.
    pub signing_key: Option<SigningKey>,
}

/// A key that replicas share. It is not shown, and is overwritten when it is dropped.
#[derive(Clone)]
pub struct SigningKey(Zeroizing<String>);

impl ZeroizeOnDrop for SigningKey {}

impl SigningKey {
    pub(crate) fn reveal(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl FeedSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let url = reader.read("feeds_url", read_url);
        let formats = reader.read("feed_formats", read_formats);
        let compression = reader.read("feed_compression", Compression::parse);
        let export_minute = reader.read("feed_export_at", read_minute);
        let signing_key = reader.read("feed_signing_key", read_key);
        Some(Self {
            url: url?,
            formats: formats?,
            compression: compression?,
            export_minute: export_minute?,
            signing_key: signing_key?,
        })
    }
}

fn read_url(text: &str) -> Result<PrivateUrl, &'static str> {
    let known = ["file://", "s3://", "gs://", "az://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
    let named = known.is_some_and(|place| !place.is_empty());
    if named {
        Ok(PrivateUrl::new(text))
    } else {
        Err("must be file://directory, s3://bucket/prefix, gs://… or az://…")
    }
}

fn read_formats(text: &str) -> Result<Vec<Format>, &'static str> {
    const RULE: &str = "must be one or more of jsonl, csv and parquet, each once, with commas between them";
    let formats: Result<Vec<_>, _> = text.split(',').map(|word| Format::parse(word.trim())).collect();
    let mut formats = formats.map_err(|_| RULE)?;
    let given = formats.len();
    formats.sort_unstable();
    formats.dedup();
    if formats.len() == given { Ok(formats) } else { Err(RULE) }
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

fn read_key(text: &str) -> Result<Option<SigningKey>, &'static str> {
    match text.len() {
        0 => Ok(None),
        1..32 => Err("must have at least 32 characters, such as 64 random hexadecimal digits"),
        _ => Ok(Some(SigningKey(Zeroizing::new(text.to_owned())))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_a_minute_of_it() {
        assert_eq!(read_minute("00:00"), Ok(Some(0)));
        assert_eq!(read_minute("23:59"), Ok(Some(1_439)));
        assert_eq!(read_minute("never"), Ok(None));
        for text in ["", "24:00", "1:00", "01:60", "0100", "01:00:00", "+1:00"] {
            assert!(read_minute(text).is_err(), "{text}");
        }
    }

    #[test]
    fn formats_are_given_once_each() {
        assert_eq!(read_formats("parquet, jsonl").unwrap(), [Format::JsonLines, Format::Parquet]);
        for text in ["", "jsonl,jsonl", "xml", "jsonl,"] {
            assert!(read_formats(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_address_and_the_key_are_not_shown() {
        assert_eq!(format!("{:?}", read_url("az://secret/x").unwrap()), "az:***");
        assert_eq!(format!("{:?}", read_key(&"k".repeat(32)).unwrap().unwrap()), "***");
        assert!(read_key("short").is_err() && read_url("ftp://x").is_err() && read_url("s3://").is_err());
    }
}
