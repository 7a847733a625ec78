//! The settings of the external detector.

use std::time::Duration;

use parlance_adapters_detector::{DetectorConfig, DetectorUrl, served_entities};
use parlance_domain::redaction::{DetectorOutage, Entity, EntitySet};

use super::{operations::read_bool, reader::Reader};

/// The external detector.
#[derive(Debug, Clone)]
pub struct DetectorSettings {
    /// How it is called.
    pub config: DetectorConfig,
    /// What happens with new messages while it is away.
    pub outage: DetectorOutage,
}

impl DetectorSettings {
    /// Whether the service is ready only with the detector.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.outage == DetectorOutage::Refuse
    }
}

impl Reader<'_> {
    /// Reads the settings of the detector. The outer `None` means an invalid setting, the inner `None` no detector.
    #[expect(clippy::option_option, reason = "the outer option: is the setting valid; the inner option: is it set")]
    pub(super) fn read_detector(&mut self) -> Option<Option<DetectorSettings>> {
        let url = self.read("external_detector_url", read_url);
        let is_required = self.read("external_detector_required", read_bool);
        let entities = self.read("external_detector_entities", read_entities);
        let language = self.read("external_detector_language", read_language);
        let min_score = self.read("external_detector_min_score", read_score);
        let timeout = self.read("external_detector_timeout_ms", read_timeout);
        let max_concurrent = self.read("external_detector_max_concurrent", read_concurrent);
        let outage = if is_required? { DetectorOutage::Refuse } else { DetectorOutage::MaskLater };
        let (entities, language, min_score) = (entities?, language?, min_score?);
        let (timeout, max_concurrent) = (timeout?, max_concurrent?);
        Some(url?.map(|url| {
            let config = DetectorConfig { url, language, entities, min_score, timeout, max_concurrent };
            DetectorSettings { config, outage }
        }))
    }
}

fn read_url(text: &str) -> Result<Option<DetectorUrl>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    DetectorUrl::parse(text).map(Some).map_err(|_| {
        "must be the address of a Presidio Analyzer: https://host, or http:// with a loopback host, optionally with a \
         port and a path: texts that are not masked are sent to it"
    })
}

fn read_entities(text: &str) -> Result<EntitySet, &'static str> {
    const RULE: &str = "must be one or more entities that a Presidio Analyzer finds, each once, separated by commas, \
                        such as PERSON_NAME,STREET_ADDRESS";
    let mut entities = EntitySet::empty();
    for label in text.split(',').map(str::trim) {
        let entity = Entity::from_label(label).filter(|entity| served_entities().contains(*entity)).ok_or(RULE)?;
        if entities.contains(entity) {
            return Err(RULE);
        }
        entities.insert(entity);
    }
    Ok(entities)
}

fn read_language(text: &str) -> Result<String, &'static str> {
    let is_valid = (2..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if is_valid { Ok(text.to_owned()) } else { Err("must be the code of a language, such as en") }
}

fn read_score(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|score| (0.0..=1.0).contains(score)).ok_or("must be a number from 0 to 1")
}

fn read_timeout(text: &str) -> Result<Duration, &'static str> {
    let milliseconds = text.parse().ok().filter(|milliseconds| (50..=60_000).contains(milliseconds));
    milliseconds.map(Duration::from_millis).ok_or("must be a whole number of milliseconds from 50 to 60000")
}

fn read_concurrent(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|calls| (1..=256).contains(calls)).ok_or("must be a whole number of calls from 1 to 256")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_detector_is_optional_and_protected() {
        assert!(read_url("").unwrap().is_none() && read_url("https://presidio:3000").unwrap().is_some());
        assert!(read_url("http://127.0.0.1:5002").is_ok() && read_url("http://presidio:3000").is_err());
    }

    #[test]
    fn the_detector_serves_entities_that_presidio_has_each_once() {
        let entities = [Entity::PERSON_NAME, Entity::EMAIL].into_iter().collect();
        assert_eq!(read_entities("PERSON_NAME, EMAIL"), Ok(entities));
        for text in ["", "PERSON", "PERSON_NAME,PERSON_NAME", "CVV", "PERSON_NAME,"] {
            assert!(read_entities(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_language_is_a_code_in_lower_case() {
        assert!(read_language("en").is_ok() && read_language("pt-br").is_ok());
        assert!(["", "e", "EN", "en_US", "english-gb"].iter().all(|text| read_language(text).is_err()));
    }

    #[test]
    fn numbers_of_the_detector_have_bounds() {
        assert_eq!((read_score("0.5"), read_concurrent("8")), (Ok(0.5), Ok(8)));
        assert!(["-0.1", "1.1", "NaN", ""].iter().all(|text| read_score(text).is_err()));
        assert!(read_timeout("49").is_err() && read_timeout("60001").is_err() && read_concurrent("0").is_err());
    }
}
