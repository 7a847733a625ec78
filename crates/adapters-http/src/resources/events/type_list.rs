//! Lists of event types in bodies.

use parlance_domain::{
    event::{EventType, EventTypes},
    text::Violation,
};

use crate::extract::validation::Validation;

/// Parses the member `types` of a body: at least one name, and at most as many as there are types.
pub(crate) fn parse_types(validation: &mut Validation, names: &[String]) -> Option<EventTypes> {
    let violation = match names.len() {
        0 => Some(Violation::MinItems(1)),
        count if count > EventType::ALL.len() => Some(Violation::MaxItems(EventType::ALL.len())),
        _ => None,
    };
    if let Some(violation) = violation {
        return validation.check("/types", Err(violation));
    }
    let mut parse = |(index, name): (usize, &String)| {
        let event_type = EventType::parse(name).ok_or("must be a type of events, such as message.created");
        validation.parse(&format!("/types/{index}"), "enum", event_type)
    };
    let parsed: Vec<_> = names.iter().enumerate().map(&mut parse).collect();
    parsed.into_iter().collect()
}
