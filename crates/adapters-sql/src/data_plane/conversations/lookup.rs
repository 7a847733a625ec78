//! The lookup of a conversation by one of its identifiers.

use parlance_domain::access::TenantId;

use crate::data_plane::conversations::statement::{BY_EXTERNAL_ID, BY_ID};

/// The column of the identifier.
#[derive(Debug, Clone, Copy)]
pub(super) enum LookupColumn {
    /// The service's identifier.
    Id,
    /// The caller's identifier.
    ExternalId,
}

impl LookupColumn {
    /// The statement that finds one conversation.
    pub(super) fn statement(self) -> &'static str {
        match self {
            Self::Id => BY_ID,
            Self::ExternalId => BY_EXTERNAL_ID,
        }
    }
}

/// A query for the conversation of a tenant with this identifier.
#[derive(Debug)]
pub(crate) struct ConversationLookup {
    pub(super) column: LookupColumn,
    pub(super) tenant: TenantId,
    pub(super) identifier: Box<str>,
}

impl ConversationLookup {
    pub(super) fn new(column: LookupColumn, tenant: &TenantId, identifier: &str) -> Self {
        Self { column, tenant: tenant.clone(), identifier: identifier.into() }
    }
}
