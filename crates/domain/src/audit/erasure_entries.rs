//! The audit entries of erasures and privacy requests. They name no external identifier.

use super::{AuditAction, AuditEntry, entry::by};
use crate::{
    access::ApiId,
    hex,
    privacy::{Erasure, FailureReason, PrivacyRequest, PrivacyRequestId},
    quoting::QuotedText,
    time::Timestamp,
};

impl AuditEntry {
    /// A conversation was erased with its messages.
    #[must_use]
    pub fn conversation_erased(erasure: &Erasure, credential: Option<&ApiId>) -> Self {
        let subject = erasure.conversation.as_str().to_owned();
        Self { at: erasure.at, action: AuditAction::ConversationErased, subject, details: by(credential) }
    }

    /// A conversation was erased with its messages as a part of a privacy request.
    #[must_use]
    pub fn conversation_erased_for_request(erasure: &Erasure, request: &PrivacyRequestId) -> Self {
        let subject = erasure.conversation.as_str().to_owned();
        let details = format!("for the privacy request {request}");
        Self { at: erasure.at, action: AuditAction::ConversationErased, subject, details }
    }

    /// A privacy request was made.
    #[must_use]
    pub fn privacy_requested(request: &PrivacyRequest, credential: Option<&ApiId>) -> Self {
        let dry_run = if request.dry_run { ", dry run" } else { "" };
        let (digest, reference) = (hex::encode(&request.subject.0), QuotedText(request.reference.as_str()));
        let kind = request.kind.as_str();
        let details = format!("{kind}{dry_run} of the customer {digest}, reference {reference}, {}", by(credential));
        let subject = request.id.as_str().to_owned();
        Self { at: request.requested_at, action: AuditAction::PrivacyRequested, subject, details }
    }

    /// A privacy request was carried out.
    #[must_use]
    pub fn privacy_request_completed(request: &PrivacyRequest, at: Timestamp) -> Self {
        let counts = &request.counts;
        let details = format!(
            "{}: conversations {}, messages {}, messages elsewhere {}, periods of feeds {}",
            request.kind.as_str(),
            counts.conversations,
            counts.messages,
            counts.messages_elsewhere,
            counts.feed_periods
        );
        let subject = request.id.as_str().to_owned();
        Self { at, action: AuditAction::PrivacyRequestCompleted, subject, details }
    }

    /// A privacy request failed.
    #[must_use]
    pub fn privacy_request_failed(request: &PrivacyRequestId, reason: FailureReason, at: Timestamp) -> Self {
        let (subject, details) = (request.as_str().to_owned(), reason.as_str().to_owned());
        Self { at, action: AuditAction::PrivacyRequestFailed, subject, details }
    }

    /// The database was compacted after the erasure of a privacy request.
    #[must_use]
    pub fn privacy_request_compacted(request: &PrivacyRequestId, at: Timestamp) -> Self {
        let (subject, details) = (request.as_str().to_owned(), "the database was rewritten".to_owned());
        Self { at, action: AuditAction::PrivacyRequestCompacted, subject, details }
    }

    /// A database that lacked the erasure of a conversation got it from the ledger.
    #[must_use]
    pub fn erasure_applied_from_ledger(erasure: &Erasure, at: Timestamp) -> Self {
        let details = format!("from the ledger; erased at {}", erasure.at);
        Self { at, details, ..Self::conversation_erased(erasure, None) }
    }
}
