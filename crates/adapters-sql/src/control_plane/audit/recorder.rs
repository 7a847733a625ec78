//! Appends audit records in the transaction of the recorded change.

use std::{fmt, sync::Arc};

use parlance_domain::{
    access::TenantId,
    audit::{AuditEntry, Operator},
    signing::Signer,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait};

use crate::control_plane::{
    audit::{
        columns::sequence_to_i64,
        head_rows::{advance_head, update_head},
    },
    entities::audit_record::{ActiveModel, Entity},
};

/// Appends audit records. Holds the key that signs the heads, and the operator who runs the command.
#[derive(Clone, Default)]
pub(crate) struct AuditRecorder {
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) operator: Option<Operator>,
}

impl fmt::Debug for AuditRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { signer, operator } = self;
        f.debug_struct("AuditRecorder").field("has_signer", &signer.is_some()).field("operator", operator).finish()
    }
}

impl AuditRecorder {
    /// Appends the record of a change to the tenant's chain, in the transaction of the change.
    pub(crate) async fn append<C: ConnectionTrait>(
        &self,
        transaction: &C,
        tenant: &TenantId,
        entry: AuditEntry,
    ) -> Result<(), DbErr> {
        let previous = advance_head(transaction, tenant).await?;
        let entry = self.operator.iter().fold(entry, AuditEntry::with_operator);
        let (record, next) = previous
            .append(tenant, entry, self.signer.as_deref())
            .map_err(|missing_key| DbErr::Custom(missing_key.to_string()))?;
        let row = ActiveModel {
            tenant_id: Set(tenant.as_str().to_owned()),
            sequence: Set(sequence_to_i64(record.sequence)),
            recorded_at: Set(record.entry.at.as_micros()),
            action: Set(record.entry.action.as_str().to_owned()),
            subject: Set(record.entry.subject),
            details: Set(record.entry.details),
            previous: Set(record.previous.to_vec()),
            hash: Set(record.hash.to_vec()),
        };
        Entity::insert(row).exec_without_returning(transaction).await?;
        update_head(tenant, &next.head, next.signature.as_ref()).exec(transaction).await.map(|_| ())
    }
}
