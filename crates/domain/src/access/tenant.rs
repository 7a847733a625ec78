//! The tenant that everything stored belongs to.

use std::fmt;

use crate::{limits::TENANT_MAX_CHARACTERS, text::Violation};

/// A tenant's name: 1 to 64 of the ASCII letters, digits, `-` and `_`, the first a letter or digit.
///
/// It leads every key in the database and names a folder of feeds, so it is safe in both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantId(Box<str>);

impl TenantId {
    /// Reads a tenant's name.
    ///
    /// # Errors
    /// [`Violation::Pattern`] where it is not of the form above.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let first = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        let all = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        if !first || !all || text.len() > TENANT_MAX_CHARACTERS {
            return Err(Violation::Pattern("^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"));
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
    fn letters_digits_dashes_and_underscores_make_a_tenant() {
        assert!(TenantId::parse("acme-north_2").is_ok());
        assert!(TenantId::parse(&"a".repeat(64)).is_ok());
    }

    #[test]
    fn what_could_mean_something_in_a_path_or_key_does_not() {
        for text in ["", "-a", "_a", ".", "..", "a/b", "a.b", "a b", "é", "a\0"] {
            assert!(TenantId::parse(text).is_err(), "{text:?}");
        }
        assert!(TenantId::parse(&"a".repeat(65)).is_err());
    }
}
