//! Encodes and decodes stored records of redaction switches.

use parlance_domain::{
    access::{ApiId, TenantId},
    error::StoreError,
    redaction::{SwitchActor, SwitchId, SwitchRecord},
    time::Timestamp,
};
use sea_orm::ActiveValue::Set;

use crate::{
    control_plane::{
        approval_columns,
        entities::redaction_switch::{ActiveModel, Model},
        redaction_columns::{is_on, restore_entity, to_activity},
    },
    error::corrupt,
};

const TABLE: &str = "redaction_audit";

pub(super) fn row(tenant: &TenantId, record: &SwitchRecord) -> ActiveModel {
    let (credential, approval) = match &record.actor {
        SwitchActor::Credential(id) => (Some(id.as_str().to_owned()), None),
        SwitchActor::Embedder => (None, None),
        SwitchActor::Approvers(approval) => (None, Some(approval)),
    };
    let [reference, first_approver, second_approver] =
        approval_columns::columns(approval).map(|value| value.map(ToOwned::to_owned));
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        switched_at: Set(record.switched_at.as_micros()),
        id: Set(record.id.as_str().to_owned()),
        label: Set(record.entity.label().to_owned()),
        was_active: Set(is_on(record.from)),
        is_active: Set(is_on(record.to)),
        credential: Set(credential),
        reference: Set(reference),
        first_approver: Set(first_approver),
        second_approver: Set(second_approver),
    }
}

pub(crate) fn restore(row: &Model) -> Result<SwitchRecord, StoreError> {
    SwitchColumns::from(row).restore()
}

/// The columns of a record, without its tenant.
pub(crate) struct SwitchColumns<'row> {
    pub(crate) id: &'row str,
    pub(crate) switched_at: i64,
    pub(crate) label: &'row str,
    pub(crate) was_active: bool,
    pub(crate) is_active: bool,
    pub(crate) credential: Option<&'row str>,
    pub(crate) reference: Option<&'row str>,
    pub(crate) first_approver: Option<&'row str>,
    pub(crate) second_approver: Option<&'row str>,
}

impl<'row> From<&'row Model> for SwitchColumns<'row> {
    fn from(row: &'row Model) -> Self {
        Self {
            id: &row.id,
            switched_at: row.switched_at,
            label: &row.label,
            was_active: row.was_active,
            is_active: row.is_active,
            credential: row.credential.as_deref(),
            reference: row.reference.as_deref(),
            first_approver: row.first_approver.as_deref(),
            second_approver: row.second_approver.as_deref(),
        }
    }
}

impl SwitchColumns<'_> {
    /// Decodes the record.
    pub(crate) fn restore(&self) -> Result<SwitchRecord, StoreError> {
        let id = self.id;
        Ok(SwitchRecord {
            id: SwitchId::parse(id).map_err(|error| corrupt(TABLE, "id", id, error))?,
            switched_at: Timestamp::from_micros(self.switched_at)
                .map_err(|error| corrupt(TABLE, "switched_at", id, error))?,
            actor: self.restore_actor()?,
            entity: restore_entity(TABLE, self.label, id)?,
            from: to_activity(self.was_active),
            to: to_activity(self.is_active),
        })
    }

    fn restore_actor(&self) -> Result<SwitchActor, StoreError> {
        let id = self.id;
        match (self.credential, self.reference, self.first_approver, self.second_approver) {
            (Some(credential), None, None, None) => {
                let credential = ApiId::parse(credential).map_err(|error| corrupt(TABLE, "credential", id, error))?;
                Ok(SwitchActor::Credential(credential))
            }
            (None, None, None, None) => Ok(SwitchActor::Embedder),
            (None, Some(reference), Some(first), Some(second)) => {
                Ok(SwitchActor::Approvers(approval_columns::restore((TABLE, id), reference, [first, second])?))
            }
            _ => Err(corrupt(
                TABLE,
                "reference",
                id,
                "must be a credential alone, a reference with two approvers, or nothing",
            )),
        }
    }
}
