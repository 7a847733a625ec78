//! The operations on addresses that open a stream once.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, header},
    web::Data,
};
use parlance_domain::{
    access::{ApiSecret, ReadConversations, TenantId},
    event::{IssuedAddress, StreamAddress, StreamTarget},
};

use crate::{
    DrainFlag, EventHub, HttpSettings, Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{
        authorized::Authorized,
        json_body::JsonBody,
        query::{Query, invalid_parameter, path_id},
    },
    resources::events::{
        address_dto::{StreamBody, StreamView},
        dto::StreamedEventView,
        errors::unknown_address,
        open_stream::{StreamOpener, StreamRequest},
        resume::Resume,
        sse,
    },
};

/// Issue an address of a stream
///
/// An address that a browser's `EventSource` opens without headers: the stream of messages of one conversation, or that of
/// all events. It is good once, within 30 seconds, while the secret of the credential is accepted. After an error, ask for a
/// new one with the `id` of the last event.
#[utoipa::path(
    post,
    path = "/conversation/v1/streams",
    tag = "events",
    operation_id = "createStream",
    request_body = StreamBody,
    responses((status = 201, description = "Issued", body = StreamView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn issue(
    authorized: Authorized<ReadConversations>,
    services: Data<Services>,
    settings: Data<HttpSettings>,
    body: JsonBody<StreamBody>,
) -> Result<HttpResponse, ApiError> {
    let (external_id, target) = body.0.into_domain()?;
    let issued = services.stream_addresses.issue(authorized.caller(), external_id.as_ref(), target).await?;
    let view = StreamView::new(&issued, url(&settings, &issued));
    // The body holds a secret.
    Ok(HttpResponse::Created().insert_header((header::CACHE_CONTROL, "no-store")).json(view))
}

/// The address. No part of it needs escaping.
fn url(settings: &HttpSettings, IssuedAddress { tenant, id, secret, .. }: &IssuedAddress) -> String {
    settings.url_for(&format!("/conversation/v1/streams/{id}?tenant={tenant}&key={}", secret.reveal()))
}

/// Open a stream
///
/// The stream of an address that `createStream` gave: whoever has it needs no credential. It opens once; `HEAD` does not
/// use it up.
#[utoipa::path(
    get,
    path = "/conversation/v1/streams/{streamId}",
    tag = "events",
    operation_id = "openStream",
    params(
        ("streamId" = String, Path, description = "Part of the address", format = "id"),
        ("tenant" = String, Query, description = "Part of the address", format = "tenant"),
        ("key" = String, Query, description = "Makes the address one that this service gave"),
    ),
    responses(
        (status = 200, description = "The stream", content_type = "text/event-stream", body = StreamedEventView),
        ReadErrors
    )
)]
pub(crate) async fn open(
    services: Data<Services>,
    hub: Data<EventHub>,
    draining: Data<DrainFlag>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = path_id(&request, "streamId")?;
    let query = Query::from_request(&request)?;
    let tenant = query.check("tenant", TenantId::parse)?.ok_or_else(|| missing("tenant"))?;
    let secret = ApiSecret::new(query.value("key")?.ok_or_else(|| missing("key"))?);
    let is_head = request.method() == Method::HEAD;
    let addresses = &services.stream_addresses;
    let found = if is_head {
        addresses.find(&tenant, id, &secret).await?
    } else {
        addresses.spend(&tenant, id, &secret).await?
    };
    let StreamAddress { credential, target, .. } = found;
    let caller = services.authenticator.active_caller(&credential).await?.ok_or_else(unknown_address)?;
    if is_head {
        return Ok(sse::response().finish());
    }
    let authorized = Authorized::<ReadConversations>::from_caller(&caller)?;
    let stream = stream_request(target)?;
    StreamOpener::new(&request, &services, &hub, &draining).open(authorized.caller(), stream).await
}

/// What an address opens.
fn stream_request(target: StreamTarget) -> Result<StreamRequest, ApiError> {
    let types = target.stream_types();
    let StreamTarget { conversation, resume, view, .. } = target;
    let resume = resume.map(|resume| Resume::parse(&resume)).transpose().map_err(|_| ApiError::InternalError)?;
    Ok(StreamRequest { conversation, resume, types, view })
}

fn missing(name: &'static str) -> ApiError {
    invalid_parameter(name, "required", "is missing")
}
