//! Identifiers that the service generates: upper-case letters and digits, with one type for each kind of object.

use std::{fmt, hash::Hash, marker::PhantomData, sync::Arc};

use arrayvec::ArrayString;

use crate::{text::Violation, time::Timestamp};

/// Generates identifiers. The domain has no source of randomness.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait IdSource: Send + Sync {
    /// The 128 bits of a new ULID. It is unique, and greater than all earlier ones of the same process, so identifiers
    /// order by arrival.
    fn next(&self, at: Timestamp) -> u128;
}

/// The pattern of every identifier: one or more of `A` to `Z` and `0` to `9` (spec §2.1).
pub const PATTERN: &str = "^[A-Z0-9]+$";

/// The characters of a ULID (its specification): 26 of five bits each, of which the first has three.
pub(crate) const ULID_CHARACTERS: usize = 26;

/// The identifier of one kind of object: one or more of `A` to `Z` and `0` to `9` (spec §2.1).
pub struct Id<Kind> {
    text: IdText,
    kind: PhantomData<fn() -> Kind>,
}

/// The text of an identifier. Nearly all are ULIDs, which are stored inline without an allocation: a page of messages
/// has a hundred of them.
#[derive(Clone)]
enum IdText {
    Inline(ArrayString<ULID_CHARACTERS>),
    Shared(Arc<str>),
}

impl IdText {
    fn new(text: &str) -> Self {
        ArrayString::from(text).map_or_else(|_| Self::Shared(text.into()), Self::Inline)
    }

    fn as_str(&self) -> &str {
        match self {
            Self::Inline(text) => text,
            Self::Shared(text) => text,
        }
    }
}

/// Marks identifiers of conversations.
#[derive(Debug)]
pub enum ConversationKind {}

/// Marks identifiers of messages.
#[derive(Debug)]
pub enum MessageKind {}

/// Marks identifiers of vocabulary entries.
#[derive(Debug)]
pub enum VocabularyEntryKind {}

/// Identifies a conversation within its tenant.
pub type ConversationId = Id<ConversationKind>;

/// Identifies a message within its conversation. Messages with the same client timestamp order by arrival.
pub type MessageId = Id<MessageKind>;

/// Identifies a vocabulary entry within its tenant. Entries order by arrival.
pub type VocabularyEntryId = Id<VocabularyEntryKind>;

impl<Kind> Id<Kind> {
    /// Parses an identifier.
    ///
    /// # Errors
    /// [`Violation::Pattern`] unless the text is one or more upper-case ASCII letters and digits.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        Self::check(text)?;
        Ok(Self { text: IdText::new(text), kind: PhantomData })
    }

    /// Checks that a text is a valid identifier, without a copy.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn check(text: &str) -> Result<(), Violation> {
        if !text.is_empty() && is_uppercase_alphanumeric(text.as_bytes()) {
            Ok(())
        } else {
            Err(Violation::Pattern(PATTERN))
        }
    }

    /// The identifier with these bits in ULID form: 26 characters of Crockford's base 32, which order as the bits do.
    #[must_use]
    pub fn from_bits(bits: u128) -> Self {
        Self { text: IdText::new(&ulid_text(bits)), kind: PhantomData }
    }

    /// The identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }
}

/// Whether all bytes are upper-case letters or digits. The loop has no early exit, so that it is vectorised.
fn is_uppercase_alphanumeric(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |is_valid, byte| is_valid & (byte.is_ascii_uppercase() | byte.is_ascii_digit()))
}

/// The ULID form of 128 bits.
pub(crate) fn ulid_text(bits: u128) -> String {
    const CROCKFORD: [char; 32] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'M', 'N',
        'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
    ];
    let mut text = String::with_capacity(ULID_CHARACTERS);
    text.extend((0..ULID_CHARACTERS).rev().filter_map(|digit| CROCKFORD.get((bits >> (5 * digit)) as usize & 31)));
    text
}

// Derived implementations would require the same traits of `Kind`, which is never a value.
impl<Kind> Clone for Id<Kind> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), kind: PhantomData }
    }
}

impl<Kind> fmt::Debug for Id<Kind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Id").field(&self.as_str()).finish()
    }
}

impl<Kind> fmt::Display for Id<Kind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<Kind> PartialEq for Id<Kind> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl<Kind> Eq for Id<Kind> {}

impl<Kind> PartialOrd for Id<Kind> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<Kind> Ord for Id<Kind> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl<Kind> Hash for Id<Kind> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upper_case_letters_and_digits_are_accepted() {
        assert_eq!(ConversationId::parse("01JZX9").unwrap().as_str(), "01JZX9");
    }

    #[test]
    fn an_id_of_any_length_keeps_its_text() {
        for length in [1, 25, 26, 27, 300] {
            let text = "Z".repeat(length);
            assert_eq!(MessageId::parse(&text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn ids_of_two_lengths_order_as_their_texts_do() {
        let [shorter, longer] = [26, 27].map(|length| MessageId::parse(&"A".repeat(length)).unwrap());
        assert!(shorter < longer && MessageId::parse("B").unwrap() > longer);
    }

    #[test]
    fn bits_are_formatted_as_a_ulid() {
        assert_eq!(MessageId::from_bits(u128::MAX).as_str(), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
        assert_eq!(MessageId::from_bits(33).as_str(), "00000000000000000000000011");
    }

    #[test]
    fn ids_order_as_their_bits_do() {
        assert!(MessageId::from_bits(1 << 80) > MessageId::from_bits((1 << 80) - 1));
    }

    #[test]
    fn other_characters_are_refused() {
        for text in ["", "abc", "A-B", "A B", "É", "A\0", "../A", "%41"] {
            assert_eq!(ConversationId::parse(text), Err(Violation::Pattern("^[A-Z0-9]+$")), "{text:?}");
        }
    }
}
