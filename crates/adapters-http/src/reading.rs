//! From wire types to types of the domain, noting everything that is wrong on the way.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use parlance_domain::{text::Violation, time::Timestamp};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::problem::{ApiError, Detail, RefusalKind};

/// A member of a body: a body may leave it out, which is not the same as `null`.
#[derive(Debug, Default)]
pub(crate) enum Member<T> {
    /// The body does not have it.
    #[default]
    Absent,
    /// It is `null`.
    Null,
    /// It has this value.
    Given(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Member<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Null, Self::Given))
    }
}

/// A JSON object of wire type `T`. Derived types alone would read a list as their members in order.
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

/// A map of texts to texts that has each key once.
#[derive(Debug)]
pub(crate) struct Pairs(pub(crate) BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Pairs, A::Error> {
        let mut pairs = BTreeMap::new();
        while let Some((key, value)) = members.next_entry()? {
            if pairs.insert(key, value).is_some() {
                return Err(A::Error::duplicate_field("key"));
            }
        }
        Ok(Pairs(pairs))
    }
}

/// Collects what is wrong with a request, so that the caller learns all of it at once.
#[derive(Default)]
pub(crate) struct Reading {
    unreadable: Vec<Detail>,
    broken: Vec<Detail>,
}

impl Reading {
    /// The value of a member that must be there.
    pub(crate) fn required<T>(&mut self, pointer: &str, member: Member<T>) -> Option<T> {
        if matches!(member, Member::Absent) {
            self.unreadable.push(Detail::new(pointer.to_owned(), "required", "is missing"));
        }
        self.optional(pointer, member)
    }

    /// The value of a member that may be left out, but not be `null`.
    pub(crate) fn optional<T>(&mut self, pointer: &str, member: Member<T>) -> Option<T> {
        match member {
            Member::Given(value) => Some(value),
            Member::Absent => None,
            Member::Null => {
                self.unreadable.push(Detail::new(pointer.to_owned(), "type", "must not be null"));
                None
            }
        }
    }

    /// Notes the rule of the domain that a value breaks.
    pub(crate) fn check<T>(&mut self, pointer: &str, parsed: Result<T, Violation>) -> Option<T> {
        parsed
            .map_err(|broken| self.broken.push(Detail::new(pointer.to_owned(), broken.rule(), broken.to_string())))
            .ok()
    }

    /// Notes that a value is none of the operation's input, by the rule of that name.
    pub(crate) fn read<T, E: ToString>(
        &mut self,
        pointer: &str,
        rule: &'static str,
        parsed: Result<T, E>,
    ) -> Option<T> {
        parsed.map_err(|wrong| self.unreadable.push(Detail::new(pointer.to_owned(), rule, wrong.to_string()))).ok()
    }

    /// The moment that a required member names.
    pub(crate) fn moment(&mut self, pointer: &str, member: Member<String>) -> Option<Timestamp> {
        let text = self.required(pointer, member)?;
        self.read(pointer, "date_time", Timestamp::parse(&text))
    }

    /// The value, where nothing was noted; else everything that was.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, ApiError> {
        let Self { mut unreadable, broken } = self;
        match value {
            Some(value) if unreadable.is_empty() && broken.is_empty() => Ok(value),
            _ if unreadable.is_empty() => Err(ApiError::Refused(RefusalKind::RuleBroken, broken)),
            _ => {
                unreadable.extend(broken);
                Err(ApiError::Refused(RefusalKind::Unreadable, unreadable))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(reading: Reading) -> (RefusalKind, Vec<&'static str>) {
        match reading.finish(None::<()>) {
            Err(ApiError::Refused(kind, details)) => (kind, details.iter().map(|detail| detail.rule).collect()),
            other => panic!("expected a refusal, not {other:?}"),
        }
    }

    #[test]
    fn a_broken_rule_alone_is_unprocessable() {
        let mut reading = Reading::default();
        reading.check("/a", Err::<(), _>(Violation::MinCharacters(1)));
        assert_eq!(refusal(reading), (RefusalKind::RuleBroken, vec!["min_characters"]));
    }

    #[test]
    fn what_is_unreadable_outweighs_broken_rules_and_all_are_told() {
        let mut reading = Reading::default();
        reading.check("/a", Err::<(), _>(Violation::Nul));
        reading.required::<String>("/b", Member::Absent);
        reading.optional::<String>("/c", Member::Null);
        assert_eq!(refusal(reading), (RefusalKind::Unreadable, vec!["required", "type", "no_nul"]));
    }
}
