//! What a request means, as bytes: the same for every way to write it down.

use crate::time::Timestamp;

/// A request whose repeats are recognised by what it means.
///
/// Two requests have one form exactly where they ask for the same: the order of members, blanks between them, escapes in
/// texts and zones of times make no difference.
pub trait Canonical {
    /// Adds the request to a form. MUST add every part that makes a difference to what is carried out.
    fn add_to(&self, form: &mut CanonicalForm);
}

/// A form under construction. Each part says its own length, so that no two requests can have one form by chance.
#[derive(Debug, Default)]
pub struct CanonicalForm(Vec<u8>);

impl CanonicalForm {
    /// The form of a request.
    #[must_use]
    pub fn of(request: &impl Canonical) -> Self {
        let mut form = Self::default();
        request.add_to(&mut form);
        form
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds a text as it is.
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Adds a time, by its microseconds in UTC.
    pub fn time(&mut self, time: Timestamp) {
        self.0.extend_from_slice(&time.as_micros().to_be_bytes());
    }

    /// Adds how many parts follow.
    pub fn count(&mut self, count: usize) {
        self.0.extend_from_slice(&(count as u64).to_be_bytes());
    }

    /// Adds which of several things follows, by a byte of its own.
    pub fn kind(&mut self, kind: u8) {
        self.0.push(kind);
    }

    /// Adds whether a part is there, and the part.
    pub fn optional<T>(&mut self, part: Option<T>, add: impl FnOnce(&mut Self, T)) {
        self.kind(part.is_some().into());
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
    fn texts_that_are_cut_elsewhere_are_others() {
        assert_ne!(texts(&["ab", "c"]), texts(&["a", "bc"]));
        assert_ne!(texts(&["a", ""]), texts(&["", "a"]));
    }

    #[test]
    fn one_moment_in_two_zones_is_one_time() {
        let time = |text| form(|form| form.time(Timestamp::parse(text).unwrap()));
        assert_eq!(time("2026-01-31T09:30:00Z"), time("2026-01-31T10:30:00.000+01:00"));
        assert_ne!(time("2026-01-31T09:30:00Z"), time("2026-01-31T09:30:00.000001Z"));
    }

    #[test]
    fn a_part_that_is_missing_is_not_one_that_is_empty() {
        let optional = |part: Option<&str>| form(|form| form.optional(part, CanonicalForm::text));
        assert_ne!(optional(None), optional(Some("")));
    }
}
