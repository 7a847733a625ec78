//! The places from which erasures remove objects.

use super::receipt::{PlaceCount, ReceiptWord};
use crate::error::{StoreError, StoreErrorKind};

/// A place from which an erasure removes objects that a tenant knows. What the service keeps beside them, such as indexes and
/// progress, is removed with them and has no place, because the erasure itself changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErasurePlace {
    /// Conversations.
    Conversations,
    /// Credentials of the interface.
    Credentials,
    /// Files of feeds.
    FeedFiles,
    /// Days and hours of feeds that were written again.
    FeedPeriods,
    /// Holds. An erasure with a receipt has none, because a hold refuses it.
    Holds,
    /// Records of requests with an idempotency key.
    IdempotencyRecords,
    /// Messages.
    Messages,
    /// Messages of the customer in conversations of others.
    MessagesElsewhere,
    /// Privacy requests, with their archives.
    PrivacyRequests,
    /// The tenant's own settings of entities.
    RedactionFlags,
    /// Records of changes of these settings.
    RedactionSwitches,
    /// Retention rules.
    RetentionRules,
    /// Addresses that open a stream of events once.
    StreamAddresses,
    /// Records of changes of the vocabulary.
    VocabularyChanges,
    /// Entries of the vocabulary.
    VocabularyEntries,
    /// Deliveries to webhooks.
    WebhookDeliveries,
    /// Webhooks.
    Webhooks,
}

impl ErasurePlace {
    /// All places, in the order of their names.
    pub const ALL: [Self; 17] = [
        Self::Conversations,
        Self::Credentials,
        Self::FeedFiles,
        Self::FeedPeriods,
        Self::Holds,
        Self::IdempotencyRecords,
        Self::Messages,
        Self::MessagesElsewhere,
        Self::PrivacyRequests,
        Self::RedactionFlags,
        Self::RedactionSwitches,
        Self::RetentionRules,
        Self::StreamAddresses,
        Self::VocabularyChanges,
        Self::VocabularyEntries,
        Self::WebhookDeliveries,
        Self::Webhooks,
    ];

    /// The name in receipts and dry runs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Conversations => "conversations",
            Self::Credentials => "credentials",
            Self::FeedFiles => "feed_files",
            Self::FeedPeriods => "feed_periods",
            Self::Holds => "holds",
            Self::IdempotencyRecords => "idempotency_records",
            Self::Messages => "messages",
            Self::MessagesElsewhere => "messages_elsewhere",
            Self::PrivacyRequests => "privacy_requests",
            Self::RedactionFlags => "redaction_flags",
            Self::RedactionSwitches => "redaction_switches",
            Self::RetentionRules => "retention_rules",
            Self::StreamAddresses => "stream_addresses",
            Self::VocabularyChanges => "vocabulary_changes",
            Self::VocabularyEntries => "vocabulary_entries",
            Self::WebhookDeliveries => "webhook_deliveries",
            Self::Webhooks => "webhooks",
        }
    }

    /// The number of objects in this place, as an entry of a receipt.
    ///
    /// # Errors
    /// Never in practice: a test parses the name of every place.
    pub fn with_count(self, count: u64) -> Result<PlaceCount, StoreError> {
        let place = ReceiptWord::parse(self.as_str());
        Ok(PlaceCount { place: place.map_err(|error| StoreError::new(StoreErrorKind::Unexpected, error))?, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_a_valid_name_of_its_own_in_order() {
        let names = ErasurePlace::ALL.map(|place| place.with_count(0).unwrap().place.into_string());
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
    }
}
