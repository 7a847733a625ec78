//! The receipt of an erasure: what was erased, when, where, and which copies it does not cover.

use crate::{
    access::TenantId,
    audit::ChainHead,
    id::Id,
    limits::{PRIVACY_REFERENCE_MAX_CHARACTERS, RECEIPT_ISSUE_MAX},
    privacy::IdentifierDigest,
    text::{Violation, check_identifier, text_type},
    time::Timestamp,
};

/// Maximum characters of the sentence about copies that are not covered.
const REASON_MAX_CHARACTERS: usize = 400;

/// Maximum characters of the name of a place and of the code of an uncovered copy.
const WORD_MAX_CHARACTERS: usize = 40;

/// The pattern of the name of a place and of the code of an uncovered copy.
const WORD_PATTERN: &str = "^[a-z][a-z0-9_]{0,39}$";

/// Marks identifiers of privacy requests.
#[derive(Debug)]
pub enum PrivacyRequestKind {}

/// Identifies a privacy request within its tenant.
pub type PrivacyRequestId = Id<PrivacyRequestKind>;

/// The SHA-256 digest of the bytes that the signature of a receipt covers.
pub type ReceiptDigest = [u8; 32];

/// The position in the tenant's audit log that a receipt refers to.
pub type AuditPosition = ChainHead;

text_type!(
    /// The operator's own reference of an erasure, such as a ticket number: up to 256 characters, no control
    /// characters. Empty if the erasure had none.
    ErasureReference,
    |text| if text.is_empty() { Ok(()) } else { check_identifier(text, PRIVACY_REFERENCE_MAX_CHARACTERS) }
);

text_type!(
    /// The name of a place or the code of an uncovered copy: a lower-case letter and up to 39 lower-case letters, digits
    /// and underscores.
    ReceiptWord,
    |text| {
        let starts_with_letter = text.starts_with(|first: char| first.is_ascii_lowercase());
        let is_word = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_';
        let is_valid = starts_with_letter && text.bytes().all(is_word) && text.len() <= WORD_MAX_CHARACTERS;
        if is_valid { Ok(()) } else { Err(Violation::Pattern(WORD_PATTERN)) }
    }
);

text_type!(
    /// The sentence that says which copies are not covered: 1 to 400 characters, no control characters.
    UncoveredReason,
    |text| check_identifier(text, REASON_MAX_CHARACTERS)
);

/// The number of a receipt among those of one request: 1 is the first, 2 the one after a compaction of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptIssue(u16);

impl ReceiptIssue {
    /// A number of a receipt.
    ///
    /// # Errors
    /// [`Violation::Range`] outside 1 to [`RECEIPT_ISSUE_MAX`].
    pub fn new(number: u64) -> Result<Self, Violation> {
        let valid = u16::try_from(number).ok().filter(|number| (1..=RECEIPT_ISSUE_MAX).contains(number));
        valid.map(Self).ok_or(Violation::Range(1, RECEIPT_ISSUE_MAX.into()))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }
}

/// What an erasure was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErasureKind {
    /// One conversation.
    Conversation,
    /// All data of one customer.
    Customer,
    /// The data that a retention rule no longer keeps.
    Retention,
    /// All data of the tenant.
    Tenant,
}

impl ErasureKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Conversation, Self::Customer, Self::Retention, Self::Tenant];

    /// The name in a receipt.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Customer => "customer",
            Self::Retention => "retention",
            Self::Tenant => "tenant",
        }
    }

    /// Parses the name in a receipt.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether an erasure of this kind is about one subject.
    #[must_use]
    pub fn has_subject(self) -> bool {
        matches!(self, Self::Conversation | Self::Customer)
    }
}

/// The number of objects that were erased in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceCount {
    /// The name of the place, such as `messages` or `feed_files`. In a receipt of another release, it can be one that is no
    /// [`ErasurePlace`](super::ErasurePlace).
    pub place: ReceiptWord,
    /// The number of objects, at most 2^53 - 1.
    pub count: u64,
}

/// Copies that the erasure does not cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncoveredCopy {
    /// The code, for programs.
    pub code: ReceiptWord,
    /// The sentence, for people.
    pub reason: UncoveredReason,
}

