//! The operations on retention rules.

use actix_web::web::{Data, Json};
use parlance_domain::access::OperatePrivacy;

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{authorized::Authorized, json_body::JsonBody},
    resources::retention::dto::{RetentionBody, RetentionPreviewBody, RetentionPreviewView, RetentionView},
};

/// Show retention rules
///
/// The rules in force. Without a rule, every conversation is kept.
#[utoipa::path(
    get,
    path = "/privacy/v1/retention",
    tag = "privacy",
    operation_id = "getRetention",
    responses((status = 200, description = "The rules", body = RetentionView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
) -> Result<Json<RetentionView>, ApiError> {
    let rules = services.retention.rules(authorized.caller()).await?;
    Ok(Json(RetentionView::from(&rules)))
}

/// Preview retention rules
///
/// What the rules would erase now. Nothing is erased.
#[utoipa::path(
    post,
    path = "/privacy/v1/retention/preview",
    tag = "privacy",
    operation_id = "previewRetention",
    request_body = RetentionPreviewBody,
    responses((status = 200, description = "What would be erased", body = RetentionPreviewView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn preview(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    body: JsonBody<RetentionPreviewBody>,
) -> Result<Json<RetentionPreviewView>, ApiError> {
    let preview = services.retention.preview(authorized.caller(), &body.0.into_domain()?).await?;
    Ok(Json(RetentionPreviewView::from(preview)))
}

/// Replace retention rules
///
/// The rules replace all those in force. Of the rules that match a conversation, the one with the most pairs of metadata
/// applies, and of these the longest. What no rule keeps is erased from the next minute on, and daily. A conversation that no
/// rule matches is kept.
#[utoipa::path(
    put,
    path = "/privacy/v1/retention",
    tag = "privacy",
    operation_id = "replaceRetention",
    request_body = RetentionBody,
    responses((status = 200, description = "The rules", body = RetentionView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn replace(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    body: JsonBody<RetentionBody>,
) -> Result<Json<RetentionView>, ApiError> {
    let (rules, token) = body.0.into_domain()?;
    let rules = services.retention.replace(authorized.caller(), &rules, token.as_deref()).await?;
    Ok(Json(RetentionView::from(&rules)))
}
