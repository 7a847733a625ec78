//! The vocabulary in the form of a speech engine, and a report of what that engine does not take.

mod forms;

use actix_web::{HttpRequest, HttpResponse, http::header, web::Data};
use parlance_domain::vocabulary::{
    Place,
    export::{Dropped, Engine, EngineLimit, Fit},
};
use serde::Serialize;
use utoipa::ToSchema;

use self::forms::{media_type, render};
use crate::{
    Services,
    authentication::{Permitted, ReadConfiguration},
    documentation::ReadErrors,
    entity_tag,
    problem::ApiError,
    query::{Query, wrong},
};

/// A speech engine, or a form that several read: `pronunciation` is W3C's lexicon (PLS 1.0).
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "it stands in the description only")]
pub(crate) enum EngineWord {
    AmazonTranscribe,
    Google,
    Azure,
    Speechmatics,
    Deepgram,
    Assemblyai,
    Whisper,
    Pronunciation,
}

/// The form of a report.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it stands in the description only")]
pub(crate) enum ReportFormat {
    Json,
}

/// What of a vocabulary an engine takes.
#[derive(Serialize, ToSchema)]
pub(crate) struct FitView {
    engine: &'static str,
    /// How many entries the vocabulary has.
    entries: usize,
    /// How many of them the engine is given.
    kept: usize,
    /// Each text that the engine is not given.
    dropped: Vec<DroppedView>,
    /// What the engine takes at most.
    limits: Vec<LimitView>,
}

/// A text that an engine is not given.
#[derive(Serialize, ToSchema)]
pub(crate) struct DroppedView {
    /// The id of its entry.
    id: String,
    /// Which text of that entry: a JSON Pointer into it.
    pointer: String,
    /// Why: a stable word.
    rule: &'static str,
    /// Why, for people.
    message: String,
}

/// A limit of an engine.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitView {
    rule: &'static str,
    most: usize,
    /// The page that says so.
    source: &'static str,
    /// The day on which that page was read.
    #[schema(format = Date)]
    read_on: &'static str,
}

/// Export the vocabulary
///
/// The whole vocabulary in the form of a speech engine, to be handed to it as it is: what the engine cannot take is
/// left out, oldest entries first in. With `report=json`, what was left out and why.
#[utoipa::path(
    get,
    path = "/configuration/v1/custom-vocabularies/export",
    tag = "vocabularies",
    operation_id = "exportVocabulary",
    params(
        ("engine" = EngineWord, Query, description = "The engine"),
        ("report" = Option<ReportFormat>, Query, description = "Report what is left out, in place of the export"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of an export that is at hand"),
    ),
    responses(
        (status = 200, description = "The export, or the report", content(
            (Object = "application/json"), (String = "text/plain"), (String = "text/tab-separated-values"),
            (String = "application/pls+xml")),
            headers(("ETag" = String, description = "Changes with the answer"))),
        (status = 304, description = "It has not changed"),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn export(
    permitted: Permitted<ReadConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::of(&request)?;
    let engine = query.parse("engine", "enum", Engine::parse)?;
    let engine = engine.ok_or_else(|| wrong("engine", "required", "is missing"))?;
    let report = query.parse("report", "enum", read_report)?.is_some();
    let entries = services.vocabularies.all(permitted.caller()).await?;
    let fit = Fit::of(engine, &entries);
    if report {
        let text = serde_json::to_string(&FitView::new(engine, entries.len(), &fit)).map_err(|_| ApiError::Defect)?;
        return Ok(answer(&request, "application/json", text));
    }
    Ok(answer(&request, media_type(engine), render(engine, &fit.terms)))
}

fn read_report(word: &str) -> Result<(), &'static str> {
    if word == "json" { Ok(()) } else { Err("must be json") }
}

/// The text, or 304 where the caller has it.
fn answer(request: &HttpRequest, media_type: &str, text: String) -> HttpResponse {
    let tag = entity_tag::of(text.as_bytes());
    if entity_tag::is_known(request, &tag) {
        return HttpResponse::NotModified().insert_header((header::ETAG, tag)).finish();
    }
    HttpResponse::Ok().content_type(media_type).insert_header((header::ETAG, tag)).body(text)
}

impl FitView {
    fn new(engine: Engine, entries: usize, fit: &Fit) -> Self {
        Self {
            engine: engine.as_str(),
            entries,
            kept: fit.terms.len(),
            dropped: fit.dropped.iter().map(DroppedView::from).collect(),
            limits: engine.limits().iter().map(LimitView::from).collect(),
        }
    }
}

impl From<&Dropped> for DroppedView {
    fn from(dropped: &Dropped) -> Self {
        let pointer = match dropped.place {
            Place::Phrase => "/phrase".to_owned(),
            Place::Alternative(place) => format!("/soundsLike/{place}"),
        };
        let (rule, message) = (dropped.reason.rule(), dropped.reason.to_string());
        Self { id: dropped.entry.to_string(), pointer, rule, message }
    }
}

impl From<&EngineLimit> for LimitView {
    fn from(limit: &EngineLimit) -> Self {
        let &EngineLimit { measure, most, source, read_on } = limit;
        Self { rule: measure.rule(), most, source, read_on }
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_engines_that_are_described_are_the_domains() {
        let described = serde_json::to_value(EngineWord::schema()).unwrap()["enum"].clone();
        assert_eq!(described, serde_json::json!(Engine::ALL.map(Engine::as_str)));
    }
}
