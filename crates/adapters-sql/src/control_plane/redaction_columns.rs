//! The encoding of the columns that redaction flags and switch records share.

use parlance_domain::{
    error::StoreError,
    redaction::{Activity, Entity},
};

use crate::error::corrupt;

pub(crate) fn is_on(activity: Activity) -> bool {
    activity == Activity::On
}

pub(crate) fn to_activity(active: bool) -> Activity {
    if active { Activity::On } else { Activity::Off }
}

/// The entity with this stored label. `row` names the row in the error.
pub(crate) fn restore_entity(table: &'static str, label: &str, row: &str) -> Result<Entity, StoreError> {
    Entity::from_label(label).ok_or_else(|| corrupt(table, "label", row, "is not the label of an entity"))
}
