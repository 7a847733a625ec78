//! Lists of event types in bodies.

use parlance_domain::{
    event::{EventType, EventTypes},
    text::Violation,
};

use crate::extract::validation::Validation;

/// Parses the member `types` of a body: at least one name, and at most as many as there are types. Types that are not among
/// `possible` are refused as unknown ones are.
pub(crate) fn parse_types(validation: &mut Validation, names: &[String], possible: EventTypes) -> Option<EventTypes> {
    let violation = match names.len() {
        0 => Some(Violation::MinItems(1)),
        count if count > EventType::ALL.len() => Some(Violation::MaxItems(EventType::ALL.len())),
        _ => None,
    };
    if let Some(violation) = violation {
        return validation.check("/types", Err(violation));
    }
    let mut parse = |(index, name): (usize, &String)| {
        let event_type = EventType::parse(name).filter(|event_type| possible.contains(*event_type));
        let event_type = event_type.ok_or_else(|| format!("must be one of {possible}"));
        validation.parse(&format!("/types/{index}"), "enum", event_type)
    };
    let parsed: Vec<_> = names.iter().enumerate().map(&mut parse).collect();
    parsed.into_iter().collect()
}
