//! The canonical byte form of a request, which is the same for all encodings of the request.

use crate::time::Timestamp;

/// A request that can be written in canonical form. Repeats are recognised by this form.
///
/// Two requests have the same form exactly if they ask for the same. The order of members, white space between them,
/// escapes in texts and time zones make no difference.
pub trait Canonicalize {
    /// Appends the request to a form. MUST append every part that affects the outcome of the request.
    fn write_canonical(&self, form: &mut CanonicalForm);
}

/// A canonical form under construction. Each part includes its length, so two different requests cannot have the same
/// form.
#[derive(Debug, Default)]
pub struct CanonicalForm(Vec<u8>);

impl CanonicalForm {
    /// The form of a request.
    #[must_use]
    pub fn from_request(request: &impl Canonicalize) -> Self {
        let mut form = Self::default();
        request.write_canonical(&mut form);
        form
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Appends a text.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Appends a timestamp as microseconds in UTC.
    pub fn time(&mut self, time: Timestamp) {
        self.0.extend_from_slice(&time.as_micros().to_be_bytes());
    }

    /// Appends the number of parts that follow.
    pub fn count(&mut self, count: usize) {
        self.0.extend_from_slice(&(count as u64).to_be_bytes());
    }

    /// Appends the tag of the variant that follows.
    pub fn tag(&mut self, kind: u8) {
        self.0.push(kind);
    }

    /// Appends whether a part is present, and then the part.
    pub fn optional<T>(&mut self, part: Option<T>, add: impl FnOnce(&mut Self, T)) {
        self.tag(part.is_some().into());
        if let Some(part) = part {
            add(self, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(add: impl FnOnce(&mut CanonicalForm)) -> Vec<u8> {
        let mut form = CanonicalForm::default();
        add(&mut form);
        form.0
    }

    fn texts(texts: &[&str]) -> Vec<u8> {
        form(|form| {
            for text in texts {
                form.text(text);
            }
        })
    }

    #[test]
    fn texts_with_different_boundaries_have_different_forms() {
        assert_ne!(texts(&["ab", "c"]), texts(&["a", "bc"]));
        assert_ne!(texts(&["a", ""]), texts(&["", "a"]));
    }

    #[test]
    fn equal_times_in_two_zones_have_one_form() {
        let time = |text| form(|form| form.time(Timestamp::parse(text).unwrap()));
        assert_eq!(time("2026-01-31T09:30:00Z"), time("2026-01-31T10:30:00.000+01:00"));
        assert_ne!(time("2026-01-31T09:30:00Z"), time("2026-01-31T09:30:00.000001Z"));
    }

    #[test]
    fn a_missing_part_differs_from_an_empty_part() {
        let optional = |part: Option<&str>| form(|form| form.optional(part, CanonicalForm::text));
        assert_ne!(optional(None), optional(Some("")));
    }
}
