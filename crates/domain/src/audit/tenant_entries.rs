//! The audit entries of the erasure of a whole tenant.

use super::{AuditAction, AuditEntry};
use crate::{
    privacy::{PlaceCount, TenantErasure},
    redaction::{Approval, SwitchActor},
    time::Timestamp,
};

impl AuditEntry {
    /// The erasure of the tenant began: its credentials are revoked, and nothing is stored for it any more.
    #[must_use]
    pub fn tenant_erasure_began(erasure: &TenantErasure) -> Self {
        let details = erasure.approval.as_ref().map_or_else(|| "from the ledger".to_owned(), approved);
        Self::for_tenant(erasure, AuditAction::TenantErasureBegan, erasure.requested_at, details)
    }

    /// Everything of the tenant was erased, with these counts by place.
    #[must_use]
    pub fn tenant_erased(erasure: &TenantErasure, counts: &[PlaceCount], at: Timestamp) -> Self {
        let counts: Vec<_> = counts.iter().map(|count| format!("{} {}", count.place.as_str(), count.count)).collect();
        let origin = if erasure.approval.is_some() { "" } else { "from the ledger: " };
        Self::for_tenant(erasure, AuditAction::TenantErased, at, format!("{origin}{}", counts.join(", ")))
    }

    fn for_tenant(erasure: &TenantErasure, action: AuditAction, at: Timestamp, details: String) -> Self {
        Self { at, action, subject: erasure.id.as_str().to_owned(), details }
    }
}

fn approved(approval: &Approval) -> String {
    SwitchActor::Approvers(approval.clone()).to_string()
}
