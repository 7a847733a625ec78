//! Bounded texts: each input is parsed into one of these types once and is valid from then on.

use std::ops::Range;

use bytestring::ByteString;
use smol_str::SmolStr;

use crate::limits::{EXTERNAL_ID_MAX_CHARACTERS, MESSAGE_TEXT_MIN_CHARACTERS, NAME_MAX_CHARACTERS};

/// The rule that a value breaks. It contains limits but never the value, so callers may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Fewer characters than the limit.
    #[error("must have at least {0} character{s}", s = if *.0 == 1 { "" } else { "s" })]
    MinCharacters(usize),
    /// More characters than the limit.
    #[error("must have at most {0} characters")]
    MaxCharacters(usize),
    /// More pairs than the limit.
    #[error("must have at most {0} pairs")]
    MaxPairs(usize),
    /// Fewer items than the limit.
    #[error("must have at least {0} item{s}", s = if *.0 == 1 { "" } else { "s" })]
    MinItems(usize),
    /// More items than the limit.
    #[error("must have at most {0} items")]
    MaxItems(usize),
    /// A control character (Unicode category Cc) in an identifier.
    #[error("must not contain control characters")]
    ControlCharacter,
    /// A NUL character, which some databases cannot store.
    #[error("must not contain the character NUL")]
    Nul,
    /// The text does not match the contained pattern.
    #[error("must match {0}")]
    Pattern(&'static str),
    /// The value is not a whole number from the first limit to the second.
    #[error("must be a whole number from {0} to {1}")]
    Range(u64, u64),
}

impl Violation {
    /// The stable name of the rule, for programs.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::MinCharacters(_) => "min_characters",
            Self::MaxCharacters(_) => "max_characters",
            Self::MaxPairs(_) => "max_pairs",
            Self::MinItems(_) => "min_items",
            Self::MaxItems(_) => "max_items",
            Self::ControlCharacter => "no_control_characters",
            Self::Nul => "no_nul",
            Self::Pattern(_) => "pattern",
            Self::Range(..) => "range",
        }
    }
}

/// Checks an identifier: 1 to `max` characters and no control character.
pub(crate) fn check_identifier(text: &str, max: usize) -> Result<(), Violation> {
    check_length(text, 1, max)?;
    // Most identifiers are printable ASCII. This check needs no decoding and is vectorised.
    let printable = text.bytes().fold(true, |all, byte| all & (b' '..=b'~').contains(&byte));
    if !printable && text.chars().any(char::is_control) {
        return Err(Violation::ControlCharacter);
    }
    Ok(())
}

/// Checks free text: `min` to `max` characters and no NUL.
pub(crate) fn check_text(text: &str, min: usize, max: usize) -> Result<(), Violation> {
    check_length(text, min, max)?;
    if contains_nul(text.as_bytes()) {
        return Err(Violation::Nul);
    }
    Ok(())
}

/// Whether the bytes contain a NUL. The loop has no early exit, so that it is vectorised.
#[expect(clippy::needless_bitwise_bool, reason = "avoids a branch for each byte")]
fn contains_nul(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |any, byte| any | (*byte == 0))
}

fn check_length(text: &str, min: usize, max: usize) -> Result<(), Violation> {
    // A text never has more characters than bytes, so most texts need no count.
    let fits = text.len() <= max || text.chars().nth(max).is_none();
    if !fits {
        return Err(Violation::MaxCharacters(max));
    }
    if min > 0 && text.chars().nth(min - 1).is_none() {
        return Err(Violation::MinCharacters(min));
    }
    Ok(())
}

/// The text without white space (Unicode) at its ends.
pub(crate) fn trimmed(text: String) -> String {
    let inner = text.trim();
    if inner.len() == text.len() { text } else { inner.to_owned() }
}

