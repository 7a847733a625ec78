//! The operations on webhooks.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json},
};
use parlance_domain::{
    access::{ReadWebhooks, WriteWebhooks},
    vocabulary::PageSize,
    webhook::WebhookId,
};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ContinuedWriteErrors, ReadErrors, WriteErrors},
    },
    extract::{authorized::Authorized, json_body::JsonBody, page_parameters::page_parameters, query},
    resources::webhooks::dto::{WebhookBody, WebhookChangeBody, WebhookView, WebhooksView},
};

/// List webhooks
///
/// One page of the webhooks, oldest first.
#[utoipa::path(
    get,
    path = "/configuration/v1/webhooks",
    tag = "webhooks",
    operation_id = "listWebhooks",
    params(
        ("limit" = Option<u16>, Query, description = "Most webhooks of the page; left out, 20", format = "vocabulary-page"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` or `prevCursor` of another page",
            format = "vocabulary-cursor"),
    ),
    responses((status = 200, description = "The page", body = WebhooksView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<ReadWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<WebhooksView>, ApiError> {
    let (cursor, size) = page_parameters(&request, PageSize::default())?;
    let page = services.webhooks.list(authorized.caller(), cursor.as_ref(), size).await?;
    Ok(Json(WebhooksView::from(page)))
}

/// Create a webhook
///
/// The webhook receives the events after its creation. There are at most 20. The `secret` is given only now.
#[utoipa::path(
    post,
    path = "/configuration/v1/webhooks",
    tag = "webhooks",
    operation_id = "createWebhook",
    request_body = WebhookBody,
    responses((status = 201, description = "Created", body = WebhookView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    body: JsonBody<WebhookBody>,
) -> Result<HttpResponse, ApiError> {
    let issued = services.webhooks.create(authorized.caller(), body.0.into_domain()?).await?;
    Ok(HttpResponse::Created().json(WebhookView::from(issued)))
}

/// Retrieve a webhook
///
/// The webhook with this id.
#[utoipa::path(
    get,
    path = "/configuration/v1/webhooks/{webhookId}",
    tag = "webhooks",
    operation_id = "getWebhook",
    params(("webhookId" = String, Path, description = "The id of the webhook", format = "id")),
    responses((status = 200, description = "The webhook", body = WebhookView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    authorized: Authorized<ReadWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<WebhookView>, ApiError> {
    let webhook = services.webhooks.find(authorized.caller(), &webhook_id(&request)?).await?;
    Ok(Json(WebhookView::from(webhook)))
}

/// Change a webhook
///
/// Members that are left out stay. The credential must be allowed to read every type of the webhook before and after the
/// change. The webhook stops when that credential is revoked. Events of a type that is left out are not sent any more, also
/// those that were queued. A webhook that is switched on goes on after its cursor.
#[utoipa::path(
    patch,
    path = "/configuration/v1/webhooks/{webhookId}",
    tag = "webhooks",
    operation_id = "changeWebhook",
    params(("webhookId" = String, Path, description = "The id of the webhook", format = "id")),
    request_body = WebhookChangeBody,
    responses((status = 200, description = "The webhook after the change", body = WebhookView), ContinuedWriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn change(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
    body: JsonBody<WebhookChangeBody>,
) -> Result<Json<WebhookView>, ApiError> {
    let (id, change) = (webhook_id(&request)?, body.0.into_domain()?);
    let webhook = services.webhooks.change(authorized.caller(), &id, change).await?;
    Ok(Json(WebhookView::from(webhook)))
}

/// Delete a webhook
///
/// Removes the webhook with its deliveries.
#[utoipa::path(
    delete,
    path = "/configuration/v1/webhooks/{webhookId}",
    tag = "webhooks",
    operation_id = "deleteWebhook",
    params(("webhookId" = String, Path, description = "The id of the webhook", format = "id")),
    responses((status = 204, description = "Deleted"), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn remove(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    services.webhooks.remove(authorized.caller(), &webhook_id(&request)?).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Rotate the secret of a webhook
///
/// The new `secret` is given only now. For 24 hours each request is signed with both secrets. The credential must be allowed
/// to read every type of the webhook.
#[utoipa::path(
    post,
    path = "/configuration/v1/webhooks/{webhookId}/rotate-secret",
    tag = "webhooks",
    operation_id = "rotateWebhookSecret",
    params(("webhookId" = String, Path, description = "The id of the webhook", format = "id")),
    responses((status = 200, description = "The webhook with its new secret", body = WebhookView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn rotate_secret(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<WebhookView>, ApiError> {
    let issued = services.webhooks.rotate_secret(authorized.caller(), &webhook_id(&request)?).await?;
    Ok(Json(WebhookView::from(issued)))
}

pub(super) fn webhook_id(request: &HttpRequest) -> Result<WebhookId, ApiError> {
    query::path_id(request, "webhookId")
}
