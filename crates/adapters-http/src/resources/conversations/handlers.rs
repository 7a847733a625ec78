//! The operations on conversations.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web::Data};
use parlance_domain::{
    access::{ReadConversations, WriteConversations},
    text::ExternalId,
};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{
        authorized::Authorized,
        idempotency_key::{self, IdempotencyKey, IdempotencyKeyHeader},
        json_body::JsonBody,
        query::{self, ConversationPath, Query},
    },
    resources::conversations::{
        dto::{ConversationBody, WrittenView},
        json::{self, ConversationView, ConversationsView},
    },
    response::json_text,
};

/// Create or update a conversation
///
/// Creates the conversation, or updates the one with this `externalId`. Requests at the same time for one
/// `externalId` make one conversation, and all answer its id.
#[utoipa::path(
    post,
    path = "/conversation/v1/conversations",
    tag = "conversations",
    operation_id = "upsertConversation",
    params(IdempotencyKeyHeader),
    request_body = ConversationBody,
    responses(
        (status = 200, description = "Created or updated", body = WrittenView, links(
            ("retrieve" = (operation_id = "getConversation", parameters(("conversationId" = "$response.body#/id")))),
            ("say" = (operation_id = "createMessage", parameters(("conversationId" = "$response.body#/id")))),
            ("list" = (operation_id = "listMessages", parameters(("conversationId" = "$response.body#/id")))),
            ("transcript" = (operation_id = "getTranscript", parameters(("conversationId" = "$response.body#/id"))))
        )),
        WriteErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn upsert(
    authorized: Authorized<WriteConversations>,
    services: Data<Services>,
    key: IdempotencyKey,
    body: JsonBody<ConversationBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (authorized.caller(), body);
    let request = (body.into_domain()?, &*bytes);
    let upsert = async |request, claim| {
        services.conversations.upsert(caller, request, claim).await.map(|id| vec![id.to_string()])
    };
    let response = key.execute(&services, caller, "", request, upsert).await?;
    Ok(idempotency_key::respond(StatusCode::OK, response, WrittenView::new))
}

/// List conversations
///
/// Lists the conversations that meet the search criteria; `externalId` is the one criterion, and must be given.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations",
    tag = "conversations",
    operation_id = "listConversations",
    params(("externalId" = String, Query, description = "The caller's identifier of the conversation",
        format = "external-id")),
    responses((status = 200, description = "What was found, or nothing", body = ConversationsView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<ReadConversations>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let external_id = Query::from_request(&request)?.check("externalId", |text| ExternalId::parse(text))?;
    let external_id = external_id.ok_or_else(|| query::invalid_parameter("externalId", "required", "is missing"))?;
    let conversation = services.conversations.search(authorized.caller(), &external_id).await?;
    Ok(json_text::respond(json::search_json(conversation.as_ref())))
}

/// Retrieve a conversation
///
/// The conversation with this id.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations/{conversationId}",
    tag = "conversations",
    operation_id = "getConversation",
    params(("conversationId" = String, Path, description = "The service's id of the conversation",
        format = "id")),
    responses((status = 200, description = "The conversation", body = ConversationView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    authorized: Authorized<ReadConversations>,
    path: ConversationPath,
    services: Data<Services>,
) -> Result<HttpResponse, ApiError> {
    let conversation = services.conversations.find(authorized.caller(), &path.0).await?;
    Ok(json_text::respond(json::conversation_json(&conversation)))
}
