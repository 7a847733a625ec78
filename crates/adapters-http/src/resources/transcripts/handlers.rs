//! The operation that reads a full transcript.

use actix_web::{HttpRequest, HttpResponse, web::Data};
use parlance_domain::{access::ReadConversations, id::ConversationId, message::TranscriptSelector, text::ExternalId};

use crate::{
    Services,
    errors::{api_error::ApiError, responses::ReadErrors},
    extract::{
        authorized::Authorized,
        query::{Query, invalid_parameter},
    },
    middleware::concurrency_limit::acquire_large_read_permit,
    resources::{
        messages::{
            dto::MessagesView,
            errors::read_error_at,
            include::{Include, IncludeWord},
        },
        transcripts::{
            format::{OutputFormat, TranscriptFormat},
            stream::respond,
        },
    },
};

/// The full transcript of a conversation
///
/// All messages of one conversation, found by exactly one of `externalId` and `conversationId`, in the form that
/// `format` or the header `Accept` names.
#[utoipa::path(
    get,
    path = "/conversation/v1/conversation/messages",
    tag = "messages",
    operation_id = "getTranscript",
    params(
        ("externalId" = Option<String>, Query, description = "The caller's identifier of the conversation",
            format = "external-id"),
        ("conversationId" = Option<String>, Query, description = "The service's id of the conversation",
            format = "id"),
        ("format" = Option<TranscriptFormat>, Query, description = "The form of the transcript"),
        ("include" = Option<IncludeWord>, Query,
            description = "The optional member `redactions` of each message. Only in JSON"),
    ),
    responses(
        (status = 200, description = "The transcript", content(
            (MessagesView<'_> = "application/json"), (String = "text/plain"), (String = "text/csv"), (String = "text/vtt"))),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn full(
    authorized: Authorized<ReadConversations>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::from_request(&request)?;
    let external_id = query.check("externalId", |text| ExternalId::parse(text))?;
    let id = query.check("conversationId", ConversationId::parse)?;
    let format =
        query.parse("format", "enum", OutputFormat::parse)?.unwrap_or_else(|| OutputFormat::from_accept(&request));
    let include = Include::from_query(&query, format == OutputFormat::Json)?;
    let (selector, pointer) = match (external_id, id) {
        (Some(external_id), None) => (TranscriptSelector::ExternalId(external_id), "query:externalId"),
        (None, Some(id)) => (TranscriptSelector::Id(id), "query:conversationId"),
        _ => {
            return Err(invalid_parameter(
                "externalId",
                "exactly_one",
                "exactly one of externalId and conversationId must be given",
            ));
        }
    };
    let _permit = acquire_large_read_permit(&request).await;
    let transcript = services.transcripts.full(authorized.caller(), selector).await.map_err(read_error_at(pointer))?;
    respond(transcript, format, include, &request).await
}
