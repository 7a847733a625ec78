//! Appends audit records in the transaction of the recorded change.

use std::{fmt, sync::Arc};

use parlance_domain::{
    access::TenantId,
    audit::{AuditEntry, ChainHead, Operator},
    signing::Signer,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbBackend, DbErr, EntityTrait};

use crate::control_plane::{
    audit::{
        columns::sequence_to_i64,
        head_rows::{advance_head, update_head},
    },
    entities::audit_record::{ActiveModel, Entity},
    statements::execute,
};

const LOCK_CHAIN: &str = "SELECT 1 FROM audit_heads WHERE tenant_id = $1 FOR UPDATE";

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
    /// Appends the record of a change to the tenant's chain, in the transaction of the change. Returns the head after it.
    pub(crate) async fn append<C: ConnectionTrait>(
        &self,
        transaction: &C,
        tenant: &TenantId,
        entry: AuditEntry,
    ) -> Result<ChainHead, DbErr> {
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
        update_head(tenant, &next.head, next.signature.as_ref()).exec(transaction).await.map(|_| next.head)
    }
}

/// Locks the chain of a tenant until the transaction ends, as an append does. A tenant without a chain has nothing to lock.
pub(crate) async fn lock_chain<C: ConnectionTrait>(transaction: &C, tenant: &TenantId) -> Result<(), DbErr> {
    // On SQLite, the transaction excludes all other writers.
    if transaction.get_database_backend() == DbBackend::Postgres {
        execute(transaction, LOCK_CHAIN, [tenant.as_str().into()]).await?;
    }
    Ok(())
}
