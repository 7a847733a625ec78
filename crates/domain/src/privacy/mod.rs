//! Erasure: conversations are removed for good and stay removed, also after a restore, and receipts prove it. A
//! compaction removes the bytes of deleted rows. Holds outweigh
//! erasure. A whole tenant is erased by the operator. Retention erases what no rule keeps.

mod archive;
mod compaction;
mod content_authenticator;
mod database_compactor;
mod deleted_byte_store;
mod derived_data;
mod erasure;
mod erasure_place;
mod erasures;
mod error;
mod failed_run;
mod feed_period_counter;
mod hold;
mod hold_store;
mod holds;
mod identifier_digest;
mod invalid_requests;
mod ledger;
mod ledger_content;
mod ledger_entry;
mod ledger_error;
mod ledger_ports;
mod open_requests;
mod receipt;
mod receipt_draft;
mod receipt_error;
mod receipt_json;
mod receipt_parser;
mod receipt_reader;
mod reference;
mod request;
mod request_batch;
mod request_collection;
mod request_failure;
mod request_run;
mod request_steps;
mod request_store;
mod requests;
mod retention;
mod retention_preview;
mod retention_rule;
mod retention_runs;
mod retention_store;
mod signed_receipt;
mod store;
mod subject_erasure;
mod tenant_erasure;
mod tenant_erasure_store;
mod tenant_erasures;
mod tenant_removal;
mod uncovered;

pub use archive::{Archive, ArchiveManifest, ArchivePart, ArchiveReader};
pub use compaction::{Compaction, CompactionReport};
#[cfg(feature = "mocks")]
pub use content_authenticator::MockContentAuthenticator;
pub use content_authenticator::{AuthenticationCode, ContentAuthenticator};
#[cfg(feature = "mocks")]
pub use database_compactor::MockDatabaseCompactor;
pub use database_compactor::{CompactionOutcome, DatabaseCompactor, RewrittenTable};
pub use deleted_byte_store::DeletedByteStore;
#[cfg(feature = "mocks")]
pub use deleted_byte_store::MockDeletedByteStore;
pub use derived_data::{DerivedData, DerivedDataKind, RemovalOutcome, RewriteRecorder};
#[cfg(feature = "mocks")]
pub use derived_data::{MockDerivedData, MockRewriteRecorder};
pub use erasure::{ErasedConversation, Erasure, ErasureCount, ErasurePage, ErasurePageLimit};
pub use erasure_place::ErasurePlace;
pub use erasures::Erasures;
pub use error::{
    CompactionError, EraseError, FailRequestError, HoldError, PrivacyRequestError, RetentionError, TenantErasureError,
};
pub use failed_run::failed_runs_after;
pub use hold::{Hold, HoldCursor, HoldId, HoldKind, HoldPage, HoldSubject};
#[cfg(feature = "mocks")]
pub use hold_store::MockHoldStore;
pub use hold_store::{HoldOutcome, HoldStore};
pub use holds::Holds;
#[cfg(feature = "mocks")]
pub use identifier_digest::MockIdentifierDigester;
pub use identifier_digest::{IdentifierDigest, IdentifierDigester};
pub use invalid_requests::InvalidRequests;
pub use ledger::{LEDGER_OBJECT_ENTRIES, Ledger, LedgerCheck, LedgerReport};
pub use ledger_content::LedgerContent;
pub use ledger_entry::{ErasedPart, LedgerEntry, LedgerObjectId, LedgerObjectKind};
pub use ledger_error::LedgerError;
pub use ledger_ports::{ErasureLedger, LedgerStore};
#[cfg(feature = "mocks")]
pub use ledger_ports::{MockErasureLedger, MockLedgerStore};
pub use open_requests::{InvalidPrivacyRequest, OpenRequestPosition, OpenRequests};
pub use receipt::{
    AuditPosition, ErasureKind, ErasureReceipt, ErasureReference, PlaceCount, PrivacyRequestId, PrivacyRequestKind,
    ReceiptDigest, ReceiptIssue, ReceiptWord, UncoveredCopy, UncoveredReason,
};
pub use receipt_draft::ReceiptDraft;
pub use receipt_error::{InvalidReceipt, ReceiptChainBreak, ReceiptPosition};
pub use reference::PrivacyReference;
pub use request::{
    CreatePrivacyRequest, PrivacyCounts, PrivacyRequest, PrivacyRequestCursor, PrivacyRequestPage,
    PrivacyRequestStatus, PrivacyRequestType, WaitReason,
};
pub use request_failure::FailureReason;
pub use request_run::{DueRequest, PrivacyRequestRunner};
pub use request_steps::RunProgress;
pub use request_store::{ArchiveItem, CreateOutcome, PrivacyRequestStore, SentMessages, SubjectStore};
#[cfg(feature = "mocks")]
pub use request_store::{MockPrivacyRequestStore, MockSubjectStore};
pub use requests::PrivacyRequests;
pub use retention::Retention;
pub use retention_preview::RetentionPreview;
pub use retention_rule::{RetentionCandidate, RetentionDays, RetentionRule, RetentionRules};
pub use retention_runs::{RetentionRun, RetentionRuns, RetentionStep};
#[cfg(feature = "mocks")]
pub use retention_store::MockRetentionStore;
pub use retention_store::{CandidatePosition, RetentionStore, StoredRetention};
pub use signed_receipt::{MAX_RECEIPT_BYTES, SignedReceipt};
#[cfg(feature = "mocks")]
pub use store::MockErasureStore;
pub use store::{ErasureOutcome, ErasureStore};
pub use tenant_erasure::{
    OpenTenantErasures, TenantErasure, TenantErasureStart, TenantPreview, TenantRunProgress, TenantWait,
};
#[cfg(feature = "mocks")]
pub use tenant_erasure_store::MockTenantErasureStore;
pub use tenant_erasure_store::{
    RemovedRows, TenantCompletion, TenantErasureStore, TenantFenceOutcome, TenantRemovalStep, TenantRows,
};
pub use tenant_erasures::TenantErasures;
pub use tenant_removal::{TenantRemoval, TenantRemovalObserver};
pub use uncovered::KnownUncoveredCopy;
