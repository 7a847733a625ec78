//! The settings of vocabulary delivery.

use std::path::PathBuf;

use parlance_adapters_transcription::{AddressTemplate, SigningKey};

use super::{invalid_setting::InvalidSetting, reader::Reader, values::PrivateUrl};

/// The target to which vocabularies are delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryTarget {
    /// An HTTP server.
    Http {
        /// The address.
        address: AddressTemplate,
        /// The key that signs each request.
        key: SigningKey,
    },
    /// A directory.
    Directory(PathBuf),
    /// A bucket with this address.
    Bucket(PrivateUrl),
}

impl Reader<'_> {
    /// Reads the target of vocabularies. The outer `None` means an invalid setting, the inner `None` no target.
    #[expect(clippy::option_option, reason = "the outer option: is the setting valid; the inner option: is it set")]
    pub(super) fn read_delivery(&mut self) -> Option<Option<DeliveryTarget>> {
        const KEY: &str = "vocabulary_delivery_secret";
        let (destination, key) = (self.read("vocabulary_delivery_url", read_destination), self.read(KEY, read_key));
        let (_, source_name) = self.sources.value(KEY);
        let invalid = |rule: &str| InvalidSetting { name: KEY.to_owned(), source_name, rule: rule.to_owned() };
        combine(destination?, key?).map_err(|rule| self.invalid.push(invalid(rule))).ok()
    }
}

/// The target of vocabularies without the signing key.
enum Destination {
    Http(AddressTemplate),
    Directory(PathBuf),
    Bucket(PrivateUrl),
}

fn read_destination(text: &str) -> Result<Option<Destination>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(path) = text.strip_prefix("file://").filter(|path| path.starts_with('/')) {
        return Ok(Some(Destination::Directory(PathBuf::from(path))));
    }
    if ["s3://", "gs://", "az://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Ok(Some(Destination::Bucket(PrivateUrl::new(text))));
    }
    let address = AddressTemplate::parse(text);
    address.map(|address| Some(Destination::Http(address))).map_err(|_| {
        "must be the target of vocabularies: https://host/path or http://…, where {tenant} is replaced by the tenant, \
         file:///absolute/path of a directory, or s3://, gs:// or az:// with a bucket"
    })
}

fn read_key(text: &str) -> Result<Option<SigningKey>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    SigningKey::parse(text).map(Some).map_err(|_| "must have 16 characters or more")
}

/// Combines both settings into a target.
///
/// # Errors
/// If an HTTP target has no key.
fn combine(destination: Option<Destination>, key: Option<SigningKey>) -> Result<Option<DeliveryTarget>, &'static str> {
    match (destination, key) {
        (None, _) => Ok(None),
        (Some(Destination::Directory(directory)), _) => Ok(Some(DeliveryTarget::Directory(directory))),
        (Some(Destination::Bucket(address)), _) => Ok(Some(DeliveryTarget::Bucket(address))),
        (Some(Destination::Http(address)), Some(key)) => Ok(Some(DeliveryTarget::Http { address, key })),
        (Some(Destination::Http(_)), None) => Err("is required, because vocabulary_delivery_url is an HTTP address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_an_http_address_a_directory_a_bucket_or_nothing() {
        let key = || SigningKey::parse("0123456789abcdef").ok();
        let read = |text| combine(read_destination(text).unwrap(), key()).unwrap();
        assert_eq!(read(""), None);
        assert_eq!(read("file:///var/v"), Some(DeliveryTarget::Directory(PathBuf::from("/var/v"))));
        assert!(matches!(read("http://h/{tenant}"), Some(DeliveryTarget::Http { .. })));
        assert_eq!(read("s3://bucket/v"), Some(DeliveryTarget::Bucket(PrivateUrl::new("s3://bucket/v"))));
        for text in ["file://relative", "ftp://host", "nowhere"] {
            assert!(read_destination(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_http_target_needs_a_key_and_a_directory_does_not() {
        assert!(combine(read_destination("http://h/").unwrap(), None).is_err());
        assert!(combine(read_destination("file:///v").unwrap(), None).is_ok());
        assert!(read_key("too short").is_err() && read_key("").unwrap().is_none());
    }
}
