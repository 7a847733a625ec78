//! Validation of wire types into domain types, which collects every error of a request.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use parlance_domain::{text::Violation, time::Timestamp};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::errors::{
    api_error::{ApiError, RefusalKind},
    envelope::Detail,
};

/// A member of a JSON body. An absent member differs from `null`.
#[derive(Debug, Default)]
pub(crate) enum Field<T> {
    /// The body does not have the member.
    #[default]
    Absent,
    /// The member is `null`.
    Null,
    /// The member has this value.
    Value(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Null, Self::Value))
    }
}

/// A JSON object of wire type `T`. A derived `Deserialize` alone also accepts a list of the members in order.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

/// A map of strings to strings without duplicate keys.
#[derive(Debug)]
pub(crate) struct StringMap(pub(crate) BTreeMap<String, String>);

impl<'de> Deserialize<'de> for StringMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StringMapVisitor)
    }
}

struct StringMapVisitor;

impl<'de> Visitor<'de> for StringMapVisitor {
    type Value = StringMap;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<StringMap, A::Error> {
        let mut pairs = BTreeMap::new();
        while let Some((key, value)) = members.next_entry()? {
            if pairs.insert(key, value).is_some() {
                return Err(A::Error::duplicate_field("key"));
            }
        }
        Ok(StringMap(pairs))
    }
}

/// Collects the errors of a request, so that one response reports all of them.
#[derive(Default)]
pub(crate) struct Validation {
    unreadable: Vec<Detail>,
    violations: Vec<Detail>,
}

impl Validation {
    /// The value of a required member.
    pub(crate) fn required<T>(&mut self, pointer: &str, member: Field<T>) -> Option<T> {
        if matches!(member, Field::Absent) {
            self.unreadable.push(Detail::new(pointer.to_owned(), "required", "is missing"));
        }
        self.optional(pointer, member)
    }

    /// The value of a member that may be absent, but not `null`.
    pub(crate) fn optional<T>(&mut self, pointer: &str, member: Field<T>) -> Option<T> {
        match member {
            Field::Value(value) => Some(value),
            Field::Absent => None,
            Field::Null => {
                self.unreadable.push(Detail::new(pointer.to_owned(), "type", "must not be null"));
                None
            }
        }
    }

    /// The valid value; else records the domain rule that the value breaks.
    pub(crate) fn check<T>(&mut self, pointer: &str, parsed: Result<T, Violation>) -> Option<T> {
        parsed
            .map_err(|error| self.violations.push(Detail::new(pointer.to_owned(), error.rule(), error.to_string())))
            .ok()
    }

    /// The parsed value; else records that the value is unreadable, under the rule `rule`.
    pub(crate) fn parse<T, E: ToString>(
        &mut self,
        pointer: &str,
        rule: &'static str,
        parsed: Result<T, E>,
    ) -> Option<T> {
        parsed.map_err(|error| self.unreadable.push(Detail::new(pointer.to_owned(), rule, error.to_string()))).ok()
    }

    /// The timestamp in a required member.
    pub(crate) fn timestamp(&mut self, pointer: &str, member: Field<String>) -> Option<Timestamp> {
        let text = self.required(pointer, member)?;
        self.parse(pointer, "date_time", Timestamp::parse(&text))
    }

    /// The value if no error was recorded; else all recorded errors. An unreadable value outweighs broken rules.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, ApiError> {
        let Self { mut unreadable, violations } = self;
        match value {
            Some(value) if unreadable.is_empty() && violations.is_empty() => Ok(value),
            _ if unreadable.is_empty() => Err(ApiError::Refused(RefusalKind::RuleViolation, violations)),
            _ => {
                unreadable.extend(violations);
                Err(ApiError::Refused(RefusalKind::Unreadable, unreadable))
            }
        }
    }
}

/// The text of a required member, validated by the domain.
pub(crate) fn required_text<T>(
    validation: &mut Validation,
    pointer: &str,
    member: Field<String>,
    parse: impl FnOnce(String) -> Result<T, Violation>,
) -> Option<T> {
    let text = validation.required(pointer, member)?;
    validation.check(pointer, parse(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(validation: Validation) -> (RefusalKind, Vec<&'static str>) {
        match validation.finish(None::<()>) {
            Err(ApiError::Refused(kind, details)) => (kind, details.iter().map(|detail| detail.rule).collect()),
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    #[test]
    fn a_broken_rule_alone_is_unprocessable() {
        let mut validation = Validation::default();
        validation.check("/a", Err::<(), _>(Violation::MinCharacters(1)));
        assert_eq!(refusal(validation), (RefusalKind::RuleViolation, vec!["min_characters"]));
    }

    #[test]
    fn an_unreadable_value_outweighs_a_broken_rule_and_both_are_reported() {
        let mut validation = Validation::default();
        validation.check("/a", Err::<(), _>(Violation::Nul));
        validation.required::<String>("/b", Field::Absent);
        validation.optional::<String>("/c", Field::Null);
        assert_eq!(refusal(validation), (RefusalKind::Unreadable, vec!["required", "type", "no_nul"]));
    }
}