/// The receipt of one erasure. It holds no external identifier in clear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureReceipt {
    /// The tenant whose data was erased.
    pub tenant: TenantId,
    /// The request that was carried out.
    pub request: PrivacyRequestId,
    /// What the erasure was about.
    pub kind: ErasureKind,
    /// The subject. Present exactly if the kind [has a subject](ErasureKind::has_subject).
    pub subject: Option<IdentifierDigest>,
    /// The operator's reference.
    pub reference: ErasureReference,
    /// The time of the request, by the service's clock.
    pub requested_at: Timestamp,
    /// The time at which the erasure was complete, by the service's clock; in a second receipt, the time at which the
    /// database was compacted.
    pub completed_at: Timestamp,
    /// The counts by place, at most [`MAX_ENTRIES`](Self::MAX_ENTRIES). Each place occurs once.
    pub counts: Vec<PlaceCount>,
    /// The copies that are not covered, at most [`MAX_ENTRIES`](Self::MAX_ENTRIES). Each code occurs once.
    pub not_covered: Vec<UncoveredCopy>,
    /// The record of the erasure in the tenant's audit log; its sequence is at most 2^53 - 1.
    pub audit: AuditPosition,
    /// The digest of the tenant's previous receipt; [`FIRST`](Self::FIRST) in the first receipt.
    pub previous: ReceiptDigest,
}

impl ErasureReceipt {
    /// The version of the format.
    pub const VERSION: u64 = 1;

    /// Maximum number of counts, and of uncovered copies.
    pub const MAX_ENTRIES: usize = 64;

    /// The largest number in a receipt, 2^53 - 1. Programs that read numbers as floating point do not round it.
    pub const MAX_NUMBER: u64 = (1 << 53) - 1;

    /// The digest that stands for the previous receipt in the first receipt of a tenant.
    pub const FIRST: ReceiptDigest = [0; 32];
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::privacy) fn sample_receipt() -> ErasureReceipt {
        let place = |place: &str, count| PlaceCount { place: ReceiptWord::parse(place).unwrap(), count };
        ErasureReceipt {
            tenant: TenantId::parse("acme").unwrap(),
            request: PrivacyRequestId::parse("01JZX9").unwrap(),
            kind: ErasureKind::Customer,
            subject: Some(IdentifierDigest([0xab; 32])),
            reference: ErasureReference::parse("CHG-\"7\" Zoë").unwrap(),
            requested_at: Timestamp::EPOCH,
            completed_at: Timestamp::EPOCH.plus_seconds(90),
            counts: vec![place("messages", 12), place("conversations", 3)],
            not_covered: vec![UncoveredCopy {
                code: ReceiptWord::parse("server_logs").unwrap(),
                reason: UncoveredReason::parse("Logs are not covered.").unwrap(),
            }],
            audit: ChainHead { sequence: 41, hash: [0xcd; 32] },
            previous: ErasureReceipt::FIRST,
        }
    }

    #[test]
    fn every_kind_is_parsed_from_its_name() {
        for kind in ErasureKind::ALL {
            assert_eq!(ErasureKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(ErasureKind::parse("Customer"), None);
    }

    #[test]
    fn the_number_of_a_receipt_is_one_to_a_hundred() {
        let accepted = |number| ReceiptIssue::new(number).map(ReceiptIssue::get).ok();
        assert_eq!([0, 1, 100, 101].map(accepted), [None, Some(1), Some(100), None]);
    }

    #[test]
    fn a_word_is_lower_case_and_bounded() {
        for text in ["a", "feed_files", "wal_2", &"a".repeat(40)] {
            assert!(ReceiptWord::parse(text).is_ok(), "{text}");
        }
        for text in ["", "_a", "2a", "A", "a-b", "é", &"a".repeat(41)] {
            assert_eq!(ReceiptWord::parse(text), Err(Violation::Pattern(WORD_PATTERN)), "{text}");
        }
    }

    #[test]
    fn a_reference_may_be_empty_and_has_no_control_character() {
        assert!(ErasureReference::parse("").is_ok() && ErasureReference::parse("é".repeat(256)).is_ok());
        assert!(ErasureReference::parse("a\nb").is_err() && ErasureReference::parse("é".repeat(257)).is_err());
    }
}
