//! Adding records, in the transactions of the changes that they record.

use std::{fmt, sync::Arc};

use parlance_domain::{
    access::TenantId,
    audit::{Entry, Operator},
    signing::Signer,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait};

use super::heads::{moved, place, take_turn};
use crate::{
    Database,
    entity::audit_record::{ActiveModel, Entity},
};

/// With what records are added: the key that signs heads, and who runs the command that adds them.
#[derive(Clone, Default)]
pub(crate) struct Recording {
    pub(crate) signer: Option<Arc<dyn Signer>>,
    pub(crate) operator: Option<Operator>,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { signer, operator } = self;
        f.debug_struct("Recording").field("signs", &signer.is_some()).field("operator", operator).finish()
    }
}

impl Recording {
    /// Adds the record of a change to its tenant's chain, in the transaction that makes the change.
    pub(crate) async fn add<C: ConnectionTrait>(
        &self,
        transaction: &C,
        tenant: &TenantId,
        entry: Entry,
    ) -> Result<(), DbErr> {
        let before = take_turn(transaction, tenant).await?;
        let entry = self.operator.iter().fold(entry, Entry::run_by);
        let (record, after) = before
            .append(tenant, entry, self.signer.as_deref())
            .map_err(|key_needed| DbErr::Custom(key_needed.to_string()))?;
        let row = ActiveModel {
            tenant_id: Set(tenant.as_str().to_owned()),
            sequence: Set(place(record.sequence)),
            recorded_at: Set(record.entry.at.as_micros()),
            action: Set(record.entry.action.as_str().to_owned()),
            subject: Set(record.entry.subject),
            details: Set(record.entry.details),
            previous: Set(record.previous.to_vec()),
            hash: Set(record.hash.to_vec()),
        };
        Entity::insert(row).exec_without_returning(transaction).await?;
        moved(tenant, &after.head, after.signature.as_ref()).exec(transaction).await.map(|_| ())
    }
}

impl Database {
    /// The same database, whose heads of the audit log are signed by this key from now on.
    #[must_use]
    pub fn signing_with(mut self, signer: Arc<dyn Signer>) -> Self {
        self.recording.signer = Some(signer);
        self
    }

    /// The same database, whose changes are recorded with who runs the command that makes them.
    #[must_use]
    pub fn run_by(mut self, operator: Operator) -> Self {
        self.recording.operator = Some(operator);
        self
    }
}
