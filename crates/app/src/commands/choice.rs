//! Arguments whose values are words of a list. A misspelled word gets an error with a suggestion, and shells complete the
//! words.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use parlance_domain::{access::Permission, redaction::Entity};

/// Parses the name of a permission.
pub(crate) fn permission() -> impl TypedValueParser<Value = Permission> {
    PossibleValuesParser::new(Permission::ALL.map(Permission::as_str)).try_map(|name| Permission::parse(&name))
}

/// Parses the label of a redaction entity.
pub(crate) fn entity() -> impl TypedValueParser<Value = Entity> {
    let labels = Entity::ALL.iter().map(|entity| entity.label());
    PossibleValuesParser::new(labels).try_map(|label| Entity::from_label(&label).ok_or("is not a redaction entity"))
}
