//! The check of a vocabulary entry for collisions, before its creation.

use actix_web::web::{Data, Json};
use parlance_domain::{
    access::ReadConfiguration,
    vocabulary::{Collision, EntryField},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Services,
    errors::{api_error::ApiError, envelope::Detail, responses::WriteErrors},
    extract::{authorized::Authorized, json_body::JsonBody},
    resources::vocabularies::dto::VocabularyBody,
};

/// What speaks against an entry.
#[derive(Serialize, ToSchema)]
pub(crate) struct CollisionsView {
    /// Each text that collides, with what: `unique` (another entry has the phrase), `phrase_of_another`,
    /// `alternative_of_another`, `common_word` or `repeated`.
    collisions: Vec<Detail>,
}

/// Validate a vocabulary entry
///
/// Says which texts of an entry would collide: with another entry, with an everyday English word, or with each other.
/// Letter case is left aside. Nothing is stored, and none of it stops a creation but a phrase that is taken.
#[utoipa::path(
    post,
    path = "/configuration/v1/custom-vocabularies/validate",
    tag = "vocabularies",
    operation_id = "validateVocabulary",
    request_body = VocabularyBody,
    responses((status = 200, description = "What collides, or nothing", body = CollisionsView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn validate(
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
    body: JsonBody<VocabularyBody>,
) -> Result<Json<CollisionsView>, ApiError> {
    let (phrase, sounds_like) = body.0.into_domain()?;
    let collisions = services.vocabularies.validate(authorized.caller(), &phrase, &sounds_like).await?;
    Ok(Json(CollisionsView { collisions: collisions.iter().map(Detail::from).collect() }))
}

impl From<&Collision> for Detail {
    fn from(collision: &Collision) -> Self {
        let message = collision.kind.to_string();
        match collision.field {
            EntryField::Phrase => Self::new("/phrase", collision.kind.rule(), message),
            EntryField::Alternative(index) => Self::new(format!("/soundsLike/{index}"), collision.kind.rule(), message),
        }
    }
}
