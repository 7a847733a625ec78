//! Tests of spec §4.9: redaction entities are listed, retrieved and switched.

use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client},
    service::TestService,
};

use parlance_domain::access::Permission;

const LIST: &str = "/configuration/v1/redaction/redaction-entities";
const PATHS: [&str; 2] =
    ["/configuration/v1/redaction/redaction-entity", "/configuration/v1/redaction/redaction-entities"];

async fn patch(client: &Client, path: &str, body: &Value) -> ApiResponse {
    client.send(&Method::PATCH, path, |request| request.json(body)).await
}

async fn labels(client: &Client, query: &str) -> Vec<String> {
    let list = client.get(&format!("{LIST}{query}")).await.ok();
    let entities = list["redactionEntities"].as_array().unwrap().clone();
    entities.iter().map(|entity| entity["id"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn the_list_has_the_defaults_of_the_specification() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let list = client.get(LIST).await.ok();
    let entities = list["redactionEntities"].as_array().unwrap();
    assert!(entities.len() > 50);
    for (label, active) in [
        ("CREDIT_CARD_NUMBER", true),
        ("CVV", true),
        ("PASSWORD", true),
        ("PIN", true),
        ("SSN", true),
        ("PHONE_NUMBER", false),
        ("DOB", false),
        ("PROFANITY", false),
        ("EMAIL", false),
    ] {
        let found = entities.iter().find(|entity| entity["id"] == label).unwrap();
        assert_eq!(found["active"], active, "{label}");
        assert_eq!(found.as_object().unwrap().len(), 4, "{label}");
    }
}

#[actix_web::test]
async fn the_active_and_the_inactive_entities_make_up_the_whole_list() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (all, on, off) =
        (labels(&client, "").await, labels(&client, "?active=true").await, labels(&client, "?active=false").await);
    assert_eq!(on.len() + off.len(), all.len());
    assert!(on.contains(&"SSN".to_owned()) && off.contains(&"EMAIL".to_owned()));
    for query in ["?active=", "?active=TRUE", "?active=1", "?active=yes"] {
        let refused = client.get(&format!("{LIST}{query}")).await;
        assert_eq!(refused.error_details(), (400, vec!["query:active enum".into()]), "{query}");
    }
    assert_eq!(client.get(&format!("{LIST}?active=true&active=true")).await.status, 400);
}

#[actix_web::test]
async fn a_switch_returns_the_entity_and_applies_to_both_paths() {
    let service = TestService::start().await;
    let (client, other) = (service.client("acme").await, service.client("globex").await);
    for (path, active) in PATHS.into_iter().zip([true, false]) {
        let switched = patch(&client, &format!("{path}/EMAIL"), &json!({"active": active})).await.ok();
        assert_eq!((&switched["id"], &switched["active"]), (&json!("EMAIL"), &json!(active)));
        for path in PATHS {
            assert_eq!(client.get(&format!("{path}/EMAIL")).await.ok(), switched);
        }
        assert_eq!(labels(&client, "?active=true").await.contains(&"EMAIL".to_owned()), active);
        assert_eq!(other.get(&format!("{path}/EMAIL")).await.ok()["active"], false);
    }
}

#[actix_web::test]
async fn a_switch_of_an_entity_under_compliance_control_is_rejected_whatever_its_value() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for label in ["CREDIT_CARD_NUMBER", "CVV"] {
        for active in [true, false] {
            let refused = patch(&client, &format!("{}/{label}", PATHS[0]), &json!({"active": active})).await;
            assert_eq!(refused.error_details(), (403, vec!["path:entityId control".into()]), "{label}");
        }
        assert_eq!(client.get(&format!("{}/{label}", PATHS[0])).await.ok()["active"], true);
    }
}

#[actix_web::test]
async fn an_unknown_entity_is_404() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for path in PATHS {
        for id in ["NO_SUCH_THING", "email", "EMAIL%00", "%F0%9F%A6%80"] {
            let missing = (404, vec!["path:entityId exists".into()]);
            assert_eq!(client.get(&format!("{path}/{id}")).await.error_details(), missing, "{id}");
            assert_eq!(
                patch(&client, &format!("{path}/{id}"), &json!({"active": true})).await.error_details(),
                missing
            );
        }
    }
}

#[actix_web::test]
async fn a_switch_takes_exactly_one_boolean() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (body, violation) in [
        (json!({}), "/active required"),
        (json!({"active": null}), "/active type"),
        (json!({"active": "true"}), "/active type"),
        (json!({"active": 1}), "/active type"),
        (json!({"active": true, "hush": 1}), " unknown_member"),
        (json!({"Active": true}), " unknown_member"),
        (json!([true]), " type"),
        (json!(true), " type"),
    ] {
        let refused = patch(&client, &format!("{}/EMAIL", PATHS[0]), &body).await;
        assert_eq!(refused.error_details(), (400, vec![violation.into()]), "{body}");
        assert!(!refused.text.contains("hush"), "{}", refused.text);
    }
    assert_eq!(client.get(&format!("{}/EMAIL", PATHS[0])).await.ok()["active"], false);
}

#[actix_web::test]
async fn reading_and_switching_require_separate_permissions() {
    let service = TestService::start().await;
    let reader = service.client_with_permissions("acme", &[Permission::ReadConfiguration]).await;
    let writer = service.client_with_permissions("acme", &[Permission::WriteConfiguration]).await;
    let entity = format!("{}/EMAIL", PATHS[0]);
    assert_eq!((reader.get(LIST).await.status, writer.get(LIST).await.status), (200, 403));
    assert_eq!((reader.get(&entity).await.status, writer.get(&entity).await.status), (200, 403));
    let body = json!({"active": true});
    assert_eq!((patch(&reader, &entity, &body).await.status, patch(&writer, &entity, &body).await.status), (403, 200));
}
