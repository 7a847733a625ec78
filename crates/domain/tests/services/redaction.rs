use std::sync::Arc;

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    redaction::{Entity, EntitySet, Found, MockExternalDetector, TextRedaction},
};
use pollster::block_on;

fn entity(label: &str) -> Entity {
    Entity::from_label(label).unwrap()
}

#[test]
fn what_an_outside_detector_finds_is_masked_beside_what_the_rules_find() {
    let mut detector = MockExternalDetector::new();
    let name = Found { start: 5, end: 8, entity: entity("PERSON_NAME") };
    detector.expect_detect().return_once(move |_, _| Ok(vec![name]));
    let redaction = TextRedaction::with(Arc::new(detector));
    let active: EntitySet = [entity("PERSON_NAME"), entity("EMAIL")].into_iter().collect();
    let masked = block_on(redaction.redact("tell Zoe at zoe@example.com", &[], active)).unwrap();
    assert_eq!(masked.text, "tell *** at ***@example.com");
}

#[test]
fn a_text_is_not_given_back_where_the_outside_detector_does_not_answer() {
    let mut detector = MockExternalDetector::new();
    detector.expect_detect().return_once(|_, _| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let redaction = TextRedaction::with(Arc::new(detector));
    assert!(block_on(redaction.redact("tell Zoe", &[], EntitySet::all())).is_err());
}

#[test]
fn the_rules_alone_need_no_detector() {
    let masked =
        block_on(TextRedaction::by_rules().redact("my ssn is 219-09-9999", &[], EntitySet::defaults())).unwrap();
    assert_eq!(masked.text, "my ssn is ***-**-9999");
}
