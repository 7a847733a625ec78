//! The operations on vocabulary entries.

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Json},
};
use parlance_domain::{
    access::{ReadConfiguration, WriteConfiguration},
    id::VocabularyEntryId,
};

use crate::{
    HttpSettings, Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{
        authorized::Authorized,
        idempotency_key::{self, IdempotencyKey, IdempotencyKeyHeader},
        json_body::JsonBody,
        page_parameters::page_parameters,
        query,
    },
    resources::vocabularies::dto::{VocabulariesView, VocabularyBody, VocabularyView},
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
            format = "vocabulary-page"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` or `prevCursor` of another page",
            format = "vocabulary-cursor"),
    ),
    responses((status = 200, description = "The page", body = VocabulariesView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
    settings: Data<HttpSettings>,
    request: HttpRequest,
) -> Result<Json<VocabulariesView>, ApiError> {
    let (cursor, size) = page_parameters(&request, settings.vocabulary_page_size())?;
    let page = services.vocabularies.list(authorized.caller(), cursor.as_ref(), size).await?;
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
    params(IdempotencyKeyHeader),
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
    authorized: Authorized<WriteConfiguration>,
    services: Data<Services>,
    key: IdempotencyKey,
    body: JsonBody<VocabularyBody>,
) -> Result<HttpResponse, ApiError> {
    let (caller, JsonBody(body, bytes)) = (authorized.caller(), body);
    let new = body.into_domain()?;
    let create = async |(phrase, sounds_like), claim| {
        services.vocabularies.create(caller, phrase, sounds_like, claim).await.map(|entry| vec![entry.id.to_string()])
    };
    let response = key.execute(&services, caller, None, (new.clone(), &bytes), create).await?;
    Ok(idempotency_key::respond(StatusCode::CREATED, response, |ids| VocabularyView::created(ids, new)))
}

/// Retrieve a vocabulary entry
///
/// The entry with this id.
#[utoipa::path(
    get,
    path = "/configuration/v1/custom-vocabularies/{customVocabularyId}",
    tag = "vocabularies",
    operation_id = "getVocabulary",
    params(("customVocabularyId" = String, Path, description = "The id of the entry", format = "id")),
    responses((status = 200, description = "The entry", body = VocabularyView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<VocabularyView>, ApiError> {
    let entry = services.vocabularies.find(authorized.caller(), &vocabulary_id(&request)?).await?;
    Ok(Json(VocabularyView::from(entry)))
}

/// Delete a vocabulary entry
///
/// Takes the entry out of the vocabulary; its phrase is free again.
#[utoipa::path(
    delete,
    path = "/configuration/v1/custom-vocabularies/{customVocabularyId}",
    tag = "vocabularies",
    operation_id = "deleteVocabulary",
    params(("customVocabularyId" = String, Path, description = "The id of the entry", format = "id")),
    responses((status = 204, description = "Deleted"), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn remove(
    authorized: Authorized<WriteConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    services.vocabularies.remove(authorized.caller(), &vocabulary_id(&request)?).await?;
    Ok(HttpResponse::NoContent().finish())
}

fn vocabulary_id(request: &HttpRequest) -> Result<VocabularyEntryId, ApiError> {
    query::path_id(request, "customVocabularyId")
}
