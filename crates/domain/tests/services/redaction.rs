//! Tests of text redaction with and without an external detector.

use std::sync::Arc;

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    redaction::{DetectorOutage, Entity, EntitySet, ExternalSpan, MockExternalDetector, TextRedaction},
};
use pollster::block_on;

fn entity(label: &str) -> Entity {
    Entity::from_label(label).unwrap()
}

#[test]
fn findings_of_an_external_detector_are_masked_together_with_those_of_the_rules() {
    let mut detector = MockExternalDetector::new();
    let name = ExternalSpan { start: 5, end: 8, entity: entity("PERSON_NAME") };
    detector.expect_entities().return_const([entity("PERSON_NAME")].into_iter().collect::<EntitySet>());
    detector.expect_detect().return_once(move |_, _| Ok(vec![vec![name]]));
    let redaction = TextRedaction::with_external(Arc::new(detector), DetectorOutage::MaskLater);
    let active: EntitySet = [entity("PERSON_NAME"), entity("EMAIL")].into_iter().collect();
    let masked = block_on(redaction.redact("tell Zoe at zoe@example.com", &[], active)).unwrap();
    assert_eq!(masked.text, "tell *** at ***@example.com");
}

#[test]
fn a_text_is_not_returned_if_the_external_detector_fails() {
    let mut detector = MockExternalDetector::new();
    detector.expect_detect().return_once(|_, _| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    detector.expect_entities().return_const(EntitySet::all());
    let redaction = TextRedaction::with_external(Arc::new(detector), DetectorOutage::MaskLater);
    assert!(block_on(redaction.redact("tell Zoe", &[], EntitySet::all())).is_err());
}

#[test]
fn the_rules_alone_need_no_detector() {
    let masked =
        block_on(TextRedaction::rules_only().redact("my ssn is 219-09-9999", &[], EntitySet::defaults())).unwrap();
    assert_eq!(masked.text, "my ssn is ***-**-9999");
}
