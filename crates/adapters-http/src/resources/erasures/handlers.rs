//! The operation on erased conversations.

use actix_web::{
    HttpRequest,
    web::{Data, Json},
};
use parlance_domain::access::OperatePrivacy;

use crate::{
    Services,
    errors::{api_error::ApiError, responses::ReadErrors},
    extract::{authorized::Authorized, query::Query},
    resources::erasures::dto::{ErasuresView, after, limit},
};

/// List erased conversations
///
/// The conversations that were erased after a cursor, in the order of their erasure. Whoever collects feeds or keeps
/// copies learns here what to remove.
#[utoipa::path(
    get,
    path = "/privacy/v1/erasures",
    tag = "privacy",
    operation_id = "listErasures",
    params(
        ("after" = Option<String>, Query, description = "`nextCursor` of an earlier response; left out, from the first one",
            format = "erasure-cursor"),
        ("limit" = Option<u16>, Query, description = "Most conversations of a page (100)", format = "erasure-page"),
    ),
    responses((status = 200, description = "What was erased, or nothing", body = ErasuresView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<ErasuresView>, ApiError> {
    let query = Query::from_request(&request)?;
    let page = services.erasures.list(authorized.caller(), after(&query)?, limit(&query)?).await?;
    Ok(Json(ErasuresView::from(page)))
}
