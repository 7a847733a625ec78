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
