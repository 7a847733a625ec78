//! Tests of the validation of a vocabulary entry before it is created.

use serde_json::{Value, json};
use support::{client::Client, service::TestService};

use crate::vocabularies::{PATH, SECOND_PATH, create, entry};

/// The collisions of an entry: each pointer with its rule.
async fn collisions(client: &Client, path: &str, body: &Value) -> Vec<String> {
    let answer = client.post(&format!("{path}/validate"), body).await.ok();
    let found = answer["collisions"].as_array().unwrap().iter();
    found.map(|one| format!("{} {}", one["pointer"].as_str().unwrap(), one["rule"].as_str().unwrap())).collect()
}

#[actix_web::test]
async fn every_collision_is_reported_under_both_paths_and_nothing_is_stored() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "CRAN", &["sea ran"]).await;
    let before = client.get(PATH).await.ok();
    for path in [PATH, SECOND_PATH] {
        for (body, expected) in [
            (entry("IEEE", &["I triple E"]), vec![]),
            (entry("CRAN", &[]), vec!["/phrase unique"]),
            (entry("Cran", &["SEA RAN"]), vec!["/phrase phrase_of_another", "/soundsLike/0 alternative_of_another"]),
            (entry("Index", &["in decks", "IN DECKS"]), vec!["/phrase common_word", "/soundsLike/1 repeated"]),
        ] {
            assert_eq!(collisions(&client, path, &body).await, expected, "{body}");
        }
    }
    assert_eq!(client.get(PATH).await.ok(), before);
}

#[actix_web::test]
async fn a_collision_names_the_other_entry_by_its_id_and_repeats_no_text() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = create(&client, "Hush", &[]).await;
    let answer = client.post(&format!("{PATH}/validate"), &entry("hush", &[])).await;
    assert!(answer.text.contains(&id) && !answer.text.to_lowercase().contains("hush"), "{}", answer.text);
}

#[actix_web::test]
async fn an_invalid_entry_is_rejected_by_validation() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = format!("{PATH}/validate");
    assert_eq!(client.post(&path, &entry("", &[])).await.error_details(), (422, vec!["/phrase min_characters".into()]));
    assert_eq!(
        client.post(&path, &json!({"phrase": "x"})).await.error_details(),
        (400, vec!["/soundsLike required".into()])
    );
    assert_eq!(client.get(&path).await.header("allow"), "POST");
}

#[actix_web::test]
async fn a_tenant_gets_no_collisions_with_entries_of_another_tenant() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    create(&acme, "IEEE", &["I triple E"]).await;
    assert_eq!(collisions(&globex, PATH, &entry("IEEE", &["I triple E"])).await, Vec::<String>::new());
}
