//! Encodes and decodes stored records of redaction switches.

use parlance_domain::{
    access::{ApiId, TenantId},
    error::StoreError,
    redaction::{Approval, Approver, ChangeReference, SwitchActor, SwitchId, SwitchRecord},
    time::Timestamp,
};
use sea_orm::ActiveValue::Set;

use crate::{
    control_plane::{
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
    let approver = |index: usize| approval.and_then(|approval| approval.approvers().get(index));
    let approver_name = |index| approver(index).map(|approver| approver.as_str().to_owned());
    ActiveModel {
        tenant_id: Set(tenant.as_str().to_owned()),
        switched_at: Set(record.switched_at.as_micros()),
        id: Set(record.id.as_str().to_owned()),
        label: Set(record.entity.label().to_owned()),
        was_active: Set(is_on(record.from)),
        is_active: Set(is_on(record.to)),
        credential: Set(credential),
        reference: Set(approval.map(|approval| approval.reference().as_str().to_owned())),
        first_approver: Set(approver_name(0)),
        second_approver: Set(approver_name(1)),
    }
}

pub(crate) fn restore(row: &Model) -> Result<SwitchRecord, StoreError> {
    let id = &row.id;
    Ok(SwitchRecord {
        id: SwitchId::parse(id).map_err(|error| corrupt(TABLE, "id", id, error))?,
        switched_at: Timestamp::from_micros(row.switched_at)
            .map_err(|error| corrupt(TABLE, "switched_at", id, error))?,
        actor: restore_actor(row)?,
        entity: restore_entity(TABLE, &row.label, id)?,
        from: to_activity(row.was_active),
        to: to_activity(row.is_active),
    })
}

fn restore_actor(row: &Model) -> Result<SwitchActor, StoreError> {
    let id = &row.id;
    match (&row.credential, &row.reference, &row.first_approver, &row.second_approver) {
        (Some(credential), None, None, None) => {
            let credential = ApiId::parse(credential).map_err(|error| corrupt(TABLE, "credential", id, error))?;
            Ok(SwitchActor::Credential(credential))
        }
        (None, None, None, None) => Ok(SwitchActor::Embedder),
        (None, Some(reference), Some(first), Some(second)) => {
            let reference =
                ChangeReference::restore(reference).map_err(|error| corrupt(TABLE, "reference", id, error))?;
            let first = Approver::restore(first).map_err(|error| corrupt(TABLE, "first_approver", id, error))?;
            let second = Approver::restore(second).map_err(|error| corrupt(TABLE, "second_approver", id, error))?;
            let approval = Approval::restore(reference, first, second)
                .map_err(|error| corrupt(TABLE, "second_approver", id, error))?;
            Ok(SwitchActor::Approvers(approval))
        }
        _ => Err(corrupt(
            TABLE,
            "reference",
            id,
            "must be a credential alone, a reference with two approvers, or nothing",
        )),
    }
}
