//! The masked ranges of a stored text, in the text form in which they are stored.

use std::fmt::Write;

use crate::{
    redaction::{Entity, MaskedRange, Span, masked_ranges},
    text::Violation,
};

/// The form of each range; ranges are separated by spaces.
const FORM: &str = "START-END:LABEL";

/// The masked ranges of a message's text with their entities, as text: `8-19:SSN 40-44:CVV`. The offsets count Unicode
/// scalar values of the masked text.
///
/// A label names the entity, and not its index, so that a program can read the ranges of entities that it does not
/// know. It leaves them out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redactions(Option<Box<str>>);

impl Redactions {
    /// No masked range.
    pub const NONE: Self = Self(None);

    /// Parses the stored form; `None` is no range.
    ///
    /// # Errors
    /// [`Violation::Pattern`] if the text does not have the stored form.
    pub fn parse(stored: Option<&str>) -> Result<Self, Violation> {
        Self::check(stored)?;
        Ok(Self(stored.map(Into::into)))
    }

    /// Checks that a text has the stored form.
    pub(crate) fn check(stored: Option<&str>) -> Result<(), Violation> {
        let Some(stored) = stored else { return Ok(()) };
        let is_valid = stored.split(' ').all(|range| parse_range(range).is_some_and(|(start, end, _)| start < end));
        if is_valid { Ok(()) } else { Err(Violation::Pattern(FORM)) }
    }

    /// The stored form; `None` if there is no range.
    #[must_use]
    pub fn stored(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The ranges of this text, in order.
    ///
    /// The program of the release before masks stored texts without changing their ranges. A range that does not fit the
    /// text, or in which nothing is masked, is therefore left out.
    #[must_use]
    pub fn ranges_in(&self, text: &str) -> Vec<MaskedRange<Entity>> {
        let Some(stored) = self.stored() else { return Vec::new() };
        let characters: Vec<_> = text.chars().collect();
        let is_masked = |range: &MaskedRange<Entity>| {
            characters.get(range.start..range.end).is_some_and(|characters| characters.contains(&'*'))
        };
        let parse = |range| {
            let (start, end, label) = parse_range(range)?;
            Some(MaskedRange { start, end, finding: Entity::from_label(label)? })
        };
        stored.split(' ').filter_map(parse).filter(is_masked).collect()
    }

    /// What masking left of this text: the parts before, between and after the asterisks within the ranges, whatever their
    /// entities are. An asterisk outside the ranges was in the text before. One part if nothing is masked.
    pub(super) fn readable_parts<'text>(&self, text: &'text str) -> Vec<&'text str> {
        let stored = self.stored().unwrap_or_default();
        let mut ranges = stored.split(' ').filter_map(parse_range).peekable();
        let (mut parts, mut from) = (Vec::new(), 0);
        for (index, (at, _)) in text.char_indices().enumerate().filter(|(_, (_, letter))| *letter == '*') {
            while ranges.next_if(|(_, end, _)| *end <= index).is_some() {}
            if ranges.peek().is_some_and(|(start, ..)| *start <= index) {
                parts.extend(text.get(from..at));
                from = at + 1;
            }
        }
        parts.extend(text.get(from..));
        parts
    }

    /// The ranges after these spans of `text` are masked.
    pub(super) fn after_masking(&self, text: &str, spans: &[Span]) -> Self {
        if spans.is_empty() {
            return self.clone();
        }
        Self::from_ranges(&masked_ranges(&self.ranges_in(text), text, spans))
    }

    fn from_ranges(ranges: &[MaskedRange<Entity>]) -> Self {
        let stored = ranges.iter().fold(String::new(), |mut stored, range| {
            let separator = if stored.is_empty() { "" } else { " " };
            // Writing to a String cannot fail.
            let _ = write!(stored, "{separator}{}-{}:{}", range.start, range.end, range.finding.label());
            stored
        });
        Self(Some(stored).filter(|stored| !stored.is_empty()).map(Into::into))
    }
}

fn parse_range(range: &str) -> Option<(usize, usize, &str)> {
    let (offsets, label) = range.split_once(':')?;
    let (start, end) = offsets.split_once('-')?;
    let is_label = label.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let number = |digits: &str| digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    Some((number(start)?, number(end)?, label)).filter(|_| is_label && !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: usize, end: usize, finding: Entity) -> MaskedRange<Entity> {
        MaskedRange { start, end, finding }
    }

    #[test]
    fn ranges_survive_the_stored_form() {
        let ranges = [range(0, 3, Entity::CVV), range(5, 9, Entity::SSN)];
        let redactions = Redactions::from_ranges(&ranges);
        assert_eq!(redactions.stored(), Some("0-3:CVV 5-9:SSN"));
        assert_eq!(Redactions::parse(redactions.stored()).unwrap().ranges_in("*** é***"), ranges[..1]);
        assert_eq!(Redactions::parse(redactions.stored()).unwrap().ranges_in("*** é****"), ranges);
        assert_eq!(Redactions::from_ranges(&[]), Redactions::NONE);
    }

    #[test]
    fn only_the_stored_form_is_accepted() {
        for stored in
            ["", " ", "1-2", "1-2:", "2-1:SSN", "1-1:SSN", "+1-2:SSN", "1-2:ssn", "1-2:SSN ", "1-2:SSN  3-4:CVV"]
        {
            assert!(Redactions::parse(Some(stored)).is_err(), "{stored:?}");
        }
        assert_eq!(Redactions::parse(None), Ok(Redactions::NONE));
    }

    #[test]
    fn only_asterisks_within_a_range_stand_for_what_was_masked() {
        let parts = |stored, text| Redactions::parse(stored).unwrap().readable_parts(text);
        assert_eq!(parts(None, "2 * 3"), ["2 * 3"]);
        assert_eq!(parts(Some("0-1:SSN"), "2 * 3"), ["2 * 3"]);
        assert_eq!(parts(Some("4-9:PIN"), "é * **-99 *"), ["é * ", "", "-99 *"]);
        assert_eq!(parts(Some("0-2:PIN 3-5:NEWER_ENTITY"), "** **"), ["", "", " ", "", ""]);
        assert_eq!(parts(Some("0-99:PIN"), "a*"), ["a", ""]);
    }

    #[test]
    fn a_range_that_does_not_fit_the_text_and_one_of_an_unknown_entity_are_left_out() {
        let redactions = Redactions::parse(Some("0-2:CVV 3-5:NEWER_ENTITY 6-8:PIN 6-99:SSN")).unwrap();
        assert_eq!(redactions.ranges_in("** ** ab"), [range(0, 2, Entity::CVV)]);
    }
}
