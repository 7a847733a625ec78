//! Tests of holds: what they protect, and how they are listed and released.

use serde_json::{Value, json};
use support::{
    client::Client,
    database::{TestDatabase, query_text},
    service::TestService,
};

use crate::erasure::{start, start_on};

const PATH: &str = "/conversation/v1/conversations";
const HOLDS: &str = "/privacy/v1/holds";

async fn place(client: &Client, body: &Value) -> Value {
    let placed = client.post(HOLDS, body).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
    placed.json()
}

async fn place_on_conversation(client: &Client, id: &str) -> String {
    let hold = place(client, &json!({"conversationId": id, "reference": "Case 17"})).await;
    hold["id"].as_str().unwrap().to_owned()
}

async fn erase_is_held(client: &Client, id: &str) -> bool {
    let erased = client.delete(&format!("{PATH}/{id}")).await;
    if erased.status == 204 {
        return false;
    }
    assert_eq!(erased.error_details(), (409, vec!["path:conversationId held".to_owned()]));
    true
}

#[actix_web::test]
async fn a_held_conversation_is_erased_only_after_the_release() {
    let (_service, client, _key) = start().await;
    let id = client.upsert("call-1").await;
    let hold = place_on_conversation(&client, &id).await;
    assert!(erase_is_held(&client, &id).await);
    assert_eq!(client.delete(&format!("{HOLDS}/{hold}")).await.status, 204);
    assert!(!erase_is_held(&client, &id).await);
}

#[actix_web::test]
async fn a_hold_on_a_customer_protects_every_conversation_of_the_customer() {
    let (_service, client, _key) = start().await;
    let earlier = client.upsert("call-1").await;
    let hold = place(&client, &json!({"customerExternalId": "customer-7", "reference": "Case 17"})).await;
    assert_eq!((&hold["customerExternalId"], &hold["reference"]), (&json!("customer-7"), &json!("Case 17")));
    let later = client.upsert("call-2").await;
    assert!(erase_is_held(&client, &earlier).await && erase_is_held(&client, &later).await);
}

#[actix_web::test]
async fn holds_are_listed_page_by_page() {
    let (_service, client, _key) = start().await;
    let id = client.upsert("call-1").await;
    let mut placed = Vec::new();
    for _ in 0..3 {
        placed.push(place_on_conversation(&client, &id).await);
    }
    let first = client.get(&format!("{HOLDS}?limit=2")).await.ok();
    let second = client.get(&format!("{HOLDS}?limit=2&cursor={}", first["nextCursor"].as_str().unwrap())).await.ok();
    let pages = [&first, &second].into_iter().flat_map(|page| page["holds"].as_array().unwrap().clone());
    assert_eq!(pages.map(|hold| hold["id"].clone()).collect::<Vec<_>>(), placed);
    assert_eq!((&first["prevCursor"], &second["nextCursor"]), (&Value::Null, &Value::Null));
}

#[actix_web::test]
async fn a_hold_that_is_not_there_is_not_released() {
    let (_service, client, _key) = start().await;
    let missing = client.delete(&format!("{HOLDS}/01KG9P6JE00000000000000009")).await;
    assert_eq!(missing.error_details(), (404, vec!["path:holdId exists".to_owned()]));
}

#[actix_web::test]
async fn another_tenant_neither_sees_nor_releases_a_hold() {
    let (service, client, _key) = start().await;
    let other = service.client("globex").await;
    let id = client.upsert("call-1").await;
    let hold = place_on_conversation(&client, &id).await;
    assert_eq!(other.get(HOLDS).await.ok()["holds"], json!([]));
    assert_eq!(other.delete(&format!("{HOLDS}/{hold}")).await.status, 404);
    let foreign = other.post(HOLDS, &json!({"conversationId": id, "reference": "Case 17"})).await;
    assert_eq!(foreign.error_details(), (404, vec!["/conversationId exists".to_owned()]));
}

#[actix_web::test]
async fn a_hold_has_exactly_one_subject_and_a_reference() {
    let (_service, client, _key) = start().await;
    let both = json!({"customerExternalId": "a", "conversationId": "A", "reference": "r"});
    for (body, refused) in [
        (both, (400, " exactly_one")),
        (json!({"reference": "r"}), (400, " exactly_one")),
        (json!({"conversationId": "A"}), (400, "/reference required")),
        (json!({"customerExternalId": "a", "reference": ""}), (422, "/reference min_characters")),
        (json!({"customerExternalId": "a", "reference": "r".repeat(257)}), (422, "/reference max_characters")),
        (json!({"conversationId": "a-1", "reference": "r"}), (422, "/conversationId pattern")),
    ] {
        let answer = client.post(HOLDS, &body).await.error_details();
        assert_eq!(answer, (refused.0, vec![refused.1.to_owned()]), "{body}");
    }
}

#[actix_web::test]
async fn the_audit_log_does_not_name_a_held_customer() {
    let (service, client, _key) = start().await;
    place(&client, &json!({"customerExternalId": "customer-7", "reference": "Case 17"})).await;
    let query = "SELECT details AS answer FROM audit_records WHERE action = 'hold.placed'";
    let details = query_text(&service.test_database().connect().await, query).await;
    assert!(details.starts_with("on the customer with the digest ") && !details.contains("customer-7"), "{details}");
}

#[actix_web::test]
async fn without_a_master_key_no_customer_is_held() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let on_hold = client.post(HOLDS, &json!({"customerExternalId": "customer-7", "reference": "Case 17"})).await;
    assert_eq!(on_hold.status, 503);
}

#[actix_web::test]
async fn holds_work_the_same_on_postgresql() {
    let Some(database) = TestDatabase::postgres() else { return };
    let (_service, client, _key) = start_on(database).await;
    let id = client.upsert("call-1").await;
    let hold = place(&client, &json!({"customerExternalId": "customer-7", "reference": "Case 17"})).await;
    assert!(erase_is_held(&client, &id).await);
    assert_eq!(client.delete(&format!("{HOLDS}/{}", hold["id"].as_str().unwrap())).await.status, 204);
    assert!(!erase_is_held(&client, &id).await);
}
