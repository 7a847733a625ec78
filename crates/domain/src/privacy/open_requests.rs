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

/// Open requests, oldest first.
#[derive(Debug, Default)]
pub struct OpenRequests {
    /// Those that can be carried out.
    pub requests: Vec<(TenantId, PrivacyRequest)>,
    /// Those whose stored row is invalid.
    pub invalid: Vec<InvalidPrivacyRequest>,
}
