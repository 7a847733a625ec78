//! Tests of the OpenAPI document. The client of the API tests also checks every response against the document.

use std::{collections::BTreeSet, fs, path::Path};

use parlance_domain::limits;
use serde_json::Value;
use support::{openapi_document::OpenApiDocument, service::TestService};

#[test]
fn every_served_path_and_method_is_documented_and_no_other() {
    let served: BTreeSet<_> = parlance_adapters_http::endpoints()
        .into_iter()
        .flat_map(|(path, methods)| {
            // `HEAD` is served wherever `GET` is, and the document does not list it separately.
            let described = methods.into_iter().filter(|method| method != "HEAD");
            described.map(move |method| (path.to_owned(), method.as_str().to_lowercase()))
        })
        .collect();
    let description = OpenApiDocument::load();
    let paths = description.json()["paths"].as_object().unwrap();
    let described: BTreeSet<_> = paths
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| (path.clone(), method.clone())))
        .collect();
    assert_eq!(served, described);
}

#[test]
fn the_documented_limits_are_the_limits_of_the_domain() {
    let description = OpenApiDocument::load();
    let schemas = &description.json()["components"]["schemas"];
    let limit = |pointer: &str| schemas.pointer(pointer).and_then(Value::as_u64).unwrap();
    assert_eq!(limit("/ConversationBody/properties/externalId/maxLength"), limits::EXTERNAL_ID_MAX_CHARACTERS as u64);
    assert_eq!(limit("/ParticipantBody/properties/externalId/maxLength"), limits::EXTERNAL_ID_MAX_CHARACTERS as u64);
    assert_eq!(limit("/ParticipantBody/properties/name/maxLength"), limits::NAME_MAX_CHARACTERS as u64);
    assert_eq!(limit("/VocabularyBody/properties/soundsLike/maxItems"), limits::SOUNDS_LIKE_MAX_ITEMS as u64);
    assert_eq!(limit("/VocabularyView/properties/phrase/maxLength"), limits::PHRASE_MAX_CHARACTERS as u64);
    assert_eq!(
        limit("/VocabulariesView/properties/custom-vocabularies/maxItems"),
        u64::from(limits::VOCABULARY_PAGE_MAX)
    );
    assert_eq!(limit("/SenderBody/properties/externalId/maxLength"), limits::EXTERNAL_ID_MAX_CHARACTERS as u64);
    assert_eq!(limit("/MessageBody/properties/text/minLength"), limits::MESSAGE_TEXT_MIN_CHARACTERS as u64);
}

#[test]
fn every_reference_in_the_document_resolves() {
    let description = OpenApiDocument::load();
    let (mut pending, mut references) = (vec![description.json()], BTreeSet::new());
    while let Some(value) = pending.pop() {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            references.insert(reference.trim_start_matches('#'));
        }
        pending.extend(value.as_object().into_iter().flat_map(|members| members.values()));
        pending.extend(value.as_array().into_iter().flatten());
    }
    let unresolved: Vec<_> =
        references.into_iter().filter(|reference| description.json().pointer(reference).is_none()).collect();
    assert!(unresolved.is_empty(), "define these in openapi/mod.rs: {unresolved:?}");
}

/// The operations of the document, each with its operation id.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    operations.map(|operation| (operation["operationId"].as_str().unwrap(), operation))
}

#[test]
fn every_operation_documents_whether_it_requires_a_credential() {
    let description = OpenApiDocument::load();
    let is_public = |operation: &&Value| operation["security"].as_array().unwrap().is_empty();
    let public: BTreeSet<_> =
        operations(description.json()).filter(|(_, operation)| is_public(operation)).map(|(name, _)| name).collect();
    assert_eq!(
        public,
        BTreeSet::from(["collectFeedFile", "getDescription", "getIndex", "getLiveness", "getReadiness", "openStream"])
    );
}

#[test]
fn every_request_body_and_path_parameter_has_an_example() {
    let description = OpenApiDocument::load();
    let mut without = Vec::new();
    for (name, operation) in operations(description.json()) {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let mut paths = parameters.filter(|parameter| parameter["in"] == "path");
        let body = operation.pointer("/requestBody/content/application~1json");
        if body.is_some_and(|body| body["example"].is_null()) || paths.any(|path| path["example"].is_null()) {
            without.push(name);
        }
    }
    assert!(without.is_empty(), "add examples for these operations to openapi/examples.rs: {without:?}");
}

#[test]
fn response_headers_are_documented() {
    let description = OpenApiDocument::load();
    let document = description.json();
    let upsert = &document["paths"]["/conversation/v1/conversations"]["post"]["responses"];
    let names = |status: &str| upsert[status]["headers"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let (rate, id) = (["RateLimit", "RateLimit-Policy"], "x-request-id");
    let with = |others: &[&str]| others.iter().chain(&[id]).map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(names("200"), with(&[rate[0], rate[1], "Idempotency-Replayed"]));
    assert_eq!(names("401"), with(&["WWW-Authenticate"]));
    assert_eq!(names("429"), with(&[rate[0], rate[1], "Retry-After"]));
    let refused = &document["components"]["responses"]["MethodNotAllowed"]["headers"];
    assert!(refused.get("Allow").is_some() && upsert["405"]["$ref"].is_string());
}

#[test]
fn the_document_in_docs_is_the_served_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let stored: Value = serde_json::from_str(&fs::read_to_string(path).unwrap_or_default()).unwrap_or_default();
    assert!(stored == *OpenApiDocument::load().json(), "docs/openapi.json is out of date: run `just docs`");
}

#[actix_web::test]
async fn the_document_and_swagger_ui_need_no_credential_and_no_other_host() {
    let service = TestService::start().await;
    let anonymous = service.client_with_credential("", "");
    assert_eq!(anonymous.get("/openapi.json").await.ok(), *OpenApiDocument::load().json());
    assert_eq!(anonymous.get("/docs").await.status, 200);
    let page = anonymous.get("/docs/").await;
    assert!(page.header("content-type").starts_with("text/html") && !page.text.contains("https://"));
    for file in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-initializer.js"] {
        assert_eq!(anonymous.get(&format!("/docs/{file}")).await.status, 200, "{file}");
    }
}

#[actix_web::test]
async fn swagger_ui_may_load_only_from_this_server_and_may_not_be_framed() {
    let service = TestService::start().await;
    let page = service.client_with_credential("", "").get("/docs/").await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("http") && !policy.contains("script-src"), "{policy}");
    assert_eq!((page.header("x-content-type-options"), page.header("referrer-policy")), ("nosniff", "no-referrer"));
}
