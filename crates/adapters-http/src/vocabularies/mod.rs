//! Custom vocabularies over HTTP (spec §4.7 and §4.8): the operations, which answer under two paths.

pub(crate) mod export;
pub(crate) mod status;
pub(crate) mod validation;
pub(crate) mod wire;

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Json},
};
use parlance_domain::{id::VocabularyId, retry::Operation, vocabulary::PageSize};

use self::wire::{VocabulariesView, VocabularyBody, VocabularyView, read_cursor};
use crate::{
    HttpSettings, Services,
    authentication::{Permitted, ReadConfiguration, WriteConfiguration},
    body::JsonBody,
    documentation::{ReadErrors, WriteErrors},
    problem::ApiError,
    query::{self, Query, whole_number},
    retry::{self, IdempotencyKey, RetryKey},
};

/// List vocabulary entries
///
/// One page of the vocabulary, oldest entries first.
#[utoipa::path(
    get,
    path = "/configuration/v1/custom-vocabularies",
    tag = "vocabularies",
    operation_id = "listVocabularies",
    params(
        ("limit" = Option<u16>, Query, description = "Most entries of the page; left out, 20, or what the server is configured for",
            minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "`nextCursor` or `prevCursor` of another page",
            pattern = "^[FB][A-Z0-9]+$"),
    ),
    responses((status = 200, description = "The page", body = VocabulariesView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    permitted: Permitted<ReadConfiguration>,
    services: Data<Services>,
    settings: Data<HttpSettings>,
    request: HttpRequest,
) -> Result<Json<VocabulariesView>, ApiError> {
    let query = Query::of(&request)?;
    let size = query.parse("limit", "limit", read_limit)?.unwrap_or(settings.vocabulary_page_size());
    let cursor = query.parse("cursor", "cursor", read_cursor)?;
    let page = services.vocabularies.list(permitted.caller(), cursor.as_ref(), size).await?;
    Ok(Json(VocabulariesView::from(page)))
}

/// Create a vocabulary entry
///
/// Adds an entry. There are at most 200, and no two with the same phrase.
#[utoipa::path(
    post,
    path = "/configuration/v1/custom-vocabularies",
    tag = "vocabularies",
    operation_id = "createVocabulary",
    params(IdempotencyKey),
    request_body = VocabularyBody,
    responses(
        (status = 201, description = "Created", body = VocabularyView, links(
            ("retrieve" = (operation_id = "getVocabulary", parameters(("customVocabularyId" = "$response.body#/id")))),
            ("remove" = (operation_id = "deleteVocabulary", parameters(("customVocabularyId" = "$response.body#/id"))))
        )),
        WriteErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    permitted: Permitted<WriteConfiguration>,
    services: Data<Services>,
    key: RetryKey,
    body: JsonBody<VocabularyBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (permitted.caller(), body);
    let entry = body.read()?;
    let attempt = key.attempt("", &entry, &bytes);
    let (phrase, sounds_like) = entry;
    let create = async |claim| {
        let (phrase, sounds_like) = (phrase.clone(), sounds_like.clone());
        let entry = services.vocabularies.create_once(caller, phrase, sounds_like, claim).await?;
        Ok(vec![entry.id.to_string()])
    };
    let answer = services.repeats.once(caller, Operation::CreateVocabulary, attempt, create).await?;
    Ok(retry::respond(StatusCode::CREATED, &answer, VocabularyView::created(&answer, phrase, &sounds_like)))
}

/// Retrieve a vocabulary entry
///
/// The entry with this id.
#[utoipa::path(
    get,
    path = "/configuration/v1/custom-vocabularies/{customVocabularyId}",
    tag = "vocabularies",
    operation_id = "getVocabulary",
    params(("customVocabularyId" = String, Path, description = "The id of the entry", pattern = "^[A-Z0-9]+$")),
    responses((status = 200, description = "The entry", body = VocabularyView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    permitted: Permitted<ReadConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<VocabularyView>, ApiError> {
    let found = services.vocabularies.find(permitted.caller(), &id(&request)?).await;
    Ok(Json(VocabularyView::from(found.map_err(ApiError::at("path:customVocabularyId"))?)))
}

/// Delete a vocabulary entry
///
/// Takes the entry out of the vocabulary; its phrase is free again.
#[utoipa::path(
    delete,
    path = "/configuration/v1/custom-vocabularies/{customVocabularyId}",
    tag = "vocabularies",
    operation_id = "deleteVocabulary",
    params(("customVocabularyId" = String, Path, description = "The id of the entry", pattern = "^[A-Z0-9]+$")),
    responses((status = 204, description = "Deleted"), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn remove(
    permitted: Permitted<WriteConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let removed = services.vocabularies.remove(permitted.caller(), &id(&request)?).await;
    removed.map_err(ApiError::at("path:customVocabularyId"))?;
    Ok(HttpResponse::NoContent().finish())
}

fn id(request: &HttpRequest) -> Result<VocabularyId, ApiError> {
    query::id(request, "customVocabularyId")
}

fn read_limit(text: &str) -> Result<PageSize, &'static str> {
    let size = whole_number(text).and_then(|number| PageSize::new(number).ok());
    size.ok_or("must be a whole number from 1 to 100")
}
