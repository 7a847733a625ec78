//! Conversations over HTTP (spec §4.1 to §4.3).

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web::Data};
use parlance_domain::{
    conversation::{Change, Metadata, Participant, UpsertRequest},
    id::ConversationId,
    limits,
    retry::{Answer, Operation},
    text::{DisplayName, ExternalId, Violation},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::schema::{ObjectBuilder, Schema, SchemaType, Type},
};

use crate::{
    Services,
    authentication::{Permitted, ReadConversations, WriteConversations},
    body::JsonBody,
    conversation_view::{self, ConversationView, ConversationsView},
    documentation::{ReadErrors, WriteErrors},
    json_text,
    problem::{ApiError, pointer_step},
    query::{self, ConversationPath, Query},
    reading::{Member, Object, Pairs, Reading},
    retry::{self, IdempotencyKey, RetryKey},
};

/// A conversation to create or to update, found by its `externalId`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationBody {
    /// The service's id of the conversation with this `externalId`. It is never chosen by the caller.
    #[serde(default)]
    #[schema(value_type = String, required = false, pattern = "^[A-Z0-9]+$")]
    id: Member<String>,
    /// The caller's identifier of the conversation.
    #[serde(default)]
    #[schema(value_type = String, required = true, min_length = 1, max_length = 256, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$")]
    external_id: Member<String>,
    /// Who serves the customer. Left out, the agent stays as it is; `null` takes it away.
    #[serde(default)]
    #[schema(value_type = Option<ParticipantBody>, required = false)]
    agent: Member<Object<ParticipantBody>>,
    /// Who is served.
    #[serde(default)]
    #[schema(value_type = ParticipantBody, required = true)]
    customer: Member<Object<ParticipantBody>>,
    /// Up to 50 key-value pairs. Left out, they stay as they are; `null` takes them away; given, they replace all.
    #[serde(default)]
    #[schema(schema_with = metadata_schema, required = false)]
    metadata: Member<Pairs>,
    /// When the conversation was created. Without a zone it is UTC. Of an existing conversation it changes nothing.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = DateTime)]
    timestamp: Member<String>,
}

/// Someone who takes part in a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParticipantBody {
    /// The identifier in the caller's system.
    #[serde(default)]
    #[schema(value_type = String, required = true, min_length = 1, max_length = 256, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$")]
    external_id: Member<String>,
    /// The name to show.
    #[serde(default)]
    #[schema(value_type = String, required = false, max_length = 256, pattern = "^[^\\u0000]*$")]
    name: Member<String>,
}

/// The id of what was written.
#[derive(Serialize, ToSchema)]
pub(crate) struct WrittenView {
    #[schema(pattern = "^[A-Z0-9]+$")]
    id: String,
}

impl WrittenView {
    /// The one thing that a request wrote.
    pub(crate) fn of(answer: &Answer) -> Self {
        Self { id: answer.ids.first().cloned().unwrap_or_default() }
    }
}