/// Defines a type of checked texts. The text is stored as a [`String`] or as the type after `as`. A normalisation
/// function, if given, is applied before the check.
macro_rules! text_type {
    ($(#[$doc:meta])* $name:ident, $check:expr) => {
        $crate::text::text_type!($(#[$doc])* $name as String, $check);
    };
    ($(#[$doc:meta])* $name:ident as $inner:ty, $check:expr) => {
        $crate::text::text_type!($(#[$doc])* $name as $inner, |text| text, $check);

        impl $name {
            /// Checks the bounds of this type without a copy of the text.
            ///
            /// # Errors
            /// As [`parse`](Self::parse).
            pub fn check(text: &str) -> Result<(), $crate::text::Violation> {
                let check: fn(&str) -> Result<(), $crate::text::Violation> = $check;
                check(text)
            }
        }
    };
    ($(#[$doc:meta])* $name:ident, $normalise:expr, $check:expr) => {
        $crate::text::text_type!($(#[$doc])* $name as String, $normalise, $check);
    };
    ($(#[$doc:meta])* $name:ident as $inner:ty, $normalise:expr, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($inner);

        impl $name {
            /// Parses a text within the bounds of this type.
            ///
            /// # Errors
            /// The first rule that `text` breaks.
            pub fn parse(text: impl Into<$inner>) -> Result<Self, $crate::text::Violation> {
                let normalise: fn($inner) -> $inner = $normalise;
                let check: fn(&str) -> Result<(), $crate::text::Violation> = $check;
                let text = normalise(text.into());
                check(&text)?;
                Ok(Self(text))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The owned text.
            #[must_use]
            pub fn into_string(self) -> String {
                self.0.into()
            }
        }
    };
}

pub(crate) use text_type;

text_type!(
    /// An identifier in the caller's system: 1 to 256 characters, no control characters.
    ///
    /// Short identifiers are stored inline, which saves an allocation for each message that is read.
    ExternalId as SmolStr,
    |text| check_identifier(text, EXTERNAL_ID_MAX_CHARACTERS)
);

text_type!(
    /// A participant's display name: up to 256 characters, no NUL.
    DisplayName,
    |text| check_text(text, 0, NAME_MAX_CHARACTERS)
);

text_type!(
    /// The text of a message: at least one character, no NUL.
    ///
    /// Clones share their memory, and so do texts that were read together. Keeping one text of a page keeps the memory
    /// of the whole page.
    MessageText as ByteString,
    |text| check_text(text, MESSAGE_TEXT_MIN_CHARACTERS, usize::MAX)
);

impl MessageText {
    /// The text in this byte range of `texts`, which must already be valid.
    pub(crate) fn slice_of(texts: &ByteString, range: Range<usize>) -> Self {
        Self(texts.slice_ref(texts.get(range).unwrap_or_default()))
    }

    /// A copy with its own memory, to keep longer than the texts that were read with it.
    pub(crate) fn deep_copy(&self) -> Self {
        Self(self.as_str().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_id_may_have_256_characters_of_any_width() {
        assert!(ExternalId::parse("🦀".repeat(256)).is_ok());
    }

    #[test]
    fn an_external_id_of_any_length_keeps_its_text() {
        for length in [1, 22, 23, 24, 256] {
            let text = "a".repeat(length);
            let id = ExternalId::parse(text.as_str()).unwrap();
            assert_eq!((id.as_str(), id.clone().into_string()), (text.as_str(), text.clone()));
        }
    }

    #[test]
    fn an_external_id_of_257_characters_is_too_long() {
        assert_eq!(ExternalId::parse("é".repeat(257)), Err(Violation::MaxCharacters(256)));
    }

    #[test]
    fn an_empty_external_id_is_refused() {
        assert_eq!(ExternalId::parse(""), Err(Violation::MinCharacters(1)));
    }

    #[test]
    fn an_external_id_holds_no_control_character() {
        for text in ["a\0b", "a\nb", "a\u{7f}", "\u{85}"] {
            assert_eq!(ExternalId::parse(text), Err(Violation::ControlCharacter));
        }
    }

    #[test]
    fn a_name_may_be_empty() {
        assert!(DisplayName::parse("").is_ok());
    }

    #[test]
    fn a_message_may_hold_line_breaks_but_no_nul() {
        assert!(MessageText::parse("first\nsecond\tthird").is_ok());
        assert_eq!(MessageText::parse("a\0b"), Err(Violation::Nul));
    }

    #[test]
    fn a_message_may_not_be_empty() {
        assert_eq!(MessageText::parse(""), Err(Violation::MinCharacters(1)));
    }

    #[test]
    fn a_violation_reads_as_a_rule() {
        assert_eq!(Violation::MinCharacters(1).to_string(), "must have at least 1 character");
        assert_eq!(Violation::MaxCharacters(256).to_string(), "must have at most 256 characters");
    }
}
