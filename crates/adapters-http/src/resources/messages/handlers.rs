//! The operations on messages.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header::ContentType},
    web::Data,
};
use parlance_domain::{
    access::{ReadConversations, WriteConversations},
    message::PageLimit,
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
        query::{ConversationPath, Query, path_id},
    },
    middleware::concurrency_limit::acquire_large_read_permit,
    resources::{
        conversations::dto::WrittenView,
        messages::{
            dto::{MessageBody, MessageView, MessagesView, decode_cursor, encode_cursor, parse_limit},
            errors::read_error_at,
            include::{Include, IncludeWord},
            json,
        },
        transcripts::{format::MessageFormat, stream},
    },
    response::json_text,
};

/// Create a message
///
/// Adds a message to a conversation that exists.
#[utoipa::path(
    post,
    path = "/conversation/v1/conversations/{conversationId}/messages",
    tag = "messages",
    operation_id = "createMessage",
    params(("conversationId" = String, Path, description = "The service's id of the conversation",
        format = "id"), IdempotencyKeyHeader),
    request_body = MessageBody,
    responses((status = 200, description = "Added", body = WrittenView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    authorized: Authorized<WriteConversations>,
    path: ConversationPath,
    services: Data<Services>,
    key: IdempotencyKey,
    body: JsonBody<MessageBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (authorized.caller(), body);
    let message = (body.into_domain()?, &*bytes);
    let append = async |message, claim| {
        services.messages.append(caller, path.0.clone(), message, claim).await.map(|id| vec![id.to_string()])
    };
    let response = key.execute(&services, caller, Some(&path.0), message, append).await?;
    Ok(idempotency_key::respond(StatusCode::OK, response, WrittenView::new))
}

/// List messages
///
/// All messages of the conversation in chronological order. With `limit` or `cursor`, one page of them.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations/{conversationId}/messages",
    tag = "messages",
    operation_id = "listMessages",
    params(
        ("conversationId" = String, Path, description = "The service's id of the conversation",
            format = "id"),
        ("limit" = Option<u16>, Query, description = "Most messages of a page, which ends early with the sixth message from the one with which its texts reach 1 MiB; with `cursor` alone, 1000",
            format = "message-page"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before",
            format = "message-cursor"),
        ("include" = Option<IncludeWord>, Query, description = "The optional member `redactions` of each message"),
    ),
    responses((status = 200, description = "The messages", body = MessagesView<'_>), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<ReadConversations>,
    path: ConversationPath,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::from_request(&request)?;
    let limit = query.parse("limit", "limit", parse_limit)?;
    let after = query.parse("cursor", "cursor", decode_cursor)?;
    let include = Include::from_query(&query, true)?;
    let not_found = read_error_at("path:conversationId");
    if limit.is_none() && after.is_none() {
        let _permit = acquire_large_read_permit(&request).await;
        let transcript = services.messages.transcript(authorized.caller(), path.0).await.map_err(not_found)?;
        let mut response = HttpResponse::Ok();
        response.content_type(ContentType::json());
        return stream::respond(response, transcript, MessageFormat::Json.writer(include, None), &request).await;
    }
    let limit = limit.unwrap_or(PageLimit::MAX);
    let page = services.messages.page(authorized.caller(), &path.0, after, limit).await.map_err(not_found)?;
    let next_cursor = page.next_cursor().as_ref().map(encode_cursor);
    Ok(json_text::respond(json::page_json(&page.messages, next_cursor.as_deref(), include)))
}

/// Retrieve a message
///
/// The message of the conversation with this id, masked as in the list of its messages.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversations/{conversationId}/messages/{messageId}",
    tag = "messages",
    operation_id = "getMessage",
    params(
        ("conversationId" = String, Path, description = "The service's id of the conversation",
            format = "id"),
        ("messageId" = String, Path, description = "The service's id of the message", format = "id"),
        ("include" = Option<IncludeWord>, Query, description = "The optional member `redactions` of the message"),
    ),
    responses((status = 200, description = "The message", body = MessageView<'_>), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    authorized: Authorized<ReadConversations>,
    path: ConversationPath,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = path_id(&request, "messageId")?;
    let include = Include::from_query(&Query::from_request(&request)?, true)?;
    let message = services.messages.find(authorized.caller(), &path.0, &id).await?;
    Ok(json_text::respond(json::message_json(&message, include)))
}
