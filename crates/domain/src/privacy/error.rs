//! The errors of erasures, holds, retention, privacy requests and compactions.

use super::PrivacyRequestStatus;
use crate::error::StoreError;

/// The error of erasing a conversation.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// The conversation does not exist, or is erased already.
    #[error("there is no such conversation")]
    NotFound,
    /// A hold protects the conversation.
    #[error("a hold protects the conversation: release it first")]
    Held,
    /// A store failed, or the service has no key for digests of identifiers.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of a use case of privacy requests.
#[derive(Debug, thiserror::Error)]
pub enum PrivacyRequestError {
    /// There is no such request.
    #[error("there is no such request")]
    NotFound,
    /// The request is not carried out yet.
    #[error("the request is not completed yet: read its status until it is")]
    NotCompleted,
    /// Only a completed request of the type `access` has an archive.
    #[error("the request has no archive: only requests of the type access have one, and no dry run")]
    NoArchive,
    /// Only a completed request of the type `erasure` has a receipt.
    #[error("the request has no receipt: only requests of the type erasure have one, and no dry run")]
    NoReceipt,
    /// The request has no receipt with this number.
    #[error("the request has no receipt with this number: `parlance privacy compact` issues the second")]
    NoIssue,
    /// A hold protects the customer, or one of their conversations.
    #[error("a hold protects what the request would erase: release it first")]
    Held,
    /// A store failed, or the service has no key for digests of identifiers.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of ending a privacy request whose stored row is invalid.
#[derive(Debug, thiserror::Error)]
pub enum FailRequestError {
    /// There is no such request.
    #[error("the tenant has no request with this id")]
    NotFound,
    /// The request has ended already.
    #[error("the request has ended already, and is {}", .0.as_str())]
    Ended(PrivacyRequestStatus),
    /// The request has ended already, and its stored row is invalid.
    #[error("the request has ended already, and its stored row is invalid")]
    EndedInvalid,
    /// The stored row is valid.
    #[error("the stored row of the request is valid: the servers carry it out, and end it if that fails for good")]
    Valid,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of placing or releasing a hold.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// The hold does not exist.
    #[error("there is no such hold")]
    NotFound,
    /// The conversation that the hold names does not exist.
    #[error("there is no such conversation")]
    NoConversation,
    /// A store failed, or the service has no key for digests of identifiers.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of replacing retention rules.
#[derive(Debug, thiserror::Error)]
pub enum RetentionError {
    /// There is no token of a preview of exactly these rules that is less than an hour old.
    #[error("preview exactly these rules first, and send the token of the preview within an hour")]
    PreviewRequired,
    /// A store failed, or the service has no key for tokens.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of erasing a whole tenant.
#[derive(Debug, thiserror::Error)]
pub enum TenantErasureError {
    /// Nothing was ever stored of the tenant.
    #[error("there is no such tenant")]
    NotFound,
    /// Holds protect data of the tenant.
    #[error(
        "{0} {holds} data of the tenant: release {each} by `DELETE /privacy/v1/holds/{{holdId}}`, and run the command again",
        holds = if *.0 == 1 { "hold protects" } else { "holds protect" },
        each = if *.0 == 1 { "it" } else { "each" }
    )]
    Held(u64),
    /// There is no key to sign the receipt with.
    #[error(
        "the receipt needs a signature, and there is no master key: set `master_key_file` to the one of the servers"
    )]
    NoSigner,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of compacting the database.
#[derive(Debug, thiserror::Error)]
pub enum CompactionError {
    /// The role may not rewrite every table.
    #[error(
        "the role of the connection may not rewrite every table: run `parlance privacy compact` as a superuser, or as a \
         role that owns both the tables and the database"
    )]
    MissingRights,
    /// A transaction that began before can still see deleted rows, so a rewritten table would keep them.
    #[error(
        "an open transaction of any database of the server can still see deleted rows: end it, and run `parlance privacy \
         compact` again; \
         pg_stat_activity, pg_prepared_xacts and pg_replication_slots show such transactions"
    )]
    OpenTransaction,
    /// Others used a table without a pause.
    #[error("the table {0} was in use all the time: run `parlance privacy compact` again when there is less to do")]
    TableInUse(&'static str),
    /// An analysis leaves the statistics of an empty table as they were, with values of rows that were deleted. Only a
    /// superuser can delete them.
    #[error(
        "the table {0} is empty, and its statistics still have values of deleted rows: run `parlance privacy compact` as \
         a superuser, who can delete them"
    )]
    StaleStatistics(&'static str),
    /// There are receipts to follow, and no key to sign with.
    #[error("the receipts of earlier erasures need a second one, and there is no master key to sign it")]
    NoSigner,
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
