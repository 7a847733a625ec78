//! Where vocabularies are brought to.

use std::path::PathBuf;

use parlance_adapters_transcription::{AddressTemplate, SigningKey};

use super::{PrivateUrl, Reader, WrongSetting};

/// Where the transcription component takes vocabularies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryTarget {
    /// At an address of HTTP.
    Http {
        /// The address.
        address: AddressTemplate,
        /// The key that what is sent is signed with.
        key: SigningKey,
    },
    /// In a directory.
    Directory(PathBuf),
    /// In a bucket, at this address.
    Bucket(PrivateUrl),
}

impl Reader<'_> {
    /// Where vocabularies are brought to, if anywhere; nothing where a setting is wrong.
    #[expect(clippy::option_option, reason = "as of every setting: whether it is right, and then whether there is one")]
    pub(super) fn read_delivery(&mut self) -> Option<Option<DeliveryTarget>> {
        const KEY: &str = "vocabulary_delivery_secret";
        let (place, key) = (self.read("vocabulary_delivery_url", read_place), self.read(KEY, read_key));
        let (_, source_name) = self.sources.value(KEY);
        let wrong = |rule: &str| WrongSetting { name: KEY.to_owned(), source_name, rule: rule.to_owned() };
        target(place?, key?).map_err(|rule| self.wrong.push(wrong(rule))).ok()
    }
}

/// An address, before it is known whether there is a key.
enum Place {
    Http(AddressTemplate),
    Directory(PathBuf),
    Bucket(PrivateUrl),
}

fn read_place(text: &str) -> Result<Option<Place>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(path) = text.strip_prefix("file://").filter(|path| path.starts_with('/')) {
        return Ok(Some(Place::Directory(PathBuf::from(path))));
    }
    if ["s3://", "gs://", "az://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Ok(Some(Place::Bucket(PrivateUrl::new(text))));
    }
    let address = AddressTemplate::parse(text);
    address.map(|address| Some(Place::Http(address))).map_err(|_| {
        "must be where vocabularies are brought: https://host/path or http://…, in which {tenant} stands for the \
         tenant, file:///whole/path of a directory, or s3://, gs:// or az:// with a bucket"
    })
}

fn read_key(text: &str) -> Result<Option<SigningKey>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    SigningKey::parse(text).map(Some).map_err(|_| "must have 16 characters or more")
}

/// The target that both settings make together.
///
/// # Errors
/// Where there is an address of HTTP without a key.
fn target(place: Option<Place>, key: Option<SigningKey>) -> Result<Option<DeliveryTarget>, &'static str> {
    match (place, key) {
        (None, _) => Ok(None),
        (Some(Place::Directory(directory)), _) => Ok(Some(DeliveryTarget::Directory(directory))),
        (Some(Place::Bucket(address)), _) => Ok(Some(DeliveryTarget::Bucket(address))),
        (Some(Place::Http(address)), Some(key)) => Ok(Some(DeliveryTarget::Http { address, key })),
        (Some(Place::Http(_)), None) => Err("must be given where vocabulary_delivery_url is an address of HTTP"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vocabularies_are_brought_to_an_address_a_directory_a_bucket_or_nowhere() {
        let key = || SigningKey::parse("0123456789abcdef").ok();
        let read = |text| target(read_place(text).unwrap(), key()).unwrap();
        assert_eq!(read(""), None);
        assert_eq!(read("file:///var/v"), Some(DeliveryTarget::Directory(PathBuf::from("/var/v"))));
        assert!(matches!(read("http://h/{tenant}"), Some(DeliveryTarget::Http { .. })));
        assert_eq!(read("s3://bucket/v"), Some(DeliveryTarget::Bucket(PrivateUrl::new("s3://bucket/v"))));
        for text in ["file://relative", "ftp://host", "nowhere"] {
            assert!(read_place(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_address_needs_a_key_and_a_directory_does_not() {
        assert!(target(read_place("http://h/").unwrap(), None).is_err());
        assert!(target(read_place("file:///v").unwrap(), None).is_ok());
        assert!(read_key("too short").is_err() && read_key("").unwrap().is_none());
    }
}
