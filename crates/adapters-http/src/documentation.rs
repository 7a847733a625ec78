//! The description of the interface (OpenAPI 3.1), made from the very types that are sent, and its readable form.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use actix_web::{HttpRequest, HttpResponse, http::header, web::Data};
use utoipa::{
    IntoResponses, Modify, OpenApi,
    openapi::{
        self, ContentBuilder, Ref, RefOr, Response, ResponseBuilder,
        security::{ApiKey, ApiKeyValue, SecurityScheme},
    },
};
use utoipa_swagger_ui::Config;

use crate::{
    HttpSettings, conversations,
    description_details::Details,
    feeds, health, index, message_batches, messages,
    problem::{ApiError, ErrorBody, RefusalKind},
    redaction,
    static_content::StaticContent,
    transcripts, vocabularies,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Parlance",
        description = "Stores conversations between an agent and a customer under the caller's own identifiers, masks sensitive data in what is said, gives back whole transcripts, keeps what speech-to-text should hear, and exports all of it as dated feeds.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        conversations::upsert,
        conversations::list,
        conversations::retrieve,
        messages::create,
        message_batches::create,
        messages::list,
        transcripts::full,
        vocabularies::list,
        vocabularies::create,
        vocabularies::validation::validate,
        vocabularies::export::export,
        vocabularies::status::status,
        vocabularies::retrieve,
        vocabularies::remove,
        redaction::list,
        redaction::fetch,
        redaction::switch,
        feeds::feeds,
        feeds::versions,
        feeds::formats,
        feeds::dates,
        feeds::files,
        feeds::file,
        feeds::schema,
        feeds::collecting::collect,
        index::index,
        health::live,
        health::ready,
        document
    ),
    components(schemas(
        ErrorBody,
        transcripts::TranscriptFormat,
        vocabularies::export::EngineWord,
        vocabularies::export::ReportFormat,
        vocabularies::status::DeliveryStateWord
    )),
    tags(
        (name = "conversations", description = "Conversations, by the service's id or the caller's identifier"),
        (name = "messages", description = "Messages of a conversation, and whole transcripts"),
        (name = "vocabularies", description = "Custom vocabularies: what speech-to-text should hear, and whether it has been told. Every operation answers under two paths, which share one vocabulary"),
        (name = "redaction", description = "What is masked in the texts of messages"),
        (name = "feeds", description = "Dated feeds of what is stored, and how to collect them"),
        (name = "health", description = "For whoever runs the service"),
        (name = "description", description = "This description")
    )
)]
struct Description;

/// The description of the interface, with the credential headers as they are configured.
#[must_use]
pub fn openapi(settings: &HttpSettings) -> openapi::OpenApi {
    let mut description = Description::openapi();
    Credentials(settings).modify(&mut description);
    SecondPaths.modify(&mut description);
    Details.modify(&mut description);
    description
}

/// The operations that answer under two paths, once more under the second: where the first begins, where the second
/// does, and what the names of the second's operations end with.
const SECOND_PATHS: [(&str, &str, &str); 2] = [
    // spec §4.7 and §4.8
    (
        "/configuration/v1/custom-vocabularies",
        "/configuration/v1/auto-transcribe/custom-vocabularies",
        "ForAutoTranscribe",
    ),
    // spec §4.9 names one entity by the singular, the list by the plural
    ("/configuration/v1/redaction/redaction-entity/", "/configuration/v1/redaction/redaction-entities/", "OfList"),
];

struct SecondPaths;

impl Modify for SecondPaths {
    fn modify(&self, description: &mut openapi::OpenApi) {
        let paths = &mut description.paths.paths;
        for (first, second, suffix) in SECOND_PATHS {
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

struct Credentials<'settings>(&'settings HttpSettings);

impl Modify for Credentials<'_> {
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
    let made = || StaticContent::new("application/json", openapi(&settings).to_json().unwrap_or_default());
    settings.description().get_or_init(made).answer(&request)
}

/// What a browser may do with a page: load what this server gives, and nothing else; be in no frame; guess no types. The
/// page sets styles of its own as it runs, and holds small pictures in its text.
pub(crate) const PAGE_HEADERS: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
];

pub(crate) async fn to_page() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs/")).finish()
}

/// The readable form: its files are part of the program, so it needs no other host.
pub(crate) async fn page(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let file = request.match_info().get("file").unwrap_or_default();
    let file = if file.is_empty() { "index.html" } else { file };
    let mut answer = page_file(file)?.answer(&request);
    for (name, value) in PAGE_HEADERS {
        answer.headers_mut().insert(header::HeaderName::from_static(name), header::HeaderValue::from_static(value));
    }
    Ok(answer)
}

/// A file of the readable form, kept once it was asked for. There are only so many.
fn page_file(name: &str) -> Result<Arc<StaticContent>, ApiError> {
    static FILES: Mutex<BTreeMap<String, Arc<StaticContent>>> = Mutex::new(BTreeMap::new());
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = files.get(name) {
        return Ok(Arc::clone(file));
    }
    let config = Arc::new(Config::from("/openapi.json"));
    let found = utoipa_swagger_ui::serve(name, config).map_err(|_| ApiError::Defect)?;
    let found = found.ok_or_else(|| ApiError::refused(RefusalKind::UnknownRoute))?;
    let file = Arc::new(StaticContent::new(found.content_type, found.bytes.into_owned()));
    files.insert(name.to_owned(), Arc::clone(&file));
    Ok(file)
}

/// The errors of an operation that reads.
pub(crate) struct ReadErrors;

impl IntoResponses for ReadErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 429, 500, 503])
    }
}

/// The errors of an operation that writes.
pub(crate) struct WriteErrors;

impl IntoResponses for WriteErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 403, 404, 409, 413, 422, 429, 500, 503])
    }
}

/// The errors of collecting a file.
pub(crate) struct CollectErrors;

impl IntoResponses for CollectErrors {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[400, 401, 404, 416, 500, 503])
    }
}

/// The one error of readiness.
pub(crate) struct UnavailableError;

impl IntoResponses for UnavailableError {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        errors(&[503])
    }
}

fn errors(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let error = |status: &u16| {
        let response = ResponseBuilder::new().description(when(*status)).content("application/json", body.clone());
        (status.to_string(), RefOr::T(response.build()))
    };
    statuses.iter().map(error).collect()
}

fn when(status: u16) -> &'static str {
    match status {
        400 => "The request cannot be read as the operation's input",
        401 => "The credential is missing or wrong",
        403 => "The credential lacks the permission, or compliance controls the entity",
        404 => "There is no such thing for this tenant",
        409 => "The state of what is stored is against it",
        416 => "The file has no such bytes",
        413 => "The body is over the limit",
        422 => "The input breaks a limit or a rule",
        429 => "The credential sends too many requests; see Retry-After",
        503 => "A needed part is out of reach; see Retry-After",
        _ => "The server failed",
    }
}
