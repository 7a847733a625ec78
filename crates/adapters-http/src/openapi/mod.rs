//! The OpenAPI 3.1 description, generated from the wire types, and the Swagger UI that shows it.

pub mod examples;
pub(crate) mod named_formats;
pub(crate) mod operation_defaults;
pub(crate) mod swagger_ui;

use actix_web::{HttpRequest, HttpResponse, http::header, web::Data};
use utoipa::{
    Modify, OpenApi,
    openapi::{
        self,
        security::{ApiKey, ApiKeyValue, SecurityScheme},
    },
};

use crate::{
    HttpSettings,
    errors::envelope::ErrorBody,
    openapi::{named_formats::NamedFormats, operation_defaults::OperationDefaults},
    resources::{
        conversations, erasures, events, feeds, health, holds, index, messages, privacy_requests, redaction_entities,
        retention, transcripts, vocabularies, webhooks,
    },
    response::static_content::StaticContent,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Parlance",
        description = "Stores conversations between an agent and a customer under the caller's own identifiers, masks sensitive data in what is said, gives back whole transcripts, keeps what speech-to-text should hear, and exports all of it as dated feeds.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        conversations::handlers::upsert,
        conversations::handlers::list,
        conversations::handlers::retrieve,
        messages::handlers::create,
        messages::batch::create,
        messages::handlers::list,
        messages::handlers::retrieve,
        transcripts::handlers::full,
        events::handlers::poll,
        events::stream_handlers::events,
        events::stream_handlers::messages,
        events::addresses::issue,
        events::addresses::open,
        vocabularies::handlers::list,
        vocabularies::handlers::create,
        vocabularies::validation::validate,
        vocabularies::export::export,
        vocabularies::status::status,
        vocabularies::handlers::retrieve,
        vocabularies::handlers::remove,
        redaction_entities::handlers::list,
        redaction_entities::handlers::fetch,
        redaction_entities::handlers::switch,
        redaction_entities::preview::preview,
        redaction_entities::backtest::backtest,
        feeds::handlers::feeds,
        feeds::handlers::versions,
        feeds::handlers::formats,
        feeds::handlers::dates,
        feeds::handlers::intervals,
        feeds::handlers::files,
        feeds::handlers::file,
        feeds::handlers::schema,
        feeds::download::download,
        webhooks::handlers::list,
        webhooks::handlers::create,
        webhooks::handlers::retrieve,
        webhooks::handlers::change,
        webhooks::handlers::remove,
        webhooks::handlers::rotate_secret,
        webhooks::delivery_handlers::test,
        webhooks::delivery_handlers::replay,
        webhooks::delivery_handlers::list,
        webhooks::delivery_handlers::redeliver,
        conversations::handlers::erase,
        erasures::handlers::list,
        privacy_requests::handlers::create,
        privacy_requests::handlers::list,
        privacy_requests::handlers::retrieve,
        privacy_requests::handlers::archive,
        privacy_requests::handlers::receipt,
        holds::handlers::place,
        holds::handlers::list,
        holds::handlers::release,
        retention::handlers::retrieve,
        retention::handlers::preview,
        retention::handlers::replace,
        index::index,
        health::live,
        health::ready,
        document
    ),
    components(schemas(
        ErrorBody,
        events::dto::EventTypeWord,
        events::dto::EventViewWord,
        messages::include::IncludeWord,
        transcripts::format::TranscriptFormat,
        vocabularies::export::EngineWord,
        vocabularies::export::FitView,
        vocabularies::export::ReportFormat,
        vocabularies::status::DeliveryStateWord,
        webhooks::delivery_dto::WebhookDeliveryStatusWord,
        webhooks::dto::SwitchOffWord
    )),
    tags(
        (name = "conversations", description = "Conversations, by the service's id or the caller's identifier"),
        (name = "messages", description = "Messages of a conversation, and whole transcripts"),
        (name = "events", description = "What has changed, in one order for each tenant: by polling or as a stream"),
        (name = "vocabularies", description = "Custom vocabularies: what speech-to-text should hear, and whether it has been told. Every operation answers under two paths, which share one vocabulary"),
        (name = "redaction", description = "What is masked in the texts of messages"),
        (name = "feeds", description = "Dated feeds of what is stored, and how to collect them"),
        (name = "webhooks", description = "Endpoints that receive events by signed requests (Standard Webhooks)"),
        (name = "privacy", description = "Erasure of what is stored, holds that prevent it, and rules that do it after a time"),
        (name = "health", description = "For whoever runs the service"),
        (name = "description", description = "This description")
    )
)]
struct Description;

/// The OpenAPI description, with the configured names of the credential headers.
#[must_use]
pub fn openapi(settings: &HttpSettings) -> openapi::OpenApi {
    let mut description = Description::openapi();
    CredentialHeaders(settings).modify(&mut description);
    NamedFormats.modify(&mut description);
    PathAliases.modify(&mut description);
    OperationDefaults.modify(&mut description);
    description
}

/// Operations that are available under two paths: the prefix of the first path, the prefix of the second, and the
/// suffix of the operation names under the second.
const PATH_ALIASES: [(&str, &str, &str); 2] = [
    // spec §4.7 and §4.8
    (
        "/configuration/v1/custom-vocabularies",
        "/configuration/v1/auto-transcribe/custom-vocabularies",
        "ForAutoTranscribe",
    ),
    // spec §4.9 has the singular for one entity and the plural for the list
    ("/configuration/v1/redaction/redaction-entity/", "/configuration/v1/redaction/redaction-entities/", "OfList"),
];

struct PathAliases;

impl Modify for PathAliases {
    fn modify(&self, description: &mut openapi::OpenApi) {
        let paths = &mut description.paths.paths;
        for (first, second, suffix) in PATH_ALIASES {
            let mirrored: Vec<_> = paths
                .iter()
                .filter_map(|(path, item)| Some((format!("{second}{}", path.strip_prefix(first)?), item.clone())))
                .collect();
            for (path, mut item) in mirrored {
                let operations = [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete];
                for operation in operations.into_iter().flatten() {
                    operation.operation_id = operation.operation_id.as_ref().map(|id| format!("{id}{suffix}"));
                }
                paths.insert(path, item);
            }
        }
    }
}

struct CredentialHeaders<'settings>(&'settings HttpSettings);

impl Modify for CredentialHeaders<'_> {
    fn modify(&self, description: &mut openapi::OpenApi) {
        let components = description.components.get_or_insert_default();
        let header = |name: &header::HeaderName, text: &str| {
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(name.as_str(), text)))
        };
        components.add_security_scheme("apiId", header(self.0.id_header(), "The identifier of a credential"));
        components.add_security_scheme("apiSecret", header(self.0.secret_header(), "The secret of that credential"));
    }
}

/// The description of this interface
///
/// This document.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "description",
    operation_id = "getDescription",
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of a description that is at hand")),
    responses(
        (status = 200, description = "An OpenAPI 3.1 document", body = Object, content_type = "application/json",
            headers(("ETag" = String, description = "Changes with the description"))),
        (status = 304, description = "It has not changed")
    )
)]
pub(crate) async fn document(settings: Data<HttpSettings>, request: HttpRequest) -> HttpResponse {
    let create = || StaticContent::new("application/json", openapi(&settings).to_json().unwrap_or_default());
    settings.openapi_document().get_or_init(create).respond(&request)
}