/// Create or update a conversation
///
/// Creates the conversation, or updates the one with this `externalId`. Requests at the same time for one
/// `externalId` make one conversation, and all answer its id.
#[utoipa::path(
    post,
    path = "/conversation/v1/conversations",
    tag = "conversations",
    operation_id = "upsertConversation",
    params(IdempotencyKey),
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
    permitted: Permitted<WriteConversations>,
    services: Data<Services>,
    key: RetryKey,
    body: JsonBody<ConversationBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (permitted.caller(), body);
    let request = body.read()?;
    let attempt = key.attempt("", &request, &bytes);
    let upsert = async |claim| {
        let id = services.conversations.upsert_once(caller, request, claim).await?;
        Ok(vec![id.to_string()])
    };
    let answer = services.repeats.once(caller, Operation::UpsertConversation, attempt, upsert).await;
    let answer = answer.map_err(ApiError::at("/id"))?;
    Ok(retry::respond(StatusCode::OK, &answer, WrittenView::of(&answer)))
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
        min_length = 1, max_length = 256, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$")),
    responses((status = 200, description = "What was found, or nothing", body = ConversationsView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    permitted: Permitted<ReadConversations>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let external_id = Query::of(&request)?.check("externalId", |text| ExternalId::parse(text))?;
    let external_id = external_id.ok_or_else(|| query::wrong("externalId", "required", "is missing"))?;
    let found = services.conversations.search(permitted.caller(), &external_id).await?;
    Ok(json_text::respond(conversation_view::found(found.as_ref())))
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
        pattern = "^[A-Z0-9]+$")),
    responses((status = 200, description = "The conversation", body = ConversationView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    permitted: Permitted<ReadConversations>,
    path: ConversationPath,
    services: Data<Services>,
) -> Result<HttpResponse, ApiError> {
    let found = services.conversations.find(permitted.caller(), &path.0).await;
    let found = found.map_err(ApiError::at("path:conversationId"))?;
    Ok(json_text::respond(conversation_view::one(&found)))
}

/// Metadata with its limits, which no attribute can say.
fn metadata_schema() -> Schema {
    let value = ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(limits::METADATA_VALUE_MAX_CHARACTERS))
        .pattern(Some("^[^\\u0000]*$"));
    let key = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(limits::METADATA_KEY_MAX_CHARACTERS))
        .pattern(Some("^[^\\u0000-\\u001f\\u007f-\\u009f]+$"));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .description(Some(
            "Up to 50 key-value pairs. Left out, they stay as they are; `null` takes them away; given, they replace all.",
        ))
        .max_properties(Some(limits::METADATA_MAX_PAIRS))
        .property_names(Some(key))
        .additional_properties(Some(value))
        .into()
}

impl ConversationBody {
    pub(crate) fn read(self) -> Result<UpsertRequest, ApiError> {
        let mut reading = Reading::default();
        let given = reading.optional("/id", self.id);
        let id = given.and_then(|text| reading.check("/id", ConversationId::parse(&text)));
        let external_id = read_text(&mut reading, "/externalId", self.external_id, ExternalId::parse);
        let agent = read_change(self.agent, |Object(body)| body.read(&mut reading, "/agent"));
        let customer = reading.required("/customer", self.customer);
        let customer = customer.and_then(|Object(body)| body.read(&mut reading, "/customer"));
        let metadata = read_change(self.metadata, |Pairs(pairs)| read_metadata(&mut reading, pairs));
        let started_at = reading.moment("/timestamp", self.timestamp);
        let request = || {
            let (external_id, customer, started_at) = (external_id?, customer?, started_at?);
            Some(UpsertRequest { id, external_id, agent: agent?, customer, metadata: metadata?, started_at })
        };
        reading.finish(request())
    }
}

impl ParticipantBody {
    fn read(self, reading: &mut Reading, pointer: &str) -> Option<Participant> {
        let external_id = read_text(reading, &format!("{pointer}/externalId"), self.external_id, ExternalId::parse);
        let at_name = format!("{pointer}/name");
        let name = reading.optional(&at_name, self.name);
        let name = name.map(|text| reading.check(&at_name, DisplayName::parse(text)));
        Some(Participant { external_id: external_id?, name: name.flatten() })
    }
}

fn read_metadata(reading: &mut Reading, pairs: BTreeMap<String, String>) -> Option<Metadata> {
    let parsed = Metadata::parse(pairs);
    let key = parsed.as_ref().err().and_then(|broken| broken.key.as_deref());
    let pointer = key.map_or("/metadata".to_owned(), |key| format!("/metadata/{}", pointer_step(key)));
    reading.check(&pointer, parsed.map_err(|broken| broken.violation))
}

/// The text of a required member, checked by the domain.
pub(crate) fn read_text<T>(
    reading: &mut Reading,
    pointer: &str,
    member: Member<String>,
    parse: impl FnOnce(String) -> Result<T, Violation>,
) -> Option<T> {
    let text = reading.required(pointer, member)?;
    reading.check(pointer, parse(text))
}

/// What a member says of an optional part; nothing where its value is wrong.
fn read_change<T, U>(member: Member<T>, read: impl FnOnce(T) -> Option<U>) -> Option<Change<U>> {
    match member {
        Member::Absent => Some(Change::Keep),
        Member::Null => Some(Change::Clear),
        Member::Given(value) => read(value).map(Change::Set),
    }
}
