//! The operation that reads a full transcript.

use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, http::header, web::Data};
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
            format::{DocumentFormat, OutputFormat, TranscriptFormat},
            stream::respond,
            time_zone::TimeZone,
            vcon::Vcon,
        },
    },
    response::security_headers::DOCUMENT_SECURITY_HEADERS,
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
        ("timezone" = Option<String>, Query, description = "The time zone of the times, as a name of the IANA database \
            such as `Europe/Berlin`. Only with the formats txt, md, html and vcon. UTC by default"),
        ("include" = Option<IncludeWord>, Query,
            description = "The optional member `redactions` of each message. Only in JSON"),
    ),
    responses(
        (status = 200, description = "The transcript", content(
            (MessagesView<'_> = "application/json"), (String = "text/plain"), (String = "text/csv"), (String = "text/vtt"),
            (String = "text/markdown"), (String = "text/html"), (Vcon = "application/vcon"))),
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
    let include = Include::from_query(&query, format == OutputFormat::JSON)?;
    let zone = query.parse("timezone", "timezone", TimeZone::parse)?;
    if zone.is_some() && !format.has_time_zone() {
        return Err(invalid_parameter(
            "timezone",
            "format",
            "must be given with the formats txt, md, html and vcon only",
        ));
    }
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
    let (caller, error) = (authorized.caller(), read_error_at(pointer));
    match format {
        OutputFormat::Messages(messages) => {
            let transcript = services.transcripts.full(caller, selector).await.map_err(error)?;
            respond(start_response(format), transcript, messages.writer(include, zone), &request).await
        }
        OutputFormat::Document(document) => {
            let (conversation, transcript) =
                services.transcripts.with_conversation(caller, selector).await.map_err(error)?;
            let mut response = start_response(format);
            let file_name = format!("transcript-{}.{}", conversation.id.as_str(), format.name());
            response.insert_header((header::CONTENT_DISPOSITION, format!("inline; filename=\"{file_name}\"")));
            respond(response, transcript, document.writer(conversation, zone), &request).await
        }
    }
}

/// The head of a response in this format.
fn start_response(format: OutputFormat) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.content_type(format.content_type());
    if format == OutputFormat::Document(DocumentFormat::Html) {
        for header in DOCUMENT_SECURITY_HEADERS {
            response.insert_header(header);
        }
    }
    response
}
