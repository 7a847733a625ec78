//! Export of the vocabulary in the format of a speech engine, and a report of the texts that are not in the export.

mod engine_formats;

use actix_web::{HttpRequest, HttpResponse, http::header, web::Data};
use parlance_domain::{
    access::ReadConfiguration,
    vocabulary::{
        EntryField,
        export::{DroppedText, EngineLimit, FittedVocabulary, SpeechEngine},
    },
};
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{Object, Ref, RefOr, Schema, schema::AnyOfBuilder},
};

use self::engine_formats::{media_type, render};
use crate::{
    Services,
    errors::{api_error::ApiError, responses::ReadErrors},
    extract::{
        authorized::Authorized,
        query::{Query, invalid_parameter},
    },
    response::entity_tag,
};

/// A speech engine, or a form that several read: `pronunciation` is W3C's lexicon (PLS 1.0).
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
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
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum ReportFormat {
    Json,
}

/// A report of the part of a vocabulary that an engine accepts.
#[derive(Serialize, ToSchema)]
pub(crate) struct FitView {
    engine: &'static str,
    /// The number of entries in the vocabulary.
    entries: usize,
    /// The number of entries in the export.
    kept: usize,
    /// Every text that is not in the export.
    dropped: Vec<DroppedView>,
    /// The limits of the engine.
    limits: Vec<LimitView>,
}

/// A text that is not in the export.
#[derive(Serialize, ToSchema)]
pub(crate) struct DroppedView {
    /// The id of the entry of the text.
    id: String,
    /// A JSON Pointer to the text within the entry.
    pointer: String,
    /// The reason, as a stable word.
    rule: &'static str,
    /// The reason, for people.
    message: String,
}

/// A limit of an engine.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitView {
    rule: &'static str,
    most: usize,
    /// The page that documents the limit.
    source: &'static str,
    /// The day on which the page was read.
    #[schema(format = Date)]
    read_on: &'static str,
}

/// The JSON of a report, or of an export for an engine that reads JSON.
pub(crate) struct ExportJson;

// An engine defines the form of its export, and every report is an object too: `oneOf` would refuse each report.
impl utoipa::PartialSchema for ExportJson {
    fn schema() -> RefOr<Schema> {
        AnyOfBuilder::new().item(Ref::from_schema_name(FitView::name())).item(Object::new()).into()
    }
}

impl ToSchema for ExportJson {}

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
            (inline(ExportJson) = "application/json"), (String = "text/plain"), (String = "text/tab-separated-values"),
            (String = "application/pls+xml")),
            headers(("ETag" = String, description = "Changes with the answer"))),
        (status = 304, description = "It has not changed"),
        ReadErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn export(
    authorized: Authorized<ReadConfiguration>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = Query::from_request(&request)?;
    let engine = query.parse("engine", "enum", SpeechEngine::parse)?;
    let engine = engine.ok_or_else(|| invalid_parameter("engine", "required", "is missing"))?;
    let is_report = query.parse("report", "enum", parse_report_format)?.is_some();
    let entries = services.vocabularies.list_all(authorized.caller()).await?;
    let fit = FittedVocabulary::fit(engine, &entries);
    if is_report {
        let text =
            serde_json::to_string(&FitView::new(engine, entries.len(), &fit)).map_err(|_| ApiError::InternalError)?;
        return Ok(respond(&request, "application/json", text));
    }
    Ok(respond(&request, media_type(engine), render(engine, &fit.terms)))
}

fn parse_report_format(word: &str) -> Result<(), &'static str> {
    if word == "json" { Ok(()) } else { Err("must be json") }
}

/// The text, or 304 if the caller already has it.
fn respond(request: &HttpRequest, media_type: &str, text: String) -> HttpResponse {
    let tag = entity_tag::compute(text.as_bytes());
    if entity_tag::matches_if_none_match(request, &tag) {
        return HttpResponse::NotModified().insert_header((header::ETAG, tag)).finish();
    }
    HttpResponse::Ok().content_type(media_type).insert_header((header::ETAG, tag)).body(text)
}

impl FitView {
    fn new(engine: SpeechEngine, entries: usize, fit: &FittedVocabulary) -> Self {
        Self {
            engine: engine.as_str(),
            entries,
            kept: fit.terms.len(),
            dropped: fit.dropped.iter().map(DroppedView::from).collect(),
            limits: engine.limits().iter().map(LimitView::from).collect(),
        }
    }
}

impl From<&DroppedText> for DroppedView {
    fn from(dropped: &DroppedText) -> Self {
        let pointer = match dropped.field {
            EntryField::Phrase => "/phrase".to_owned(),
            EntryField::Alternative(index) => format!("/soundsLike/{index}"),
        };
        let (rule, message) = (dropped.reason.rule(), dropped.reason.to_string());
        Self { id: dropped.entry.to_string(), pointer, rule, message }
    }
}

impl From<&EngineLimit> for LimitView {
    fn from(limit: &EngineLimit) -> Self {
        let &EngineLimit { unit, max: most, source, read_on } = limit;
        Self { rule: unit.rule(), most, source, read_on }
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_described_engines_are_those_of_the_domain() {
        let described = serde_json::to_value(EngineWord::schema()).unwrap()["enum"].clone();
        assert_eq!(described, serde_json::json!(SpeechEngine::ALL.map(SpeechEngine::as_str)));
    }
}
