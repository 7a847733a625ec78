//! Open privacy requests, and those whose stored rows are invalid.

use super::PrivacyRequest;
use crate::{access::TenantId, error::StoreError};

/// An open request whose stored row is invalid, so that it cannot be carried out. Its texts are as they are stored.
#[derive(Debug)]
pub struct InvalidPrivacyRequest {
    /// The tenant.
    pub tenant: String,
    /// The identifier.
    pub id: String,
    /// The column that is invalid.
    pub error: StoreError,
}

/// A position in the list of open requests: after this row, whose values are as they are stored and may be invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRequestPosition {
    /// The time of the request.
    pub requested_at: i64,
    /// The tenant.
    pub tenant: String,
    /// The identifier.
    pub id: String,
}

/// A page of open requests, oldest first.
#[derive(Debug, Default)]
pub struct OpenRequests {
    /// Those that can be carried out.
    pub requests: Vec<(TenantId, PrivacyRequest)>,
    /// Those whose stored row is invalid.
    pub invalid: Vec<InvalidPrivacyRequest>,
    /// The position of the next page; `None` if nothing follows.
    pub next: Option<OpenRequestPosition>,
}
