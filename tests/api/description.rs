//! The interface described by itself. That every answer fits the description is held by the client in every test.

use std::{collections::BTreeSet, fs, path::Path};

use parlance_domain::limits;
use serde_json::Value;
use support::{description::Description, service::TestService};

#[test]
fn every_path_and_method_that_is_served_is_described_and_no_other() {
    let served: BTreeSet<_> = parlance_adapters_http::endpoints()
        .into_iter()
        .flat_map(|(path, methods)| {
            // Whatever answers `GET` answers `HEAD`, which is not described once more.
            let described = methods.into_iter().filter(|method| method != "HEAD");
            described.map(move |method| (path.to_owned(), method.as_str().to_lowercase()))
        })
        .collect();
    let description = Description::read();
    let paths = description.document()["paths"].as_object().unwrap();
    let described: BTreeSet<_> = paths
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| (path.clone(), method.clone())))
        .collect();
    assert_eq!(served, described);
}

#[test]
fn the_limits_that_are_described_are_the_domains() {
    let description = Description::read();
    let schemas = &description.document()["components"]["schemas"];
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
fn every_reference_in_the_description_leads_somewhere() {
    let description = Description::read();
    let (mut unseen, mut references) = (vec![description.document()], BTreeSet::new());
    while let Some(value) = unseen.pop() {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            references.insert(reference.trim_start_matches('#'));
        }
        unseen.extend(value.as_object().into_iter().flat_map(|members| members.values()));
        unseen.extend(value.as_array().into_iter().flatten());
    }
    let lost: Vec<_> =
        references.into_iter().filter(|reference| description.document().pointer(reference).is_none()).collect();
    assert!(lost.is_empty(), "name these in documentation.rs: {lost:?}");
}

/// Every operation that is described, with its name.
fn operations(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let items = document["paths"].as_object().unwrap().values();
    let operations = items.flat_map(|item| item.as_object().unwrap().values());
    operations.map(|operation| (operation["operationId"].as_str().unwrap(), operation))
}

#[test]
fn every_operation_says_whether_it_needs_a_credential() {
    let description = Description::read();
    let open = |operation: &&Value| operation["security"].as_array().unwrap().is_empty();
    let open: BTreeSet<_> =
        operations(description.document()).filter(|(_, operation)| open(operation)).map(|(name, _)| name).collect();
    assert_eq!(open, BTreeSet::from(["collectFeedFile", "getDescription", "getIndex", "getLiveness", "getReadiness"]));
}

#[test]
fn every_body_and_every_part_of_a_path_has_an_example() {
    let description = Description::read();
    let mut without = Vec::new();
    for (name, operation) in operations(description.document()) {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let mut paths = parameters.filter(|parameter| parameter["in"] == "path");
        let body = operation.pointer("/requestBody/content/application~1json");
        if body.is_some_and(|body| body["example"].is_null()) || paths.any(|path| path["example"].is_null()) {
            without.push(name);
        }
    }
    assert!(without.is_empty(), "give these an example in examples.rs: {without:?}");
}

#[test]
fn every_answer_has_its_headers_described() {
    let description = Description::read();
    let document = description.document();
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
fn the_description_in_the_docs_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let kept: Value = serde_json::from_str(&fs::read_to_string(path).unwrap_or_default()).unwrap_or_default();
    assert!(kept == *Description::read().document(), "docs/openapi.json is out of date: run `just docs`");
}

#[actix_web::test]
async fn the_description_is_served_to_anyone_and_readable_without_another_host() {
    let service = TestService::start().await;
    let nobody = service.client_of("", "");
    assert_eq!(nobody.get("/openapi.json").await.ok(), *Description::read().document());
    assert_eq!(nobody.get("/docs").await.status, 200);
    let page = nobody.get("/docs/").await;
    assert!(page.header("content-type").starts_with("text/html") && !page.text.contains("https://"));
    for file in ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-initializer.js"] {
        assert_eq!(nobody.get(&format!("/docs/{file}")).await.status, 200, "{file}");
    }
}

#[actix_web::test]
async fn a_page_lets_a_browser_load_from_this_server_only_and_be_framed_by_none() {
    let service = TestService::start().await;
    let page = service.client_of("", "").get("/docs/").await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("http") && !policy.contains("script-src"), "{policy}");
    assert_eq!((page.header("x-content-type-options"), page.header("referrer-policy")), ("nosniff", "no-referrer"));
}
