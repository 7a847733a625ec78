//! Redaction entities over HTTP (spec §4.9).

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    web::{Data, Json},
};
use parlance_domain::{
    error::{Error, Resource},
    redaction::{Activity, Entity, RedactionEntity},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Services,
    authentication::{Permitted, ReadConfiguration, WriteConfiguration},
    body::JsonBody,
    documentation::{ReadErrors, WriteErrors},
    problem::ApiError,
    query::Query,
    reading::{Member, Reading},
};

/// Whether an entity is to be active. It takes no other member.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwitchBody {
    #[serde(default)]
    #[schema(value_type = bool, required = true)]
    active: Member<bool>,
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
    redaction_entities: Vec<RedactionEntityView>,
}

/// List redaction entities
///
/// All entities of the catalogue, or with `active` those that are switched so.
#[utoipa::path(
    get,
    path = "/configuration/v1/redaction/redaction-entities",
    tag = "redaction",
    operation_id = "listRedactionEntities",
    params(("active" = Option<bool>, Query, description = "List only those that are active, or that are not")),
    responses((status = 200, description = "The entities", body = RedactionEntitiesView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    permitted: Permitted<ReadConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<RedactionEntitiesView>, ApiError> {
    let only = Query::of(&request)?.parse("active", "enum", read_activity)?;
    let found = services.redaction.list(permitted.caller(), only).await?;
    Ok(Json(RedactionEntitiesView { redaction_entities: found.iter().map(RedactionEntityView::from).collect() }))
}

/// Fetch one redaction entity
///
/// The entity with this label, and whether it is active for the tenant.
#[utoipa::path(
    get,
    path = "/configuration/v1/redaction/redaction-entity/{entityId}",
    tag = "redaction",
    operation_id = "getRedactionEntity",
    params(("entityId" = String, Path, description = "The entity's label")),
    responses((status = 200, description = "The entity", body = RedactionEntityView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn fetch(
    permitted: Permitted<ReadConfiguration>,
    path: EntityPath,
    services: Data<Services>,
) -> Result<Json<RedactionEntityView>, ApiError> {
    let found = services.redaction.find(permitted.caller(), path.0).await?;
    Ok(Json(RedactionEntityView::from(&found)))
}

/// Switch a redaction entity on or off
///
/// An entity under compliance control is switched by the operator only: 403, whatever the value.
#[utoipa::path(
    patch,
    path = "/configuration/v1/redaction/redaction-entity/{entityId}",
    tag = "redaction",
    operation_id = "switchRedactionEntity",
    params(("entityId" = String, Path, description = "The entity's label")),
    request_body = SwitchBody,
    responses((status = 200, description = "The entity as it is now", body = RedactionEntityView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn switch(
    permitted: Permitted<WriteConfiguration>,
    path: EntityPath,
    services: Data<Services>,
    body: JsonBody<SwitchBody>,
) -> Result<Json<RedactionEntityView>, ApiError> {
    let to = body.0.read()?;
    let switched = services.redaction.switch(permitted.caller(), path.0, to).await;
    Ok(Json(RedactionEntityView::from(&switched.map_err(ApiError::at("path:entityId"))?)))
}

/// The entity that a path names: 404 where it is no label of the catalogue.
pub(crate) struct EntityPath(Entity);

impl FromRequest for EntityPath {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let segment = request.match_info().get("entityId").unwrap_or_default();
        let missing = || ApiError::at("path:entityId")(Error::Missing(Resource::RedactionEntity));
        ready(Entity::from_label(segment).map(Self).ok_or_else(missing))
    }
}

impl SwitchBody {
    pub(crate) fn read(self) -> Result<Activity, ApiError> {
        let mut reading = Reading::default();
        let active = reading.required("/active", self.active);
        reading.finish(active.map(|active| if active { Activity::On } else { Activity::Off }))
    }
}

impl From<&RedactionEntity> for RedactionEntityView {
    fn from(found: &RedactionEntity) -> Self {
        let row = found.entity.row();
        let active = found.activity == Activity::On;
        Self { id: found.entity.label(), name: row.name, description: row.description, active }
    }
}

fn read_activity(text: &str) -> Result<Activity, &'static str> {
    match text {
        "true" => Ok(Activity::On),
        "false" => Ok(Activity::Off),
        _ => Err("must be true or false"),
    }
}
