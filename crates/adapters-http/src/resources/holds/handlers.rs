//! The operations on holds.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json},
};
use parlance_domain::{access::OperatePrivacy, vocabulary::PageSize};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{authorized::Authorized, json_body::JsonBody, page_parameters::page_parameters, query::path_id},
    resources::holds::dto::{HoldBody, HoldView, HoldsView},
};

/// Place a hold
///
/// While the hold is placed, nothing erases what it protects: the conversations of a customer, or one conversation. Two holds
/// on the same subject are released one by one.
#[utoipa::path(
    post,
    path = "/privacy/v1/holds",
    tag = "privacy",
    operation_id = "placeHold",
    request_body = HoldBody,
    responses((status = 201, description = "Placed", body = HoldView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn place(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    body: JsonBody<HoldBody>,
) -> Result<HttpResponse, ApiError> {
    let (subject, reference) = body.0.into_domain()?;
    let hold = services.holds.place(authorized.caller(), subject, reference).await?;
    Ok(HttpResponse::Created().json(HoldView::from(hold)))
}

/// List holds
///
/// One page of the holds, oldest first.
#[utoipa::path(
    get,
    path = "/privacy/v1/holds",
    tag = "privacy",
    operation_id = "listHolds",
    params(
        ("limit" = Option<u16>, Query, description = "Most holds of the page; left out, 20", format = "vocabulary-page"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` or `prevCursor` of another page",
            format = "vocabulary-cursor"),
    ),
    responses((status = 200, description = "The page", body = HoldsView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<HoldsView>, ApiError> {
    let (cursor, size) = page_parameters(&request, PageSize::default())?;
    let page = services.holds.list(authorized.caller(), cursor.as_ref(), size).await?;
    Ok(Json(HoldsView::from(page)))
}

/// Release a hold
///
/// What no other hold protects can be erased again.
#[utoipa::path(
    delete,
    path = "/privacy/v1/holds/{holdId}",
    tag = "privacy",
    operation_id = "releaseHold",
    params(("holdId" = String, Path, description = "The id of the hold", format = "id")),
    responses((status = 204, description = "Released"), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn release(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    services.holds.release(authorized.caller(), &path_id(&request, "holdId")?).await?;
    Ok(HttpResponse::NoContent().finish())
}
