//! The tenant, which owns all stored data.

use std::fmt;

use crate::{limits::TENANT_MAX_CHARACTERS, text::Violation};

/// A tenant's name: 1 to 64 of the ASCII letters, digits, `-` and `_`. The first is a letter or a digit.
///
/// The name is the first part of every key in the database and names a folder of feeds. It is safe in both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantId(Box<str>);

impl TenantId {
    /// The pattern of a tenant's name. It allows one character and [`TENANT_MAX_CHARACTERS`] - 1 more.
    pub const PATTERN: &'static str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

    /// Parses a tenant's name.
    ///
    /// # Errors
    /// [`Violation::Pattern`] if the text does not have this form.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        let all = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if !first || !all || text.len() > TENANT_MAX_CHARACTERS {
            return Err(Violation::Pattern(Self::PATTERN));
        }
        Ok(Self(text.into()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_digits_dashes_and_underscores_are_accepted() {
        assert!(TenantId::parse("acme-north_2").is_ok());
        assert!(TenantId::parse(&"a".repeat(64)).is_ok());
    }

    #[test]
    fn characters_with_a_meaning_in_paths_or_keys_are_refused() {
        for text in ["", "-a", "_a", ".", "..", "a/b", "a.b", "a b", "é", "a\0"] {
            assert!(TenantId::parse(text).is_err(), "{text:?}");
        }
        assert!(TenantId::parse(&"a".repeat(65)).is_err());
    }
}
