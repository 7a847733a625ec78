//! The operations on redaction entities.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    web::{Data, Json},
};
use parlance_domain::{
    access::{ReadConfiguration, WriteConfiguration},
    redaction::{Activity, Entity},
};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{authorized::Authorized, json_body::JsonBody, query::Query},
    resources::redaction_entities::{
        dto::{RedactionEntitiesView, RedactionEntityView, SetEntityActiveBody},
        errors::unknown_entity,
    },
};

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
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<RedactionEntitiesView>, ApiError> {
    let filter = Query::from_request(&request)?.parse("active", "enum", parse_activity)?;
    let entities = services.redaction.list(authorized.caller(), filter).await?;
    Ok(Json(RedactionEntitiesView { redaction_entities: entities.iter().map(RedactionEntityView::from).collect() }))
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
    authorized: Authorized<ReadConfiguration>,
    path: EntityPath,
    services: Data<Services>,
) -> Result<Json<RedactionEntityView>, ApiError> {
    let entity = services.redaction.find(authorized.caller(), path.0).await?;
    Ok(Json(RedactionEntityView::from(&entity)))
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
    request_body = SetEntityActiveBody,
    responses((status = 200, description = "The entity as it is now", body = RedactionEntityView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn switch(
    authorized: Authorized<WriteConfiguration>,
    path: EntityPath,
    services: Data<Services>,
    body: JsonBody<SetEntityActiveBody>,
) -> Result<Json<RedactionEntityView>, ApiError> {
    let activity = body.0.into_domain()?;
    let entity = services.redaction.switch(authorized.caller(), path.0, activity).await?;
    Ok(Json(RedactionEntityView::from(&entity)))
}

/// The entity label in a path: 404 if the catalogue has no such label.
pub(crate) struct EntityPath(Entity);

impl FromRequest for EntityPath {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let segment = request.match_info().get("entityId").unwrap_or_default();
        ready(Entity::from_label(segment).map(Self).ok_or_else(unknown_entity))
    }
}

fn parse_activity(text: &str) -> Result<Activity, &'static str> {
    match text {
        "true" => Ok(Activity::On),
        "false" => Ok(Activity::Off),
        _ => Err("must be true or false"),
    }
}
