//! The operations on conversations.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web::Data};
use parlance_domain::access::{OperatePrivacy, ReadConversations, WriteConversations};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{EraseErrors, ReadErrors, WriteErrors},
    },
    extract::{
        authorized::Authorized,
        idempotency_key::{self, IdempotencyKey, IdempotencyKeyHeader},
        json_body::JsonBody,
        query::{ConversationPath, Query},
    },
    resources::conversations::{
        criteria::{ListRequest, encode_cursor},
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
    let response = key.execute(&services, caller, None, request, upsert).await?;
    Ok(idempotency_key::respond(StatusCode::OK, response, WrittenView::new))
}

/// List conversations
///
/// With `externalId` alone, the conversation with this identifier, or nothing. With other criteria, one page of the
/// conversations that meet all of them, newest `timestamp` first. At least one criterion must be given. A page can have
/// fewer conversations than `limit`, even none, although `nextCursor` shows that another page follows.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations",
    tag = "conversations",
    operation_id = "listConversations",
    params(
        ("externalId" = Option<String>, Query, description = "The caller's identifier of the conversation",
            format = "external-id"),
        ("customerExternalId" = Option<String>, Query, description = "The caller's identifier of the customer",
            format = "external-id"),
        ("agentExternalId" = Option<String>, Query, description = "The caller's identifier of the agent",
            format = "external-id"),
        ("metadata" = Option<BTreeMap<String, String>>, Query, style = DeepObject, explode,
            description = "Up to three pairs that the metadata contains: `metadata[channel]=phone`"),
        ("createdSince" = Option<String>, Query, description = "The earliest `timestamp` of the conversation",
            format = DateTime),
        ("createdUntil" = Option<String>, Query, description = "The first `timestamp` that is too late", format = DateTime),
        ("updatedSince" = Option<String>, Query, description = "The earliest time of the last create or update",
            format = DateTime),
        ("updatedUntil" = Option<String>, Query, description = "The first time of the last create or update that is too late",
            format = DateTime),
        ("limit" = Option<u16>, Query, description = "Most conversations of a page (20)", format = "conversation-page"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before, with the same criteria",
            format = "conversation-cursor"),
    ),
    responses((status = 200, description = "What was found, or nothing", body = ConversationsView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<ReadConversations>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let (caller, conversations) = (authorized.caller(), &services.conversations);
    let body = match ListRequest::from_query(&Query::from_request(&request)?)? {
        ListRequest::ByExternalId(external_id) => {
            json::search_json(conversations.search(caller, &external_id).await?.as_ref())
        }
        ListRequest::ByCriteria(criteria) => {
            let page = conversations.list(caller, *criteria).await?;
            json::page_json(&page.conversations, page.next.as_ref().map(encode_cursor).as_deref())
        }
    };
    Ok(json_text::respond(body))
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

/// Erase a conversation
///
/// Erases the conversation with its messages. Its external identifier cannot be used again. Its days of feeds are written
/// again without it. A conversation that a hold protects is not erased.
#[utoipa::path(
    delete,
    path = "/conversation/v1/conversations/{conversationId}",
    tag = "privacy",
    operation_id = "eraseConversation",
    params(("conversationId" = String, Path, description = "The service's id of the conversation",
        format = "id")),
    responses((status = 204, description = "Erased"), EraseErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn erase(
    authorized: Authorized<OperatePrivacy>,
    path: ConversationPath,
    services: Data<Services>,
) -> Result<HttpResponse, ApiError> {
    services.erasures.erase_conversation(authorized.caller(), &path.0).await?;
    Ok(HttpResponse::NoContent().finish())
}
