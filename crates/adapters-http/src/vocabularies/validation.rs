//! What speaks against an entry, asked before it is created.

use actix_web::web::{Data, Json};
use parlance_domain::vocabulary::{Collision, Place};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::VocabularyBody;
use crate::{
    Services,
    authentication::{Permitted, ReadConfiguration},
    body::JsonBody,
    documentation::WriteErrors,
    problem::{ApiError, Detail},
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
    permitted: Permitted<ReadConfiguration>,
    services: Data<Services>,
    body: JsonBody<VocabularyBody>,
) -> Result<Json<CollisionsView>, ApiError> {
    let (phrase, sounds_like) = body.0.read()?;
    let found = services.vocabularies.validate(permitted.caller(), &phrase, &sounds_like).await?;
    Ok(Json(CollisionsView { collisions: found.iter().map(Detail::from).collect() }))
}

impl From<&Collision> for Detail {
    fn from(collision: &Collision) -> Self {
        let message = collision.kind.to_string();
        match collision.place {
            Place::Phrase => Self::new("/phrase", collision.kind.rule(), message),
            Place::Alternative(place) => Self::new(format!("/soundsLike/{place}"), collision.kind.rule(), message),
        }
    }
}
