//! The settings of redaction.

use parlance_domain::{conversation::MaskedFields, limits::ACTIVE_SET_CACHE_SECONDS, redaction::IdentifierPolicy};

use super::{detector::DetectorSettings, reader::Reader};

/// What is masked, and by what.
#[derive(Debug, Clone)]
pub struct RedactionSettings {
    /// Time in seconds for which the redaction switches of a tenant are cached.
    pub refresh_seconds: u32,
    /// The fields of conversations in which card data is masked.
    pub masked_fields: MaskedFields,
    /// What happens with identifiers that contain card data.
    pub identifiers: IdentifierPolicy,
    /// The external detector, if any.
    pub detector: Option<DetectorSettings>,
}

impl RedactionSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let refresh_seconds = reader.read("redaction_refresh_seconds", read_refresh);
        let masked_fields = reader.read("mask_fields", read_masked_fields);
        let identifiers = reader.read("sensitive_identifiers", read_identifier_policy);
        let detector = reader.read_detector();
        Some(Self {
            refresh_seconds: refresh_seconds?,
            masked_fields: masked_fields?,
            identifiers: identifiers?,
            detector: detector?,
        })
    }
}

fn read_refresh(text: &str) -> Result<u32, &'static str> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds: &u32| (1..=ACTIVE_SET_CACHE_SECONDS).contains(&i64::from(*seconds)));
    seconds.ok_or("must be a whole number of seconds from 1 to 30")
}

fn read_masked_fields(text: &str) -> Result<MaskedFields, &'static str> {
    const RULE: &str = "must be names, metadata, both separated by a comma, or empty for none";
    let mut fields = MaskedFields { names: false, metadata: false };
    if text.is_empty() {
        return Ok(fields);
    }
    for word in text.split(',').map(str::trim) {
        let field = match word {
            "names" => &mut fields.names,
            "metadata" => &mut fields.metadata,
            _ => return Err(RULE),
        };
        if std::mem::replace(field, true) {
            return Err(RULE);
        }
    }
    Ok(fields)
}

fn read_identifier_policy(text: &str) -> Result<IdentifierPolicy, &'static str> {
    IdentifierPolicy::parse(text).map_err(|_| "must be allow or refuse")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redaction_switches_are_cached_for_1_to_30_seconds() {
        assert_eq!((read_refresh("1"), read_refresh("30")), (Ok(1), Ok(30)));
        assert!(["0", "31", "-1", "x", ""].iter().all(|text| read_refresh(text).is_err()));
    }

    #[test]
    fn masked_fields_are_a_list_of_words_each_once_or_empty() {
        let fields = |names, metadata| Ok(MaskedFields { names, metadata });
        assert_eq!(read_masked_fields("names, metadata"), fields(true, true));
        assert_eq!(
            (read_masked_fields("metadata"), read_masked_fields("")),
            (fields(false, true), fields(false, false))
        );
        for text in ["name", "names,", "names,names", "Names", "names metadata", "externalId"] {
            assert!(read_masked_fields(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_policy_for_identifiers_is_a_word() {
        assert_eq!(read_identifier_policy("refuse"), Ok(IdentifierPolicy::Refuse));
        assert!(["", "deny", "Allow"].iter().all(|text| read_identifier_policy(text).is_err()));
    }
}
