//! The operations on the deliveries of a webhook.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json},
};
use parlance_domain::{
    access::{ReadWebhooks, WriteWebhooks},
    webhook::WebhookDeliveryId,
};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ContinuedWriteErrors, ReadErrors, WriteErrors},
    },
    extract::{
        authorized::Authorized,
        json_body::JsonBody,
        query::{self, Query},
    },
    resources::webhooks::{
        delivery_dto::{
            ReplayBody, WebhookDeliveriesView, WebhookDeliveryStatusWord, WebhookDeliveryView, parse_status,
        },
        dto::WebhookView,
        errors::webhook_error_at,
        handlers::webhook_id,
    },
};

/// Test a webhook
///
/// Queues an event of the type `webhook.test`, which is sent once the webhook's turn has come. The webhook must be active, and
/// the credential must be allowed to read every type of it.
#[utoipa::path(
    post,
    path = "/configuration/v1/webhooks/{webhookId}/test",
    tag = "webhooks",
    operation_id = "testWebhook",
    params(("webhookId" = String, Path, description = "The id of the webhook", format = "id")),
    responses((status = 202, description = "The queued delivery", body = WebhookDeliveryView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn test(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let delivery = services.webhooks.test(authorized.caller(), &webhook_id(&request)?).await?;
    Ok(HttpResponse::Accepted().json(WebhookDeliveryView::from(delivery)))
}

/// Replay events
///
/// Sends the events after a cursor, again where they were sent before. Each becomes a new delivery with an id of its own. The
/// credential must be allowed to read every type of the webhook.
#[utoipa::path(
    post,
    path = "/configuration/v1/webhooks/{webhookId}/replay",
    tag = "webhooks",
    operation_id = "replayWebhook",
    params(("webhookId" = String, Path, description = "The id of the webhook", format = "id")),
    request_body = ReplayBody,
    responses((status = 200, description = "The webhook with its new cursor", body = WebhookView), ContinuedWriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn replay(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
    body: JsonBody<ReplayBody>,
) -> Result<Json<WebhookView>, ApiError> {
    let (id, start) = (webhook_id(&request)?, body.0.into_domain()?);
    let replayed = services.webhooks.replay(authorized.caller(), &id, start).await;
    Ok(Json(WebhookView::from(replayed.map_err(webhook_error_at("/after"))?)))
}

/// List deliveries
///
/// What was sent to a webhook and what is to be sent, newest first, with the attempts. A delivery is kept for 24 hours after
/// it was delivered.
#[utoipa::path(
    get,
    path = "/configuration/v1/webhooks/{webhookId}/deliveries",
    tag = "webhooks",
    operation_id = "listWebhookDeliveries",
    params(
        ("webhookId" = String, Path, description = "The id of the webhook", format = "id"),
        ("status" = Option<WebhookDeliveryStatusWord>, Query, description = "Only deliveries with this status"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before", format = "id"),
    ),
    responses((status = 200, description = "The page", body = WebhookDeliveriesView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<ReadWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<WebhookDeliveriesView>, ApiError> {
    let (id, query) = (webhook_id(&request)?, Query::from_request(&request)?);
    let status = query.parse("status", "enum", parse_status)?;
    let before = query.check("cursor", WebhookDeliveryId::parse)?;
    let page = services.webhooks.deliveries(authorized.caller(), &id, status, before).await?;
    Ok(Json(WebhookDeliveriesView::from(page)))
}

/// Redeliver
///
/// Queues a delivery to be sent at once, with the same id, whether it was delivered or not. The webhook must be active and name
/// the type of the event, and the credential must be allowed to read every type of the webhook.
#[utoipa::path(
    post,
    path = "/configuration/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
    tag = "webhooks",
    operation_id = "redeliverWebhook",
    params(
        ("webhookId" = String, Path, description = "The id of the webhook", format = "id"),
        ("deliveryId" = String, Path, description = "The id of the delivery", format = "id"),
    ),
    responses((status = 202, description = "The queued delivery", body = WebhookDeliveryView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn redeliver(
    authorized: Authorized<WriteWebhooks>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (webhook, id) = (webhook_id(&request)?, query::path_id(&request, "deliveryId")?);
    let delivery = services.webhooks.redeliver(authorized.caller(), &webhook, &id).await?;
    Ok(HttpResponse::Accepted().json(WebhookDeliveryView::from(delivery)))
}
