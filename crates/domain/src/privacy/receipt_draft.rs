//! A receipt before its position is known.

use super::{
    AuditPosition, ErasureKind, ErasurePlace, ErasureReceipt, ErasureReference, KnownUncoveredCopy, PlaceCount,
    PrivacyRequest, ReceiptDigest, SignedReceipt, TenantErasure, UncoveredCopy,
};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    signing::Signer,
    time::Timestamp,
};

/// The receipt of the erasure of a customer or a tenant, without its position in the audit log and without its predecessor.
/// Only the transaction that completes the erasure knows both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptDraft(ErasureReceipt);

impl ReceiptDraft {
    /// The draft for a request, completed at this time.
    ///
    /// # Errors
    /// In practice never: a test makes a draft with every kind of copies.
    pub fn for_request(
        tenant: &TenantId,
        request: &PrivacyRequest,
        completed_at: Timestamp,
        not_covered: &[KnownUncoveredCopy],
    ) -> Result<Self, StoreError> {
        let invalid = |error| StoreError::new(StoreErrorKind::Unexpected, error);
        let counts = &request.counts;
        let places = [
            (ErasurePlace::Conversations, counts.conversations),
            (ErasurePlace::FeedPeriods, counts.feed_periods),
            (ErasurePlace::Messages, counts.messages),
            (ErasurePlace::MessagesElsewhere, counts.messages_elsewhere),
        ];
        let entries = not_covered.iter().map(|copy| copy.entry()).collect::<Result<Vec<UncoveredCopy>, _>>();
        Ok(Self(ErasureReceipt {
            tenant: tenant.clone(),
            request: request.id.clone(),
            kind: ErasureKind::Customer,
            subject: Some(request.subject),
            reference: ErasureReference::parse(request.reference.as_str()).map_err(invalid)?,
            requested_at: request.requested_at,
            completed_at,
            counts: places.into_iter().map(|(place, count)| place.with_count(count)).collect::<Result<_, _>>()?,
            not_covered: entries.map_err(invalid)?,
            audit: AuditPosition::START,
            previous: ErasureReceipt::FIRST,
        }))
    }

    /// The draft for the erasure of a tenant, completed at this time.
    ///
    /// # Errors
    /// In practice never: a reference of an approval is a reference of an erasure.
    pub fn for_tenant(
        (tenant, erasure): (&TenantId, &TenantErasure),
        completed_at: Timestamp,
        counts: Vec<PlaceCount>,
        not_covered: &[KnownUncoveredCopy],
    ) -> Result<Self, StoreError> {
        let invalid = |error| StoreError::new(StoreErrorKind::Unexpected, error);
        let reference = erasure.approval.as_ref().map_or("", |approval| approval.reference().as_str());
        let entries = not_covered.iter().map(|copy| copy.entry()).collect::<Result<Vec<UncoveredCopy>, _>>();
        Ok(Self(ErasureReceipt {
            tenant: tenant.clone(),
            request: erasure.id.clone(),
            kind: ErasureKind::Tenant,
            subject: None,
            reference: ErasureReference::parse(reference).map_err(invalid)?,
            requested_at: erasure.requested_at,
            completed_at,
            counts,
            not_covered: entries.map_err(invalid)?,
            audit: AuditPosition::START,
            previous: ErasureReceipt::FIRST,
        }))
    }

    /// The draft of the receipt that follows this one after the database was compacted at this time. It no longer names
    /// the bytes of PostgreSQL.
    #[must_use]
    pub fn after_compaction(receipt: &ErasureReceipt, completed_at: Timestamp) -> Self {
        let mut draft = ErasureReceipt { completed_at, ..receipt.clone() };
        draft.not_covered.retain(|copy| !KnownUncoveredCopy::PostgresqlBytes.is_named_by(copy));
        Self(draft)
    }

    /// Signs the receipt at this position, after the tenant's previous receipt.
    #[must_use]
    pub fn sign(self, audit: AuditPosition, previous: Option<ReceiptDigest>, signer: &dyn Signer) -> SignedReceipt {
        let previous = previous.unwrap_or(ErasureReceipt::FIRST);
        SignedReceipt::new(ErasureReceipt { audit, previous, ..self.0 }, signer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::{PrivacyCounts, PrivacyRequestType, request::tests::sample_request};

    #[test]
    fn a_draft_has_the_counts_by_place_and_every_copy_that_is_not_covered() {
        let counts = PrivacyCounts { conversations: 1, messages: 2, messages_elsewhere: 3, feed_periods: 4 };
        let request = PrivacyRequest { counts, ..sample_request(PrivacyRequestType::Erasure) };
        let tenant = TenantId::parse("acme").unwrap();
        let copies = KnownUncoveredCopy::ALL;
        let draft = ReceiptDraft::for_request(&tenant, &request, Timestamp::EPOCH, &copies).unwrap().0;
        assert_eq!(draft.counts.iter().map(|it| it.count).collect::<Vec<_>>(), [1, 4, 2, 3]);
        assert_eq!(draft.not_covered.len(), copies.len());
    }

    #[test]
    fn after_a_compaction_only_the_bytes_of_postgresql_are_no_longer_named() {
        let request = sample_request(PrivacyRequestType::Erasure);
        let tenant = TenantId::parse("acme").unwrap();
        let copies = KnownUncoveredCopy::ALL;
        let first = ReceiptDraft::for_request(&tenant, &request, Timestamp::EPOCH, &copies).unwrap().0;
        let second = ReceiptDraft::after_compaction(&first, Timestamp::EPOCH.plus_seconds(1)).0;
        let expected = first.not_covered.iter().filter(|copy| copy.code.as_str() != "postgresql_bytes");
        assert_eq!(second.not_covered, expected.cloned().collect::<Vec<_>>());
        assert_eq!(
            (&second.subject, &second.counts, &second.reference),
            (&first.subject, &first.counts, &first.reference)
        );
        assert_eq!(second.requested_at, first.requested_at);
    }
}
