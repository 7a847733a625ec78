//! Wire types of redaction entities.

use parlance_domain::redaction::{Activity, Entity, EntitySet, RedactionEntity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::validation::{Field, Validation},
};

/// Whether an entity is to be active. It takes no other member.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SwitchBody)]
pub(crate) struct SetEntityActiveBody {
    #[serde(default)]
    #[schema(value_type = bool, required = true)]
    active: Field<bool>,
}

/// A kind of sensitive data, and whether it is masked.
#[derive(Serialize, ToSchema)]
pub(crate) struct RedactionEntityView {
    /// The entity's label.
    #[schema(value_type = String, pattern = "^[A-Z0-9_]+$")]
    id: &'static str,
    #[schema(value_type = String)]
    name: &'static str,
    #[schema(value_type = String)]
    description: &'static str,
    active: bool,
}

/// Redaction entities, in the catalogue's order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RedactionEntitiesView {
    pub(super) redaction_entities: Vec<RedactionEntityView>,
}

/// The entities with these labels. Records an error for each label that the catalogue lacks.
pub(crate) fn parse_entities(validation: &mut Validation, labels: &[String]) -> EntitySet {
    let mut parse = |(index, label): (usize, &String)| {
        let entity = Entity::from_label(label).ok_or("must be the label of a redaction entity");
        validation.parse(&format!("/entities/{index}"), "enum", entity)
    };
    labels.iter().enumerate().filter_map(&mut parse).collect()
}

impl SetEntityActiveBody {
    pub(crate) fn into_domain(self) -> Result<Activity, ApiError> {
        let mut validation = Validation::default();
        let active = validation.required("/active", self.active);
        validation.finish(active.map(|active| if active { Activity::On } else { Activity::Off }))
    }
}

impl From<&RedactionEntity> for RedactionEntityView {
    fn from(redaction_entity: &RedactionEntity) -> Self {
        let row = redaction_entity.entity.row();
        let active = redaction_entity.activity == Activity::On;
        Self { id: redaction_entity.entity.label(), name: row.name, description: row.description, active }
    }
}
